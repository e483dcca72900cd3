#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gyre {

/// Text escaped for HTML, XML and their attributes: `& < > " '` become entities; control characters
/// that are not allowed and invalid UTF-8 become U+FFFD.
[[nodiscard]] std::string escape_html(std::string_view text);

/// A path as a link target; reserved bytes are percent-encoded.
[[nodiscard]] std::string escape_link(std::string_view path);

/// A table of texts, which are escaped; cells that begin as numbers do are right-aligned. No header
/// row if `head` is empty.
[[nodiscard]] std::string html_table(std::span<const std::string> head,
                                     std::span<const std::vector<std::string>> rows);

}  // namespace gyre
