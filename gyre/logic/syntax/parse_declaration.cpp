#include "gyre/logic/syntax/parse_declaration.h"

#include <algorithm>

#include "gyre/logic/syntax/parse_expression.h"

namespace gyre::logic {

std::string parse_relation_name(TokenStream& in) {
  const Token& name = in.peek();
  if (name.kind == Token::name && is_function_name(name.text)) {
    refuse(DiagnosticCode::E0002, name.place,
           {"a relation begins with an upper-case letter, found '", name.text, "'"},
           "a lower-case name before '(' is a function");
  }
  return in.expect_name("the name of a relation");
}

int64_t parse_positive(TokenStream& in, std::string_view what) {
  const Place place = in.peek().place;
  const int64_t value = in.expect_integer(what);
  if (value < 1) refuse(DiagnosticCode::E0002, place, {what, " is at least 1, found ", value});
  return value;
}

std::string parse_field_name(TokenStream& in, std::vector<std::string>& seen,
                             std::string_view expected) {
  const Place place = in.peek().place;
  std::string key = in.expect_name(expected);
  if (std::find(seen.begin(), seen.end(), key) != seen.end()) {
    refuse(DiagnosticCode::E0002, place, {"the field '", key, "' stands here twice"});
  }
  in.expect(":", "after the name of a field");
  seen.push_back(key);
  return key;
}

namespace {

void parse_pragma(TokenStream& in, Statement& s) {
  in.next();
  Pragma p{in.expect_name("the name of a pragma"), {}};
  if (!in.at_end_of_statement()) {
    const bool negative = in.take("-");
    const Token::Kind kind = in.peek().kind;
    const bool is_number = kind == Token::integer || kind == Token::number;
    if (!is_number && (negative || (kind != Token::name && kind != Token::string))) {
      in.fail(negative ? "a number" : "a name, a number or a string");
    }
    const Token& value = in.next();
    p.value = value.kind == Token::string ? unquoted(value.text) : std::string(value.text);
    if (negative) p.value.insert(0, 1, '-');
  }
  s.what = std::move(p);
}

void parse_import(TokenStream& in, Statement& s) {
  in.next();
  if (in.peek().kind != Token::string) in.fail("the path of a program in quotes");
  s.what = Import{unquoted(in.next().text)};
}

std::vector<Symbol> parse_symbols(TokenStream& in) {
  std::vector<Symbol> all;
  do {
    in.skip_newlines();
    all.push_back(parse_symbol(in));
    in.skip_newlines();
  } while (in.take(","));
  in.expect("}", "after the symbols");
  return all;
}

void parse_domain(TokenStream& in, Statement& s) {
  in.next();
  DomainDecl d{in.expect_name("the name of a domain")};
  if (in.take("=")) {
    if (in.take("{")) {
      d.symbols = parse_symbols(in);
    } else {
      d.size = in.expect_integer("a size or {symbols}");
    }
  }
  s.what = std::move(d);
}

void parse_constant(TokenStream& in, Statement& s) {
  in.next();
  std::string name = in.expect_name("the name of a constant");
  in.expect("=", "after the name of a constant");
  s.what = ConstDecl{std::move(name), parse_index_expr(in)};
}

Dim parse_dim(TokenStream& in) {
  Dim d;
  d.place = in.peek().place;
  if (in.peek().kind == Token::name && in.peek(1).is(":")) {
    d.label = in.expect_name("a label");
    in.next();
  }
  if (in.peek().kind == Token::integer) {
    d.size = in.expect_integer("a size");
  } else if (!in.take("?")) {
    d.domain = in.expect_name("a size, a domain or '?'");
  }
  d.place = in.from(d.place);
  return d;
}

std::vector<Dim> parse_dims(TokenStream& in, std::string_view close) {
  std::vector<Dim> all;
  if (close == "]" && in.take(close)) return all;
  do {
    all.push_back(parse_dim(in));
  } while (in.take(","));
  in.expect(close, "after the axes");
  return all;
}

Initializer parse_initializer(TokenStream& in) {
  Initializer init;
  init.place = in.peek().place;
  if (in.peek().kind == Token::name && is_builtin(in.peek().text, Builtin::initializer)) {
    init.name = in.expect_name("an initialiser");
    if (in.take("(")) init.attributes = parse_attributes(in);
  } else {
    init.value = parse_expr(in);
  }
  init.place = in.from(init.place);
  return init;
}

void parse_tensor(TokenStream& in, Statement& s) {
  in.next();
  TensorDecl t{in.expect_name("the name of a tensor")};
  if (in.take(":")) t.dtype = in.expect_name("a dtype");
  in.expect("[", "and the axes of the tensor");
  t.dims = parse_dims(in, "]");
  t.learnable = in.at_word("learnable");
  if (t.learnable || in.at_word("frozen")) in.next();
  if (in.take("=")) t.init = parse_initializer(in);
  s.what = std::move(t);
}

void parse_relation(TokenStream& in, Statement& s) {
  in.next();
  RelationDecl r{parse_relation_name(in)};
  in.expect("(", "and the domains of the relation");
  r.dims = parse_dims(in, ")");
  if (in.at_word("embed")) {
    in.next();
    r.embed_dtype = in.expect_name("a dtype");
    in.expect("[", "and the size of the embedding");
    r.embed_size = parse_positive(in, "a size");
    in.expect("]", "after the size");
  }
  s.what = std::move(r);
}

void parse_embedding(TokenStream& in, Statement& s) {
  in.next();
  EmbeddingDecl e{in.expect_name("the name of an embedding")};
  in.expect("{", "after the name of an embedding");
  std::vector<std::string> seen;
  for (in.skip_newlines(); !in.take("}"); in.skip_newlines()) {
    constexpr std::string_view kFields = "entities, dimension, init or '}'";
    if (!in.at_word("entities") && !in.at_word("dimension") && !in.at_word("init")) {
      in.fail(kFields);
    }
    const std::string key = parse_field_name(in, seen, kFields);
    if (key == "dimension") {
      e.dimension = parse_positive(in, "a dimension");
    } else if (key == "init") {
      e.init = parse_initializer(in);
    } else if (in.take("{")) {
      e.symbols = parse_symbols(in);
    } else {
      e.entities = in.expect_name("a domain or {symbols}");
    }
    if (!in.at_end_of_statement() && !in.at_sign(",")) in.fail("',' or '}'");
    if (in.at_sign(",") || in.at_sign(";")) in.next();
  }
  if (e.entities.empty() && !e.symbols) {
    refuse(DiagnosticCode::E0002, s.place, "an embedding has the field 'entities'");
  }
  if (e.dimension == 0) {
    refuse(DiagnosticCode::E0002, s.place, "an embedding has the field 'dimension'");
  }
  s.what = std::move(e);
}

constexpr struct {
  Word word;
  void (*parse)(TokenStream&, Statement&);
} kDeclarations[] = {{"pragma", parse_pragma},     {"import", parse_import},
                     {"domain", parse_domain},     {"entity", parse_domain},
                     {"const", parse_constant},    {"tensor", parse_tensor},
                     {"relation", parse_relation}, {"embedding", parse_embedding}};

}  // namespace

bool parse_declaration(TokenStream& in, Statement& s) {
  for (const auto& declaration : kDeclarations) {
    if (!in.at_word(declaration.word)) continue;
    declaration.parse(in, s);
    return true;
  }
  return false;
}

}  // namespace gyre::logic
