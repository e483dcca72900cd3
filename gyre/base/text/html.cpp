#include "gyre/base/text/html.h"

#include <fmt/format.h>

#include <cctype>

#include "gyre/base/text/utf8.h"

namespace gyre {
namespace {

bool begins_as_number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (text.starts_with('.')) text.remove_prefix(1);
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0]));
}

std::string cells(std::span<const std::string> texts, std::string_view tag) {
  std::string row = "<tr>";
  for (const std::string& text : texts) {
    row += fmt::format("<{0}{1}>{2}</{0}>", tag, begins_as_number(text) ? " class=\"number\"" : "",
                       escape_html(text));
  }
  return row + "</tr>\n";
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string out;
  for (char c : utf8_lossy(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default: {
        bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
        if (control && c != '\n' && c != '\t') {
          append_utf8(out, kReplacement);
        } else {
          out += c;
        }
      }
    }
  }
  return out;
}

std::string escape_link(std::string_view path) {
  constexpr std::string_view kPlain = "-_.~/";
  std::string out;
  for (char c : path) {
    auto byte = static_cast<unsigned char>(c);
    bool plain = byte < 0x80 && (std::isalnum(byte) || kPlain.find(c) != std::string_view::npos);
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
}

std::string html_table(std::span<const std::string> head,
                       std::span<const std::vector<std::string>> rows) {
  std::string table = "<table>\n";
  if (!head.empty()) table += "<thead>" + cells(head, "th") + "</thead>\n";
  table += "<tbody>\n";
  for (const std::vector<std::string>& row : rows) table += cells(row, "td");
  return table + "</tbody>\n</table>\n";
}

}  // namespace gyre
