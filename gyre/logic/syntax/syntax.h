#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "gyre/logic/syntax/source.h"

/// The syntax tree of a program. Names are as written; what they stand for is found later.
namespace gyre::logic {

struct Expr;

// Vectors of a type that is not complete yet have no {} behind them: clang 16 would need the type.

/// A position of a reference: T[i], T[t+1], T[*t], T[i.], T[0:2], R("New York").
struct Index {
  enum Kind : uint8_t { value, string, slice };
  Kind kind = value;
  bool is_virtual = false, marked = false;
  std::vector<Expr> bounds;  ///< value: 1; slice: 2, of kind `none` where left out
  std::string text{};        ///< of a string
  Place place{};
};

/// NAME=VALUE in the parentheses of a call.
struct Attribute {
  std::string name;
  std::variant<double, int64_t, bool, std::string> value;
  Place place{};
};

enum class Operator : uint8_t {
  join,  ///< juxtaposition, * and @
  divide,
  remainder,
  add,
  subtract,
  power,
  negate,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  conjunction,
  disjunction,
  negation
};
/// As in the source; "*" for a juxtaposition.
const char* name_of(Operator op);
constexpr bool is_comparison(Operator op) {
  return op >= Operator::equal && op <= Operator::greater_equal;
}

struct Expr {
  enum Kind : uint8_t {
    none,
    number,     ///< `value`; if `is_integer`, its digits are `name`
    boolean,    ///< `value` 0 or 1
    reference,  ///< NAME, NAME[..] or, if `atom`, NAME(..)
    call,       ///< f(children, attributes)
    reduce,     ///< sum[i](child): the names of `indices`
    array,      ///< [children]
    group,      ///< (child)
    operation   ///< `op` on one or two children
  };
  Kind kind = none;
  Operator op = Operator::join;
  bool atom = false, is_integer = false, bracketed = false;
  double value = 0;
  std::string name{};
  std::vector<Index> indices{};
  std::vector<Expr> children{};
  std::vector<Attribute> attributes{};
  Place place{};
};

/// A size or domain of an axis in a declaration: [x: Person, 3, ?].
struct Dim {
  std::string label{};            ///< of the axis
  std::string domain{};           ///< a domain or a constant, or empty
  std::optional<int64_t> size{};  ///< neither: "?"
  Place place{};
};

struct Symbol {
  std::string text;
  bool is_integer = false, quoted = false;
  Place place{};
};

enum class Projection : uint8_t { sum, add, product, max, min, mean };  ///< = += *= max= min= avg=

struct Statement;
using Body = std::vector<Statement>;

struct Pragma {
  std::string name, value;
};
struct Import {
  std::string path;
};
struct DomainDecl {
  std::string name;
  std::optional<std::vector<Symbol>> symbols{};
  std::optional<int64_t> size{};
};
struct ConstDecl {
  std::string name;
  Expr value;
};
struct Initializer {
  std::string name;  ///< of a function such as xavier, or empty
  std::vector<Attribute> attributes{};
  std::optional<Expr> value{};
  Place place{};
};
struct TensorDecl {
  std::string name, dtype{};
  std::vector<Dim> dims{};
  bool learnable = false;
  std::optional<Initializer> init{};
};
struct RelationDecl {
  std::string name;
  std::vector<Dim> dims{};
  std::string embed_dtype{};
  int64_t embed_size = 0;  ///< 0: not embedded
};
struct EmbeddingDecl {
  std::string name;
  std::string entities{};                        ///< a domain,
  std::optional<std::vector<Symbol>> symbols{};  ///< or its symbols
  int64_t dimension = 0;
  std::optional<Initializer> init{};
};
struct FunctionDecl {
  std::string name;
  std::vector<std::string> parameters{};
  std::optional<Expr> value{};
  std::string dtype{};
  Body body;
};
struct Equation {
  Expr left;
  Projection projection = Projection::sum;
  Expr right;
  std::optional<Expr> where{};
};
struct Fact {
  std::string relation;
  std::vector<Symbol> symbols;
};
struct RuleLiteral {
  bool negated = false;
  Expr expr;  ///< an atom, a comparison or a reference
};
struct Rule {
  Expr head;
  std::vector<RuleLiteral> body;
};
struct QueryMode {
  std::string name;
  std::vector<Attribute> attributes{};
  Place place{};
};
struct Query {
  Expr expr;
  std::optional<Expr> where{};
  std::vector<QueryMode> modes{};
};
struct FileRead {
  Expr to;
  std::string path;
};
struct FileWrite {
  std::string path;
  Expr from;
};
struct Learn {
  Body equations;
  std::optional<Expr> objective{};
  std::string optimizer{}, scheduler{};
  std::vector<Attribute> optimizer_options{}, scheduler_options{};
  int64_t epochs = 0;
  std::vector<std::string> params{};
  Place optimizer_place{}, scheduler_place{};
};
/// main { } , test NAME { } or bench NAME { }
struct Block {
  std::string kind, name;
  Body body;
};
struct Let {
  std::string name;
  Expr value;
  bool rebinds = false;  ///< :=
};
struct If {
  Expr condition;
  Body then, otherwise;
};
struct For {
  std::string name, domain{};
  std::optional<Expr> first{}, last{};  ///< first..last, the last excluded
  Body body;
};
struct Loop {
  std::optional<Expr> condition{};  ///< of while
  Body body;
};
struct Jump {
  bool returns = false;  ///< else break
  std::optional<Expr> value{};
};
struct Show {
  bool asserts = false;  ///< else print
  std::vector<Expr> values{};
};

/// A statement with a syntax error, and the first names in it, which it may have defined.
struct Broken {
  std::vector<std::string> names;
};

struct Statement {
  Place place{};
  std::variant<Pragma, Import, DomainDecl, ConstDecl, TensorDecl, RelationDecl, EmbeddingDecl,
               FunctionDecl, Equation, Fact, Rule, Query, FileRead, FileWrite, Learn, Block, Let,
               If, For, Loop, Jump, Show, Broken>
      what{};
};

/// Whether a statement is of the script layer: let, :=, if, for, while, loop, break, return, print,
/// assert or a block.
inline bool is_script(const Statement& s) {
  return std::holds_alternative<Block>(s.what) || std::holds_alternative<Let>(s.what) ||
         std::holds_alternative<If>(s.what) || std::holds_alternative<For>(s.what) ||
         std::holds_alternative<Loop>(s.what) || std::holds_alternative<Jump>(s.what) ||
         std::holds_alternative<Show>(s.what);
}

/// f(expr) for the expression and all below it, parents first.
template <class F>
void visit(const Expr& expr, const F& f) {
  f(expr);
  for (const Index& index : expr.indices) {
    for (const Expr& bound : index.bounds) visit(bound, f);
  }
  for (const Expr& child : expr.children) visit(child, f);
}

}  // namespace gyre::logic
