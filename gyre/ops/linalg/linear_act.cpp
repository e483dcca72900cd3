#include "gyre/ops/linalg/linear_act.h"

#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/samples.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"

namespace gyre {

extern const OpDef linear_def;

namespace {

constexpr Arg kLinearActArgs[] = {{"x"}, {"weight"}, {.name = "bias", .optional = true}};
constexpr const char* kLinearActOut[] = {"out", "before"};

// nullptr for none
const OpDef* op_of(LinearActivation act) {
  switch (act) {
    case LinearActivation::none:
      return nullptr;
    case LinearActivation::relu:
      return &relu_def;
    case LinearActivation::gelu:
      return &gelu_def;
    case LinearActivation::gelu_tanh:
      return &gelu_tanh_def;
    case LinearActivation::silu:
      return &silu_def;
    case LinearActivation::sigmoid:
      return &sigmoid_def;
    case LinearActivation::tanh:
      return &tanh_def;
  }
  return nullptr;
}

const OpDef* op_of(const void* attrs) { return op_of(attrs_as<LinearActAttrs>(attrs).act); }

void linear_act_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  linear_def.infer(op, nullptr, in, out);
  if (!is_floating(out[0].dtype)) {
    throw mismatch(Code::dtype, op.name, "expected a floating dtype", "floats", in[0].dtype());
  }
  out[1] = out[0];
  if (!op_of(attrs)) out[1].shape = {0};  // nothing to keep
}

Status linear_act_kernel(const OpDef&, const KernelArgs& args) noexcept {
  const OpDef* act = op_of(args.attrs);
  // the pre-activation is saved for backward; otherwise it is overwritten in place
  const View& before = act && args.out.size() > 1 ? args.out[1] : args.out[0];
  KernelArgs product = args;
  product.out = {&before, 1};
  Status status = linear_def.kernels[args.device.kind](linear_def, product);
  if (status.failed || !act) return status;
  KernelArgs activation = args;
  activation.in = {&before, 1};
  activation.out = args.out.first(1);
  return act->kernels[args.device.kind](*act, activation);
}

// The gradient of the pre-activation.
Tensor cotangent_before(const VjpArgs& a, bool once) {
  const OpDef* act = op_of(a.attrs);
  if (!act) return a.grad[0];
  Tensor g = a.grad[0];
  if (g.defined()) {
    const Meta meta[] = {a.out[1].meta()};
    const bool wanted[] = {true};
    VjpArgs inner{*act, nullptr, meta, a.out.subspan(1, 1), a.out.first(1), {&g, 1}, wanted};
    g = (once ? act->vjp_first : act->vjp)(inner)[0];
  }
  const Tensor& more = a.grad[1];
  if (!more.defined()) return g;
  return g.defined() ? g + more : more;
}

Tensors back(const VjpArgs& a, bool once) {
  Tensor g = cotangent_before(a, once);
  return linear_def.vjp({linear_def, nullptr, a.in_meta, a.in, {}, {&g, 1}, a.wanted});
}
Tensors vjp(const VjpArgs& a) { return back(a, false); }
Tensors vjp_first(const VjpArgs& a) { return back(a, true); }

Tensors linear_act_compose(const OpDef&, const void* attrs, Inputs in) {
  const OpDef* act = op_of(attrs);
  Tensor before = linear(in[0], in[1], in.size() > 2 ? in[2] : Tensor());
  return {act ? apply_one(*act, {before}) : before};
}

void linear_act_samples(Samples& s) {
  for (int act = 0; act < static_cast<int>(std::size(kLinearActivationNames)); ++act) {
    s.add({s.uniform({3, 4}), s.uniform({5, 4}), act % 2 ? s.uniform({5}) : Tensor()},
          box(LinearActAttrs{static_cast<LinearActivation>(act)}));
  }
  s.add({s.uniform({2, 3, 4}), s.uniform({2, 4})}, box(LinearActAttrs{LinearActivation::gelu}));
  s.add({s.uniform({0, 4}), s.uniform({5, 4}), s.uniform({5})},
        box(LinearActAttrs{LinearActivation::tanh}));
  s.refuse(Code::shape, {s.uniform({3, 4}), s.uniform({5, 3}), s.uniform({5})},
           box(LinearActAttrs{LinearActivation::relu}));
  s.refuse(Code::dtype, {s.integers({3, 4}, 0, 9), s.integers({5, 4}, 0, 9)},
           box(LinearActAttrs{LinearActivation::relu}));
}

}  // namespace

extern constinit const OpDef linear_act_def{
    .name = "linear_act",
    .doc = "linear layer with activation: act(x W^T + bias)",
    .args = kLinearActArgs,
    .outputs = kLinearActOut,
    .attrs = &record_of<LinearActAttrs>,
    .infer = linear_act_infer,
    .kernels = on_every_device(linear_act_kernel),
    .scratch = [](const void*, Inputs in) { return linear_def.scratch(nullptr, in); },
    .compose = linear_act_compose,
    .vjp = vjp,
    .vjp_first = vjp_first,
    .saves_in = 3,
    .saves_out = 3,
    .samples = linear_act_samples};

Tensor linear_act(const Tensor& x, const Tensor& weight, const Tensor& bias, LinearActivation act) {
  return apply_one(linear_act_def, {x, weight, bias}, box(LinearActAttrs{act}));
}

}  // namespace gyre
