#pragma once
#include <string_view>

namespace gyre {

/// The text without the ASCII whitespace around it.
constexpr std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n\v\f";
  const size_t first = text.find_first_not_of(kSpaces);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kSpaces) + 1 - first);
}

}  // namespace gyre
