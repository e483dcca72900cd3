#include "gyre/logic/syntax/lexer.h"

#include <algorithm>

#include "gyre/base/text/printable.h"
#include "gyre/base/text/utf8.h"

namespace gyre::logic {
namespace {

// longest first
constexpr std::string_view kSigns[] = {
    "←",  "<-", ":-", "->", ":=", "==", "!=", "<=", ">=", "+=", "*=", "**",
    "..", "¬",  "(",  ")",  "[",  "]",  "{",  "}",  ",",  ";",  ":",  "=",
    "<",  ">",  "+",  "-",  "*",  "/",  "%",  "^",  "@",  "!",  "?",  "."};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Characters beyond ASCII that look like an operator, a quote or a space, or like nothing at all,
// so that a name with one of them would mislead.
bool is_symbol(char32_t code) {
  constexpr struct {
    char32_t first, last;
  } kSymbols[] = {{0x80, 0xA9},     {0xAB, 0xB4},      {0xB6, 0xB9},     {0xBB, 0xBF},
                  {0xD7, 0xD7},     {0xF7, 0xF7},      {0x61C, 0x61C},   {0x180E, 0x180E},
                  {0x2000, 0x206F}, {0x207A, 0x207E},  {0x208A, 0x208E}, {0x20A0, 0x20CF},
                  {0x2190, 0x2BFF}, {0x2E00, 0x2E7F},  {0x3000, 0x3003}, {0x3008, 0x3020},
                  {0xE000, 0xF8FF}, {0xFE00, 0xFE0F},  {0xFE10, 0xFE6F}, {0xFEFF, 0xFEFF},
                  {0xFF01, 0xFF0F}, {0xFF1A, 0xFF20},  {0xFF3B, 0xFF40}, {0xFF5B, 0xFF65},
                  {0xFFE0, 0xFFFF}, {0xE0000, 0xE0FFF}};
  return std::any_of(std::begin(kSymbols), std::end(kSymbols),
                     [&](const auto& s) { return code >= s.first && code <= s.last; });
}

class Lexer {
 public:
  Lexer(const Sources& sources, uint32_t file, Diagnostics& diagnostics, bool comments)
      : text_(sources[file].text), file_(file), diagnostics_(diagnostics), comments_(comments) {}

  std::vector<Token> run() {
    if (starts("\xEF\xBB\xBF")) at_ = 3;  // the mark that some editors write first
    while (at_ < text_.size()) step();
    add(Token::end, at_);
    return std::move(tokens_);
  }

 private:
  char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool starts(std::string_view sign) const { return text_.substr(at_, sign.size()) == sign; }
  Place from(size_t begin) const {
    return {file_, static_cast<uint32_t>(begin), static_cast<uint32_t>(at_)};
  }
  void add(Token::Kind kind, size_t begin) {
    tokens_.push_back({kind, from(begin), text_.substr(begin, at_ - begin), spaced_});
    spaced_ = kind == Token::newline || kind == Token::comment;
  }

  void step() {
    const size_t begin = at_;
    const char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
      spaced_ = true;
    } else if (c == '\n') {
      ++at_;
      add(Token::newline, begin);
    } else if (c == '#' || starts("//")) {
      at_ = std::min(text_.find('\n', at_), text_.size());
      end_comment(begin);
    } else if (starts("/*")) {
      block_comment();
    } else if (is_digit(c)) {
      number();
    } else if (c == '"') {
      string();
    } else if (!sign()) {
      word();
    }
  }

  void refuse_from(size_t begin, std::string message) {
    diagnostics_.add({DiagnosticCode::E0001, from(begin), std::move(message)});
    add(Token::invalid, begin);
  }

  void end_comment(size_t begin) {
    if (comments_) add(Token::comment, begin);
    spaced_ = true;
  }

  void block_comment() {
    const size_t begin = at_, end = text_.find("*/", at_ + 2);
    at_ = end == std::string_view::npos ? text_.size() : end + 2;
    if (end == std::string_view::npos) {
      diagnostics_.add({DiagnosticCode::E0001,
                        {file_, static_cast<uint32_t>(begin), static_cast<uint32_t>(begin + 2)},
                        "this comment has no */"});
    }
    end_comment(begin);
  }

  void digits() {
    while (is_digit(peek())) ++at_;
  }
  void number() {
    const size_t begin = at_;
    Token::Kind kind = Token::integer;
    digits();
    if (peek() == '.' && is_digit(peek(1))) {
      ++at_;
      digits();
      kind = Token::number;
    }
    const size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
    if ((peek() == 'e' || peek() == 'E') && is_digit(peek(1 + sign))) {
      at_ += 1 + sign;
      digits();
      kind = Token::number;
    }
    add(kind, begin);
  }

  void string() {
    const size_t begin = at_++;
    while (at_ < text_.size() && peek() != '"' && peek() != '\n') {
      if (peek() == '\\' && at_ + 1 < text_.size() && peek(1) != '\n') ++at_;
      ++at_;
    }
    if (peek() == '"') {
      ++at_;
      return check_string(begin);
    }
    refuse_from(begin, "this string has no closing quote");
  }
  void check_string(size_t begin) {
    if (is_utf8(text_.substr(begin, at_ - begin))) return add(Token::string, begin);
    refuse_from(begin, "this string is not UTF-8");
  }

  bool sign() {
    for (std::string_view s : kSigns) {
      if (s[0] != peek() || !starts(s)) continue;
      const size_t begin = at_;
      at_ += s.size();
      add(Token::sign, begin);
      return true;
    }
    return false;
  }

  // The length of the character of a name here (a letter of any script, a digit or an underscore),
  // or 0.
  size_t name_character() const {
    if (at_ >= text_.size()) return 0;
    if (is_ascii(peek())) return is_letter(peek()) || is_digit(peek()) || peek() == '_' ? 1 : 0;
    const Utf8Char c = decode_utf8(text_, at_);
    return c.valid && !is_symbol(c.code) ? c.length : 0;
  }

  void word() {
    const size_t begin = at_;
    while (const size_t length = name_character()) at_ += length;
    if (at_ == begin) return unknown();
    while (peek() == '\'') ++at_;
    add(Token::name, begin);
  }

  // One diagnostic for neighbours that begin no token.
  void unknown() {
    const size_t begin = at_;
    const Utf8Char first = decode_utf8(text_, begin);
    const std::string shown = printable(text_.substr(begin, first.length));
    do {
      at_ += decode_utf8(text_, at_).length;
    } while (at_ < text_.size() && begins_nothing());
    refuse_from(begin, first.valid ? "unexpected character '" + shown + "'"
                                   : "this is not UTF-8: '" + shown + "'");
  }
  bool begins_nothing() const {
    constexpr std::string_view kBegins = " \t\r\n\"#";
    if (kBegins.find(peek()) != std::string_view::npos || name_character() > 0) return false;
    return std::none_of(std::begin(kSigns), std::end(kSigns),
                        [&](std::string_view s) { return starts(s); });
  }

  std::string_view text_;
  uint32_t file_;
  Diagnostics& diagnostics_;
  bool comments_;
  size_t at_ = 0;
  bool spaced_ = false;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(const Sources& sources, uint32_t file, Diagnostics& diagnostics,
                             bool comments) {
  return Lexer(sources, file, diagnostics, comments).run();
}

bool would_join(std::string_view first, std::string_view second) {
  const std::string both = std::string(first) + std::string(second);
  if (both.starts_with("//") || both.starts_with("/*")) return true;
  return std::any_of(std::begin(kSigns), std::end(kSigns), [&](std::string_view s) {
    return s.size() > first.size() && both.starts_with(s);
  });
}

std::string unquoted(std::string_view text) {
  std::string content;
  for (size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == '\\' && i + 2 < text.size()) {
      ++i;
      content += text[i] == 'n' ? '\n' : text[i] == 't' ? '\t' : text[i];
    } else {
      content += text[i];
    }
  }
  return content;
}

std::string quoted(std::string_view content) {
  std::string text = "\"";
  for (char c : content) {
    if (c == '"' || c == '\\') text += '\\';
    text += c == '\n' ? "\\n" : c == '\t' ? "\\t" : std::string(1, c);
  }
  return text + '"';
}

}  // namespace gyre::logic
