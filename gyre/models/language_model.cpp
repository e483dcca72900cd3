#include "gyre/models/language_model.h"

#include <algorithm>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/io/json.h"
#include "gyre/models/architecture.h"
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
  return cache.tokens.defined() ? append_by_reach(tokens, cache, count)
                                : append(tokens, cache, count);
}

Tensor LanguageModel::append(const Tensor& tokens, TokenCache& cache, int64_t count) const {
  const int64_t n = tokens.size(1);
  Tensors wanted;  // of the last `count` tokens, by chunk
  int64_t done = 0;
  try {
    while (done < n) {  // chunks bound the memory for activations, and still multiply at full speed
      const int64_t size = std::min(TokenCache::kChunk, n - done);
      done += size;
      add_(cache.lengths, Tensor(size));
      cache.longest += size;
      const int64_t last = std::min(size, count - (n - done));  // of this chunk
      Tensor logits =
          last_logits(slice(tokens, {1, done - size, done, 1}), cache, std::max<int64_t>(1, last));
      if (last > 0) wanted.push_back(std::move(logits));
    }
  } catch (...) {
    if (!cache.can_take_back(cache.longest, cache.longest - done)) {
      cache.clear();
      throw;
    }
    cache.longest -= done;
    add_(cache.lengths, Tensor(-done));
    throw;
  }
  return wanted.size() == 1 ? wanted[0] : cat(wanted, 1);
}

std::unique_ptr<LanguageModel> load_language_model(const std::string& folder, FileAccess access) {
  require_language_model(folder);
  const auto files = open_model_files(folder);
  const std::string path = files->config_path();
  const Json config = files->config();
  if (!config.is_object()) throw Error(Code::parse, kOp, path + ": expected a JSON object");
  return architecture_for(config, path).load(folder, access);
}

bool wants_int8(const PackedUseOptions& options, const LanguageModel& model) {
  if (!options.int8_activations) return false;
  const Tensor token = on_device(zeros({1, 1}, {.dtype = DType::i64}), model.share()->device());
  if (takes_int8([&] { (void)model(token); })) return true;
  throw Error(
      Code::value, kOp,
      "`int8_activations` has no effect, since no linear layer has weights packed in D4 to "
      "D1, T4 or T2 (docs/packed_format.md); pack a model with gyre compress --format D4, or "
      "omit it",
      "weights packed in D4 to D1, T4 or T2", "none");
}

void make_weights_contiguous(nn::Module& model) {
  std::vector<NamedTensor> state = model.state_dict();
  for (NamedTensor& t : state) {
    const Ref<Storage> before = t.tensor.plain() ? t.tensor.impl()->storage : Ref<Storage>();
    t.tensor = before ? contiguous(t.tensor.detach()) : t.tensor.detach();
    if (!before || t.tensor.impl()->storage == before) continue;
    if (before->version == 0) release_pages({before->data, before->bytes});
  }
  model.lend_state(state);
}

}  // namespace gyre
