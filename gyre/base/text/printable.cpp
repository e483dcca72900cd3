#include "gyre/base/text/printable.h"

#include <fmt/format.h>

#include "gyre/base/text/utf8.h"

namespace gyre {
namespace {

bool is_hidden(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x61C ||  // bidirectional mark
         (code >= 0x200E && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

void append_escape(std::string& out, char32_t code) {
  constexpr std::string_view kLetters = "\n\r\t", kNames = "nrt";
  const auto number = static_cast<uint32_t>(code);
  if (const size_t at = kLetters.find(static_cast<char>(number)); number < 0x20 && at < 3) {
    (out += '\\') += kNames[at];
  } else {
    out += number < 0x100 ? fmt::format("\\x{:02x}", number) : fmt::format("\\u{:04x}", number);
  }
}

std::string escaped(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const Utf8Char c = decode_utf8(text, i);
    if (!c.valid) {
      for (const char byte : text.substr(i, c.length)) {
        append_escape(out, static_cast<uint8_t>(byte));
      }
    } else if (is_hidden(c.code) && kept.find(text[i]) == kept.npos) {
      append_escape(out, c.code);
    } else {
      out += text.substr(i, c.length);
    }
    i += c.length;
  }
  return out;
}

bool is_inside_a_character(std::string_view text, size_t at) {
  return at < text.size() && (static_cast<uint8_t>(text[at]) & 0xC0) == 0x80;
}

}  // namespace

std::string printable(std::string_view text) { return escaped(text, ""); }

std::string printable_lines(std::string_view text) { return escaped(text, "\n\t"); }

std::string shortened(std::string_view text, size_t most) {
  if (text.size() <= most) return std::string(text);
  size_t head = most / 2, tail = text.size() - most / 2;
  while (head > 0 && is_inside_a_character(text, head)) --head;
  while (is_inside_a_character(text, tail)) ++tail;
  return std::string(text.substr(0, head)) + "..." + std::string(text.substr(tail));
}

}  // namespace gyre
