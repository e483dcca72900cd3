#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gyre {

/// The text as it stands in HTML, XML and their attributes: `& < > " '` are written as entities;
/// control characters that these may not hold, and bytes that are not UTF-8, as U+FFFD.
[[nodiscard]] std::string escape_html(std::string_view text);

/// A path as the target of a link: bytes that stand for something else there are written %XX.
[[nodiscard]] std::string escape_link(std::string_view path);

/// A table; cells are texts and get escaped, those that begin as numbers do stand at the right. No
/// row of heads if `head` is empty.
[[nodiscard]] std::string html_table(std::span<const std::string> head,
                                     std::span<const std::vector<std::string>> rows);

}  // namespace gyre
