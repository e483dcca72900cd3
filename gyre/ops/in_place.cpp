#include "gyre/ops/in_place.h"

#include <utility>

#include "gyre/kernel/copy.h"
#include "gyre/op/apply.h"
#include "gyre/op/view_history.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/tensor/kind.h"

namespace gyre {
extern const OpDef as_strided_scatter_def;  // ops/index/as_strided.cpp

namespace {

// Writing to elements that share memory would be a race.
void check_writable(const Tensor& x, const char* op) {
  if (is_one_to_one(x.shape(), x.strides())) return;
  throw Error(Code::value, op,
              "a tensor whose elements share memory (expanded, or a view of overlapping windows) "
              "cannot be written",
              {}, x.shape());
}

// True if element i of both is the same memory for every i, or they do not overlap.
bool lies_alike_or_apart(const Tensor& a, const Tensor& b) {
  if (!may_share_memory(a, b)) return true;
  return a.impl()->bytes() == b.impl()->bytes() && a.shape() == b.shape() &&
         a.strides() == b.strides() && a.dtype() == b.dtype();
}

bool can_write_directly(const OpDef& op, Inputs in, const Meta& result) {
  if (!op.family.pointwise[0] || result.dtype != in[0].dtype()) return false;
  for (const Tensor& t : in) {
    if (!lies_alike_or_apart(t, in[0])) return false;
  }
  return true;
}

// Booleans, integers, floats.
int class_of(DType d) { return is_floating(d) ? 2 : d == DType::boolean ? 0 : 1; }

Meta check_result(const OpDef& op, Inputs in, const Attrs& attrs) {
  if (op.outputs.size() != 1 || !op.kernels[in[0].device().kind]) {
    refuse(Code::unsupported, op, "the op has no in-place variant");
  }
  Meta result;
  op.infer(op, attrs ? attrs->value : nullptr, in, {&result, 1});
  const Tensor& x = in[0];
  if (!(result.shape == x.shape())) {
    refuse(Code::shape, op,
           {"in place: the result has shape ", result.shape, ", the first operand ", x.shape()},
           x.shape(), result.shape);
  }
  if (class_of(result.dtype) > class_of(x.dtype())) {
    refuse(Code::dtype, op,
           {"in place: the result is ", result.dtype, ", which ", x.dtype(), " cannot hold"},
           result.dtype, x.dtype());
  }
  if (result.dtype != x.dtype() && would_record(op, in)) {
    refuse(Code::dtype, op,
           "in place: dtypes must be equal while gradients are recorded; cast with to()", x.dtype(),
           result.dtype);
  }
  return result;
}

// A handle to x as before the write, with its values then if `kept`: what the recorded call saves
// must not refer to the call itself.
Tensor before_write(const Tensor& x, bool kept = false) {
  Edge history = edge_to(x);
  Tensor past;
  if (kept) {
    NoGrad off;
    past = clone(x);
  } else {
    past = alias_of(x);
  }
  TensorImpl& to = *past.impl();
  to.node = history.node;
  to.output = history.output;
  to.history_at = recorded_writes(past);
  return past;
}

// The operands of a recorded call that overwrites the first: those that lie in its memory as they
// are before, with copies of the values that backward needs.
Tensors operands_before_write(const OpDef& op, Inputs in) {
  Tensors operands(in.begin(), in.end());
  for (size_t i = 0; i < in.size(); ++i) {
    const Tensor& t = in[i];
    if (!t.defined() || t.requires_grad() || !may_share_memory(t, in[0])) continue;
    check_history(t, op.name);
    const bool kept = saves_operand(op, in, i) && is_floating(t.dtype());
    if (i == 0 || kept) operands[i] = before_write(t, kept);
  }
  return operands;
}

// Saved outputs of the call refer to the values after the write.
void refresh_kept_results(const Tensor& result) {
  Node* node = node_of(result);
  if (!node) return;
  for (SavedTensor& saved : node->saved) {
    if (saved.own_output < 0 || !saved.data.defined()) continue;
    saved.version = saved.data.impl()->storage->version.load(std::memory_order_relaxed);
  }
}

const Tensor& write_directly(const OpDef& op, Inputs in, const Attrs& attrs) {
  const Tensor& x = in[0];
  Tensors results{alias_of(x)};
  if (would_record(op, in)) record(op, operands_before_write(op, in), attrs, results);
  write(op, in, {&x, 1}, attrs, [&] {
    refresh_kept_results(results[0]);
    if (grad_enabled()) take_history(x, results[0]);
  });
  return x;
}

}  // namespace

const Tensor& apply_in_place(const OpDef& op, Inputs in, const Attrs& attrs) {
  check_operands(op, in);
  const Tensor& x = in[0];
  if (in.size() < op.args.size()) {
    apply_in_place(op, completed(op, in), attrs);
    return x;
  }
  for (const Tensor& t : in) {
    if (t.defined()) require_plain(t, op.name);
  }
  check_in_place(x, would_record(op, in), op.name);
  Meta result = check_result(op, in, attrs);
  if (can_write_directly(op, in, result)) return write_directly(op, in, attrs);
  const bool recorded = would_record(op, in);
  Tensor value = apply_one(
      op, recorded ? operands_before_write(op, in) : Tensors(in.begin(), in.end()), attrs);
  write_values(x, value, value);
  return x;
}

void check_in_place(const Tensor& x, bool gains_history, const char* op) {
  check_writable(x, op);
  if (!grad_enabled()) return;
  if (x.requires_grad()) {
    throw Error(Code::value, op,
                "a leaf that requires grad cannot be modified in place; write under no_grad()");
  }
  const TensorImpl* base = x.impl()->base.get();
  if (base && base->requires_grad) {
    throw Error(Code::value, op,
                "a view of a leaf that requires grad cannot be modified in place; write under "
                "no_grad()");
  }
  if (base) check_history(Tensor(x.impl()->base), op);
  if (!x.impl()->is_view || !(x.tracked() || gains_history)) return;
  if (!base) {
    throw Error(
        Code::value, op,
        "a view that does not know its base (made under no_grad(), or one of the parts that "
        "split() and chunk() return) cannot be modified in place while gradients are "
        "recorded; slice the base, or write under no_grad()");
  }
  if (!is_contiguous(base->meta.shape, base->strides)) {
    throw Error(Code::value, op,
                "a view of a tensor that is not contiguous cannot be modified in place while "
                "gradients are recorded; take the view of a contiguous one, or write under "
                "no_grad()");
  }
}

void check_untracked_write(const Tensor& x, const Tensor& values, const char* op) {
  if (grad_enabled() && (x.tracked() || values.tracked()))
    throw Error(Code::value, op, "no gradient is defined; write under no_grad()");
  check_in_place(x, false, op);
}

Tensor apart_from(const Tensor& x, const Tensor& t) {
  return may_share_memory(x, t) ? clone(t) : t;
}

bool may_share_memory(const Tensor& a, const Tensor& b) {
  const Storage &x = *a.impl()->storage, &y = *b.impl()->storage;
  if (&x == &y) return true;
  if (!x.borrowed || !y.borrowed) return false;
  // the same foreign array may have been passed twice
  const auto range = [](const Tensor& t) {
    int64_t last = 0;
    for (int i = 0; i < t.rank(); ++i) last += (t.shape()[i] - 1) * t.strides()[i];
    auto first = reinterpret_cast<uintptr_t>(t.impl()->bytes());
    auto size = static_cast<int64_t>(size_of(t.dtype()));
    return std::pair(first, t.numel() ? first + static_cast<uintptr_t>((last + 1) * size) : first);
  };
  auto [a_first, a_end] = range(a);
  auto [b_first, b_end] = range(b);
  return a_first < b_end && b_first < a_end;
}

void write_values(const Tensor& x, const Tensor& values, const Tensor& history) {
  write(copy_def, {&values, 1}, {&x, 1}, {}, [&] {
    if (grad_enabled()) take_history(x, history);
  });
}

void take_history(const Tensor& x, const Tensor& from) {
  TensorImpl& impl = *x.impl();
  std::atomic<uint32_t>& writes = impl.storage->recorded_writes;
  if (!impl.base) {
    impl.history_at = writes.fetch_add(1, std::memory_order_relaxed) + 1;
    impl.node = from.defined() ? from.impl()->node : Ref<RefCounted>();
    impl.output = from.defined() ? from.impl()->output : 0;
    return;
  }
  Tensor base(impl.base), part = from.tracked() ? from : alias_of(x);
  if (base.tracked() || part.tracked()) {
    const Tensor operands[] = {before_write(base), part};
    Tensors results{base};
    record(as_strided_scatter_def, operands, box(place_in_base(x)), results);
  }
  base.impl()->history_at = writes.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace gyre
