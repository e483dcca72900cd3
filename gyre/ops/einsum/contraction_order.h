#pragma once
#include <vector>

#include "gyre/ops/einsum/subscripts.h"

namespace gyre {

/// A pair to contract: operands are numbered from 0, the result of the i-th pair is
/// number_of_operands + i.
struct Contraction {
  int a, b;
};

/// Multiplications and additions of contracting two terms to `result`.
double flops_of(const Subscripts& s, Indices a, Indices b, Indices result);

/// The order of pairwise contractions with the fewest FLOPs and then the least memory for
/// intermediates: optimal for at most kMostOptimal operands, by dynamic programming over subsets;
/// greedy for more: next the pair whose result grows least over its operands. Every index of an
/// operand is in the result or in another operand and occurs once in its term. Error{shape} if no
/// order with at most 16 axes throughout is found.
std::vector<Contraction> contraction_order(const Subscripts& s);
inline constexpr int kMostOptimal = 8;

}  // namespace gyre
