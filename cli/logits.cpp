#include <algorithm>

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
#include "gyre/ops/index/index.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/int8/int8_activations.h"

namespace gyre {

struct LogitsOptions {
  std::string tokens{}, out{};
  PackedUseOptions packed{};
};
GYRE_RECORD(
    LogitsOptions,
    GYRE_FIELD(
        tokens,
        "JSON file (required): {\"input_ids\": [[...]], \"attention_mask\": [[...]]}, rows of "
        "equal length; the mask, which may be omitted, is 1 for tokens and 0 for padding",
        .metavar = "FILE"),
    GYRE_FIELD(out,
               "safetensors, npz or npy (required) for `logits` [rows, tokens, vocabulary] f32",
               .metavar = "FILE"),
    GYRE_PART(packed));

namespace {

[[noreturn]] void refuse(const std::string& path, const Message& message) {
  throw Error(Code::value, "logits", {path, ": ", message});
}

// Rows of tokens, without padding, and where each token stood.
struct MaskedRows {
  int64_t length = 0;
  std::vector<std::vector<int64_t>> ids, places;
};

constexpr const char* kForm =
    "expected {\"input_ids\": [[1, 2], [3, 4]]}, a list of rows of token ids";

std::vector<int64_t> integers_of(const Json& row, const char* name) {
  std::vector<int64_t> all;
  for (const Json& item : row.as_array(name)) all.push_back(item.as_integer(name));
  return all;
}

MaskedRows rows_of(const std::string& path) {
  const Json file = Json::read(path);
  const Json* listed = file.is_object() ? file.find("input_ids") : nullptr;
  if (!listed || !listed->is_array()) refuse(path, kForm);
  const Json::Array& rows = listed->as_array();
  for (const Json& row : rows) {
    if (!row.is_array()) refuse(path, kForm);
  }
  const Json* masks = file.find("attention_mask");
  if (masks && masks->as_array("attention_mask").size() != rows.size())
    refuse(path, "attention_mask: expected a row for each row of input_ids");
  MaskedRows all;
  for (size_t r = 0; r < rows.size(); ++r) {
    const std::vector<int64_t> ids = integers_of(rows[r], "input_ids");
    if (r == 0) all.length = static_cast<int64_t>(ids.size());
    if (static_cast<int64_t>(ids.size()) != all.length) {
      refuse(path, {"expected rows of equal length, got ", counted(all.length, "token"), " and ",
                    ids.size(), " in another row"});
    }
    std::vector<int64_t> mask(ids.size(), 1);
    if (masks) mask = integers_of(masks->as_array()[r], "attention_mask");
    if (mask.size() != ids.size() ||
        std::ranges::any_of(mask, [](int64_t m) { return m != 0 && m != 1; }))
      refuse(path, "attention_mask: expected a 0 or 1 for each token");
    all.ids.emplace_back();
    all.places.emplace_back();
    for (size_t i = 0; i < ids.size(); ++i) {
      if (mask[i] == 0) continue;
      all.ids[r].push_back(ids[i]);
      all.places[r].push_back(static_cast<int64_t>(i));
    }
    if (all.ids[r].empty()) refuse(path, {"row ", r, " of input_ids has no tokens"});
  }
  if (all.ids.empty()) refuse(path, "input_ids is empty");
  return all;
}

Tensor logits_of_ids(LanguageModel& model, std::span<const int64_t> ids, int64_t rows,
                     int64_t longest) {
  const Tensor tokens = tensor(ids, {rows, static_cast<int64_t>(ids.size()) / rows});
  return to(model.in_batch(on_device(tokens, model.device()), longest), DType::f32);
}

// Positions count the tokens of a row without its padding, whose logits are 0.
Tensor logits_of(LanguageModel& model, const MaskedRows& rows) {
  const auto count = static_cast<int64_t>(rows.ids.size());
  const auto whole = [&](const auto& ids) {
    return static_cast<int64_t>(ids.size()) == rows.length;
  };
  if (std::ranges::all_of(rows.ids, whole)) {
    std::vector<int64_t> all;
    for (const auto& ids : rows.ids) all.insert(all.end(), ids.begin(), ids.end());
    return logits_of_ids(model, all, count, rows.length);
  }
  int64_t longest = 0;
  for (const auto& ids : rows.ids) longest = std::max(longest, std::ssize(ids));
  const Tensor logits = zeros({count, rows.length, model.vocab()});
  for (int64_t r = 0; r < count; ++r) {
    const auto at = static_cast<size_t>(r);
    const Tensor places = tensor(std::span<const int64_t>(rows.places[at]),
                                 {static_cast<int64_t>(rows.places[at].size())});
    const Tensor one = logits_of_ids(model, rows.ids[at], 1, longest);
    index_copy_(select(logits, {0, r}), places, select(on_device(one, Device()), {0, 0}));
  }
  return logits;
}

int run_logits(const Invocation& call) {
  const auto& options = call.as<LogitsOptions>();
  if (options.tokens.empty()) throw UsageError("--tokens FILE is missing");
  if (options.out.empty()) throw UsageError("--out FILE is missing");
  (void)tensor_format(options.out);  // refuses other endings before the model runs
  const MaskedRows rows = in_file(options.tokens, [&] { return rows_of(options.tokens); });
  const ModelMemoryMeter meter;
  const auto model = load_language_model(call.operands[0], FileAccess::map);
  model->eval();
  NoGrad off;
  const Int8Activations scope(wants_int8(options.packed, *model));
  const Tensor logits = in_file(options.tokens, [&] { return logits_of(*model, rows); });
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

const Command logits_command{
    "logits",
    "compute the logits of a model for given tokens",
    "gyre logits model --tokens ids.json --out logits.safetensors",
    {"MODEL", "a model folder, a .gguf file or a .bin file of llama2.c", 1, 1},
    record_of<LogitsOptions>,
    run_logits};

}  // namespace gyre
