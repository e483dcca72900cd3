#pragma once
#include <string>
#include <string_view>

#include "gyre/base/text/utf8.h"

namespace gyre {

/// Calls take(code, bytes) for each character; bytes that are not UTF-8 come as U+FFFD.
template <class Take>
void for_each_character(std::string_view text, Take take) {
  for (size_t at = 0; at < text.size();) {
    const Utf8Char c = decode_utf8(text, at);
    take(c.code, text.substr(at, c.length));
    at += c.length;
  }
}

/// The text with each non-overlapping occurrence of `from`, which is not empty, replaced.
std::string with_replaced(std::string_view text, std::string_view from, std::string_view to);

}  // namespace gyre
