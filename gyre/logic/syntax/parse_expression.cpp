#include "gyre/logic/syntax/parse_expression.h"

#include <algorithm>

namespace gyre::logic {
namespace {

constexpr struct {
  const char* sign;
  Operator op;
} kComparisons[] = {{"==", Operator::equal},  {"!=", Operator::not_equal},
                    {"<", Operator::less},    {"<=", Operator::less_equal},
                    {">", Operator::greater}, {">=", Operator::greater_equal}};

// Words that end an expression, so that they are no factors of a product.
constexpr std::string_view kReserved[] = {"where", "and", "or", "not"};

// Operators of one level are a tree that leans to the left and whose depth is their number.
constexpr int kMostChained = 1000;
void count_link(const TokenStream& in, int& links) {
  if (++links > kMostChained) {
    refuse(DiagnosticCode::E0002, in.peek().place,
           {"an expression has at most ", kMostChained, " operators of one level"});
  }
}

bool is_lower(std::string_view name) {
  return (name[0] >= 'a' && name[0] <= 'z') || name[0] == '_';
}

Expr operation(Operator op, Expr a, Expr b) {
  Expr e;
  e.kind = Expr::operation;
  e.op = op;
  e.place = join(a.place, b.place);
  e.children.push_back(std::move(a));
  e.children.push_back(std::move(b));
  return e;
}
Expr operation(Operator op, Place sign, Expr a) {
  Expr e;
  e.kind = Expr::operation;
  e.op = op;
  e.place = join(sign, a.place);
  e.children.push_back(std::move(a));
  return e;
}

Expr parse_number(TokenStream& in) {
  Expr e;
  e.kind = Expr::number;
  e.is_integer = in.peek().kind == Token::integer;
  e.place = in.peek().place;
  e.value = number_of(in.next());
  return e;
}

Expr index_primary(TokenStream& in) {
  TokenStream::Deeper deeper(in);
  if (in.peek().kind == Token::integer) return parse_number(in);
  const Place begin = in.peek().place;
  Expr e;
  if (in.take("(")) {
    e = parse_index_expr(in);
    in.expect(")", "after the index");
    return e;
  }
  e.kind = Expr::reference;
  e.name = in.expect_name("an index");
  e.place = begin;
  return e;
}

Expr index_term(TokenStream& in) {
  Expr e = index_primary(in);
  for (int links = 0;; count_link(in, links)) {
    Operator op;
    if (in.at_sign("*"))
      op = Operator::join;
    else if (in.at_sign("/"))
      op = Operator::divide;
    else if (in.at_sign("%"))
      op = Operator::remainder;
    else
      return e;
    in.next();
    e = operation(op, std::move(e), index_primary(in));
  }
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
  index.bounds.push_back(in.at_sign(":") ? no_bound() : parse_index_expr(in));
  if (in.take(":")) {
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
  if (in.take(close)) return indices;
  do {
    indices.push_back(parse_index(in));
  } while (in.take(","));
  in.expect(close, "after the indices");
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

Expr parse_call(TokenStream& in) {
  Expr e;
  e.kind = Expr::call;
  e.place = in.peek().place;
  e.name = std::string(in.next().text);
  in.expect("(", "after the name of a function");
  while (!in.at_sign(")")) {
    if (at_attribute(in)) {
      e.attributes = parse_attributes(in);
      e.place = in.from(e.place);
      return e;
    }
    e.children.push_back(parse_expr(in));
    if (!in.take(",")) break;
  }
  in.expect(")", "after the arguments");
  e.place = in.from(e.place);
  return e;
}

bool is_reduction(std::string_view name) {
  constexpr std::string_view kNames[] = {"sum", "prod", "max", "min", "avg"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

Expr parse_reduce(TokenStream& in) {
  Expr e;
  e.kind = Expr::reduce;
  e.place = in.peek().place;
  e.name = std::string(in.next().text);
  in.next();
  e.indices = parse_indices(in, "]");
  in.expect("(", "after the indices of a reduction");
  e.children.push_back(parse_expr(in));
  in.expect(")", "after the argument");
  e.place = in.from(e.place);
  return e;
}

Expr parse_list(TokenStream& in, Expr::Kind kind, std::string_view close) {
  Expr e;
  e.kind = kind;
  e.place = in.next().place;
  if (!in.at_sign(close) || kind == Expr::group) {
    do {
      e.children.push_back(parse_expr(in));
    } while (kind == Expr::array && in.take(","));
  }
  in.expect(close, kind == Expr::array ? "after the elements" : "after the expression");
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
    e.place = in.next().place;
    return e;
  }
  if (!after.spaced && after.is("(") && is_lower(name.text)) return parse_call(in);
  if (!after.spaced && after.is("[") && is_reduction(name.text)) return parse_reduce(in);
  return parse_ref(in);
}

Expr parse_primary(TokenStream& in) {
  TokenStream::Deeper deeper(in);
  const Token& token = in.peek();
  if (token.kind == Token::integer || token.kind == Token::number) return parse_number(in);
  if (token.is("[")) return parse_list(in, Expr::array, "]");
  if (token.is("(")) return parse_list(in, Expr::group, ")");
  if (token.kind == Token::name) return parse_name(in);
  in.fail("an expression");
}

Expr parse_unary(TokenStream& in);

Expr parse_power(TokenStream& in) {
  Expr e = parse_primary(in);
  if (in.at_sign("^") || in.at_sign("**")) {
    in.next();
    e = operation(Operator::power, std::move(e), parse_unary(in));
  }
  return e;
}

Expr parse_unary(TokenStream& in) {
  TokenStream::Deeper deeper(in);
  if (!in.at_sign("-")) return parse_power(in);
  const Place sign = in.next().place;
  return operation(Operator::negate, sign, parse_unary(in));
}

bool at_factor(const TokenStream& in) {
  const Token& token = in.peek();
  if (token.kind == Token::name) {
    return std::find(std::begin(kReserved), std::end(kReserved), token.text) == std::end(kReserved);
  }
  return token.kind == Token::integer || token.kind == Token::number || token.is("(") ||
         token.is("[");
}

Expr parse_product(TokenStream& in) {
  Expr e = parse_unary(in);
  for (int links = 0;; count_link(in, links)) {
    if (in.at_sign("*") || in.at_sign("@")) {
      in.next();
      e = operation(Operator::join, std::move(e), parse_unary(in));
    } else if (in.at_sign("/") || in.at_sign("%")) {
      const Operator op = in.next().text == "/" ? Operator::divide : Operator::remainder;
      e = operation(op, std::move(e), parse_unary(in));
    } else if (at_factor(in)) {
      e = operation(Operator::join, std::move(e), parse_power(in));
      e.bracketed = true;  // a juxtaposition
    } else {
      return e;
    }
  }
}

Expr parse_comparison(TokenStream& in) {
  Expr e = parse_sum(in);
  if (std::optional<Operator> op = comparison_at(in)) {
    in.next();
    e = operation(*op, std::move(e), parse_sum(in));
  }
  return e;
}

Expr parse_negation(TokenStream& in) {
  TokenStream::Deeper deeper(in);
  if (in.at_word("not") || in.at_sign("!") || in.at_sign("¬")) {
    const Place sign = in.next().place;
    return operation(Operator::negation, sign, parse_negation(in));
  }
  return parse_comparison(in);
}

Expr parse_conjunction(TokenStream& in) {
  Expr e = parse_negation(in);
  for (int links = 0; in.at_word("and"); count_link(in, links)) {
    in.next();
    e = operation(Operator::conjunction, std::move(e), parse_negation(in));
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
  for (const auto& c : kComparisons) {
    if (in.at_sign(c.sign)) return c.op;
  }
  return std::nullopt;
}

Expr parse_index_expr(TokenStream& in) {
  Expr e = index_term(in);
  for (int links = 0; in.at_sign("+") || in.at_sign("-"); count_link(in, links)) {
    const Operator op = in.next().text == "+" ? Operator::add : Operator::subtract;
    e = operation(op, std::move(e), index_term(in));
  }
  return e;
}

Expr parse_ref(TokenStream& in) {
  Expr e;
  e.kind = Expr::reference;
  e.place = in.peek().place;
  e.name = in.expect_name("a name");
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
  in.next();
  const bool quoted = token.kind == Token::string;
  return {quoted ? unquoted(token.text) : std::string(token.text), token.kind == Token::integer,
          quoted, token.place};
}

Expr parse_sum(TokenStream& in) {
  Expr e = parse_product(in);
  for (int links = 0; in.at_sign("+") || in.at_sign("-"); count_link(in, links)) {
    const Operator op = in.next().text == "+" ? Operator::add : Operator::subtract;
    e = operation(op, std::move(e), parse_product(in));
  }
  return e;
}

Expr parse_expr(TokenStream& in) {
  Expr e = parse_conjunction(in);
  for (int links = 0; in.at_word("or"); count_link(in, links)) {
    in.next();
    e = operation(Operator::disjunction, std::move(e), parse_conjunction(in));
  }
  return e;
}

}  // namespace gyre::logic
