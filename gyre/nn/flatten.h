#pragma once
#include "gyre/nn/layer.h"

namespace gyre {

struct FlattenOptions {
  int64_t start = 1, end = -1;
};
GYRE_FIELDS(FlattenOptions, GYRE_FIELD(start, "first axis that is joined"),
            GYRE_FIELD(end, "last axis that is joined"));

namespace nn {

/// Axes joined to one.
class Flatten final : public Layer {
 public:
  explicit Flatten(const FlattenOptions& options = {}) : options_(options) {}
  Tensor operator()(const Tensor& x) const override;

 private:
  FlattenOptions options_;
};

}  // namespace nn
}  // namespace gyre
