#pragma once

#include <cstddef>
#include <string_view>

#include "gyre/base/function_ref.h"

namespace gyre {

/// A pattern of a well-known tokenizer, and code that finds its matches.
struct KnownPattern {
  using MatchAll = void (*)(std::string_view text, FunctionRef<void(size_t, size_t)> found);
  const char* tokenizer;     ///< that it comes from, for messages and tests
  std::string_view pattern;  ///< its exact text
  MatchAll match_all;        ///< calls `found` with the first byte and the end of every match
};

/// The row whose pattern has this text, or null. Written \r and \n count as the characters
/// themselves: files have both.
[[nodiscard]] const KnownPattern* find_known_pattern(std::string_view pattern);

/// Number of rows, and a row.
[[nodiscard]] size_t known_pattern_count();
[[nodiscard]] const KnownPattern& known_pattern(size_t i);

}  // namespace gyre
