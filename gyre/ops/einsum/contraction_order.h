#pragma once
#include <vector>

#include "gyre/ops/einsum/subscripts.h"

namespace gyre {

/// Two values that are contracted: operands count from 0, the result of the i-th pair is number of
/// operands + i.
struct Contraction {
  int a, b;
};

/// Multiplications and additions of contracting two terms to `result`.
double flops_of(const Subscripts& s, Indices a, Indices b, Indices result);

/// The order of pairwise contractions that takes the fewest FLOPs and, among those, the least
/// memory for what lies between: the best of all orders for at most kMostOptimal operands, found by
/// dynamic programming over their subsets; for more, always the pair next whose result outgrows its
/// operands least. Every index of an operand is in the result or in another operand, and comes once
/// in its term. Error{shape} when an order with at most 16 axes everywhere is not found.
std::vector<Contraction> contraction_order(const Subscripts& s);
inline constexpr int kMostOptimal = 8;

}  // namespace gyre
