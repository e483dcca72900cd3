#include "gyre/op/apply.h"
#include "gyre/op/samples.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {

extern const OpDef outer_def;

namespace {

Tensors compose(const OpDef&, const void*, Inputs in) {
  if (in[0].rank() != 1 || in[1].rank() != 1) {
    refuse(Code::shape, outer_def,
           {"expected two vectors; x is ", in[0].shape(), ", y is ", in[1].shape()}, "[m] and [n]",
           {in[0].shape(), " and ", in[1].shape()});
  }
  return {mul(unsqueeze(in[0], -1), in[1])};
}

void outer_samples(Samples& s) {
  s.add({s.uniform({3}), s.uniform({4})});
  s.add({s.uniform({1}), s.uniform({5})});
  s.add({s.uniform({0}), s.uniform({2})});
  s.add({s.integers({3}, -5, 5), s.mask({2})});
  s.refuse(Code::shape, {s.uniform({3, 1}), s.uniform({4})});
  s.refuse(Code::shape, {s.uniform({3}), s.uniform({})});
}

}  // namespace

constinit const OpDef outer_def{.name = "outer",
                                .doc = "outer product of two vectors: x_i y_j",
                                .args = kTwoArgs,
                                .compose = compose,
                                .samples = outer_samples};

Tensor outer(const Tensor& x, const Tensor& y) { return apply_one(outer_def, {x, y}); }

}  // namespace gyre
