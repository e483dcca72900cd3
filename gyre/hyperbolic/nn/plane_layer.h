#pragma once
#include "gyre/hyperbolic/nn/curved_layer.h"

namespace gyre {

/// Options of layers that hold hyperplanes.
struct PlaneOptions {
  int64_t in = 0, out = 0;
  double c = 1;
  bool learn_c = false;
};
GYRE_FIELDS(PlaneOptions, GYRE_FIELD(in, "numbers a point of the input"),
            GYRE_FIELD(out, "hyperplanes, of which each makes a number of the result"),
            GYRE_CURVATURE_FIELDS);

namespace nn {

/// Hyperplanes: weight [out, in] has their normals at the origin, bias [out] how far along these
/// they lie.
class PlaneLayer : public CurvedLayer {
 public:
  void visit(Visitor& visitor) override;

  Tensor weight, bias;

 protected:
  /// Weight N(0, 1 / (2 in out)), bias 0, as Shimizu et al. 2021. Error{value} for sizes below 1
  /// and for c.
  PlaneLayer(const char* layer, const PlaneOptions& options, Generator* generator);
};

/// Samples of such a layer.
void plane_samples(LayerSamples& samples);

}  // namespace nn
}  // namespace gyre
