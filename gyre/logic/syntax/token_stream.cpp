#include "gyre/logic/syntax/token_stream.h"

#include <charconv>

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

}  // namespace

bool goes_on(const Token& token) {
  constexpr std::string_view kSigns[] = {
      "←", "<-", ":-", "->", ":=", "==", "!=", "<=", ">=", "+=", "*=", "**", "..", "¬",
      "{", ",",  ":",  "=",  "<",  ">",  "+",  "-",  "*",  "/",  "%",  "^",  "@",  "!"};
  if (token.kind == Token::name)
    return token.text == "and" || token.text == "or" || token.text == "not";
  return token.kind == Token::sign &&
         std::find(std::begin(kSigns), std::end(kSigns), token.text) != std::end(kSigns);
}

namespace {

// Whether the value of a NUMBER that is out of range is below the least double: by its order of
// magnitude.
bool is_tiny(std::string_view text) {
  const size_t e = std::min(text.find_first_of("eE"), text.size()), point = text.find('.');
  const auto order =
      static_cast<int64_t>(std::min(point, e)) - static_cast<int64_t>(text.find_first_not_of("0."));
  if (e == text.size()) return order < 0;
  const std::string_view power = text.substr(e + (text[e + 1] == '+' ? 2 : 1));
  int64_t exponent = 0;
  const auto read = std::from_chars(power.data(), power.data() + power.size(), exponent);
  if (read.ec == std::errc::result_out_of_range) return power[0] == '-';
  return exponent < -order;
}

}  // namespace

bool is_reserved(std::string_view name) {
  const Keyword* keyword = find_keyword(name);
  return keyword && keyword->kind == Keyword::reserved;
}

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
  // the lexer has said what is wrong with it
  if (peek().kind == Token::invalid) throw Refused{{DiagnosticCode::E0001, peek().place, {}}};
  refuse(DiagnosticCode::E0002, peek().place, {"expected ", expected, ", found ", shown(peek())},
         peek().is(".") ? "a statement ends with its line or with ;" : "");
}

void TokenStream::expect(std::string_view sign, std::string_view where) {
  if (!take(sign)) fail({"'", sign, "' ", where});
}

std::string TokenStream::expect_name(std::string_view what) {
  if (peek().kind != Token::name || is_reserved(peek().text)) fail(what);
  return std::string(next().text);
}

int64_t TokenStream::expect_integer(std::string_view what) {
  if (peek().kind != Token::integer) fail(what);
  return integer_of(next());
}

int TokenStream::raise(int levels_of_parts) {
  if (levels_of_parts >= kMostLevels) {
    refuse(DiagnosticCode::E0002, peek().place,
           {"an expression has at most ", kMostLevels, " operators in a row or inside each other"});
  }
  return levels_ = levels_of_parts + 1;
}

uint32_t TokenStream::indent_of(size_t first_of_line) const {
  const uint32_t line = first_of_line == 0 ? 0 : tokens_[first_of_line - 1].place.end;
  return tokens_[first_of_line].place.begin - line;
}

// Whether the line after a newline is a statement and no part of one that is indented so. Inside
// brackets it must look like one: rows of an array may begin at the margin.
bool TokenStream::starts_statement(size_t newline, uint32_t indent, bool in_brackets) const {
  if (tokens_[newline].kind != Token::newline) return false;
  const Token& first = tokens_[newline + 1];
  if (first.kind == Token::newline || indent_of(newline + 1) > indent) return false;
  return !in_brackets || (first.kind == Token::name && looks_like_statement(newline + 1));
}

// By the token after a name.
bool TokenStream::looks_like_statement(size_t name) const {
  constexpr std::string_view kSigns[] = {"=", "+=", "*=", ":=", "?", "<-", ":-", "←", "{"};
  const Token& after = tokens_[name + 1];
  if (after.kind == Token::sign) {
    return std::find(std::begin(kSigns), std::end(kSigns), after.text) != std::end(kSigns) ||
           (!after.spaced && (after.is("(") || after.is("[")));
  }
  if (after.kind != Token::name && after.kind != Token::string) return false;
  const Keyword* keyword = find_keyword(tokens_[name].text);
  return (keyword && keyword->kind == Keyword::declares) || projection_before_equals(after.text);
}

const Token* TokenStream::skip_statement(size_t begin) {
  // of the blocks that the file leaves open only the innermost looks at all tokens
  if (peek().kind == Token::end && brackets_ <= 0) return nullptr;
  // Statements with errors come in order, so that lines are found in one pass over the tokens.
  for (size_t i = line_; i < begin; ++i) {
    if (tokens_[i].kind == Token::newline) line_ = i + 1;
  }
  const uint32_t indent = indent_of(line_);
  const size_t found = at_;
  std::vector<size_t> open;  // ( and [, and the { of a list of symbols
  int braces = 0;
  brackets_ = 0;
  for (at_ = begin; peek().kind != Token::end; ++at_) {
    const Token& token = peek();
    const bool after_error = at_ >= found;
    if (braces <= 0 && starts_statement(at_, indent, !open.empty()) &&
        (after_error || !open.empty())) {
      break;
    }
    const bool closes_list = token.is("}") && !open.empty() && tokens_[open.back()].is("{");
    if (token.is("}") && !closes_list && braces-- <= 0 && (after_error || !open.empty())) break;
    if (token.is(";") && open.empty() && braces <= 0 && after_error) break;
    const bool opens_list =
        token.is("{") && at_ > 0 && (tokens_[at_ - 1].is("=") || tokens_[at_ - 1].is(":"));
    if (token.is("{") && !opens_list) ++braces;
    if (token.is("(") || token.is("[") || opens_list) open.push_back(at_);
    if ((token.is(")") || token.is("]") || closes_list) && !open.empty()) open.pop_back();
  }
  if (at_ <= found && !open.empty()) return &tokens_[open.back()];
  return nullptr;
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
  if (read.ec == std::errc::result_out_of_range) {
    if (is_tiny(token.text)) return 0;
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
