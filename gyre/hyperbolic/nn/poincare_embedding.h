#pragma once
#include "gyre/hyperbolic/nn/curved_layer.h"

namespace gyre {

struct PoincareEmbeddingOptions {
  int64_t count = 0, width = 0;
  double radius = 1e-3, c = 1;
  bool learn_c = false;
};
GYRE_FIELDS(PoincareEmbeddingOptions,
            GYRE_FIELD(count, "number of embeddings", .alias = "num_embeddings", .least = 1),
            GYRE_FIELD(width, "embedding dimension", .alias = "embedding_dim", .least = 1),
            GYRE_FIELD(radius, "initial coordinates are uniform in [-radius, radius] / sqrt(c)",
                       .above = 0),
            GYRE_CURVATURE_FIELDS);

namespace nn {

/// Embedding table of points of the Poincaré ball: indices [...] to [..., width]. `weight` [count,
/// width] holds tangent vectors at the origin, mapped by exp0, so that any optimiser keeps points
/// inside; results are projected into the ball as by poincare_project.
class PoincareEmbedding : public CurvedLayer {
 public:
  /// Weight uniform within radius / sqrt(c) (Nickel and Kiela 2017). Error{value} for sizes below
  /// 1 and unless radius and c are finite and above 0.
  explicit PoincareEmbedding(const PoincareEmbeddingOptions& options,
                             Generator* generator = nullptr);
  void visit(Visitor& visitor) override;

  Tensor weight;

 protected:
  /// Error{index} for an index outside the table.
  Tensor run(const Tensor& indices, const Tensor& c) const override;
};

}  // namespace nn
}  // namespace gyre
