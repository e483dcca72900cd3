#include "gyre/models/generation/generate.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/models/generation/sampler.h"
#include "gyre/models/language_model.h"
#include "gyre/ops/create/create.h"
#include "gyre/text/token_ids.h"
#include "gyre/text/tokenizer.h"

namespace gyre {
namespace {

std::vector<int32_t> first_ids(const GenerateOptions& o, const Tokenizer* tokenizer) {
  if (!o.ids.empty()) return parse_token_ids(o.ids, "generate");
  if (!o.prompt.empty()) return tokenizer->encode(o.prompt, Specials::as_tokens);
  for (const char* name : {"<|endoftext|>", "<s>"}) {
    if (int32_t id = tokenizer->id(name); id >= 0) return {id};
  }
  try {
    return tokenizer->encode("\n");
  } catch (const Error&) {
    return {0};  // the tokenizer has no newline
  }
}

// Streams text as it grows, holding back what may be the start of the stop string.
class TextWriter {
 public:
  TextWriter(const Tokenizer* tokenizer, const std::string& stop, TextSink sink)
      : stop_(stop), sink_(sink) {
    if (tokenizer) decoder_ = std::make_unique<StreamDecoder>(*tokenizer, true);
  }

  /// Adds the prompt's tokens, which are not streamed.
  void skip(std::span<const int32_t> ids) {
    for (int32_t id : ids) text_ += decoder_ ? decoder_->push(id) : "";
    begin_ = given_ = text_.size();
  }
  /// False once the stop string appears.
  bool push(int32_t id) { return !decoder_ || take(decoder_->push(id)); }
  void finish() {
    if (decoder_ && take(decoder_->flush())) give(text_.size());
  }
  std::string text() { return std::move(text_); }

 private:
  bool take(const std::string& piece) {
    text_ += piece;
    if (stop_.empty()) return give(text_.size()), true;
    size_t found = text_.find(stop_, begin_);
    if (found != std::string::npos) {
      text_.resize(found);
      give(found);
      stop_.clear();
      return false;
    }
    size_t held = std::min(stop_.size() - 1, text_.size() - begin_);
    while (held > 0 && !text_.ends_with(std::string_view(stop_).substr(0, held))) --held;
    give(text_.size() - held);
    return true;
  }
  void give(size_t end) {
    if (end > given_) sink_(std::string_view(text_).substr(given_, end - given_));
    given_ = std::max(given_, end);
  }

  std::string stop_;
  TextSink sink_;
  std::unique_ptr<StreamDecoder> decoder_;
  std::string text_;
  size_t begin_ = 0, given_ = 0;
};

Tensor row_of(std::span<const int32_t> ids) {
  return tensor(ids, {1, static_cast<int64_t>(ids.size())});
}

// Logits after the last token. When the cache is full, it is rebuilt from the later half of its
// tokens, since learned position embeddings are absolute.
Tensor next_logits(const LanguageModel& model, std::span<const int32_t> ids, size_t& seen,
                   TokenCache& cache) {
  auto block = static_cast<size_t>(model.context());
  size_t fresh = ids.size() - seen;
  if (static_cast<size_t>(cache.longest) + fresh > block) {
    cache.clear();
    fresh = std::min(ids.size(), block - block / 2);
  }
  seen = ids.size();
  return model.next(on_device(row_of(ids.last(fresh)), cache.lengths.device()), cache);
}

void check(const GenerateOptions& o, bool has_tokenizer, const std::string& folder) {
  if (!o.prompt.empty() && !o.ids.empty()) {
    throw Error(Code::value, "generate", "give either `prompt` or `ids`, not both");
  }
  if (!has_tokenizer && (o.ids.empty() || !o.stop.empty())) {
    throw Error(Code::value, "generate",
                folder + ": no tokenizer.json; give `ids` instead of `prompt`, and omit `stop`",
                "tokenizer.json");
  }
}

void check_ids(std::span<const int32_t> ids, int64_t vocab) {
  for (int32_t id : ids) {
    if (id >= vocab) {
      throw Error(Code::value, "generate",
                  {"token ", id, " is outside the model's vocabulary of size ", vocab},
                  {"below ", vocab}, id);
    }
  }
}

}  // namespace

Generated generate(const std::string& folder, const GenerateOptions& options, TextSink sink) {
  Sampler sampler(options);  // validates the options before any file is read
  const auto model = load_language_model(folder, FileAccess::map);
  std::string path = folder + "/tokenizer.json";
  std::unique_ptr<Tokenizer> tokenizer = file_exists(path) ? load_tokenizer(path) : nullptr;
  check(options, tokenizer != nullptr, folder);
  make_weights_contiguous(*model);
  model->eval();
  return generate(*model, tokenizer.get(), options, sink);
}

Generated generate(const LanguageModel& model, const Tokenizer* tokenizer,
                   const GenerateOptions& options, TextSink sink) {
  Sampler sampler(options);
  check(options, tokenizer != nullptr, "the model");
  const Int8Activations scope(wants_int8(options.packed, model));
  const auto start = std::chrono::steady_clock::now();
  Generated result;
  result.ids = first_ids(options, tokenizer);
  check_ids(result.ids, model.vocab());
  TextWriter writer(tokenizer, options.stop, sink);
  writer.skip(result.ids);
  TokenCache cache = model.cache(1);
  const std::span<const int32_t> ends = model.end_tokens();
  size_t seen = 0;
  bool going = true;
  while (going && result.new_tokens < options.max_tokens) {
    Tensor logits = next_logits(model, result.ids, seen, cache);
    int32_t id = sampler.choose(to_vector<float>(logits));
    result.ids.push_back(id);
    ++result.new_tokens;
    if (!options.ignore_eos && std::ranges::find(ends, id) != ends.end()) break;
    going = writer.push(id);
  }
  if (going) writer.finish();
  result.text = writer.text();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

Generated generate(const std::string& folder, const GenerateOptions& options) {
  return generate(folder, options, [](std::string_view) {});
}

}  // namespace gyre
