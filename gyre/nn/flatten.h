#pragma once
#include "gyre/nn/layer.h"

namespace gyre {

struct FlattenOptions {
  int64_t start = 1, end = -1;
};
GYRE_FIELDS(FlattenOptions, GYRE_FIELD(start, "first axis to flatten", .alias = "start_dim"),
            GYRE_FIELD(end, "last axis to flatten", .alias = "end_dim"));

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
