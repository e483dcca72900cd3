#include <cmath>

#include "cli/command.h"
#include "gyre/base/system/memory.h"
#include "gyre/base/system/terminal.h"
#include "gyre/models/measure/compress_folder.h"
#include "gyre/train/progress/writing_sink.h"

namespace gyre {
namespace {

Json report_json(const CompressReport& report, const CompressOptions& options) {
  Json j = Json::object(), tensors = Json::array();
  for (const CompressedTensor& t : report.tensors) {
    Json entry = Json::object();
    entry["name"] = t.name;
    entry["format"] = t.format;
    entry["weights"] = t.weights;
    entry["bytes"] = t.bytes;
    entry["error"] = t.error;
    tensors.push_back(std::move(entry));
  }
  j["out"] = options.out;
  j["bytes"] = report.bytes;
  j["bytes_f32"] = report.bytes_before;
  j["ratio"] = static_cast<double>(report.bytes_before) / static_cast<double>(report.bytes);
  j["seconds"] = report.seconds;
  j["tensors"] = std::move(tensors);
  return j;
}

void show(Output& out, const CompressReport& report, const CompressOptions& options) {
  int64_t weights = 0, packed = 0;
  double error = 0, size = 0;
  for (const CompressedTensor& t : report.tensors) {
    const std::string error_text = t.packed ? fmt::format("  error {:.4f}", t.error) : "";
    out.print("  {:<32} {:>4} {:>12} weights {:>11} bytes{}\n", t.name, t.format, t.weights,
              t.bytes, error_text);
    weights += t.weights;
    packed += t.packed ? t.weights : 0;
    error += t.error * t.error * t.size * t.size;
    size += t.size * t.size;
  }
  const auto before = static_cast<double>(report.bytes_before),
             after = static_cast<double>(report.bytes);
  out.print(
      "{}: {} of {} weights packed, {} instead of {} as f32 ({:.2f} times smaller), "
      "{:.2f} bits a weight\n",
      options.out, packed, weights, size_text(after), size_text(before), before / after,
      8 * after / static_cast<double>(weights));
  if (size > 0) {
    out.print("relative error of the packed weights {:.4f}, {:.1f} s\n", std::sqrt(error / size),
              report.seconds);
  }
}

int run_compress(const Invocation& call) {
  const auto& options = call.as<CompressOptions>();
  if (options.out.empty()) throw UsageError("--out DIR is missing");
  StatusLine line(stderr, is_terminal(stderr));
  const CompressReport report =
      compress_folder(call.operands[0], options, [&](int64_t packed, int64_t all) {
        if (line.terminal()) {
          line.redraw(fmt::format("packing weights: {:3.0f} %",
                                  100.0 * static_cast<double>(packed) / static_cast<double>(all)));
        }
      });
  line.end(false);
  if (call.json) {
    call.out.json(report_json(report, options));
  } else {
    show(call.out, report, options);
  }
  return kDone;
}

}  // namespace

const Command compress_command{"compress",
                               "write a language model with packed weights",
                               "gyre compress model --format D4 --out small",
                               {"DIR", "a folder with config.json and model.safetensors", 1, 1},
                               record_of<CompressOptions>,
                               run_compress};

}  // namespace gyre
