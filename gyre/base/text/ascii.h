#pragma once
#include <string>
#include <string_view>

namespace gyre {

/// ASCII letters in lower case; other bytes unchanged, independent of the locale.
inline char lower_case(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = lower_case(c);
  return lower;
}

/// The text without the ASCII whitespace around it.
constexpr std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n\v\f";
  const size_t first = text.find_first_not_of(kSpaces);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kSpaces) + 1 - first);
}

}  // namespace gyre
