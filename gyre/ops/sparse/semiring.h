#pragma once
#include "gyre/base/record.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

/// How a product of matrices combines two factors, and which combination wins.
enum class Semiring : uint8_t { min_plus, max_plus, min_times, max_times };
inline constexpr const char* kSemiringNames[] = {"min_plus", "max_plus", "min_times", "max_times"};
template <>
inline constexpr std::span<const char* const> kChoices<Semiring> = kSemiringNames;

struct SemiringAttrs {
  Semiring semiring = Semiring::min_plus;
};
GYRE_FIELDS(SemiringAttrs, GYRE_FIELD(semiring, "operations in place of sum and product"));

/// Matrix product over a semiring: out_ij is the minimum (maximum) over l of x_il + y_lj (of
/// x_il y_lj), for x [..., n, m] and y [..., m, k] with broadcast batches and vectors as in matmul.
/// min_plus gives lengths of shortest paths, where infinity stands for no edge; max_times the
/// probabilities of most probable paths. The result has the promoted dtype of the factors, which
/// are floating; f16 and bf16 are combined in f32. NaN wins. m = 0 gives the identity: infinity for
/// minima, -infinity for maxima.
///
/// Memory is that of the result and, if gradients are recorded, of an i64 index for each element:
/// the least l that wins, to whose factors the gradient goes. Elements that equal the identity have
/// no such l, and no gradient. With min_plus and max_plus, elements of x that are the identity
/// cost no time where most are. Bits do not depend on the number of threads. Error{shape, dtype}.
Tensor semiring_matmul(const Tensor& x, const Tensor& y, Semiring semiring = Semiring::min_plus);

/// The solution of x = best of b and a x, a product over min_plus or max_plus, that iteration from
/// b reaches (algebraic path problem): for min_plus, x_ij is the least, over all paths from i of
/// any number of edges, of the sum of their weights in a and of b_lj, where l is the end of the
/// path. a is [n, n], b [n, k], x [n, k], in the promoted dtype of both, which are floating. Not
/// differentiable: record semiring_matmul round by round for that.
///
/// Elements of a that are the identity are no edges. Only rows that change are propagated, band of
/// columns by band; the bits do not depend on the number of threads, and are those of rounds.
/// Error{shape, dtype}; value for other semirings and where a sum may be NaN; numeric where there
/// is no solution, as in a cycle of negative weight.
Tensor semiring_fixpoint(const Tensor& a, const Tensor& b, Semiring semiring = Semiring::min_plus);

}  // namespace gyre
