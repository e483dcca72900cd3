#include "gyre/packed/packed_handler.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "gyre/base/error.h"
#include "gyre/op/apply.h"
#include "gyre/op/kind_handler.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/int8/int8_activations.h"
#include "gyre/packed/packed.h"
#include "gyre/packed/packed_ops.h"

namespace gyre {
namespace {

[[noreturn]] void refuse_packed(const KindCall& call) {
  throw Error(Code::unsupported, call.op.name,
              "packed weights are not supported; pass packed_decode(w) instead", "a plain tensor",
              "packed weights");
}

bool is_recorded(Inputs in) {
  return grad_enabled() && std::ranges::any_of(in, [](const Tensor& t) {
           return t.tracked() || (t.defined() && is_tracked_inside(t));
         });
}

// linear, whose weight alone is packed
Tensor linear_of(const KindCall& call) {
  if (is_packed(call.in[0]) || (call.in.size() > 2 && is_packed(call.in[2]))) refuse_packed(call);
  const bool int8 = int8_activations() && packed_storage(call.in[1]).layout.format->has_rings &&
                    call.in[0].dtype() != DType::f64 && !is_recorded(call.in);
  const Tensor y =
      int8 ? packed_matmul_int8(call.in[0], call.in[1]) : packed_matmul(call.in[0], call.in[1]);
  if (call.in.size() < 3 || !call.in[2].defined()) return y;
  const Shape wanted{call.in[1].size(0)};
  if (!(call.in[2].shape() == wanted)) {
    throw mismatch(Code::shape, "linear", {"expected bias ", wanted}, wanted, call.in[2].shape());
  }
  return y + call.in[2];
}

// Rows of a slice along the first axis.
Tensor slice_of(const KindCall& call) {
  const SliceAttrs a = call.attrs ? attrs_as<SliceAttrs>(call.attrs->value) : SliceAttrs{};
  if (a.axis != 0 && a.axis != -call.in[0].rank()) refuse_packed(call);
  const Tensor all = arange(0, static_cast<double>(call.in[0].size(0)), 1, {.dtype = DType::i64});
  return packed_rows(call.in[0], slice(all, {0, a.start, a.stop, a.step}));
}

// One index of the first axis.
Tensor selection_of(const KindCall& call) {
  const SelectAttrs a = call.attrs ? attrs_as<SelectAttrs>(call.attrs->value) : SelectAttrs{};
  if (a.axis != 0 && a.axis != -call.in[0].rank()) refuse_packed(call);
  const int64_t index = a.index < 0 ? a.index + call.in[0].size(0) : a.index;
  return packed_rows(call.in[0], full({}, static_cast<double>(index), {.dtype = DType::i64}));
}

Tensor copy_of_packed(const Tensor& w) {
  if (grad_enabled() && w.tracked()) {
    throw Error(Code::unsupported, "clone",
                "a copy of packed weights has no gradient; clone w.detach()");
  }
  return copy_of_kind(w);
}

bool has_stand_in(const Tensor& t) {
  return is_packed(t) && t.tracked() && packed_storage(t).stand_in.defined();
}

// The call with plain weights in place of the operands that `chosen` takes.
Tensors call_on(const KindCall& call, bool (*chosen)(const Tensor&),
                Tensor (*plain)(const Tensor&)) {
  Tensors in;
  for (const Tensor& t : call.in) in.push_back(chosen(t) ? plain(t) : t);
  return call.keep_hidden ? apply_keeping(call.op, in, call.attrs) : apply(call.op, in, call.attrs);
}

// Ops whose weights are small, or are used as a whole: they are decoded for the call.
bool decodes(std::string_view op) {
  constexpr std::string_view kDecoding[] = {"conv1d",           "conv2d",
                                            "conv_transpose1d", "conv_transpose2d",
                                            "poincare_planes",  "lorentz_planes"};
  return std::ranges::find(kDecoding, op) != std::end(kDecoding);
}

Tensors call_packed(const KindCall& call) {
  if (grad_enabled() && std::ranges::any_of(call.in, has_stand_in))
    return call_on(call, has_stand_in, packed_stand_in);
  const std::string_view op = call.op.name;
  if (op == "linear") return {linear_of(call)};
  if (op == "linear_act" && !call.keep_hidden) {
    return call.op.compose(call.op, call.attrs ? call.attrs->value : nullptr, call.in);
  }
  if (op == "matmul" && !is_packed(call.in[0])) {
    return {packed_matmul(call.in[0], call.in[1], false)};
  }
  if (op == "embedding" && !is_packed(call.in[1])) return {packed_rows(call.in[0], call.in[1])};
  if (op == "slice") return {slice_of(call)};
  if (op == "select") return {selection_of(call)};
  if (op == "clone") return {copy_of_packed(call.in[0])};
  if (decodes(op)) return call_on(call, is_packed, packed_decode);
  refuse_packed(call);
}

}  // namespace

void set_packed_handler() { set_kind_handler(TensorKind::packed, call_packed); }

}  // namespace gyre
