#include "gyre/registry/op_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>

#include "gyre/base/error.h"
#include "gyre/op/node.h"
#include "gyre/op/samples.h"
#include "gyre/ops/in_place.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {

#define OP(name) extern const OpDef name##_def;
#include "gyre/registry/all_ops.def"
#undef OP

namespace {

constexpr const OpDef* kOps[] = {
#define OP(name) &name##_def,
#include "gyre/registry/all_ops.def"
#undef OP
};
constexpr OpTable kOpTable{kOps};

constexpr OpAlias kAliases[] = {
#define ALIAS(name, op) {#name, &op##_def},
#include "gyre/hyperbolic/aliases.def"
#include "gyre/ops/aliases.def"
#undef ALIAS
};

constinit std::atomic<const OpTable*> newest{&kOpTable};

// Added ops, never freed: earlier tables may still be in use.
struct Added {
  std::mutex mutex;
  std::deque<OpDef> ops;
  std::deque<std::vector<const OpDef*>> lists;
  std::deque<OpTable> tables;
};
Added& added() {
  static auto* all = new Added;
  return *all;
}

[[noreturn]] void refuse_op(const OpDef& op, const char* why) {
  throw Error(Code::value, "register_op", std::string(op.name ? op.name : "an op") + " " + why);
}

// The dtype of the operands of a sample that may have another dtype.
DType dtype_of_sample(Inputs in) {
  const auto floats = [](const Tensor& t) { return t.defined() && t.dtype() == DType::f64; };
  return std::any_of(in.begin(), in.end(), floats) ? DType::f64 : DType::i64;
}

// Whether the op accepts a sample's call with the operands of one dtype in another.
bool takes(const OpDef& op, const Samples::Call& call, DType dtype, bool in_place) {
  const DType from = dtype_of_sample(call.in);
  Tensors in;
  for (const Tensor& t : call.in) {
    in.push_back(t.defined() && t.dtype() == from ? to(t, dtype) : t);
  }
  try {
    if (in_place) {
      in[0] = clone(in[0]);
      (void)apply_in_place(op, in, call.attrs);
    } else {
      (void)apply(op, in, call.attrs);
    }
  } catch (const Error& error) {
    return error.code != Code::dtype && error.code != Code::unsupported;
  }
  return true;
}

}  // namespace

const OpTable& op_table() noexcept { return *newest.load(std::memory_order_acquire); }
std::span<const OpAlias> op_aliases() noexcept { return kAliases; }

const OpDef& register_op(const OpDef& op) {
  Added& all = added();
  std::lock_guard lock(all.mutex);
  if (!op.name || !*op.name) refuse_op(op, "has no name");
  if (op_table().find(op.name)) refuse_op(op, "is already registered");
  if (!op.compose && !op.view && !(op.infer && op.kernels[Device::cpu])) {
    refuse_op(op, "needs a kernel with infer, a view or a composition");
  }
  all.ops.push_back(op);
  auto before = op_table().ops;
  auto& list = all.lists.emplace_back(before.begin(), before.end());
  list.push_back(&all.ops.back());
  newest.store(&all.tables.emplace_back(OpTable{list}), std::memory_order_release);
  return all.ops.back();
}

std::string error_bound(const OpDef& op) {
  const bool selects = op.family.pointwise_spec.kind == PointwiseSpec::selection;
  if (op.view || op.is_discrete || selects) return "exact";
  return fmt::format("{} units in the last place of {}", op.ulp,
                     op.by_element ? "each element" : "the norm");
}

std::vector<DType> dtypes_of(const OpDef& op, bool in_place) {
  NoGrad off;
  const Samples samples(op);
  std::vector<DType> dtypes;
  if (samples.calls.empty()) return dtypes;
  const Samples::Call& call = samples.calls.front();
  if (call.in.empty()) return dtypes;
  const auto is_plain = [](const Tensor& t) { return t.defined() && t.plain(); };
  if (std::ranges::none_of(call.in, is_plain)) return {call.in[0].dtype()};
  for (int d = 0; d < kDTypes; ++d) {
    const auto dtype = static_cast<DType>(d);
    if (takes(op, call, dtype, in_place)) dtypes.push_back(dtype);
  }
  return dtypes;
}

}  // namespace gyre
