#include "gyre/logic/syntax/format.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "gyre/logic/syntax/parse_expression.h"
#include "gyre/logic/syntax/parser.h"
#include "gyre/logic/syntax/token_stream.h"

namespace gyre::logic {
namespace {

constexpr size_t kIndent = 4;

template <size_t N>
bool is_one_of(std::string_view text, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), text) != std::end(words);
}
bool is_sign(const Token& token, std::string_view signs) {
  return token.kind == Token::sign && token.text.size() == 1 &&
         signs.find(token.text[0]) != std::string_view::npos;
}
bool opens(const Token& token) { return is_sign(token, "([{"); }
bool closes(const Token& token) { return is_sign(token, ")]}"); }

bool is_infix(const Token& token) {
  constexpr std::string_view kSigns[] = {
      "+",  "-",  "*",  "/",  "%", "@",  "==", "!=", "<", "<=", ">",
      ">=", "->", "<-", ":-", "←", ":=", "+=", "*=", "^", "**", ".."};
  return token.kind == Token::sign && is_one_of(token.text, kSigns);
}
bool is_close_infix(const Token& token) {
  return token.is("^") || token.is("**") || token.is("..");
}

// A comment without spaces at the ends of its lines.
std::string tidy_comment(std::string_view text) {
  std::string tidy;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    while (!line.empty() && std::string_view(" \t\r").find(line.back()) != std::string_view::npos) {
      line.remove_suffix(1);
    }
    tidy += line;
    if (end < text.size()) tidy += '\n';
    begin = end + 1;
  }
  return tidy;
}

// Writes the tokens of a program again, line by line. Which spaces stand between two tokens follows
// from them, the bracket that they are in, and where spaces have a meaning, from the source: before
// a bracket and around "@".
class Formatter {
 public:
  explicit Formatter(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  std::string run() {
    size_t begin = 0;
    bool blank = false;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      const Token::Kind kind = tokens_[i].kind;
      if (kind != Token::newline && kind != Token::end) continue;
      if (i > begin) {
        if (blank && !out_.empty()) out_ += '\n';
        line(begin, i);
      }
      blank = i == begin;
      begin = i + 1;
    }
    return std::move(out_);
  }

 private:
  enum class Inside : uint8_t { block, fields, symbols, expression, index, axes };
  struct Bracket {
    Inside inside;
    size_t indent;  // of the line that it opens on
  };

  [[nodiscard]] Inside inside() const {
    return open_.empty() ? Inside::block : open_.back().inside;
  }
  [[nodiscard]] bool in_parentheses() const { return inside() >= Inside::expression; }

  void line(size_t begin, size_t end) {
    indent_ = indent_of(begin, end);
    out_.append(indent_, ' ');
    for (size_t i = begin; i < end; ++i) {
      const Token& token = tokens_[i];
      if (i > begin) {
        const bool ends = i + 1 == end && token.kind == Token::comment;
        out_.append(ends ? 2 : has_space(i) ? 1 : 0, ' ');
      }
      if (token.kind == Token::comment) {
        out_ += tidy_comment(token.text);
      } else {
        out_ += token.text;
        note(token);
      }
    }
    out_ += '\n';
    if (last_ && !continues()) first_ = second_ = nullptr;
  }

  // Whether the statement goes on in the next line.
  [[nodiscard]] bool continues() const {
    if (in_parentheses()) return true;
    if (last_->is("{")) return false;
    if (last_->is(",")) return inside() == Inside::block;
    return goes_on(*last_);
  }

  // A line that closes brackets stands below the line that opened them.
  [[nodiscard]] size_t indent_of(size_t begin, size_t end) const {
    size_t left = open_.size();
    for (size_t i = begin; i < end && closes(tokens_[i]) && left > 0; ++i) --left;
    if (left < open_.size()) return open_[left].indent;
    const bool is_continued = last_ && !in_parentheses() && continues();
    return (open_.empty() ? 0 : open_.back().indent + kIndent) + (is_continued ? kIndent : 0);
  }

  // Keeps what the next tokens depend on.
  void note(const Token& token) {
    if (!first_) {
      first_ = &token;
      has_equals_ = false;
    } else if (!second_) {
      second_ = &token;
    }
    if (opens(token)) open_.push_back({opened_by(token), indent_});
    if (closes(token) && !open_.empty()) open_.pop_back();
    if (!in_parentheses()) {
      if (token.is("=")) has_equals_ = true;
      if (token.is(";") || token.is("{") || token.is("}")) first_ = second_ = nullptr;
    }
    before_last_ = last_;
    last_ = &token;
  }

  [[nodiscard]] Inside opened_by(const Token& token) const {
    if (token.is("{")) {
      if (last_ && (last_->is("=") || last_->is(":"))) return Inside::symbols;
      const bool has_fields = (last_ && last_->is_name("learn")) ||
                              (before_last_ && before_last_->is_name("embedding"));
      return has_fields ? Inside::fields : Inside::block;
    }
    if (inside() == Inside::index || inside() == Inside::axes) return Inside::index;
    const bool declares = first_ && (first_->is_name("tensor") || first_->is_name("relation")) &&
                          second_ && second_->kind == Token::name && !has_equals_;
    if (declares && !in_parentheses()) return Inside::axes;
    const bool follows_name = !token.spaced && last_ && last_->kind == Token::name;
    const bool of_indices = token.is("[") || (follows_name && !is_function_name(last_->text));
    return follows_name && of_indices ? Inside::index : Inside::expression;
  }

  // Whether a minus sign after such a token is no operator between two operands.
  static bool takes_sign(const Token* before) {
    if (!before) return true;
    constexpr std::string_view kWords[] = {"return", "while", "if", "in"};
    if (before->kind == Token::name)
      return is_reserved(before->text) || is_one_of(before->text, kWords);
    return before->kind == Token::sign && !closes(*before) && !is_sign(*before, "?.");
  }

  // Whether "@" begins the mode of a query, as the parser sees it.
  static bool is_mode(const Token* before, const Token& at, const Token& after) {
    return (at.spaced || (before && before->is("?"))) && after.kind == Token::name && !after.spaced;
  }

  [[nodiscard]] bool has_space(size_t at) const {
    const Token &a = tokens_[at - 1], &b = tokens_[at];
    if (a.kind == Token::comment) return !is_sign(b, ",;)]");
    if (b.kind == Token::comment) return true;
    if (a.kind == Token::sign && b.kind == Token::sign && would_join(a.text, b.text)) return true;
    if (std::optional<bool> space = of_punctuation(a, b)) return *space;
    if (a.is("@") && is_mode(before_last_, a, b)) return false;
    if (is_infix(a) || is_infix(b)) return of_operators(a, b);
    if (is_sign(a, "!") || a.is("¬")) return false;
    if (is_sign(b, "([")) {
      if (a.kind == Token::name) return b.spaced || is_reserved(a.text);
      return !closes(a) || b.spaced;
    }
    return true;
  }

  [[nodiscard]] std::optional<bool> of_punctuation(const Token& a, const Token& b) const {
    if (is_sign(b, ",;)]") || is_sign(a, "([") || is_sign(a, ".") || is_sign(b, ".")) return false;
    if (is_sign(b, "?") && inside() != Inside::axes) return false;
    if (a.is("{") || b.is("}")) {
      return inside() != Inside::symbols && !(a.is("{") && b.is("}"));
    }
    if (is_sign(a, ",;}") || b.is("{")) return true;
    if (b.is(":")) return false;
    if (a.is(":")) return inside() != Inside::index;
    if (a.is("=")) return !in_parentheses();
    if (b.is("=")) return !in_parentheses() && !is_projection(a, b);
    return std::nullopt;
  }

  // The "max" of "max=".
  [[nodiscard]] bool is_projection(const Token& word, const Token& equals) const {
    constexpr std::string_view kDeclare[] = {"let", "const", "domain", "entity"};
    return word.kind == Token::name && projection_before_equals(word.text) && !equals.spaced &&
           first_ != &word && !(second_ == &word && is_one_of(first_->text, kDeclare));
  }

  [[nodiscard]] bool of_operators(const Token& a, const Token& b) const {
    if (is_close_infix(a) || is_close_infix(b)) return false;
    if (inside() == Inside::index || inside() == Inside::axes) return false;
    const bool of_pragma = first_ && first_->is_name("pragma");
    return !(a.is("-") && (of_pragma || takes_sign(before_last_)));
  }

  std::vector<Token> tokens_;
  std::string out_;
  std::vector<Bracket> open_;
  size_t indent_ = 0;                                 // of the line
  const Token *first_ = nullptr, *second_ = nullptr;  // of the statement
  const Token *last_ = nullptr,
              *before_last_ = nullptr;  // before the next token, comments left out
  bool has_equals_ = false;
};

}  // namespace

std::string format_program(SourceFile program) {
  Sources sources;
  const uint32_t file = sources.add(std::move(program));
  Diagnostics diagnostics(sources);
  (void)parse(sources, file, diagnostics);
  diagnostics.check();
  return Formatter(tokens_of(sources, file, diagnostics, true)).run();
}

}  // namespace gyre::logic
