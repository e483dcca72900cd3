#pragma once
#include "gyre/hyperbolic/nn/curved_layer.h"

namespace gyre {

struct DistanceAttentionOptions {
  double slope = 1, c = 1;
  bool learn_c = false;
};
GYRE_FIELDS(DistanceAttentionOptions,
            GYRE_FIELD(slope, "beginning of what squared distances are multiplied by"),
            GYRE_CURVATURE_FIELDS);

namespace nn {

/// Attention between points of the hyperboloid, by their space coordinates: queries [..., n, d],
/// keys [..., m, d] and values [..., m, e] to the Lorentz centroids of the values by the weights
/// softmax(-slope d(query, key)^2) (Gulcehre et al. 2019, "Hyperbolic attention networks", with the
/// square, which is smooth where a query meets a key). Absent keys are the queries, absent values
/// the keys. `slope` is a parameter. Both products are in f64. Before and behind each is at most
/// one row kernel.
class DistanceAttention : public Module {
 public:
  /// Error{value} for a slope that is not above 0 and for c.
  explicit DistanceAttention(const DistanceAttentionOptions& options);
  /// Error{shape} when queries, keys and values do not fit.
  Tensor operator()(const Tensor& query, const Tensor& key = {}, const Tensor& value = {}) const;
  Tensors forward(Inputs inputs) const override;
  void visit(Visitor& visitor) override;

  Tensor slope;

 private:
  hyperbolic::Curvature curvature_;
};

}  // namespace nn
}  // namespace gyre
