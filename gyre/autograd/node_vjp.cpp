#include "gyre/autograd/node_vjp.h"

#include "gyre/autograd/backward_pass.h"
#include "gyre/op/apply.h"
#include "gyre/op/observation.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

// Operands for running the op again, detached from their history: the inner pass ends at them. When
// recording, each is a view with a node of its own that links to that history; a pass that asks for
// the gradient of the view stops there.
Tensors fresh_operands(const VjpArgs& a, bool record) {
  Tensors operands(a.in.size());
  for (size_t i = 0; i < a.in.size(); ++i) {
    const Tensor& x = a.in[i];
    if (!x.defined()) continue;
    if (record && !a.wanted[i]) {
      operands[i] = x;  // with its history, which inside vmap() belongs to the whole batch
    } else if (record && x.tracked()) {
      operands[i] = reshape(x, x.shape());
    } else {
      operands[i] = x.detach();
      operands[i].impl()->requires_grad = a.wanted[i];
    }
  }
  return operands;
}

// Runs the composition again on the saved inputs and differentiates that.
Tensors reverse_of_composition(const VjpArgs& a, bool record) {
  GradMode recording(true);
  Tensors operands = fresh_operands(a, record);
  Tensors results = a.op.compose(a.op, a.attrs, operands);
  Tensors outputs, seeds, asked;
  for (size_t i = 0; i < results.size() && i < a.grad.size(); ++i) {
    if (!a.grad[i].defined() || !results[i].tracked()) continue;
    outputs.push_back(results[i]);
    seeds.push_back(a.grad[i]);
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    if (a.wanted[i]) asked.push_back(operands[i]);
  }
  GradMode inner(record);
  Tensors found = pass_towards(asked, outputs, seeds, record, true);
  Tensors gradients(operands.size());
  for (size_t i = 0, k = 0; i < operands.size(); ++i) {
    if (a.wanted[i]) gradients[i] = std::move(found[k++]);
  }
  return gradients;
}

// Whether first-order rules, which run kernels themselves, can read what they get.
bool is_plain(const VjpArgs& a) {
  bool plain = true;
  for (size_t i = 0; i < a.in.size(); ++i) plain &= takes(a.op, i, a.in[i]);
  for (Inputs list : {a.out, a.grad}) {
    for (const Tensor& t : list) plain &= !t.defined() || t.plain();
  }
  return plain;
}

void check_saved(const OpDef& op, const Node& node, Inputs in) {
  for (size_t i = 0; i < in.size(); ++i) {
    if (!in[i].defined() && node.inputs[i]) {
      refuse(Code::internal, op, "its backward recomputes it, but it does not save its inputs");
    }
  }
}

Tensors run_rule(const Node& node, const VjpArgs& a) {
  bool record = grad_enabled();
  if (!record && a.op.vjp_first && is_plain(a)) return a.op.vjp_first(a);
  if (a.op.vjp) return a.op.vjp(a);
  if (!a.op.compose)
    refuse(Code::unsupported, a.op,
           "higher-order derivatives are not supported: its backward is not differentiable");
  check_saved(a.op, node, a.in);
  return reverse_of_composition(a, record);
}

Tensors run_rule_seen(const Node& node, const VjpArgs& a) {
  Observation seen(a.op, node.attrs, a.grad, {}, ObservedCall::reverse);
  Tensors gradients = run_rule(node, a);
  // only now: a rule may overwrite buffers that nobody else holds
  Tensors operands(a.grad.begin(), a.grad.end());
  for (Inputs kept : {a.in, a.out}) {
    for (const Tensor& t : kept) {
      if (t.defined()) operands.push_back(t);
    }
  }
  seen.show(operands, gradients);
  return gradients;
}

}  // namespace

Tensors node_vjp(const Ref<Node>& node, Inputs cotangents, std::span<const bool> wanted) {
  const OpDef& op = *node->op;
  Tensors in(node->inputs.size()), out(node->outputs.size());
  for (const SavedTensor& saved : node->saved) {
    if (saved.own_output < 0) {
      const auto i = static_cast<size_t>(&saved - node->saved.data());
      in[i] = saved.unpack(node);
      if (in[i].defined() || !is_saved(op.saves_for_others, i)) continue;
      const Meta& meta = node->in_meta[i];
      in[i] = constant(meta.shape, 0, {.dtype = meta.dtype, .device = meta.device});
    } else {
      out[static_cast<size_t>(saved.own_output)] = saved.unpack(node);
    }
  }
  VjpArgs args{
      op, node->attrs ? node->attrs->value : nullptr, node->in_meta, in, out, cotangents, wanted};
  return Observation::wanted() ? run_rule_seen(*node, args) : run_rule(*node, args);
}

}  // namespace gyre
