#pragma once
#include "gyre/hyperbolic/nn/curved_layer.h"

namespace gyre {

struct PoincareEmbeddingOptions {
  int64_t count = 0, width = 0;
  double radius = 1e-3, c = 1;
  bool learn_c = false;
};
GYRE_FIELDS(PoincareEmbeddingOptions, GYRE_FIELD(count, "rows of the table"),
            GYRE_FIELD(width, "numbers a point"),
            GYRE_FIELD(radius, "bound of the coordinates that points begin with, times sqrt(c)"),
            GYRE_CURVATURE_FIELDS);

namespace nn {

/// Points of the Poincare ball by number: indices [...] to [..., width]. The table `weight` [count,
/// width] holds tangent vectors at the origin, of which exp0 makes the points, so that an optimiser
/// of any kind keeps them inside; results are drawn inside as by poincare_project.
class PoincareEmbedding : public CurvedLayer {
 public:
  /// Weight uniform within radius / sqrt(c) (Nickel and Kiela 2017). Error{value} for sizes below
  /// 1, for a radius that is not above 0 and for c.
  explicit PoincareEmbedding(const PoincareEmbeddingOptions& options,
                             Generator* generator = nullptr);
  void visit(Visitor& visitor) override;

  Tensor weight;

 protected:
  /// Error{index} for a number outside the table.
  Tensor run(const Tensor& indices, const Tensor& c) const override;
};

}  // namespace nn
}  // namespace gyre
