#pragma once
#include <algorithm>
#include <string_view>

namespace gyre {

/// The text without the ASCII whitespace around it.
constexpr std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n\v\f";
  text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
  return text.substr(0, text.find_last_not_of(kSpaces) + 1);
}

}  // namespace gyre
