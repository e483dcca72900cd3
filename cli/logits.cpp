#include "cli/command.h"
#include "cli/model_memory.h"
#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/base/record_part.h"
#include "gyre/base/text/counted.h"
#include "gyre/io/tensor_file.h"
#include "gyre/models/language_model.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/int8/int8_activations.h"

namespace gyre {

struct LogitsOptions {
  std::string tokens{}, out{};
  PackedUseOptions packed{};
};
GYRE_RECORD(
    LogitsOptions,
    GYRE_FIELD(tokens, "JSON file (required): {\"input_ids\": [[...]]}, rows of equal length",
               .metavar = "FILE"),
    GYRE_FIELD(out,
               "safetensors, npz or npy (required) for `logits` [rows, tokens, vocabulary] f32",
               .metavar = "FILE"),
    GYRE_PART(packed));

namespace {

[[noreturn]] void refuse(const std::string& path, const Message& message) {
  throw Error(Code::value, "logits", {path, ": ", message});
}

// The model takes no attention mask, so masks that exclude tokens are refused.
void require_whole_rows(const Json& file, const std::string& path) {
  const Json* mask = file.find("attention_mask");
  if (!mask) return;
  for (const Json& row : mask->as_array("attention_mask")) {
    for (const Json& seen : row.as_array("attention_mask")) {
      if (seen.as_integer("attention_mask") == 1) continue;
      throw Error(Code::unsupported, "logits", path + ": attention_mask must be 1 everywhere", "1",
                  seen.dump());
    }
  }
}

Tensor tokens_of(const std::string& path) {
  const Json file = Json::read(path);
  require_whole_rows(file, path);
  std::vector<int64_t> ids;
  const Json::Array& rows = file.at("input_ids").as_array("input_ids");
  size_t length = rows.empty() ? 0 : rows[0].as_array("input_ids").size();
  for (const Json& row : rows) {
    const Json::Array& tokens = row.as_array("input_ids");
    if (tokens.size() != length) {
      refuse(path,
             {"expected rows of equal length, got ", counted(static_cast<int64_t>(length), "token"),
              " and ", tokens.size(), " in another row"});
    }
    for (const Json& id : tokens) ids.push_back(id.as_integer("input_ids"));
  }
  if (ids.empty()) refuse(path, "input_ids is empty");
  return tensor(ids, {static_cast<int64_t>(rows.size()), static_cast<int64_t>(length)});
}

int run_logits(const Invocation& call) {
  const auto& options = call.as<LogitsOptions>();
  if (options.tokens.empty()) throw UsageError("--tokens FILE is missing");
  if (options.out.empty()) throw UsageError("--out FILE is missing");
  (void)tensor_format(options.out);  // refuses other endings before the model runs
  Tensor tokens = in_file(options.tokens, [&] { return tokens_of(options.tokens); });
  const ModelMemoryMeter meter;
  const auto model = load_language_model(call.operands[0], FileAccess::map);
  model->eval();
  NoGrad off;
  const Int8Activations scope(wants_int8(options.packed, *model));
  Tensor logits = in_file(
      options.tokens, [&] { return to((*model)(on_device(tokens, model->device())), DType::f32); });
  const ModelMemory memory = meter.used(call.operands[0]);
  write_tensors(options.out, std::vector<NamedTensor>{{"logits", logits}});
  if (call.json) {
    Json j = Json::object(), shape = Json::array();
    for (int64_t size : logits.shape()) shape.push_back(size);
    j["out"] = options.out;
    j["shape"] = std::move(shape);
    add_memory(j, memory);
    call.out.json(j);
  } else {
    call.out.print("{}: logits {}\n{}\n", options.out, to_string(logits.shape()),
                   memory_text(memory));
  }
  return kDone;
}

}  // namespace

const Command logits_command{"logits",
                             "compute the logits of a model for given tokens",
                             "gyre logits model --tokens ids.json --out logits.safetensors",
                             {"DIR", "a folder with config.json and model.safetensors", 1, 1},
                             record_of<LogitsOptions>,
                             run_logits};

}  // namespace gyre
