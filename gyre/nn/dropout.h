#pragma once
#include "gyre/nn/layer.h"

namespace gyre {

struct DropoutOptions {
  double p = 0.5;
};
GYRE_FIELDS(DropoutOptions, GYRE_FIELD(p, "probability that an element is zeroed, from 0 to 1",
                                       .alias = "share", .least = 0, .most = 1));

namespace nn {

/// In training, zeroes each element with probability p and divides the others by 1 - p
/// (Srivastava et al. 2014); the identity in evaluation mode. Draws from the thread's generator.
class Dropout : public Layer {
 public:
  /// Error{value} for p outside [0, 1].
  explicit Dropout(const DropoutOptions& options);

  Tensor operator()(const Tensor& x) const override;

 private:
  double p_;
};

}  // namespace nn
}  // namespace gyre
