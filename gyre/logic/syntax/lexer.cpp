#include "gyre/logic/syntax/lexer.h"

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
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

class Lexer {
 public:
  Lexer(const Sources& sources, uint32_t file, Diagnostics& diagnostics, bool comments)
      : text_(sources[file].text), file_(file), diagnostics_(diagnostics), comments_(comments) {}

  std::vector<Token> run() {
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
    diagnostics_.add({DiagnosticCode::E0001, from(begin), "this string has no closing quote"});
    spaced_ = true;
  }
  void check_string(size_t begin) {
    if (!is_utf8(text_.substr(begin, at_ - begin))) {
      diagnostics_.add({DiagnosticCode::E0001, from(begin), "this string is not UTF-8"});
    }
    add(Token::string, begin);
  }

  bool sign() {
    for (std::string_view s : kSigns) {
      if (!starts(s)) continue;
      const size_t begin = at_;
      at_ += s.size();
      add(Token::sign, begin);
      return true;
    }
    return false;
  }

  // Names have letters of any script, digits and underscores, and primes at the end.
  void word() {
    const size_t begin = at_;
    bool valid = is_letter(peek()) || (peek() == '_' && (is_letter(peek(1)) || !is_digit(peek(1))));
    if (!valid) {
      const Utf8Char c = decode_utf8(text_, at_);
      at_ += c.length;
      diagnostics_.add(
          {DiagnosticCode::E0001, from(begin),
           "unexpected character '" + printable(std::string(text_.substr(begin, c.length))) + "'"});
      spaced_ = true;
      return;
    }
    while (is_letter(peek()) || is_digit(peek()) || peek() == '_') {
      if (starts("←") || starts("¬")) break;
      const Utf8Char c = decode_utf8(text_, at_);
      if (!c.valid && valid) {
        valid = false;
        diagnostics_.add(
            {DiagnosticCode::E0001,
             {file_, static_cast<uint32_t>(at_), static_cast<uint32_t>(at_ + c.length)},
             "this is not UTF-8"});
      }
      at_ += c.length;
    }
    while (peek() == '\'') ++at_;
    if (valid) {
      add(Token::name, begin);
    } else {
      spaced_ = true;
    }
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
