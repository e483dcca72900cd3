#include "gyre/models/generation/draft.h"

#include <algorithm>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/models/generation/candidates.h"

namespace gyre {
namespace {

constexpr size_t kMostGuesses = 16, kMostPause = 64;
// shorter matches are mostly wrong, longer ones are found by these too
constexpr size_t kLongestMatch = 3, kShortestMatch = 2;

// Where the tokens after the latest earlier occurrence of the last n tokens begin; 0: nowhere.
size_t after_match(std::span<const int32_t> text, size_t n) {
  const std::span<const int32_t> last = text.last(n);
  for (size_t end = text.size() - 1; end >= n; --end) {
    if (std::ranges::equal(text.subspan(end - n, n), last)) return end;
  }
  return 0;
}

size_t next_length(size_t length, size_t right) {
  return right >= length ? std::min(2 * length, kMostGuesses) : std::max<size_t>(1, right + 1);
}

}  // namespace

std::vector<int32_t> NgramDraft::propose(std::span<const int32_t> text, size_t most) {
  proposed_ = 0;
  if (waiting_ > 0) return --waiting_, std::vector<int32_t>();
  for (size_t n = kLongestMatch; n >= kShortestMatch; --n) {
    const size_t from = text.size() > n ? after_match(text, n) : 0;
    if (from == 0) continue;
    proposed_ = std::min({most, length_, text.size() - from});
    const std::span<const int32_t> guess = text.subspan(from, proposed_);
    return {guess.begin(), guess.end()};
  }
  return {};
}

void NgramDraft::accepted(size_t right) {
  if (proposed_ == 0) return;
  length_ = next_length(proposed_, right);
  pause_ = right > 0 ? 0 : std::min(2 * pause_ + 1, kMostPause);
  waiting_ = pause_;
}

ModelDraft::ModelDraft(std::unique_ptr<LanguageModel> model)
    : model_(std::move(model)), cache_(*model_, 1) {}

std::vector<int32_t> ModelDraft::propose(std::span<const int32_t> text, size_t most) {
  std::vector<int32_t> all(text.begin(), text.end());
  proposed_ = std::min(most, length_);
  LogitBlocks blocks;
  for (size_t i = 0; i < proposed_; ++i) {
    blocks.reset(cache_.next(all));
    all.push_back(blocks.best());
  }
  return {all.begin() + static_cast<ptrdiff_t>(text.size()), all.end()};
}

void ModelDraft::accepted(size_t right) {
  if (proposed_ > 0) length_ = next_length(proposed_, right);
}

std::unique_ptr<Draft> make_draft(const std::string& name, int64_t vocab) {
  if (name.empty()) return nullptr;
  if (name == "ngram") return std::make_unique<NgramDraft>();
  if (!file_exists(name)) {
    throw Error(Code::io, "generate",
                {"`draft` must be ngram or a smaller model; no such folder or file: ", name},
                "ngram or a model", name);
  }
  auto model = load_language_model(name, FileAccess::map);
  if (model->vocab() != vocab) {
    throw Error(Code::value, "generate",
                {"`draft`: the vocabulary of ", name, " has ", model->vocab(),
                 " tokens, that of the model ", vocab, "; a draft needs the model's own tokens"},
                vocab, model->vocab());
  }
  make_weights_contiguous(*model);
  model->eval();
  return std::make_unique<ModelDraft>(std::move(model));
}

}  // namespace gyre
