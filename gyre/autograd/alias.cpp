#include "gyre/autograd/alias.h"

#include "gyre/op/apply.h"

namespace gyre {
namespace {

constexpr Arg kArgs[] = {{"x"}};
constexpr const char* kOutputs[] = {"out"};

bool same_layout(const OpDef&, const void*, const Tensor& x, Layout& out) {
  out.shape = x.shape();
  out.strides = x.strides();
  return true;
}

Tensors hand_on(const VjpArgs& a) { return {a.grad[0]}; }

constinit const OpDef alias_def = [] {
  OpDef d;
  d.name = "alias";
  d.doc = "the same values behind a node of its own";
  d.args = kArgs;
  d.outputs = kOutputs;
  d.view = same_layout;
  d.vjp = hand_on;
  return d;
}();

}  // namespace

Tensor alias(const Tensor& x) { return apply_one(alias_def, Inputs(&x, 1)); }

}  // namespace gyre
