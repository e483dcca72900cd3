#include "gyre/logic/syntax/parser.h"

#include "gyre/logic/syntax/parse_declaration.h"
#include "gyre/logic/syntax/parse_expression.h"

namespace gyre::logic {
namespace {

// More are not shown, and each costs an exception.
constexpr size_t kMostErrors = 100;

class Parser {
 public:
  Parser(TokenStream& in, Diagnostics& diagnostics) : in_(in), diagnostics_(diagnostics) {}

  // Statements up to a closing brace or the end of the file, which stays.
  Body statements() {
    Body body;
    for (;;) {
      while (in_.peek().kind == Token::newline || in_.at_sign(";")) in_.next();
      if (in_.peek().kind == Token::end || in_.at_sign("}")) return body;
      const size_t begin = in_.position();
      try {
        Statement s = statement();
        if (!in_.at_end_of_statement()) in_.fail("the end of the statement");
        body.push_back(std::move(s));
      } catch (const Refused& refused) {
        const Token* open = in_.skip_statement(begin);
        if (open) {
          diagnostics_.add({DiagnosticCode::E0002,
                            open->place,
                            {"this '" + std::string(open->text) + "' is not closed"}});
        } else if (!refused.diagnostic.message.empty()) {
          diagnostics_.add(refused.diagnostic);
        }
        if (diagnostics_.errors() >= kMostErrors) in_.skip_all();
        body.push_back({in_.from(refused.diagnostic.place), Broken{in_.names_from(begin)}});
      }
    }
  }

  Statement statement() {
    TokenStream::Deeper deeper(in_);
    Statement s;
    s.place = in_.peek().place;
    if (!declaration(s) && !script(s)) core(s);
    s.place = in_.from(s.place);
    return s;
  }

 private:
  struct Form {
    Word word;
    void (Parser::*parse)(Statement&);
  };
  // A word begins such a statement if a name or a string follows on the line; else it is a name.
  bool declaration(Statement& s) {
    static constexpr Form kForms[] = {
        {"fn", &Parser::function}, {"test", &Parser::block},   {"bench", &Parser::block},
        {"let", &Parser::let},     {"for", &Parser::for_loop},
    };
    const Token::Kind after = in_.peek(1).kind;
    if (after != Token::name && !(after == Token::string && in_.at_word("import"))) return false;
    return parse_declaration(in_, s) || begin_with(kForms, s);
  }
  bool script(Statement& s) {
    static constexpr Form kForms[] = {
        {"learn", &Parser::learn},  {"main", &Parser::block}, {"loop", &Parser::loop},
        {"if", &Parser::condition}, {"while", &Parser::loop}, {"break", &Parser::jump},
        {"return", &Parser::jump},  {"print", &Parser::show}, {"assert", &Parser::show}};
    const Token& after = in_.peek(1);
    if (in_.peek().kind != Token::name || after.is("=") || after.is("?") ||
        (after.is("[") && !after.spaced)) {
      return false;
    }
    return begin_with(kForms, s);
  }
  template <size_t N>
  bool begin_with(const Form (&forms)[N], Statement& s) {
    for (const Form& form : forms) {
      if (!in_.at_word(form.word)) continue;
      (this->*form.parse)(s);
      return true;
    }
    return false;
  }

  void function(Statement& s) {
    in_.next();
    FunctionDecl f;
    f.name = in_.expect_name("the name of a function");
    in_.expect("(", "after the name of a function");
    if (!in_.at_sign(")")) {
      do {
        f.parameters.push_back(in_.expect_name("the name of a parameter"));
      } while (in_.take(","));
    }
    in_.expect(")", "after the parameters");
    if (in_.take("=")) {
      f.value = parse_expr(in_);
    } else {
      if (in_.take("->")) f.dtype = in_.expect_name("a dtype");
      f.body = body();
    }
    s.what = std::move(f);
  }
  Body body() {
    in_.expect("{", "to begin a block");
    Body all = statements();
    in_.expect("}", "to end the block");
    return all;
  }
  void block(Statement& s) {
    Block b{in_.expect_name("a block"), {}, {}};
    if (b.kind != "main") b.name = in_.expect_name("the name of the block");
    b.body = body();
    s.what = std::move(b);
  }
  void let(Statement& s) {
    in_.next();
    std::string name = in_.expect_name("a name");
    in_.expect("=", "after the name");
    s.what = Let{std::move(name), parse_expr(in_)};
  }
  void for_loop(Statement& s) {
    in_.next();
    For f;
    f.name = in_.expect_name("the name of a variable");
    if (!in_.at_word("in")) in_.fail("'in'");
    in_.next();
    if (in_.peek().kind == Token::name && in_.peek(1).is("{")) {
      f.domain = in_.expect_name("a domain");
    } else {
      f.first = parse_index_expr(in_);
      in_.expect("..", "between the bounds");
      f.last = parse_index_expr(in_);
    }
    f.body = body();
    s.what = std::move(f);
  }
  void loop(Statement& s) {
    Loop l;
    if (in_.next().text == "while") l.condition = parse_expr(in_);
    l.body = body();
    s.what = std::move(l);
  }
  void condition(Statement& s) {
    in_.next();
    If i{parse_expr(in_), body(), {}};
    const size_t end = in_.position();
    in_.skip_newlines();
    if (!in_.at_word("else")) {
      in_.go_back(end);
    } else {
      in_.next();
      if (in_.at_sign("{"))
        i.otherwise = body();
      else
        i.otherwise.push_back(script_statement());
    }
    s.what = std::move(i);
  }
  Statement script_statement() {
    Statement s = statement();
    const bool is_script =
        std::holds_alternative<Let>(s.what) || std::holds_alternative<If>(s.what) ||
        std::holds_alternative<For>(s.what) || std::holds_alternative<Loop>(s.what) ||
        std::holds_alternative<Jump>(s.what) || std::holds_alternative<Show>(s.what);
    if (!is_script) {
      refuse(DiagnosticCode::E0002, s.place, "expected '{' or a step of a script after else");
    }
    return s;
  }
  void jump(Statement& s) {
    Jump j;
    j.returns = in_.next().text == "return";
    if (j.returns && !in_.at_end_of_statement()) j.value = parse_expr(in_);
    s.what = std::move(j);
  }
  void show(Statement& s) {
    Show show;
    show.asserts = in_.next().text == "assert";
    in_.expect("(", "and what to show or check");
    do {
      show.values.push_back(parse_expr(in_));
    } while (in_.take(","));
    in_.expect(")", "after the values");
    s.what = std::move(show);
  }

  void learn(Statement& s);
  void learn_field(Learn& l, std::vector<std::string>& seen);
  void core(Statement& s);
  void query(Statement& s, Expr expr);
  void rule(Statement& s, Expr head);
  void fact(Statement& s, const Expr& atom);
  std::optional<Projection> projection();

  TokenStream& in_;
  Diagnostics& diagnostics_;
};

void Parser::learn(Statement& s) {
  in_.next();
  in_.expect("{", "after learn");
  Learn l;
  std::vector<std::string> seen;
  for (in_.skip_newlines(); !in_.take("}"); in_.skip_newlines()) {
    if (in_.peek().kind == Token::name && in_.peek(1).is(":")) {
      learn_field(l, seen);
    } else {
      Statement equation = statement();
      if (!std::holds_alternative<Equation>(equation.what)) {
        refuse(DiagnosticCode::E0002, equation.place, "learn has equations and fields");
      }
      l.equations.push_back(std::move(equation));
    }
    if (!in_.at_end_of_statement() && !in_.at_sign(",")) in_.fail("',' or '}'");
    if (in_.at_sign(",") || in_.at_sign(";")) in_.next();
  }
  if (!l.objective) refuse(DiagnosticCode::E0002, s.place, "learn has no objective");
  if (l.optimizer.empty()) refuse(DiagnosticCode::E0002, s.place, "learn has no optimizer");
  if (l.epochs == 0) refuse(DiagnosticCode::E0002, s.place, "learn has no epochs");
  s.what = std::move(l);
}

void Parser::learn_field(Learn& l, std::vector<std::string>& seen) {
  const Place place = in_.peek().place;
  const std::string key = parse_field_name(in_, seen, "a field");
  if (key == Word("objective")) {
    l.objective = parse_expr(in_);
  } else if (key == Word("optimizer") || key == Word("scheduler")) {
    const bool schedules = key == Word("scheduler");
    (schedules ? l.scheduler_place : l.optimizer_place) = in_.peek().place;
    (schedules ? l.scheduler : l.optimizer) = in_.expect_name("a name");
    if (in_.take("("))
      (schedules ? l.scheduler_options : l.optimizer_options) = parse_attributes(in_);
  } else if (key == Word("epochs")) {
    l.epochs = parse_positive(in_, "a number of epochs");
  } else if (key == Word("params")) {
    do {
      l.params.push_back(in_.expect_name("the name of a tensor"));
    } while (in_.at_sign(",") && in_.peek(1).kind == Token::name && !in_.peek(2).is(":") &&
             in_.take(","));
  } else {
    refuse(DiagnosticCode::E0002, place, {"learn has no field '", key, "'"},
           "fields: objective, optimizer, epochs, scheduler, params");
  }
}

// An equation, fact, rule, query, reading or writing of a file, or :=.
void Parser::core(Statement& s) {
  if (in_.peek().kind == Token::string) {
    std::string path = unquoted(in_.next().text);
    in_.expect("=", "after the path of a file");
    s.what = FileWrite{std::move(path), parse_ref(in_)};
    return;
  }
  if (in_.at_sign("(")) {
    Expr e = parse_expr(in_);
    if (!in_.at_sign("?")) in_.fail("'?' after an expression");
    if (e.kind != Expr::group) {
      refuse(DiagnosticCode::E0002, e.place, "an expression is asked for in parentheses: (a + b)?");
    }
    return query(s, std::move(e));
  }
  if (in_.peek().kind != Token::name) in_.fail("a statement");
  if (in_.peek(1).is("(") && !in_.peek(1).spaced && is_function_name(in_.peek().text)) {
    parse_relation_name(in_);  // refuses it
  }
  Expr left = parse_ref(in_);
  if (in_.at_sign("?")) return query(s, std::move(left));
  if (in_.at_sign("<-") || in_.at_sign(":-") || in_.at_sign("←")) return rule(s, std::move(left));
  if (in_.at_sign(":=")) {
    if (left.bracketed) in_.fail("'=' after a reference with indices");
    in_.next();
    s.what = Let{left.name, parse_expr(in_), true};
    return;
  }
  if (std::optional<Projection> p = projection()) {
    if (*p == Projection::sum && in_.peek().kind == Token::string) {
      s.what = FileRead{std::move(left), unquoted(in_.next().text)};
      return;
    }
    Equation e{std::move(left), *p, parse_expr(in_), {}};
    if (in_.at_word("where")) {
      in_.next();
      e.where = parse_expr(in_);
    }
    s.what = std::move(e);
    return;
  }
  if (!left.atom || !in_.at_end_of_statement()) in_.fail("'=', '<-' or '?' after a reference");
  fact(s, left);
}

std::optional<Projection> Parser::projection() {
  if (in_.take("=")) return Projection::sum;
  if (in_.take("+=")) return Projection::add;
  if (in_.take("*=")) return Projection::product;
  if (in_.peek().kind != Token::name || !in_.peek(1).is("=") || in_.peek(1).spaced)
    return std::nullopt;
  const std::optional<Projection> found = projection_before_equals(in_.peek().text);
  if (found) {
    in_.next();
    in_.next();
  }
  return found;
}

void Parser::query(Statement& s, Expr expr) {
  Query q{std::move(expr), {}, {}};
  in_.expect("?", "after a query");
  if (in_.at_word("where")) {
    in_.next();
    q.where = parse_expr(in_);
  }
  while (in_.at_sign("@")) {
    QueryMode mode;
    if (!in_.peek().spaced && !in_.last().is("?")) in_.fail("a space before the mode of a query");
    mode.place = in_.next().place;
    constexpr std::string_view kModes = "@forward, @backward, @embedded or @why";
    if (in_.peek().spaced) in_.fail(kModes);
    mode.name = in_.expect_name(kModes);
    if (in_.take("(")) mode.attributes = parse_attributes(in_);
    mode.place = in_.from(mode.place);
    q.modes.push_back(std::move(mode));
  }
  s.what = std::move(q);
}

void Parser::rule(Statement& s, Expr head) {
  if (!head.atom) in_.fail("an atom such as R(x, y) on the left of a rule");
  in_.next();
  Rule r{std::move(head), {}};
  do {
    RuleLiteral literal;
    literal.negated = in_.at_word("not") || in_.at_sign("!") || in_.at_sign("¬");
    if (literal.negated) in_.next();
    literal.expr = parse_sum(in_);
    const bool is_atom = literal.expr.kind == Expr::reference && literal.expr.atom;
    if (literal.negated && !is_atom) {
      refuse(DiagnosticCode::E0002, literal.expr.place, "expected an atom after 'not'");
    }
    if (std::optional<Operator> op = comparison_at(in_)) {
      in_.next();
      Expr e;
      e.kind = Expr::operation;
      e.op = *op;
      e.children.push_back(std::move(literal.expr));
      e.children.push_back(parse_sum(in_));
      e.place = join(e.children[0].place, e.children[1].place);
      literal.expr = std::move(e);
    } else if (literal.expr.kind != Expr::reference) {
      refuse(DiagnosticCode::E0002, literal.expr.place,
             "a rule has atoms, comparisons and references, got another expression");
    }
    r.body.push_back(std::move(literal));
  } while (in_.take(","));
  s.what = std::move(r);
}

void Parser::fact(Statement& s, const Expr& atom) {
  Fact f{atom.name, {}};
  for (const Index& index : atom.indices) {
    const Expr* e = index.bounds.empty() ? nullptr : &index.bounds[0];
    const bool plain = !index.is_virtual && !index.marked && index.kind != Index::slice;
    if (index.kind == Index::string) {
      f.symbols.push_back({index.text, false, true, index.place});
    } else if (plain && e->kind == Expr::number) {
      f.symbols.push_back({e->name, true, false, index.place});
    } else if (plain && e->kind == Expr::reference) {
      f.symbols.push_back({e->name, false, false, index.place});
    } else {
      refuse(DiagnosticCode::E0002, index.place, "a fact has names, strings and integers");
    }
  }
  s.what = std::move(f);
}

Body parse_tokens(std::vector<Token> tokens, Diagnostics& diagnostics) {
  TokenStream in(std::move(tokens));
  Parser parser(in, diagnostics);
  Body body;
  for (;;) {
    Body part = parser.statements();
    std::move(part.begin(), part.end(), std::back_inserter(body));
    if (in.peek().kind == Token::end) return body;
    diagnostics.add({DiagnosticCode::E0002, in.peek().place, "this '}' closes nothing"});
    in.next();
    if (diagnostics.errors() >= kMostErrors) return body;
  }
}

}  // namespace

Body parse(const Sources& sources, uint32_t file, Diagnostics& diagnostics) {
  if (const size_t nul = sources[file].text.find('\0'); nul != std::string::npos) {
    const auto at = static_cast<uint32_t>(nul);
    diagnostics.add(
        {DiagnosticCode::E0001, {file, at, at + 1}, "a program is text, this is a nul byte"});
    return {};
  }
  return parse_tokens(tokens_of(sources, file, diagnostics), diagnostics);
}

std::optional<Statement> parse_query(const Sources& sources, uint32_t file,
                                     Diagnostics& diagnostics) {
  std::vector<Token> tokens = tokens_of(sources, file, diagnostics);
  const bool asks = std::any_of(tokens.begin(), tokens.end(), [](auto& t) { return t.is("?"); });
  if (!asks) {
    auto last = std::prev(tokens.end());
    while (last != tokens.begin() && std::prev(last)->kind == Token::newline) --last;
    tokens.insert(last, {Token::sign, last->place, "?"});
  }
  Body body = parse_tokens(std::move(tokens), diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  if (body.size() != 1 || !std::holds_alternative<Query>(body[0].what)) {
    diagnostics.add({DiagnosticCode::E0002, {file, 0, 0}, "expected one query, such as R(x, y)?"});
    return std::nullopt;
  }
  return std::move(body[0]);
}

}  // namespace gyre::logic
