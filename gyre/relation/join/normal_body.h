#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "gyre/relation/horn_rule.h"
#include "gyre/relation/relation.h"

namespace gyre {

/// A checked body whose `equal` literals are replaced by substitution.
struct NormalBody {
  std::vector<Literal> atoms{};   ///< positive literals
  std::vector<Literal> checks{};  ///< negative literals and comparisons
  std::vector<Term> out{};        ///< what a binding yields: terms of the head
  int variables = 0;
  bool never = false;  ///< a comparison of constants is false
};

/// The normal form of a body that yields `out`. `where` begins the messages of errors, such as
/// "rule 3". Error{value}: an unknown relation or variable, a literal with the wrong number of
/// terms, or a variable that no positive literal binds.
NormalBody normal_body(std::span<const Relation> relations, std::span<const Literal> body,
                       std::span<const Term> out, int variables, std::string_view where);

}  // namespace gyre
