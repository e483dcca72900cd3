#include "gyre/models/measure/windows.h"

#include <algorithm>
#include <vector>

#include "gyre/base/error.h"
#include "gyre/ops/create/create.h"

namespace gyre {
namespace {

// Where windows begin: at most `most` of them, evenly spread.
std::vector<int64_t> window_starts(size_t tokens, int64_t window, int64_t most) {
  const auto last = static_cast<int64_t>(tokens) - window;
  const int64_t count = std::min(most, last / window + 1);
  std::vector<int64_t> starts;
  for (int64_t i = 0; i < count; ++i) starts.push_back(count > 1 ? i * last / (count - 1) : 0);
  return starts;
}

}  // namespace

Tensor window_rows(std::span<const int32_t> tokens, std::span<const int64_t> starts,
                   int64_t window) {
  std::vector<int32_t> rows;
  for (const int64_t start : starts) {
    const auto part = tokens.subspan(static_cast<size_t>(start), static_cast<size_t>(window));
    rows.insert(rows.end(), part.begin(), part.end());
  }
  return tensor<int32_t>(rows, {static_cast<int64_t>(starts.size()), window});
}

void require_window(std::span<const int32_t> tokens, int64_t window) {
  if (window >= 1 && std::ssize(tokens) >= window) return;
  throw mismatch(Code::value, "compress",
                 {"expected a window of 1 to ", tokens.size(), " tokens, as the text has"},
                 {"1 to ", tokens.size()}, window);
}

void for_windows(std::span<const int32_t> tokens, int64_t window, int64_t most,
                 FunctionRef<void(const Tensor&)> each, FunctionRef<void(int64_t, int64_t)> done) {
  require_window(tokens, window);
  const std::vector<int64_t> starts = window_starts(tokens.size(), window, most);
  const auto at_once = static_cast<size_t>(std::max<int64_t>(1, kTokensAPass / window));
  for (size_t i = 0; i < starts.size(); i += at_once) {
    const std::span some = std::span(starts).subspan(i, std::min(at_once, starts.size() - i));
    each(window_rows(tokens, some, window));
    done(static_cast<int64_t>(i + some.size()), static_cast<int64_t>(starts.size()));
  }
}

}  // namespace gyre
