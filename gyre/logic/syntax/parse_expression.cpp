#include "gyre/logic/syntax/parse_expression.h"

#include <algorithm>

namespace gyre::logic {
namespace {

// An operator on two operands. `levels` are those of `a`, and then of the operation; those of `b`
// are noted in the stream.
Expr operation(TokenStream& in, int& levels, Operator op, Expr a, Expr b) {
  levels = in.raise(std::max(levels, in.levels()));
  Expr e;
  e.kind = Expr::operation;
  e.op = op;
  e.place = join(a.place, b.place);
  e.children.push_back(std::move(a));
  e.children.push_back(std::move(b));
  return e;
}
// An operator on the expression that was parsed last.
Expr operation(TokenStream& in, Operator op, Place sign, Expr a) {
  in.raise(in.levels());
  Expr e;
  e.kind = Expr::operation;
  e.op = op;
  e.place = join(sign, a.place);
  e.children.push_back(std::move(a));
  return e;
}

// The operator of `signs` that comes next.
template <size_t N>
std::optional<Operator> operator_at(const TokenStream& in,
                                    const std::pair<const char*, Operator> (&signs)[N]) {
  for (const auto& [sign, op] : signs) {
    if (in.at_sign(sign)) return op;
  }
  return std::nullopt;
}
constexpr std::pair<const char*, Operator> kSums[] = {{"+", Operator::add},
                                                      {"-", Operator::subtract}};
constexpr std::pair<const char*, Operator> kProducts[] = {
    {"*", Operator::join}, {"/", Operator::divide}, {"%", Operator::remainder}};
constexpr std::pair<const char*, Operator> kComparisons[] = {
    {"==", Operator::equal},      {"!=", Operator::not_equal}, {"<", Operator::less},
    {"<=", Operator::less_equal}, {">", Operator::greater},    {">=", Operator::greater_equal}};

// An integer without zeros at its front.
std::string digits_of(const Token& token) {
  const size_t first = token.text.find_first_not_of('0');
  return first == std::string_view::npos ? "0" : std::string(token.text.substr(first));
}

Expr parse_number(TokenStream& in) {
  Expr e;
  e.kind = Expr::number;
  e.is_integer = in.peek().kind == Token::integer;
  e.place = in.peek().place;
  e.value = number_of(in.peek());
  if (e.is_integer) e.name = digits_of(in.peek());
  in.raise(0);
  in.next();
  return e;
}

Expr index_primary(TokenStream& in) {
  if (in.peek().kind == Token::integer) {
    (void)integer_of(in.peek());  // refuses one that is too large for an index
    return parse_number(in);
  }
  const Place begin = in.peek().place;
  Expr e;
  if (in.at_sign("(")) {
    TokenStream::Deeper deeper(in);
    in.next();
    e = parse_index_expr(in);
    in.expect(")", "after the index");
    return e;
  }
  e.kind = Expr::reference;
  e.name = in.expect_name("an index");
  e.place = begin;
  in.raise(0);
  return e;
}

Expr index_term(TokenStream& in) {
  Expr e = index_primary(in);
  int levels = in.levels();
  while (const std::optional<Operator> op = operator_at(in, kProducts)) {
    in.next();
    Expr right = index_primary(in);
    e = operation(in, levels, *op, std::move(e), std::move(right));
  }
  return e;
}

Expr no_bound() { return {}; }

Index parse_index(TokenStream& in) {
  Index index;
  index.place = in.peek().place;
  if (in.peek().kind == Token::string) {
    index.kind = Index::string;
    index.text = unquoted(in.next().text);
    return index;
  }
  index.is_virtual = in.take("*");
  auto at_bound = [&] { return !in.at_sign(",") && !in.at_sign("]") && !in.at_sign(")"); };
  index.bounds.push_back(in.at_sign(":") && !index.is_virtual ? no_bound() : parse_index_expr(in));
  if (!index.is_virtual && in.take(":")) {
    index.kind = Index::slice;
    index.bounds.push_back(at_bound() ? parse_index_expr(in) : no_bound());
  } else {
    index.marked = in.take(".");
  }
  index.place = in.from(index.place);
  return index;
}

// The indices after an opening bracket, and the closing one.
std::vector<Index> parse_indices(TokenStream& in, std::string_view close) {
  std::vector<Index> indices;
  int levels = 0;
  do {
    indices.push_back(parse_index(in));
    if (indices.back().kind != Index::string) levels = std::max(levels, in.levels());
  } while (in.take(","));
  in.expect(close, "after the indices");
  in.raise(levels);
  return indices;
}

Attribute parse_attribute(TokenStream& in) {
  Attribute a;
  a.place = in.peek().place;
  a.name = in.expect_name("NAME=VALUE");
  if (!in.take("=")) in.expect(":", "after the name of an argument");
  const bool negative = in.take("-");
  const Token& token = in.peek();
  if (token.kind == Token::integer) {
    const int64_t value = integer_of(in.next());
    a.value = negative ? -value : value;
  } else if (token.kind == Token::number) {
    const double value = number_of(in.next());
    a.value = negative ? -value : value;
  } else if (negative) {
    in.fail("a number");
  } else if (token.kind == Token::string) {
    a.value = unquoted(in.next().text);
  } else if (token.is_name("true") || token.is_name("false")) {
    a.value = in.next().text == "true";
  } else if (token.kind == Token::name) {
    a.value = std::string(in.next().text);
  } else {
    in.fail("a number, a string, true or false");
  }
  a.place = in.from(a.place);
  return a;
}

bool at_attribute(const TokenStream& in) {
  return in.peek().kind == Token::name && in.peek(1).is("=");
}

// f(EXPR, ..., NAME=VALUE, ...)
Expr parse_call(TokenStream& in) {
  TokenStream::Deeper deeper(in);
  Expr e;
  e.kind = Expr::call;
  e.place = in.peek().place;
  e.name = std::string(in.next().text);
  in.expect("(", "after the name of a function");
  int levels = 0;
  bool more = !in.at_sign(")");
  while (more && !at_attribute(in)) {
    e.children.push_back(parse_expr(in));
    levels = std::max(levels, in.levels());
    more = in.take(",");
  }
  if (more)
    e.attributes = parse_attributes(in);
  else
    in.expect(")", "after the arguments");
  in.raise(levels);
  e.place = in.from(e.place);
  return e;
}

Expr parse_reduce(TokenStream& in) {
  TokenStream::Deeper deeper(in);
  Expr e;
  e.kind = Expr::reduce;
  e.place = in.peek().place;
  e.name = std::string(in.next().text);
  in.next();
  e.indices = parse_indices(in, "]");
  for (const Index& index : e.indices) {
    const bool is_name = index.kind == Index::value && !index.is_virtual && !index.marked &&
                         index.bounds[0].kind == Expr::reference;
    if (!is_name) refuse(DiagnosticCode::E0002, index.place, "a reduction has names of indices");
  }
  in.expect("(", "after the indices of a reduction");
  e.children.push_back(parse_expr(in));
  in.expect(")", "after the argument");
  in.raise(in.levels());
  e.place = in.from(e.place);
  return e;
}

// [EXPR, ...] or (EXPR)
Expr parse_list(TokenStream& in, Expr::Kind kind, std::string_view close) {
  TokenStream::Deeper deeper(in);
  Expr e;
  e.kind = kind;
  e.place = in.next().place;
  int levels = 0;
  if (!in.at_sign(close) || kind == Expr::group) {
    do {
      e.children.push_back(parse_expr(in));
      levels = std::max(levels, in.levels());
    } while (kind == Expr::array && in.take(","));
  }
  in.expect(close, kind == Expr::array ? "after the elements" : "after the expression");
  in.raise(levels);
  e.place = in.from(e.place);
  return e;
}

Expr parse_name(TokenStream& in) {
  const Token& name = in.peek();
  const Token& after = in.peek(1);
  if (name.text == "true" || name.text == "false") {
    Expr e;
    e.kind = Expr::boolean;
    e.value = name.text == "true";
    in.raise(0);
    e.place = in.next().place;
    return e;
  }
  if (!after.spaced && after.is("(") && is_function_name(name.text)) return parse_call(in);
  if (!after.spaced && after.is("[") && is_builtin(name.text, Builtin::reduction)) {
    return parse_reduce(in);
  }
  return parse_ref(in);
}

Expr parse_primary(TokenStream& in) {
  const Token& token = in.peek();
  if (token.kind == Token::integer || token.kind == Token::number) return parse_number(in);
  if (token.is("[")) return parse_list(in, Expr::array, "]");
  if (token.is("(")) return parse_list(in, Expr::group, ")");
  if (token.kind == Token::name && !is_reserved(token.text)) return parse_name(in);
  in.fail("an expression");
}

Expr parse_unary(TokenStream& in);

Expr parse_power(TokenStream& in) {
  Expr e = parse_primary(in);
  int levels = in.levels();
  if (in.at_sign("^") || in.at_sign("**")) {
    TokenStream::Deeper deeper(in);
    in.next();
    Expr exponent = parse_unary(in);
    e = operation(in, levels, Operator::power, std::move(e), std::move(exponent));
  }
  return e;
}

Expr parse_unary(TokenStream& in) {
  if (!in.at_sign("-")) return parse_power(in);
  TokenStream::Deeper deeper(in);
  const Place sign = in.next().place;
  return operation(in, Operator::negate, sign, parse_unary(in));
}

bool at_factor(const TokenStream& in) {
  const Token& token = in.peek();
  return (token.kind == Token::name && !is_reserved(token.text)) || token.kind == Token::integer ||
         token.kind == Token::number || token.is("(") || token.is("[");
}

// The "@" of a product, not that of the mode of a query such as "@why", which follows a space and
// touches its name.
bool at_matrix_product(const TokenStream& in) {
  const Token& after = in.peek(1);
  return in.at_sign("@") && !(in.peek().spaced && after.kind == Token::name && !after.spaced);
}

Expr parse_product(TokenStream& in) {
  Expr e = parse_unary(in);
  int levels = in.levels();
  for (;;) {
    const bool joins = at_matrix_product(in);
    if (std::optional<Operator> op = joins ? Operator::join : operator_at(in, kProducts)) {
      in.next();
      Expr right = parse_unary(in);
      e = operation(in, levels, *op, std::move(e), std::move(right));
    } else if (at_factor(in)) {
      Expr right = parse_power(in);
      e = operation(in, levels, Operator::join, std::move(e), std::move(right));
      e.bracketed = true;  // a juxtaposition
    } else {
      return e;
    }
  }
}

Expr parse_comparison(TokenStream& in) {
  Expr e = parse_sum(in);
  int levels = in.levels();
  if (std::optional<Operator> op = comparison_at(in)) {
    in.next();
    Expr right = parse_sum(in);
    e = operation(in, levels, *op, std::move(e), std::move(right));
  }
  return e;
}

Expr parse_negation(TokenStream& in) {
  if (!in.at_word("not") && !in.at_sign("!") && !in.at_sign("¬")) return parse_comparison(in);
  TokenStream::Deeper deeper(in);
  const Place sign = in.next().place;
  return operation(in, Operator::negation, sign, parse_negation(in));
}

Expr parse_conjunction(TokenStream& in) {
  Expr e = parse_negation(in);
  for (int levels = in.levels(); in.at_word("and");) {
    in.next();
    Expr right = parse_negation(in);
    e = operation(in, levels, Operator::conjunction, std::move(e), std::move(right));
  }
  return e;
}

}  // namespace

const char* name_of(Operator op) {
  constexpr const char* kNames[] = {
      "*", "/", "%", "+", "-", "^", "-", "==", "!=", "<", "<=", ">", ">=", "and", "or", "not"};
  return kNames[static_cast<size_t>(op)];
}

std::optional<Operator> comparison_at(const TokenStream& in) {
  return operator_at(in, kComparisons);
}

bool is_function_name(std::string_view name) {
  return (name[0] >= 'a' && name[0] <= 'z') || name[0] == '_';
}

Expr parse_index_expr(TokenStream& in) {
  Expr e = index_term(in);
  int levels = in.levels();
  while (const std::optional<Operator> op = operator_at(in, kSums)) {
    in.next();
    Expr right = index_term(in);
    e = operation(in, levels, *op, std::move(e), std::move(right));
  }
  return e;
}

Expr parse_ref(TokenStream& in) {
  Expr e;
  e.kind = Expr::reference;
  e.place = in.peek().place;
  e.name = in.expect_name("a name");
  in.raise(0);
  if (!in.peek().spaced && (in.at_sign("[") || in.at_sign("("))) {
    e.atom = in.next().text == "(";
    e.bracketed = true;
    e.indices = parse_indices(in, e.atom ? ")" : "]");
  }
  e.place = in.from(e.place);
  return e;
}

std::vector<Attribute> parse_attributes(TokenStream& in) {
  std::vector<Attribute> attributes;
  if (in.take(")")) return attributes;
  do {
    attributes.push_back(parse_attribute(in));
  } while (in.take(","));
  in.expect(")", "after the arguments");
  return attributes;
}

Symbol parse_symbol(TokenStream& in) {
  const Token& token = in.peek();
  if (token.kind != Token::name && token.kind != Token::string && token.kind != Token::integer) {
    in.fail("a name, a string or an integer");
  }
  if (token.kind == Token::integer) {
    (void)integer_of(token);  // refuses one that is too large for an index
    in.next();
    return {digits_of(token), true, false, token.place};
  }
  if (token.kind == Token::name) return {in.expect_name("a symbol"), false, false, token.place};
  in.next();
  return {unquoted(token.text), false, true, token.place};
}

Expr parse_sum(TokenStream& in) {
  Expr e = parse_product(in);
  int levels = in.levels();
  while (const std::optional<Operator> op = operator_at(in, kSums)) {
    in.next();
    Expr right = parse_product(in);
    e = operation(in, levels, *op, std::move(e), std::move(right));
  }
  return e;
}

Expr parse_expr(TokenStream& in) {
  Expr e = parse_conjunction(in);
  for (int levels = in.levels(); in.at_word("or");) {
    in.next();
    Expr right = parse_conjunction(in);
    e = operation(in, levels, Operator::disjunction, std::move(e), std::move(right));
  }
  return e;
}

}  // namespace gyre::logic
