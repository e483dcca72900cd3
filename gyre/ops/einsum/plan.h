#pragma once
#include <memory>
#include <utility>

#include "gyre/base/memory/small_vector.h"
#include "gyre/ops/einsum/einsum.h"
#include "gyre/ops/einsum/subscripts.h"

namespace gyre {

/// An optional permutation of axes followed by an optional reshape.
struct Arrangement {
  bool permutes = false, reshapes = false;
  Shape axes, shape;
};

/// The plan of an einsum: for each step, the operations on its one or two operands.
struct EinsumPlan {
  struct Step {
    EinsumStep::Kind kind;
    int a, b = -1;
    std::string spec{};
    double flops = 0, elements = 0;
    // one operand: axes to drop, pairs whose diagonal is taken (it becomes the last axis), to sum
    Shape dropped{};
    SmallVector<std::pair<int64_t, int64_t>, 2> diagonals{};
    Shape summed{};
    // two operands: before they meet
    Arrangement left{}, right{};
    Arrangement result{};
  };
  std::vector<Step> steps;
  double naive_flops = 0;
  bool sums = false;  ///< true if the spec sums over any index
};

/// The plan of a spec for operands of these shapes, from the cache if present. Thread-safe; the
/// cache keeps at most kMostPlans.
std::shared_ptr<const EinsumPlan> einsum_plan(std::string_view spec, std::span<const Shape> shapes);
inline constexpr size_t kMostPlans = 1024;

/// The plan for terms of numbers, without the cache. Errors: those of bind_shapes.
EinsumPlan make_einsum_plan(const EinsumTerms& terms, std::span<const Shape> shapes);

/// Runs a plan for operands of its shapes, without `einsum` being observed as an op. Everything
/// else is as in einsum().
Tensor run_einsum(const EinsumPlan& plan, Inputs tensors);

}  // namespace gyre
