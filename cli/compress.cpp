#include <algorithm>
#include <cmath>
#include <string_view>

#include "cli/command.h"
#include "gyre/base/system/interrupt.h"
#include "gyre/base/system/memory.h"
#include "gyre/base/system/terminal.h"
#include "gyre/models/measure/compress_folder.h"
#include "gyre/train/progress/writing_sink.h"

namespace gyre {
namespace {

double bits_a_weight(const CompressReport& report) {
  int64_t weights = 0;
  for (const CompressedTensor& t : report.tensors) weights += t.weights;
  return 8 * static_cast<double>(report.bytes) / static_cast<double>(weights);
}

// Of all packed weights.
double error_of(const CompressReport& report) {
  double error = 0, size = 0;
  for (const CompressedTensor& t : report.tensors) {
    error += t.error * t.error * t.size * t.size;
    size += t.size * t.size;
  }
  return size > 0 ? std::sqrt(error / size) : 0;
}

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
  j["interrupted"] = false;
  j["bytes"] = report.bytes;
  j["bytes_f32"] = report.bytes_before;
  j["ratio"] = static_cast<double>(report.bytes_before) / static_cast<double>(report.bytes);
  j["bits"] = bits_a_weight(report);
  if (report.most_bytes > 0) {
    j["target"] = options.target;
    j["bytes_allowed"] = report.most_bytes;
  }
  j["error"] = error_of(report);
  if (report.kl) {
    j["calibration"] = kCalibrationModeNames[static_cast<size_t>(options.calibration)];
    j["kl"] = *report.kl;
    j["calibration_seconds"] = report.calibration_seconds;
    j["polish_seconds"] = report.polish_seconds;
  }
  j["seconds"] = report.seconds;
  if (!report.unread_tokenizer.empty()) j["unread_tokenizer"] = report.unread_tokenizer;
  j["removed"] = Json::array();
  for (const std::string& folder : report.removed) j["removed"].push_back(folder);
  j["tensors"] = std::move(tensors);
  return j;
}

void show(Output& out, const CompressReport& report, const CompressOptions& options) {
  for (const std::string& folder : report.removed)
    out.print("removed {}, which a killed gyre compress had left\n", folder);
  int64_t weights = 0, packed = 0;
  size_t width = std::string_view("tensor").size();
  for (const CompressedTensor& t : report.tensors) width = std::max(width, t.name.size());
  constexpr const char* kRow = "  {:<{}}  {:>8} {:>13} {:>13} {:>7}\n";
  out.print(kRow, "tensor", width, "format", "weights", "bytes", "error");
  for (const CompressedTensor& t : report.tensors) {
    out.print(kRow, t.name, width, t.format, t.weights, t.bytes,
              t.packed ? fmt::format("{:.4f}", t.error) : "-");
    weights += t.weights;
    packed += t.packed ? t.weights : 0;
  }
  const auto before = static_cast<double>(report.bytes_before),
             after = static_cast<double>(report.bytes);
  out.print(
      "{}: {} of {} weights packed, {} instead of {} as f32 ({:.2f} times smaller), "
      "{:.2f} bits a weight\n",
      options.out, packed, weights, size_text(after), size_text(before), before / after,
      bits_a_weight(report));
  if (report.most_bytes > 0) {
    out.print("target {}: {} bytes of at most {}\n", options.target, report.bytes,
              report.most_bytes);
  }
  if (!report.unread_tokenizer.empty()) {
    out.print("the tokenizer is copied, but gyre cannot read it: {}\n", report.unread_tokenizer);
  }
  if (report.kl)
    out.print("KL divergence from the dense model {:.5f} nats per token\n", *report.kl);
  out.print("relative error of the packed weights {:.4f}, {:.1f} s\n", error_of(report),
            report.seconds);
}

// Thrown out of compress_folder(), which then removes what it has begun.
struct Interrupted {};

// The status line on a terminal. Ctrl-C ends the process at once before the first call of show(),
// when there is nothing to remove, and the next call after that.
class Packing {
 public:
  Packing() = default;
  Packing(const Packing&) = delete;
  Packing& operator=(const Packing&) = delete;
  ~Packing() { line_.end(stop_ && *stop_); }

  void show(const CompressProgress& now) {
    if (!stop_) stop_ = note_interrupts();
    if (*stop_) throw Interrupted();
    constexpr const char* kDoing[] = {"calibrating", "packing weights", "polishing", "measuring"};
    if (!line_.terminal() || now.all == 0) return;
    const std::string text = fmt::format("{}: {:3} %", kDoing[now.stage], 100 * now.done / now.all);
    if (text == shown_) return;
    line_.redraw(text);
    shown_ = text;
  }

 private:
  StatusLine line_{stderr, is_terminal(stderr)};
  const std::atomic<bool>* stop_ = nullptr;
  std::string shown_;
};

CompressReport write_packed(const Invocation& call) {
  Packing packing;
  return compress_folder(call.operands[0], call.as<CompressOptions>(),
                         [&](const CompressProgress& now) { packing.show(now); });
}

int answer_interrupted(const Invocation& call, const std::string& out) {
  if (call.json) {
    Json j = Json::object();
    j["out"] = out;
    j["interrupted"] = true;
    call.out.json(j);
  } else {
    call.out.print("interrupted; {} is not written\n", out);
  }
  return kInterrupted;
}

void check_target(const Invocation& call) {
  if (!call.has("target")) return;
  if (call.has("format"))
    throw UsageError("give --format or --target, not both: --target chooses the formats");
  if (call.as<CompressOptions>().target.empty()) throw UsageError("--target is empty");
}

void check_calibration(const Invocation& call) {
  if (call.has("calibrate") && call.as<CompressOptions>().calibrate.empty())
    throw UsageError("--calibrate is empty");
  for (const char* option : {"calibration", "tokenizer", "windows", "polish"}) {
    if (call.has(option) && !call.has("calibrate"))
      throw UsageError(fmt::format("--{} needs a text: give --calibrate FILE", option));
  }
}

std::string opens_in() {
  return "The folder opens in gyre generate, perplexity, logits, encode, train --init and "
         "gyre.LanguageModel, not in other programs: its weights are packed. The model_type in "
         "config.json becomes gyre_packed_llama and so on, which others refuse; it is \"gyre\" for "
         "a "
         "model with options that no other model_type has.";
}

int run_compress(const Invocation& call) {
  const auto& options = call.as<CompressOptions>();
  if (options.out.empty()) throw UsageError("--out DIR is missing");
  check_target(call);
  check_calibration(call);
  try {
    const CompressReport report = write_packed(call);
    if (call.json) {
      call.out.json(report_json(report, options));
    } else {
      show(call.out, report, options);
    }
    return kDone;
  } catch (const Interrupted&) {
    return answer_interrupted(call, options.out);
  }
}

}  // namespace

const Command compress_command{
    "compress",
    "write a language model with packed weights",
    "gyre compress model --format D4 --out small",
    {"MODEL", "a model folder, a .gguf file or a .bin file of llama2.c", 1, 1},
    record_of<CompressOptions>,
    run_compress,
    opens_in};

}  // namespace gyre
