#pragma once
#include "gyre/nn/layer.h"

namespace gyre {

struct FlattenOptions {
  int64_t start = 1, end = -1;
};
GYRE_FIELDS(FlattenOptions, GYRE_FIELD(start, "start_dim: first axis to flatten"),
            GYRE_FIELD(end, "end_dim: last axis to flatten"));

namespace nn {

/// Flattens a range of axes into one.
class Flatten final : public Layer {
 public:
  explicit Flatten(const FlattenOptions& options = {}) : options_(options) {}
  Tensor operator()(const Tensor& x) const override;

 private:
  FlattenOptions options_;
};

}  // namespace nn
}  // namespace gyre
