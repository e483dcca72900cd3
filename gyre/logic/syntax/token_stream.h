#pragma once
#include <algorithm>

#include "gyre/logic/syntax/lexer.h"
#include "gyre/logic/syntax/words.h"

namespace gyre::logic {

/// The tokens of a file as the parser reads them: newlines are skipped inside () and [] and where a
/// statement goes on. Its errors are thrown as Refused.
class TokenStream {
 public:
  explicit TokenStream(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  [[nodiscard]] const Token& peek() const { return tokens_[at_]; }
  [[nodiscard]] const Token& peek(size_t ahead) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  [[nodiscard]] const Token& last() const { return tokens_[at_ > 0 ? at_ - 1 : 0]; }
  /// Takes the next token, and the newlines after it where the statement goes on.
  const Token& next();
  [[nodiscard]] bool at_sign(std::string_view sign) const { return peek().is(sign); }
  [[nodiscard]] bool at_word(Word word) const { return peek().is_name(word); }
  /// Takes a sign if it comes next.
  bool take(std::string_view sign);
  /// Takes a sign; E0002 where another token stands. `where` is for the message: "after the name".
  void expect(std::string_view sign, std::string_view where);
  std::string expect_name(std::string_view what);
  int64_t expect_integer(std::string_view what);
  /// E0002 at the next token.
  [[noreturn]] void fail(const Message& expected) const;

  void skip_newlines() {
    while (peek().kind == Token::newline) ++at_;
  }
  [[nodiscard]] bool at_end_of_statement() const {
    return peek().kind == Token::newline || peek().kind == Token::end || at_sign(";") ||
           at_sign("}");
  }
  /// Goes to the end of a statement with an error, that began at `begin`: to the next line that is
  /// not indented further, or a ";" outside of brackets. If that is not after the token of the
  /// error, a bracket is not closed, which is returned; else null.
  const Token* skip_statement(size_t begin);
  /// To the end of the file.
  void skip_all() { at_ = tokens_.size() - 1; }
  /// The first two names from a position to here.
  [[nodiscard]] std::vector<std::string> names_from(size_t begin) const;
  [[nodiscard]] size_t position() const { return at_; }
  /// To a position of this statement outside of brackets.
  void go_back(size_t position) { at_ = position, brackets_ = 0; }
  /// The number of levels of the expression that was parsed last.
  [[nodiscard]] int levels() const { return levels_; }
  /// Notes that an expression has one level more than its highest part. E0002 beyond kMostLevels:
  /// what visits a tree calls itself once a level.
  int raise(int levels_of_parts);

  [[nodiscard]] Place from(Place begin) const { return join(begin, last().place); }

  /// Counts nested constructs. E0002 beyond kMostNested.
  class Deeper {
   public:
    explicit Deeper(TokenStream& stream);
    Deeper(const Deeper&) = delete;
    ~Deeper() { --stream_.depth_; }

   private:
    TokenStream& stream_;
  };

 private:
  [[nodiscard]] uint32_t indent_of(size_t first_of_line) const;
  [[nodiscard]] bool starts_statement(size_t newline, uint32_t indent, bool in_brackets) const;
  [[nodiscard]] bool looks_like_statement(size_t name) const;
  std::vector<Token> tokens_;
  size_t at_ = 0, line_ = 0;  // line_: the first token of a line before a statement with an error
  int depth_ = 0, brackets_ = 0, levels_ = 0;
};

/// Whether a statement cannot end after the token: a newline is skipped there.
[[nodiscard]] bool goes_on(const Token& token);
/// Whether a name is a word that no tensor or symbol has: where, and, or, not.
[[nodiscard]] bool is_reserved(std::string_view name);

/// The value of an INT or NUMBER token. E0001 where it is out of range.
double number_of(const Token& token);
int64_t integer_of(const Token& token);

}  // namespace gyre::logic
