#include <algorithm>

#include "gyre/models/language_model.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"

// Caches of models whose rotary frequencies depend on the length of the row. Hidden states of all
// but the first layer depend on them through attention, so keys cannot be rotated anew: a row that
// outgrows the reach of its frequencies, or was cut to less, is computed again.

namespace gyre {
namespace {

struct CachedRow {
  int64_t length;  // in the cache
  int64_t reach;   // of the length with the new tokens
  bool is_stale;   // its states are of another reach
};

Tensor part_of(const Tensor& rows, int64_t row) { return slice(rows, {0, row, row + 1, 1}); }

}  // namespace

Tensor LanguageModel::append_by_reach(const Tensor& tokens, TokenCache& cache,
                                      int64_t count) const {
  const int64_t n = tokens.size(1);
  const auto lengths = to_vector<int64_t>(cache.lengths),
             reaches = to_vector<int64_t>(cache.reaches);
  const Tensor added = on_device(tokens, Device());
  std::vector<CachedRow> rows;
  for (size_t r = 0; r < lengths.size(); ++r) {
    const int64_t length = lengths[r], row = std::ssize(rows), wanted = reach(length + n);
    copy_(slice(part_of(cache.tokens, row), {1, length, length + n, 1}), part_of(added, row));
    rows.push_back({length, wanted, length > 0 && reaches[r] != wanted});
  }
  const bool stale = std::ranges::any_of(rows, &CachedRow::is_stale);
  const bool together = std::ranges::all_of(rows, [&](const CachedRow& row) {
    return row.reach == rows[0].reach && (!stale || row.length == rows[0].length);
  });
  if (!together) {
    Tensors logits;
    int64_t longest = cache.longest;
    try {
      for (int64_t r = 0; r < std::ssize(rows); ++r) {
        TokenCache one = cache.row(r, rows[static_cast<size_t>(r)].length);
        logits.push_back(append_by_reach(part_of(tokens, r), one, count));
        longest = std::max(longest, one.longest);
      }
    } catch (...) {
      copy_(cache.lengths,
            on_device(tensor(std::span(lengths), cache.lengths.shape()), cache.lengths.device()));
      fill_(cache.reaches, 0);  // layers with a window may have overwritten tokens
      throw;
    }
    cache.longest = longest;
    return cat(Inputs(logits.data(), logits.size()), 0);
  }
  const int64_t before = rows[0].length;
  fill_(cache.reaches, static_cast<double>(rows[0].reach));
  if (!stale) return append(tokens, cache, count);
  const Tensor all = slice(cache.tokens, {1, 0, before + n, 1});
  cache.clear();
  try {
    return append(on_device(all, tokens.device()), cache, count);
  } catch (...) {
    fill_(cache.lengths, static_cast<double>(before));
    fill_(cache.reaches, 0);  // of no length
    cache.longest = before;
    throw;
  }
}

}  // namespace gyre
