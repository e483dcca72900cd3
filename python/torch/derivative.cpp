#include "python/torch/derivative.h"

#include <unordered_set>

#include "gyre/autograd/accumulate.h"
#include "gyre/autograd/backward.h"
#include "gyre/op/apply.h"
#include "gyre/op/node.h"
#include "gyre/op/op_def.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::python {
namespace {

bool any_not_plain(Inputs tensors) {
  bool any = false;
  for (const Tensor& t : tensors) any |= t.defined() && !t.plain();
  return any;
}

// Operands of a run that is differentiated at once. An operand that needs a cotangent is where the
// backward pass ends: a leaf or, when recording, a view connected to the operand's graph.
Tensor fresh_operand(const Tensor& x, bool wanted, bool record) {
  if (!x.defined()) return {};
  if (!wanted) return record ? x : x.detach();
  if (record && x.tracked()) return reshape(x, x.shape());
  Tensor leaf = x.detach();
  leaf.set_requires_grad();
  return leaf;
}

Tensors of_wanted(Inputs tensors, const Marks& wanted) {
  Tensors some;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (i < wanted.size() && wanted[i] == '1') some.push_back(tensors[i]);
  }
  return some;
}

// grad() of the results that have a cotangent and are tracked.
Tensors reverse(Inputs results, Inputs cotangents, Inputs by, bool record) {
  Tensors outputs, seeds;
  for (size_t i = 0; i < results.size(); ++i) {
    if (i >= cotangents.size() || !cotangents[i].defined()) continue;
    if (!results[i].defined() || !results[i].tracked()) continue;
    outputs.push_back(results[i]);
    seeds.push_back(cotangents[i]);
  }
  if (outputs.empty() || by.empty()) return Tensors(by.size());
  return grad(outputs, by, seeds, {.create_graph = record, .allow_unused = true});
}

Tensors reverse_by_running(const OpDef& op, const Attrs& attrs, Inputs in, Inputs cotangents,
                           const Marks& wanted) {
  auto run = [&](Inputs x) { return apply(op, x, attrs); };
  Step step{Step::reverse, wanted, {}};
  Tensors all(in.begin(), in.end());
  for (const Tensor& c : cotangents) all.push_back(c);
  return transformed(run, {&step, 1}, all);
}

Tensors reversed(TensorsFunction f, const Marks& wanted, Inputs in) {
  size_t n = wanted.size();
  bool record = grad_enabled();
  GradMode recording(true);
  Tensors operands;
  for (size_t i = 0; i < n; ++i) operands.push_back(fresh_operand(in[i], wanted[i] == '1', record));
  return reverse(f(operands), in.subspan(n), of_wanted(operands, wanted), record);
}

// The tangents of floating-point results; jvp() accepts no others.
Tensors forward(TensorsFunction f, const Marks& marked, Inputs in) {
  size_t n = marked.size();
  std::vector<bool> there;
  auto of_marked = [&](Inputs x) {
    Tensors full(in.begin(), in.begin() + static_cast<ptrdiff_t>(n)), floating;
    for (size_t i = 0, k = 0; i < n; ++i) {
      if (marked[i] == '1') full[i] = x[k++];
    }
    for (Tensor& t : f(full)) {
      there.push_back(t.defined() && is_floating(t.dtype()));
      if (there.back()) floating.push_back(std::move(t));
    }
    return floating;
  };
  Tensors tangents = jvp(of_marked, of_wanted(in.first(n), marked), in.subspan(n)).tangents, all;
  size_t next = 0;
  for (bool floating : there) all.push_back(floating ? tangents[next++] : Tensor());
  return all;
}

// vmap() does not accept undefined results: those of a reverse step become zeros.
Tensors batched(TensorsFunction f, const Step& step, std::span<const Step> before, Inputs in) {
  auto full = [&](Inputs x) {
    Tensors out = f(x);
    if (before.empty() || before.back().kind != Step::reverse) return out;
    Tensors by = of_wanted(x, before.back().marks);
    for (size_t i = 0; i < out.size(); ++i) {
      if (!out[i].defined()) out[i] = zeros_like(by[i]);
    }
    return out;
  };
  return vmap(TensorsFunction(full), in, {step.axes, {}});
}

void note_kept(const Tensor& value, Inputs in, Inputs out, HiddenOutputs& kept) {
  const Storage* storage = value.impl()->storage.get();
  bool found = false;
  const auto mark = [&](Inputs tensors, std::vector<bool>& marks) {
    for (size_t i = 0; i < tensors.size(); ++i) {
      if (!tensors[i].defined() || tensors[i].impl()->storage.get() != storage) continue;
      marks[i] = found = true;
    }
  };
  mark(in, kept.in);
  mark(out, kept.out);
  kept.others |= !found;
}

}  // namespace

Tensors transformed(TensorsFunction f, std::span<const Step> steps, Inputs in) {
  if (steps.empty()) return f(in);
  const Step& last = steps.back();
  auto before = steps.first(steps.size() - 1);
  auto inner = [&](Inputs x) { return transformed(f, before, x); };
  switch (last.kind) {
    case Step::reverse:
      return reversed(TensorsFunction(inner), last.marks, in);
    case Step::forward:
      return forward(TensorsFunction(inner), last.marks, in);
    case Step::batch:
      return batched(TensorsFunction(inner), last, before, in);
  }
  return {};
}

Tensors reverse_of_op(const OpDef& op, const Attrs& attrs, Inputs in, Inputs out, Inputs cotangents,
                      const Marks& wanted) {
  NoGrad off;
  Vjp rule =
      op.vjp_first && !any_not_plain(in) && !any_not_plain(cotangents) ? op.vjp_first : op.vjp;
  if (!rule) return reverse_by_running(op, attrs, in, cotangents, wanted);
  SmallVector<Meta, 4> metas;
  SmallVector<bool, 4> asked;
  Tensors read;
  for (size_t i = 0; i < in.size(); ++i) {
    metas.push_back(in[i].defined() ? in[i].meta() : Meta());
    asked.push_back(wanted[i] == '1');
    read.push_back(is_saved(op.saves_in, i) ? in[i] : Tensor());
  }
  Tensors by(cotangents.begin(), cotangents.end());
  if (by.size() < op.outputs.size()) by.resize(op.outputs.size());
  bool any = false;
  for (const Tensor& c : by) any |= c.defined();
  VjpArgs args{op, attrs ? attrs->value : nullptr, {metas.data(), metas.size()}, read, out,
               by, {asked.data(), asked.size()}};
  Tensors gradients = any ? rule(args) : Tensors();
  Tensors found;
  for (size_t i = 0; i < in.size(); ++i) {
    if (!asked[i]) continue;
    bool there = i < gradients.size() && gradients[i].defined();
    found.push_back(there ? conform(gradients[i], metas[i]) : Tensor());
  }
  return found;
}

HiddenOutputs kept_values(Inputs in, Inputs out) {
  HiddenOutputs kept{std::vector<bool>(in.size()), std::vector<bool>(out.size())};
  std::vector<const Node*> waiting;
  std::unordered_set<const Node*> seen;
  const auto visit = [&](const Node* node) {
    if (node && seen.insert(node).second) waiting.push_back(node);
  };
  for (const Tensor& t : out) {
    if (t.defined()) visit(node_of(t));
  }
  while (!waiting.empty()) {
    const Node* node = waiting.back();
    waiting.pop_back();
    for (const SavedTensor& saved : node->saved) {
      if (saved.data.defined()) note_kept(saved.data, in, out, kept);
      kept.others |= static_cast<bool>(saved.source);
    }
    for (const Edge& edge : node->inputs) visit(edge.node.get());
  }
  return kept;
}

}  // namespace gyre::python
