#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gyre {

/// `text` for a terminal or a message: control characters, characters that change the direction of
/// text, line separators and bytes that are not UTF-8 are written as in Python, `\n`, `\x1b`,
/// `\u202e`; backslashes stay as they are.
[[nodiscard]] std::string printable(std::string_view text);

/// The same for a text of several lines: newlines and tabs stay.
[[nodiscard]] std::string printable_lines(std::string_view text);

/// `text`, or if it is longer, its beginning and its end with "..." between them, about `most`
/// bytes in all; characters are not cut.
[[nodiscard]] std::string shortened(std::string_view text, size_t most);

}  // namespace gyre
