#pragma once
#include <string_view>

namespace gyre {

/// Whether all of `text` matches: `*` in the pattern stands for any characters, also none, and `?`
/// for one. Bytes, not characters of UTF-8.
constexpr bool matches_glob(std::string_view pattern, std::string_view text) {
  size_t p = 0, t = 0, star = pattern.npos, kept = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      kept = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != pattern.npos) {  // the last star takes one more
      p = star + 1;
      t = ++kept;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == pattern.npos;
}

}  // namespace gyre
