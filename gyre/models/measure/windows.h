#pragma once
#include <cstdint>
#include <span>

#include "gyre/base/function_ref.h"
#include "gyre/tensor/tensor.h"

// Windows of a text's tokens, as rows of what a language model is given.

namespace gyre {

/// Tokens of a pass over several windows.
inline constexpr int64_t kTokensAPass = 2048;

/// Error{value} of `compress` for a window of no token or more than the text has.
void require_window(std::span<const int32_t> tokens, int64_t window);

/// The windows that begin at `starts`, [starts, window].
Tensor window_rows(std::span<const int32_t> tokens, std::span<const int64_t> starts,
                   int64_t window);

/// Calls each(windows, some as rows) for at most `most` windows, evenly spread over the text, and
/// done(windows so far, all) after it. Errors of require_window().
void for_windows(std::span<const int32_t> tokens, int64_t window, int64_t most,
                 FunctionRef<void(const Tensor&)> each, FunctionRef<void(int64_t, int64_t)> done);

}  // namespace gyre
