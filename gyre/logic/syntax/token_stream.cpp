#include "gyre/logic/syntax/token_stream.h"

#include <charconv>
#include <cmath>

#include "gyre/base/text/printable.h"
#include "gyre/logic/syntax/parser.h"

namespace gyre::logic {
namespace {

std::string shown(const Token& token) {
  switch (token.kind) {
    case Token::end:
      return "the end of the file";
    case Token::newline:
      return "the end of the line";
    default:
      return "'" + printable(std::string(token.text.substr(0, 40))) + "'";
  }
}

// Whether a statement cannot end after the token.
bool goes_on(const Token& token) {
  constexpr std::string_view kSigns[] = {
      "←", "<-", ":-", "->", ":=", "==", "!=", "<=", ">=", "+=", "*=", "**", "..", "¬",
      "{", ",",  ":",  "=",  "<",  ">",  "+",  "-",  "*",  "/",  "%",  "^",  "@",  "!"};
  if (token.kind == Token::name)
    return token.text == "and" || token.text == "or" || token.text == "not";
  return token.kind == Token::sign &&
         std::find(std::begin(kSigns), std::end(kSigns), token.text) != std::end(kSigns);
}

}  // namespace

const Token& TokenStream::next() {
  const Token& token = tokens_[at_];
  if (token.kind == Token::end) return token;
  ++at_;
  if (token.is("(") || token.is("[")) ++brackets_;
  if (token.is(")") || token.is("]")) --brackets_;
  if (brackets_ > 0 || goes_on(token)) skip_newlines();
  return token;
}

bool TokenStream::take(std::string_view sign) {
  if (!at_sign(sign)) return false;
  next();
  return true;
}

void TokenStream::fail(const Message& expected) const {
  refuse(DiagnosticCode::E0002, peek().place, {"expected ", expected, ", found ", shown(peek())});
}

void TokenStream::expect(std::string_view sign, std::string_view where) {
  if (!take(sign)) fail({"'", sign, "' ", where});
}

std::string TokenStream::expect_name(std::string_view what) {
  if (peek().kind != Token::name) fail(what);
  return std::string(next().text);
}

int64_t TokenStream::expect_integer(std::string_view what) {
  if (peek().kind != Token::integer) fail(what);
  return integer_of(next());
}

uint32_t TokenStream::indent_of(size_t token) const {
  size_t first = token;
  while (first > 0 && tokens_[first - 1].kind != Token::newline) --first;
  const uint32_t line = first == 0 ? 0 : tokens_[first - 1].place.end;
  return tokens_[first].place.begin - line;
}

void TokenStream::skip_statement(size_t begin) {
  const uint32_t indent = indent_of(begin);
  brackets_ = 0;
  int braces = 0, brackets = 0;
  for (size_t i = begin; i < at_; ++i) {
    brackets += tokens_[i].is("(") || tokens_[i].is("[");
    brackets -= tokens_[i].is(")") || tokens_[i].is("]");
    braces += tokens_[i].is("{");
    braces -= tokens_[i].is("}");
  }
  if (at_ == begin && peek().kind != Token::end && !at_sign("}")) ++at_;
  for (; peek().kind != Token::end; ++at_) {
    if (at_sign("}") && braces-- <= 0) return;
    if (at_sign("{")) ++braces;
    brackets += at_sign("(") || at_sign("[");
    brackets -= at_sign(")") || at_sign("]");
    const bool starts = peek().kind == Token::newline && peek(1).kind != Token::newline;
    if (starts && braces <= 0 && indent_of(at_ + 1) <= indent) return;
    if (at_sign(";") && brackets <= 0 && braces <= 0) return;
  }
}

std::vector<std::string> TokenStream::names_from(size_t begin) const {
  std::vector<std::string> names;
  for (size_t i = begin; i < at_ && names.size() < 2; ++i) {
    if (tokens_[i].kind == Token::name) names.emplace_back(tokens_[i].text);
  }
  return names;
}

TokenStream::Deeper::Deeper(TokenStream& stream) : stream_(stream) {
  if (stream.depth_ >= kMostNested) {
    refuse(DiagnosticCode::E0002, stream.peek().place,
           {"a program nests at most ", kMostNested, " levels deep"});
  }
  ++stream.depth_;
}

double number_of(const Token& token) {
  double value = 0;
  const auto read =
      std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
  // below the least double, from_chars says out of range too, and strtod gives 0
  if (read.ec == std::errc::result_out_of_range)
    value = std::strtod(std::string(token.text).c_str(), nullptr);
  if (std::isinf(value)) {
    refuse(DiagnosticCode::E0001, token.place, "this number is above the largest double");
  }
  return value;
}

int64_t integer_of(const Token& token) {
  int64_t value = 0;
  const auto read =
      std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
  if (read.ec != std::errc()) {
    refuse(DiagnosticCode::E0001, token.place, "this integer is above 2^63 - 1");
  }
  return value;
}

}  // namespace gyre::logic
