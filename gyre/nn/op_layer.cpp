#include "gyre/nn/op_layer.h"

#include "gyre/op/apply.h"

namespace gyre::nn {

Tensor OpLayer::operator()(const Tensor& x) const { return apply_one(*op_, {x}, attrs_); }

}  // namespace gyre::nn
