#include "cli/command.h"
#include "cli/model_memory.h"
#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/base/record_part.h"
#include "gyre/base/system/file.h"
#include "gyre/base/system/terminal.h"
#include "gyre/io/tensor_file.h"
#include "gyre/models/encoder/sentence_encoder.h"
#include "gyre/train/progress/writing_sink.h"

namespace gyre {

struct EncodeCommandOptions {
  std::string lines{}, ids{}, out{};
  EncodeOptions how{};
};
GYRE_RECORD(EncodeCommandOptions,
            GYRE_FIELD(lines, "text file, a text each line", .metavar = "FILE"),
            GYRE_FIELD(ids,
                       "instead of --lines a JSON file of token ids, special tokens included: "
                       "{\"input_ids\": [[...], ...]}, of any lengths",
                       .metavar = "FILE"),
            GYRE_FIELD(out,
                       "safetensors, npz or npy for `vectors` [lines, width] f32, or with "
                       "--pooling none `hidden` [lines, tokens, width], 0 after a line's end; "
                       "without it the vector of TEXT is printed",
                       .metavar = "FILE"),
            GYRE_PART(how));

namespace {

std::vector<std::string> text_lines(const std::string& path) {
  const std::string all = read_file(path);
  std::vector<std::string> lines;
  for (std::string_view rest = all; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return lines;
}

std::vector<std::vector<int32_t>> id_lines(const std::string& path) {
  const Json file = Json::read(path);
  std::vector<std::vector<int32_t>> all;
  for (const Json& row : file.at("input_ids").as_array("input_ids")) {
    std::vector<int32_t>& ids = all.emplace_back();
    for (const Json& id : row.as_array("input_ids")) {
      const int64_t value = id.as_integer("input_ids");
      if (value < 0 || value > INT32_MAX) {
        throw Error(Code::index, "encode", {"line ", all.size(), " has the token id ", value},
                    {"0 .. ", INT32_MAX}, value);
      }
      ids.push_back(static_cast<int32_t>(value));
    }
  }
  return all;
}

// Before the model is opened.
void check_encode(const Invocation& call) {
  const auto& options = call.as<EncodeCommandOptions>();
  const bool has_text = call.operands.size() > 1;
  if (has_text + !options.lines.empty() + !options.ids.empty() != 1)
    throw UsageError("give exactly one of TEXT, --lines FILE or --ids FILE");
  if (options.out.empty() && !has_text) throw UsageError("--out FILE is missing");
  if (options.out.empty() && options.how.pooling == Pooling::none)
    throw UsageError("--pooling none needs --out FILE");
  if (!options.out.empty()) (void)tensor_format(options.out);  // refuses other endings
}

// Of one text, on one line.
void print_vector(const Invocation& call, const Tensor& vectors, int64_t tokens) {
  const std::vector<float> numbers = to_vector<float>(vectors);
  if (call.json) {
    Json j = Json::object(), row = Json::array();
    for (const float x : numbers) row.push_back(static_cast<double>(x));
    j["vectors"] = Json::array();
    j["vectors"].push_back(std::move(row));
    j["tokens"] = tokens;
    return call.out.json(j);
  }
  for (size_t i = 0; i < numbers.size(); ++i) call.out.print("{}{}", i ? " " : "", numbers[i]);
  call.out.text("\n");
}

int run_encode(const Invocation& call) {
  const auto& options = call.as<EncodeCommandOptions>();
  check_encode(call);
  const std::string& from = options.ids.empty() ? options.lines : options.ids;
  ModelMemoryMeter meter;
  const SentenceEncoder encoder(call.operands[0]);
  std::vector<std::vector<int32_t>> texts;
  int64_t tokens = 0;
  StatusLine line(stderr, is_terminal(stderr));
  const Tensor vectors = in_file(from, [&] {
    const std::vector<std::string> given(call.operands.begin() + 1, call.operands.end());
    texts = !options.ids.empty()
                ? id_lines(from)
                : encoder.ids_of(given.empty() ? text_lines(from) : given, options.how.max_tokens);
    if (texts.empty()) throw Error(Code::value, "encode", "expected at least one line, got none");
    for (const auto& ids : texts) tokens += static_cast<int64_t>(ids.size());
    return encoder.vectors(texts, options.how, [&](int64_t done) {
      if (line.terminal()) line.redraw(fmt::format("encoding: {} of {} lines", done, texts.size()));
    });
  });
  line.end(false);
  if (options.out.empty()) return print_vector(call, vectors, tokens), kDone;
  const ModelMemory memory = meter.used(encoder.stated().encoder);
  const bool hidden = vectors.rank() == 3;
  write_tensors(options.out, std::vector<NamedTensor>{{hidden ? "hidden" : "vectors", vectors}});
  if (call.json) {
    Json j = Json::object(), shape = Json::array();
    for (int64_t size : vectors.shape()) shape.push_back(size);
    j["out"] = options.out;
    j["shape"] = std::move(shape);
    j["tokens"] = tokens;
    add_memory(j, memory);
    call.out.json(j);
  } else {
    call.out.print("{}: {} {} of {} tokens\n{}\n", options.out, hidden ? "hidden" : "vectors",
                   to_string(vectors.shape()), tokens, memory_text(memory));
  }
  return kDone;
}

}  // namespace

const Command encode_command{
    "encode",
    "compute the sentence vectors of texts with a text encoder",
    "gyre encode model --lines texts.txt --out vectors.safetensors\n"
    "  gyre encode model \"a small dog\"",
    {"ARGUMENT", "a folder with config.json, model.safetensors and tokenizer.json, and TEXT", 1, 2},
    record_of<EncodeCommandOptions>,
    run_encode};

}  // namespace gyre
