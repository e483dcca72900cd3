#pragma once
#include "gyre/hyperbolic/nn/curved_layer.h"

namespace gyre {

/// Options of layers with hyperplanes as parameters.
struct PlaneOptions {
  int64_t in = 0, out = 0;
  double c = 1;
  bool learn_c = false;
};
GYRE_FIELDS(PlaneOptions,
            GYRE_FIELD(in, "dimension of the input points", .alias = "in_features", .least = 1),
            GYRE_FIELD(out, "output features, one hyperplane each", .alias = "out_features",
                       .least = 1),
            GYRE_CURVATURE_FIELDS);

namespace nn {

/// Base of layers with hyperplanes: weight [out, in] holds their normals at the origin, bias [out]
/// their offsets along the normals.
class PlaneLayer : public CurvedLayer {
 public:
  void visit(Visitor& visitor) override;

  Tensor weight, bias;

 protected:
  /// Weight N(0, 1 / (2 in out)), bias 0, as Shimizu et al. 2021. Error{value} for sizes below 1
  /// and unless c > 0.
  PlaneLayer(const char* layer, const PlaneOptions& options, Generator* generator);
};

/// Samples of such layers.
void plane_samples(LayerSamples& samples);

}  // namespace nn
}  // namespace gyre
