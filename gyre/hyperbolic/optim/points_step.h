#pragma once
#include "gyre/hyperbolic/manifold/manifold.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/optim/optimizer_def.h"

namespace gyre::hyperbolic {

/// One step of rows of a parameter on a manifold.
class PointsStep {
 public:
  /// Of the rows with these indices or, if `rows` is empty, of all; `sparse`: of all whose gradient
  /// is not zero.
  PointsStep(const ParameterStep& step, const Tensor& rows, bool sparse);

  Tensors state;         ///< of these rows; the rule updates it
  const int64_t number;  ///< steps of the parameter, from 1

  /// Riemannian gradient at the points, after adding `decay` times them to the Euclidean gradient
  /// (L2 penalty).
  [[nodiscard]] Tensor gradient(double decay) const;
  /// Squared Riemannian norm of tangent vectors at the points, one per row.
  [[nodiscard]] Tensor squared(const Tensor& v) const { return manifold_.inner(points_, v, v); }
  /// Retraction along the geodesic: exp_x(-v), projected onto the manifold.
  [[nodiscard]] Tensor moved(const Tensor& v) const {
    return manifold_.project(manifold_.exp(points_, -v));
  }
  /// Parallel transport of tangent vectors v from the points to `to`.
  [[nodiscard]] Tensor carried(const Tensor& v, const Tensor& to) const {
    return manifold_.transport(points_, to, v);
  }

  /// Writes the new points and the state, and counts the step.
  void finish(const Tensor& points) const;

 private:
  [[nodiscard]] Tensor chosen(const Tensor& t) const;

  const ParameterStep& step_;
  Tensor rows_;
  Manifold manifold_;
  Tensor points_, gradient_;
};

/// Whether a parameter is points, and not in 16 bits, whose rounding moves them off their manifold.
bool takes_points(const Tensor& parameter, const void* options);

/// The route of points of a rule with
///   state_shape(kind, points)         shape of a state tensor of points [..., d]: [..., any axes]
///   update_points(options, step)      the new points of a step
/// and Options with a field `sparse`: whether rows with zero gradient are skipped, and their state.
template <class Rule>
inline constexpr StepRoute kPoints{
    .takes = takes_points,
    .step =
        [](const Optimizer&, std::span<const ParameterStep> steps, const Tensor& rows) {
          for (const ParameterStep& s : steps) {
            const auto& options = attrs_as<typename Rule::Options>(s.options);
            PointsStep points(s, rows, options.sparse);
            points.finish(Rule::update_points(options, points));
          }
        },
    .by_rows = true,
    .state_shape = Rule::state_shape};

/// The routes of a Riemannian optimiser.
template <class Rule>
inline constexpr StepRoute kRiemannianRoutes[] = {kPoints<Rule>, kChunks};

/// Whether an optimiser updates points along their manifold.
bool on_manifolds(const OptimizerDef& optimizer);

}  // namespace gyre::hyperbolic
