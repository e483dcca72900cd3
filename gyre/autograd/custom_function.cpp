#include "gyre/autograd/custom_function.h"

#include "gyre/base/error.h"
#include "gyre/op/apply.h"

namespace gyre {
namespace {

constexpr Arg kAny[] = {{"inputs", true, true}};

const CustomFunction& function_of(const OpDef& op) {
  return *static_cast<const CustomFunction*>(op.context);
}

Tensors run_forward(const OpDef& op, const void*, Inputs in) {
  Tensors out = function_of(op).forward(in);
  if (out.empty()) {
    refuse(Code::value, op, "forward must return at least 1 tensor, got 0", "at least 1", "0");
  }
  for (const Tensor& t : out) {
    if (!t.defined()) refuse(Code::value, op, "forward returned an empty Tensor");
  }
  return out;
}

bool broadcasts_to(const Shape& from, const Shape& to) {
  const int missing = to.rank - from.rank;
  bool fits = missing >= 0;
  for (int i = 0; fits && i < from.rank; ++i) fits = from[i] == 1 || from[i] == to[missing + i];
  return fits;
}

Tensors run_backward(const VjpArgs& a) {
  Tensors g = function_of(a.op).backward({a.in, a.out, a.grad, a.wanted});
  if (g.size() != a.in.size()) {
    refuse(Code::value, a.op,
           {"backward returned ", g.size(), " cotangents for ", a.in.size(), " inputs"},
           a.in.size(), g.size());
  }
  for (size_t i = 0; i < g.size(); ++i) {
    const Shape& wanted = a.in_meta[i].shape;
    if (g[i].defined() && !broadcasts_to(wanted, g[i].shape())) {
      refuse(Code::shape, a.op,
             {"backward returned shape ", g[i].shape(), " for input ", i, " of shape ", wanted},
             wanted, g[i].shape());
    }
  }
  return g;
}

// Keeps the op and what it borrows alive as long as a recorded call.
struct OwnOp final : AttrsBox {
  explicit OwnOp(Ref<const CustomFunction> f)
      : function(std::move(f)), op(custom_op("custom_function", *function)) {
    type = &kNoOptions;
  }
  Ref<const CustomFunction> function;
  OpDef op;
};

}  // namespace

OpDef custom_op(const char* name, const CustomFunction& function) {
  OpDef d;
  d.name = name;
  d.doc = "a function with its own backward rule";
  d.args = kAny;
  d.outputs = {};
  d.compose = run_forward;
  d.vjp = run_backward;
  d.saves_in = d.saves_out = ~uint64_t{0};
  d.context = &function;
  return d;
}

const Ref<const CustomFunction>& custom_function_in(const AttrsBox& attrs) {
  static const Ref<const CustomFunction> none;
  const auto* own = dynamic_cast<const OwnOp*>(&attrs);
  return own ? own->function : none;
}

Tensors run_custom_function(const Ref<const CustomFunction>& function, Inputs in, int visible) {
  Ref<const OwnOp> own(new OwnOp(function));
  Tensors out = apply(own->op, in, own);
  auto seen = static_cast<size_t>(visible);
  if (seen > out.size()) {
    refuse(Code::value, own->op,
           {"forward returned ", out.size(), " tensors, fewer than `visible`"},
           {"at least ", visible}, out.size());
  }
  if (seen) out.resize(seen);
  return out;
}

}  // namespace gyre
