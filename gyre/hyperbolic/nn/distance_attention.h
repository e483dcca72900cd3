#pragma once
#include "gyre/hyperbolic/nn/curved_layer.h"

namespace gyre {

struct DistanceAttentionOptions {
  double slope = 1, c = 1;
  bool learn_c = false;
};
GYRE_FIELDS(DistanceAttentionOptions,
            GYRE_FIELD(slope, "initial scale of squared distances", .above = 0),
            GYRE_CURVATURE_FIELDS);

namespace nn {

/// Hyperbolic attention on the hyperboloid, in space coordinates: queries [..., n, d], keys [...,
/// m, d] and values [..., m, e] to the Lorentz centroids of the values with attention weights
/// softmax(-slope d(query, key)^2) (Gulcehre et al. 2019, "Hyperbolic attention networks", with the
/// squared distance, which is smooth where a query equals a key). Keys default to the queries,
/// values to the keys. `slope` is a parameter. Both matrix products are in f64; before and after
/// each is at most one row kernel.
class DistanceAttention : public Module {
 public:
  /// Error{value} unless slope and c are finite and above 0.
  explicit DistanceAttention(const DistanceAttentionOptions& options);
  /// Error{shape} if queries, keys and values do not match.
  Tensor operator()(const Tensor& query, const Tensor& key = {}, const Tensor& value = {}) const;
  Tensors forward(Inputs inputs) const override;
  void visit(Visitor& visitor) override;

  Tensor slope;

 private:
  hyperbolic::Curvature curvature_;
};

}  // namespace nn
}  // namespace gyre
