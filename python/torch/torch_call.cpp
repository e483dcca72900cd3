#include "python/torch/torch_call.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "gyre/autograd/backward.h"
#include "gyre/autograd/vmap.h"
#include "gyre/op/apply.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"
#include "python/core/attributes.h"
#include "python/core/convert.h"
#include "python/module.h"
#include "python/tensor/op_object.h"
#include "python/torch/torch_tensors.h"

namespace gyre::python {
namespace {

using namespace nb::literals;

Tensors operands_of(const OpDef* op, const nb::tuple& operands) {
  Tensors in;
  for (nb::handle o : operands) in.push_back(operand_of(op, in.size(), o.ptr()));
  return in;
}
Tensors operands_of(const TorchCall& call, const nb::tuple& operands) {
  return operands_of(call.steps.empty() ? call.op : nullptr, operands);
}

// Memory that PyTorch may own.
Tensor own_memory(const Tensor& t, const Tensors& others) {
  bool own = t.is_contiguous() && !t.impl()->storage->borrowed && !t.meta().weak;
  for (const Tensor& other : others)
    own &= !other.defined() || other.impl()->storage.get() != t.impl()->storage.get();
  return own ? t : clone(t);
}

Marks letters(const std::vector<bool>& marks) {
  Marks text;
  for (bool m : marks) text += m ? '1' : '0';
  return text;
}

nb::tuple places(const std::vector<bool>& marks) {
  nb::list found;
  for (size_t i = 0; i < marks.size(); ++i) {
    if (marks[i]) found.append(i);
  }
  return nb::tuple(found);
}

// ---- a call recorded by gyre ----

struct TorchRecord {
  TorchCall call;
  Tensors in, out;  // empty after the record was dropped
  std::vector<std::optional<Meta>> metas;
  HiddenOutputs kept;
  std::vector<bool> constant;  // results without a gradient
};

TorchRecord record(const TorchCall& call, const nb::tuple& operands,
                   const std::vector<bool>& needs) {
  TorchRecord r{call, operands_of(call, operands), {}, {}, {}, {}};
  for (size_t i = 0; i < r.in.size(); ++i) {
    r.metas.push_back(r.in[i].defined() ? std::optional(r.in[i].meta()) : std::nullopt);
    if (needs[i] && is_floating(r.in[i].dtype())) r.in[i].set_requires_grad();
  }
  unlocked_if_long(elements_of(r.in), [&] {
    GradMode on(true);
    r.out = call.run(r.in);
  });
  r.kept = kept_values(r.in, r.out);
  for (const Tensor& t : r.out) r.constant.push_back(!t.defined() || !t.tracked());
  return r;
}

// Which operands PyTorch has to save: all of them if the backward rule reads intermediate values,
// since a second derivative recomputes these. Numbers and packed weights are not saved.
std::vector<bool> saved_operands(const TorchRecord& r) {
  bool all = r.kept.others;
  for (bool out : r.kept.out) all |= out;
  std::vector<bool> marks(r.in.size());
  for (size_t i = 0; i < marks.size(); ++i)
    marks[i] = r.metas[i] && !r.metas[i]->weak && r.in[i].plain() && (all || r.kept.in[i]);
  return marks;
}

// The data of PyTorch's autograd node from the record: the results; indices of operands and results
// to save; indices of non-differentiable results.
nb::tuple parts_of(const TorchRecord& r) {
  return nb::make_tuple(results_of(r.out), places(saved_operands(r)), places(r.kept.out),
                        places(r.constant));
}

// A cotangent that is returned unchanged is the same object, as in PyTorch.
nb::object gradient_of(const Tensor& g, const Tensors& cotangents, const nb::tuple& objects,
                       Tensors& handed_out) {
  if (!g.defined()) return nb::none();
  for (size_t i = 0; i < cotangents.size(); ++i) {
    const Tensor& c = cotangents[i];
    if (c.defined() && c.impl()->storage.get() == g.impl()->storage.get() &&
        c.shape() == g.shape() && c.strides() == g.strides() &&
        c.impl()->offset == g.impl()->offset) {
      return nb::borrow(objects[i]);
    }
  }
  handed_out.push_back(own_memory(g, handed_out));
  return to_torch(handed_out.back());
}

void drop(TorchRecord& r) { r.in = r.out = {}; }

nb::tuple backward_of(TorchRecord& r, const nb::tuple& objects, const std::vector<bool>& wanted,
                      bool keep) {
  Tensors cotangents, outputs, seeds, by;
  for (size_t i = 0; i < objects.size(); ++i) {
    nb::handle o = objects[i];
    cotangents.push_back(o.is_none() ? Tensor() : from_torch(o.ptr()));
    if (o.is_none() || r.constant[i]) continue;
    outputs.push_back(r.out[i]);
    seeds.push_back(cotangents.back());
  }
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i]) by.push_back(r.in[i]);
  }
  Tensors found(by.size());
  if (!outputs.empty() && !by.empty()) {
    unlocked_if_long(elements_of(r.in), [&] {
      found = grad(outputs, by, seeds, {.retain_graph = keep, .allow_unused = true});
    });
  }
  if (!keep) drop(r);
  nb::list gradients;
  Tensors handed_out;
  NoGrad off;
  for (size_t i = 0, k = 0; i < wanted.size(); ++i) {
    gradients.append(wanted[i] ? gradient_of(found[k++], cotangents, objects, handed_out)
                               : nb::none());
  }
  return nb::tuple(gradients);
}

TorchCall after(const TorchCall& call, Step step) {
  TorchCall next = call;
  next.steps.push_back(std::move(step));
  return next;
}

TorchCall reverse_of(const TorchCall& call, const std::vector<bool>& wanted) {
  return after(call, {Step::reverse, letters(wanted), {}});
}

TorchCall reverse_of_record(const TorchRecord& r, const std::vector<bool>& wanted) {
  TorchCall next = reverse_of(r.call, wanted);
  next.stand_ins = r.metas;
  const auto& before = r.call.stand_ins;  // of operands that the recorded call itself did without
  for (size_t i = 0; i < before.size(); ++i) {
    if (!next.stand_ins[i]) next.stand_ins[i] = before[i];
  }
  return next;
}

TorchCall forward_of(const TorchCall& call, const std::vector<bool>& marked) {
  return after(call, {Step::forward, letters(marked), {}});
}

TorchCall batch_of(const TorchCall& call, const nb::tuple& axes) {
  Step step{Step::batch, {}, {}};
  for (nb::handle axis : axes)
    step.axes.push_back(axis.is_none() ? kSameForAll : nb::cast<int64_t>(axis));
  return after(call, std::move(step));
}

// Whether the call itself draws random numbers, batched or not: derivatives reuse them.
bool draws(const TorchCall& call) {
  bool first = *call.drew;
  for (const Step& step : call.steps) first &= step.kind == Step::batch;
  return first;
}

// ---- calls of ops registered with PyTorch ----

TorchCall call_of_op(nb::handle op, const nb::tuple& values) {
  TorchCall call;
  call.op = &definition_of(op.ptr());
  if (const Record* record = call.op->attrs) {
    Ref<OpenAttrs> attrs(new OpenAttrs(*record));
    for (size_t i = 0; i < record->fields.size(); ++i) {
      set_field(record->fields[i], attrs->memory, nb::handle(values[i]).ptr());
    }
    call.attrs = attrs;
  }
  return call;
}

// A callable on gyre tensors that draws from a generator with that seed.
TorchCall call_of_callable(nb::object callable, int64_t seed) {
  TorchCall call;
  call.callable = std::move(callable);
  call.began.seed = static_cast<uint64_t>(seed);
  return call;
}

nb::object results_without_record(const Tensors& in, FunctionRef<Tensors()> call) {
  Tensors out;
  NoGrad off;
  unlocked_if_long(elements_of(in), [&] { out = call(); });
  return results_of(out);
}

// The inputs without trailing absent ones.
Inputs given_to(const OpDef& op, Inputs in) {
  while (!op.args.variadic() && !in.empty() && !in.back().defined()) in = in.first(in.size() - 1);
  return in;
}

nb::object run(const TorchCall& call, const nb::tuple& operands) {
  const Tensors in = operands_of(call, operands);
  return results_without_record(in, [&] { return call.run(in); });
}

nb::object run_with_kept(const TorchCall& call, const nb::tuple& operands) {
  const Tensors in = operands_of(call, operands);
  return results_without_record(
      in, [&] { return apply_keeping(*call.op, given_to(*call.op, in), call.attrs); });
}

nb::object reverse(const TorchCall& call, const nb::tuple& inputs, const nb::tuple& results,
                   const nb::tuple& cotangents, const std::vector<Marks>& wanted) {
  Tensors in = operands_of(nullptr, inputs), out = operands_of(nullptr, results),
          by = operands_of(nullptr, cotangents);
  return results_without_record(in, [&] {
    if (wanted.size() == 1) return reverse_of_op(*call.op, call.attrs, in, out, by, wanted[0]);
    TorchCall higher = call;
    for (const Marks& marks : wanted) higher.steps.push_back({Step::reverse, marks, {}});
    for (const Tensor& c : by) in.push_back(c);
    return higher.run(in);
  });
}

// Tensors saved for backward, after the visible results: only the op's backward rule declares them.
void add_kept(const TorchCall& call, Inputs x, SmallVector<Meta, 4>& metas) {
  if (!call.op) return;
  const OpDef& op = *call.op;
  if (!op.kernels[Device::cpu] || op.outputs.size() == metas.size()) return;
  Tensors full(x.begin(), x.end());
  for (size_t i = x.size(); i < op.args.size(); ++i) {
    double otherwise = op.args[i].otherwise;
    full.push_back(otherwise == otherwise ? Tensor(otherwise) : Tensor());
  }
  SmallVector<Meta, 4> all(op.outputs.size());
  op.infer(op, call.attrs ? call.attrs->value : nullptr, full, {all.data(), all.size()});
  for (size_t i = metas.size(); i < all.size(); ++i) metas.push_back(all[i]);
}

// Shape and dtype of each result, including saved ones, without running a kernel: runs the op on an
// empty batch.
SmallVector<Meta, 4> metas_of(const TorchCall& call, const Tensors& in, const VmapAxes& axes) {
  NoGrad off;
  SmallVector<Meta, 4> metas;
  auto f = [&](Inputs x) {
    Tensors out = call.run(x);
    for (const Tensor& t : out) metas.push_back(t.meta());
    add_kept(call, x, metas);
    return out;
  };
  bool alone = true;
  for (int64_t axis : axes.in) alone &= axis == kSameForAll;
  alone ? f(in) : vmap(TensorsFunction(f), in, axes);
  return metas;
}

// An operand with an empty batch axis; absent and literal operands are not batched.
void add_operand(Tensors& in, VmapAxes& axes, const Shape& shape, DType dtype) {
  in.push_back(empty(concat({0}, shape), dtype));
  axes.in.push_back(0);
}
void add_operand(Tensors& in, VmapAxes& axes, const Tensor& same) {
  in.push_back(same);
  axes.in.push_back(kSameForAll);
}

// The errors inside vmap() of functions that read values or write in place.
bool wants_values(Code code) { return code == Code::value || code == Code::unsupported; }
bool wants_values(const nb::python_error& e) {
  return has_code(e, Code::value) || has_code(e, Code::unsupported);
}

// The same for a callable; one that reads values is run on zeros instead.
SmallVector<Meta, 4> metas_of_callable(const TorchCall& call, const Tensors& in,
                                       const VmapAxes& axes) {
  try {
    return metas_of(call, in, axes);
  } catch (const Error& e) {
    if (!wants_values(e.code)) throw;
  } catch (const nb::python_error& e) {
    if (!wants_values(e)) throw;
  }
  Tensors whole;
  for (const Tensor& t : in) {
    whole.push_back(t.defined() ? zeros(t.shape().without(0), {.dtype = t.dtype()}) : t);
  }
  NoGrad off;
  SmallVector<Meta, 4> metas;
  for (const Tensor& t : call.run(whole)) metas.push_back(t.meta());
  return metas;
}

// (shape, dtype) of the results, for operands given as (shape, dtype, whether a literal) or None.
nb::object infer(const TorchCall& call, const nb::tuple& operands) {
  Tensors in;
  VmapAxes axes;
  for (nb::handle o : operands) {
    if (o.is_none()) {
      add_operand(in, axes, {});
      continue;
    }
    auto dtype = nb::cast<DType>(o[1]);
    if (nb::cast<bool>(o[2])) {
      add_operand(in, axes, is_floating(dtype) ? Tensor(1.0) : Tensor(1));
    } else {
      add_operand(in, axes, shape_from(nb::object(o[0]).ptr()), dtype);
    }
  }
  nb::list results;
  for (const Meta& m : call.op ? metas_of(call, in, axes) : metas_of_callable(call, in, axes))
    results.append(nb::make_tuple(nb::steal(shape_object(m.shape)), m.dtype));
  return results;
}

}  // namespace

Tensors TorchCall::run(Inputs given) const {
  Tensors in(given.begin(), given.end());
  for (size_t i = 0; i < in.size() && i < stand_ins.size(); ++i) {
    if (in[i].defined() || !stand_ins[i]) continue;
    in[i] = constant(stand_ins[i]->shape, 0, {.dtype = stand_ins[i]->dtype});
  }
  if (callable.is_valid()) return run_callable(in);
  auto function = [&](Inputs x) { return apply(*op, given_to(*op, x), attrs); };
  return transformed(TensorsFunction(function), steps, in);
}

Tensors TorchCall::run_callable(Inputs in) const {
  auto function = [&](Inputs x) {
    nb::gil_scoped_acquire lock;
    return tensors_of(callable(*tuple_of(x)).ptr());
  };
  GeneratorScope scope(began);
  Tensors out = transformed(TensorsFunction(function), steps, in);
  const Generator& now = default_generator();
  if (now.seed != began.seed || now.offset != began.offset) *drew = true;
  return out;
}

nb::object results_of(const Tensors& out) {
  NoGrad off;
  nb::list results;
  Tensors handed_out;
  for (const Tensor& t : out) {
    if (t.defined() && !t.plain()) {  // packed weights, as a gyre.Tensor
      results.append(tensor_object(t.detach()));
      continue;
    }
    handed_out.push_back(t.defined() ? own_memory(t, handed_out) : t);
    results.append(t.defined() ? to_torch(handed_out.back()) : nb::none());
  }
  return nb::tuple(results);
}

void add_torch_call(nb::module_& m) {
  nb::class_<TorchCall>(m, "Call")
      .def("__init__",
           [](TorchCall* self, nb::handle op, const nb::tuple& values) {
             new (self) TorchCall(call_of_op(op, values));
           })
      .def_static("of", call_of_callable, "callable"_a, "seed"_a)
      .def_prop_ro("draws", draws)
      .def("run", run)
      .def("run_with_kept", run_with_kept)
      .def("reverse_of_op", reverse)
      .def("reverse", reverse_of)
      .def("forward", forward_of)
      .def("batch", batch_of)
      .def("record", record)
      .def("infer", infer);
  nb::class_<TorchRecord>(m, "Record")
      .def_prop_ro("alive", [](const TorchRecord& r) { return !r.out.empty(); })
      .def_prop_ro("parts", parts_of)
      .def("backward", backward_of)
      .def("drop", drop)
      .def("reverse", reverse_of_record);
}

}  // namespace gyre::python
