// clone and to.
#include "gyre/kernel/copy.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/op_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/batch_rules.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

Tensors clone_back(const VjpArgs& a) { return {a.grad[0]}; }

void clone_samples(Samples& s) {
  s.add({s.uniform({3, 4})});
  s.add({s.uniform({2, 3, 2, 2})});
  s.add({s.uniform({})});
  s.add({s.uniform({0, 3})});
  s.refuse(Code::value, {});
  s.refuse(Code::value, {s.uniform({2}), s.uniform({2})});
}

void to_infer(const OpDef&, const void* attrs, Inputs in, std::span<Meta> out) {
  out[0].shape = in[0].shape();
  out[0].dtype = attrs_as<ToAttrs>(attrs).dtype;
}

Tensors to_back(const VjpArgs& a) { return {to(a.grad[0], a.in_meta[0].dtype)}; }

void to_samples(Samples& s) {
  s.add({s.uniform({3, 4})}, box(ToAttrs{DType::f64}));
  s.add({s.uniform({700})}, box(ToAttrs{DType::f64}));
  s.add({s.uniform({})}, box(ToAttrs{DType::f64}));
  s.add({s.integers({2, 3}, -5, 5)}, box(ToAttrs{DType::f32}));
  s.add({s.mask({2, 3})}, box(ToAttrs{DType::i64}));
  s.refuse(Code::value, {});
  s.refuse(Code::value, {s.uniform({2}), s.uniform({2})});
}

}  // namespace

extern constinit const OpDef clone_def{.name = "clone",
                                       .doc = "contiguous copy",
                                       .local = Locality::element,
                                       .infer = infer_like_first,
                                       .kernels = on_every_device(copy_kernel),
                                       .vjp = clone_back,
                                       .batch = batch_leading,
                                       .samples = clone_samples};
Tensor clone(const Tensor& x) { return apply_one(clone_def, Inputs(&x, 1)); }

Tensor contiguous(const Tensor& x) { return x.is_contiguous() ? x : clone(x); }

extern constinit const OpDef to_def{.name = "to",
                                    .doc = "cast to another dtype",
                                    .attrs = &record_of<ToAttrs>,
                                    .local = Locality::element,
                                    .infer = to_infer,
                                    .kernels = on_every_device(copy_kernel),
                                    .vjp = to_back,
                                    .batch = batch_leading,
                                    .samples = to_samples};
Tensor to(const Tensor& x, DType dtype) {
  return x.dtype() == dtype ? x : apply_one(to_def, Inputs(&x, 1), box(ToAttrs{dtype}));
}

}  // namespace gyre
