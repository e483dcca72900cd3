#include "gyre/models/generation/cached_rows.h"

#include <algorithm>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"

namespace gyre {
namespace {

size_t common_prefix(CachedRows::Ids a, CachedRows::Ids b) {
  const auto [at, other] = std::ranges::mismatch(a, b);
  return static_cast<size_t>(at - a.begin());
}

}  // namespace

CachedRows::CachedRows(const LanguageModel& model, int64_t rows, Overflow overflow,
                       CacheDType dtype)
    : model_(model),
      overflow_(overflow),
      cache_(model.cache(rows, dtype)),
      rows_(static_cast<size_t>(rows)) {}

void CachedRows::check(std::span<const Ids> texts) const {
  const auto block = static_cast<size_t>(model_.context());
  for (const Ids text : texts) {
    if (overflow_ == Overflow::rotate || text.size() <= block) continue;
    throw Error(Code::value, "generate",
                {"the text has ", text.size(), " tokens, the model's context ", block,
                 "; shorten it, or give `overflow` rotate to go on with its later half"},
                {"<= ", block}, static_cast<int64_t>(text.size()));
  }
}

void CachedRows::forget() {
  cache_.clear();
  for (Row& row : rows_) row = {};
}

// Makes the row a prefix of the text that leaves at least `count` tokens.
void CachedRows::prepare(int64_t at, Ids text, size_t count) {
  Row& row = rows_[static_cast<size_t>(at)];
  const auto block = static_cast<size_t>(model_.context());
  size_t kept = 0;
  if (row.begin <= text.size()) kept = common_prefix(row.tokens, text.subspan(row.begin));
  if (kept == 0) row.begin = 0;
  if (text.size() - row.begin > block) {
    row.begin = text.size() - std::max(count, kept_of(block));
    kept = 0;
  }
  kept = std::min(kept, text.size() - row.begin - std::min(count, text.size() - row.begin));
  if (kept < row.tokens.size()) {
    const auto most = static_cast<int64_t>(row.most);
    if (!cache_.can_take_back(most, static_cast<int64_t>(kept))) kept = 0;
    row.tokens.resize(kept);
    if (kept == 0) row.most = 0;
    cache_.cut(at, static_cast<int64_t>(kept));
  }
  row.most = std::max(row.most, text.size() - row.begin);
}

CachedRows::Ids CachedRows::fresh(size_t row, Ids text) const {
  return text.subspan(rows_[row].begin + rows_[row].tokens.size());
}

Tensor CachedRows::feed(std::span<const Ids> tokens, TokenCache& cache, int64_t count) const {
  std::vector<int32_t> all;
  for (const Ids ids : tokens) all.insert(all.end(), ids.begin(), ids.end());
  const Tensor input =
      tensor(std::span<const int32_t>(all),
             {static_cast<int64_t>(tokens.size()), static_cast<int64_t>(tokens.front().size())});
  return model_.next(on_device(input, cache.lengths.device()), cache, count);
}

std::span<const float> CachedRows::next(std::span<const Ids> texts, int64_t count) {
  NoGrad scope;
  check(texts);
  if (in_step_) forget();
  in_step_ = true;
  const size_t rows = rows_.size(), last = static_cast<size_t>(count);
  std::vector<Ids> fed(rows);
  int64_t longest = 0, needed = 0;
  for (size_t r = 0; r < rows; ++r) {
    prepare(static_cast<int64_t>(r), texts[r], last);
    fed[r] = fresh(r, texts[r]);
    longest = std::max(longest, static_cast<int64_t>(rows_[r].tokens.size()));
    needed = std::max(needed, static_cast<int64_t>(rows_[r].tokens.size() + fed[r].size()));
  }
  cache_.longest = longest;
  cache_.reserve(needed, model_.context());
  const bool equal = std::ranges::all_of(fed, [&](Ids f) { return f.size() == fed[0].size(); });
  for (size_t r = 0; r < rows && !equal; ++r) {  // all but the last tokens, row by row
    const Ids head = fed[r].first(fed[r].size() - last);
    if (!head.empty()) {
      TokenCache one =
          cache_.row(static_cast<int64_t>(r), static_cast<int64_t>(rows_[r].tokens.size()));
      (void)feed({&head, 1}, one, 1);
      rows_[r].tokens.insert(rows_[r].tokens.end(), head.begin(), head.end());
      cache_.longest = std::max(cache_.longest, one.longest);
    }
    fed[r] = fed[r].last(last);
  }
  const Tensor logits = feed(fed, cache_, count);
  for (size_t r = 0; r < rows; ++r)
    rows_[r].tokens.insert(rows_[r].tokens.end(), fed[r].begin(), fed[r].end());
  in_step_ = false;
  logits_.resize(static_cast<size_t>(logits.numel()));
  read_elements(logits, DType::f32, logits_.data());
  return logits_;
}

void CachedRows::keep(std::span<const int64_t> rows) {
  std::vector<Row> kept;
  for (const int64_t r : rows) kept.push_back(rows_[static_cast<size_t>(r)]);
  cache_ = cache_.rows(rows);
  rows_ = std::move(kept);
}

int64_t CachedRows::room(int64_t row, Ids text) const {
  const auto length = static_cast<int64_t>(text.size() - rows_[static_cast<size_t>(row)].begin);
  return std::min(model_.context(), model_.reach(length) + 1) - length;
}

}  // namespace gyre
