#include "gyre/models/language_model.h"

#include <algorithm>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/io/json.h"
#include "gyre/models/architecture.h"
#include "gyre/models/encoder/encoder_config.h"
#include "gyre/models/files/model_files.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/loss/loss.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/int8/int8_activations.h"

namespace gyre {

namespace {

constexpr const char* kOp = "language model";

// Says what is there instead of a folder with config.json.
void require_language_model(const std::string& folder) {
  if (is_model_file(folder) || file_exists(folder + "/config.json")) return;
  if (!is_directory(folder)) {
    throw Error(Code::io, kOp,
                folder + (file_exists(folder)
                              ? " is a file, expected a model folder, a .gguf file or a .bin file"
                              : ": no such folder"));
  }
  constexpr std::pair<const char*, const char*> kOthers[] = {
      {"/model.json", "a model of images, arrays or a table; use `gyre predict`"},
      {"/embedding.safetensors", "an embedding; use `gyre embed query`"}};
  for (const auto& [file, what] : kOthers) {
    if (file_exists(folder + file)) {
      throw Error(Code::value, kOp, folder + ": expected a language model, found " + what);
    }
  }
  throw Error(Code::io, kOp, folder + ": no config.json; expected the folder of a language model");
}

}  // namespace

void TokenCache::clear() {
  fill_(lengths, 0);
  longest = 0;
}

void TokenCache::cut(int64_t row, int64_t length) {
  fill_(slice(lengths, {0, row, row + 1, 1}), static_cast<double>(length));
}

TokenCache TokenCache::row(int64_t row, int64_t length) const {
  const SliceAttrs part{0, row, row + 1, 1};
  TokenCache one{{}, slice(lengths, part), length};
  for (const nn::KeyValueCache& layer : layers)
    one.layers.push_back({slice(layer.keys, part), slice(layer.values, part), one.lengths});
  return one;
}

TokenCache TokenCache::rows(std::span<const int64_t> rows) const {
  NoGrad scope;
  const Tensor index =
      on_device(tensor(rows, {static_cast<int64_t>(rows.size())}), lengths.device());
  TokenCache some{{}, index_select(lengths, 0, index), longest};
  for (const nn::KeyValueCache& layer : layers) {
    some.layers.push_back(
        {index_select(layer.keys, 0, index), index_select(layer.values, 0, index), some.lengths});
  }
  return some;
}

void TokenCache::reserve(int64_t tokens, int64_t most) {
  for (nn::KeyValueCache& layer : layers) {
    const int64_t capacity = layer.keys.size(2);
    if (tokens <= capacity) return;
    NoGrad scope;
    const nn::KeyValueCache before = layer;
    for (Tensor* part : {&layer.keys, &layer.values}) {
      Shape shape = part->shape();
      shape[2] = std::min(most, std::max(tokens, 2 * capacity));
      *part = empty(shape, part->dtype(), part->device());
    }
    const nn::KeyValueCache same = layer.first(capacity);
    copy_(same.keys, before.keys);
    copy_(same.values, before.values);
  }
}

const Json& LanguageModel::generation_config() const {
  static const Json none = Json::object();
  return none;
}

void LanguageModel::check_tokens(const Tensor& tokens, int64_t before) const {
  if (tokens.rank() != 2) {
    throw mismatch(Code::shape, kOp, "tokens must be [rows, tokens]", "[rows, tokens]",
                   tokens.shape());
  }
  const int64_t end = before + tokens.size(1);
  if (end <= context()) return;
  const std::string most = std::to_string(context());
  throw mismatch(Code::value, kOp, "expected at most " + most + " tokens (the context length)",
                 "<= " + most, end);
}

Tensor LanguageModel::loss(const Tensor& tokens, const Tensor& targets) const {
  Tensor scores = (*this)(tokens);
  // 16-bit logits would leave two or three digits of the loss
  return cross_entropy(size_of(scores.dtype()) == 2 ? gyre::to(scores, DType::f32) : scores,
                       targets);
}

Tensor LanguageModel::next(const Tensor& tokens, TokenCache& cache) const {
  const Tensor logits = next(tokens, cache, 1);
  return reshape(logits, {logits.size(0), -1});
}

Tensor LanguageModel::next(const Tensor& tokens, TokenCache& cache, int64_t count) const {
  NoGrad scope;
  check_tokens(tokens, cache.longest);
  if (tokens.size(0) != cache.lengths.size(0)) {
    throw mismatch(Code::shape, kOp, "expected tokens for each row of the cache",
                   cache.lengths.size(0), tokens.size(0));
  }
  const int64_t n = tokens.size(1);
  if (count < 1 || count > n) {
    throw mismatch(Code::value, kOp, "expected logits of at least one and at most all tokens",
                   {"1 .. ", n}, count);
  }
  cache.reserve(cache.longest + n, context());
  int64_t done = 0;
  const auto compute = [&](int64_t size, int64_t wanted) {
    add_(cache.lengths, Tensor(size));
    cache.longest += size;
    done += size;
    return last_logits(slice(tokens, {1, done - size, done, 1}), cache, wanted);
  };
  try {
    // bounds the memory for activations; chunks of this size still multiply at full speed
    constexpr int64_t kChunk = 512;
    while (n - done - kChunk >= count) (void)compute(kChunk, 1);
    return compute(n - done, count);
  } catch (...) {
    cache.longest -= done;
    add_(cache.lengths, Tensor(-done));
    throw;
  }
}

std::unique_ptr<LanguageModel> load_language_model(const std::string& folder, FileAccess access) {
  require_language_model(folder);
  const auto files = open_model_files(folder);
  const std::string path = files->config_path();
  const Json config = files->config();
  if (!config.is_object()) throw Error(Code::parse, kOp, path + ": expected a JSON object");
  const Json* type = config.find("model_type");
  std::string known;
  for (const Architecture* a : architectures()) {
    if (type && *type == Json(a->model_type)) return a->load(folder, access);
    known += (known.empty() ? "" : ", ") + std::string(a->model_type);
  }
  const std::string found = type ? type->dump() : "missing";
  if (type && type->is_string() && is_encoder_type(type->as_string())) {
    throw Error(Code::unsupported, kOp,
                path + ": model_type is " + found +
                    ", a text encoder, expected a language model; use gyre encode",
                known, found);
  }
  throw Error(Code::unsupported, kOp, path + ": model_type is " + found + ", expected " + known,
              known, found);
}

bool wants_int8(const PackedUseOptions& options, const LanguageModel& model) {
  if (!options.int8_activations) return false;
  const Tensor token = on_device(zeros({1, 1}, {.dtype = DType::i64}), model.share()->device());
  if (takes_int8([&] { (void)model(token); })) return true;
  throw Error(Code::value, kOp,
              "`int8_activations` has no effect, since no linear layer has weights packed in rings "
              "(docs/packed_format.md); pack them with gyre compress --format D4, or omit it",
              "weights packed in rings", "none");
}

void make_weights_contiguous(nn::Module& model) {
  std::vector<NamedTensor> state = model.state_dict();
  for (NamedTensor& t : state) {
    t.tensor = t.tensor.plain() ? contiguous(t.tensor.detach()) : t.tensor.detach();
  }
  model.lend_state(state);
}

}  // namespace gyre
