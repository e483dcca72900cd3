// Any bytes as a program give a tree or diagnostics. A program without errors keeps its tree when
// it is formatted, and a formatted one is left as it is. The bytes are tried as a text, and some as
// the choices that make a program: its words and the spaces between them.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "gyre/logic/syntax/format.h"
#include "tests/logic_tree.h"

namespace {

using gyre::logic::format_program;
using gyre::logic::LocatedDiagnostic;
using gyre::logic::Parsed;
using gyre::logic::parsed;

void check(const std::string& text) {
  const Parsed program = parsed(text);
  if (program.has_errors) {
    for (const LocatedDiagnostic& d : program.diagnostics) {
      if (text_of(d).empty() || d.where.line < 1 || d.where.column < 1) std::abort();
    }
    return;
  }
  const std::string once = format_program({"program", text});
  const Parsed again = parsed(once);
  if (again.has_errors || again.tree != program.tree) std::abort();
  if (format_program({"program", once}) != once) std::abort();
}

// A text by a pattern, in which each capital letter stands for one of several patterns, "_" for
// any space, "~" for at least one, and "`" makes the next character stand for itself.
class Program {
 public:
  explicit Program(std::span<const uint8_t> choices) : choices_(choices) {}
  std::string make() {
    add("S~;_S_;_S", 0);
    return std::move(text_);
  }

 private:
  size_t choose(size_t count) {
    if (next_ == choices_.size()) return 0;
    return choices_[next_++] % count;
  }
  template <size_t N>
  void one_of(const std::string_view (&patterns)[N], int depth) {
    add(patterns[choose(depth > 6 ? 2 : N)], depth + 1);  // the first two do not nest
  }

  void add(std::string_view pattern, int depth) {
    static constexpr std::string_view kSpaces[] = {"", "", " ", "  ", "\t", "/*c*/"},
                                      kGaps[] = {" ", "  ", "/* x\n y */"},
                                      kBreaks[] = {"", "", "\n", "# c\n", "\n\n\n  "};
    for (size_t i = 0; i < pattern.size() && text_.size() < 1000; ++i) {
      switch (pattern[i]) {
        case '`':
          text_ += pattern[++i];
          break;
        case '_':
          text_ += kSpaces[choose(std::size(kSpaces))];
          break;
        case '~':
          text_ += kGaps[choose(std::size(kGaps))];
          break;
        case '|':
          text_ += kBreaks[choose(std::size(kBreaks))];
          break;
        default:
          if (!add_part(pattern[i], depth)) text_ += pattern[i];
      }
    }
  }

  bool add_part(char part, int depth) {
    static constexpr std::string_view kNames[] = {"a",  "`W",  "p'",  "max",    "sum",    "learn",
                                                  "if", "`_x", "let", "tensor", "domain", "é"},
                                      kPositions[] = {"i",     "1",    "P_+_P", "P_-P",
                                                      "P_*_P", "P/_P", "P_%P",  "(|P_)"},
                                      kIndices[] = {"P", "*_P", "P_.", ":", "P_:_P", "P:", "\"s\""},
                                      kRefs[] = {"N", "`T[|I_,|I_]", "N[I]", "`R(I_,_I)"},
                                      kOperators[] = {"+",  "-", "*",  "/",  "%",     "@",   "^",
                                                      "**", "<", "<=", "==", "~and~", "~or~"},
                                      kSettings[] = {"k_=_-1", "k_:_x", "k_=2_,|m:true"},
                                      kBodies[] = {"{}", "{_S_}", "{|S_;|S\n}"};
    static constexpr std::string_view kExprs[] = {
        "2.5",      "V",        "X_O_X",        "X~X",      "-_X", "(|X|)", "!_X", "not~X",
        "f(X_,|X)", "g(X_,_K)", "max[_i_]_(X)", "[|X_,|X]", "[]",  "V",     "007", "true"};
    static constexpr std::string_view kStatements[] = {
        "V_=|X",
        "`R(a_,\"b\")",
        "N[I]max=_X",
        "V~min=X where~X",
        "V_+=X",
        "`R(x)_<-|`S(x)_,|not~`T(y)_,`K[x]_>-2",
        "V_?where~X~@why",
        "(X)?@back(K)",
        "tensor N_:f32_[n_:3_,_`?]learnable_=_X",
        "relation `R(_x_:`P)embed f32[_3]",
        "domain `P={|`A_,|3|}",
        "const `N_=_P",
        "pragma a -_7",
        "import\"x\"",
        "`T_=\"f\"",
        "embedding `E{|entities:{`A}_,|dimension_:3}",
        "fn f(a_,_b)_=_X",
        "fn f()_->f32_B",
        "main B",
        "let N_=_X",
        "a_:=_X",
        "if~X~B|else_B",
        "for i in~P_.._P_B",
        "while X~B",
        "return~X",
        "print_(X_,X)",
        "learn{|L_=X_,|objective:X_,optimizer:adam(K)_,|epochs:3_,params:a_,b}"};
    switch (part) {
      case 'N':
        return one_of(kNames, depth), true;
      case 'P':
        return one_of(kPositions, depth), true;
      case 'I':
        return one_of(kIndices, depth), true;
      case 'V':
        return one_of(kRefs, depth), true;
      case 'O':
        return one_of(kOperators, depth), true;
      case 'K':
        return one_of(kSettings, depth), true;
      case 'B':
        return one_of(kBodies, depth), true;
      case 'X':
        return one_of(kExprs, depth), true;
      case 'S':
        return one_of(kStatements, depth), true;
      default:
        return false;
    }
  }

  std::span<const uint8_t> choices_;
  size_t next_ = 0;
  std::string text_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  check(std::string(reinterpret_cast<const char*>(data), size));
  if (size % 4 == 0) check(Program({data, size}).make());  // of some, as these are long programs
  return 0;
}
