#pragma once
#include <cstdint>
#include <vector>

namespace gyre {

/// An argument of a literal: a variable of the rule (its number, from 0) or a constant.
struct Term {
  bool variable;
  uint32_t value;

  friend bool operator==(const Term&, const Term&) = default;
};

/// An atom R(terms), its negation, or a comparison of two terms as unsigned numbers.
struct Literal {
  enum Kind : uint8_t { positive, negative, equal, not_equal, less, less_equal };
  Kind kind = positive;
  int relation = -1;  ///< index into the relations; unused by comparisons
  std::vector<Term> terms{};
};

/// A Horn rule with stratified negation: the head holds wherever all of the body holds.
///
/// Every variable of the head, of a negative literal and of a comparison must occur in a positive
/// literal, or be equal (by `equal` literals) to a constant or to a variable that does.
struct HornRule {
  Literal head;
  std::vector<Literal> body{};
  int variables = 0;  ///< variables are numbered 0 to variables - 1
};

}  // namespace gyre
