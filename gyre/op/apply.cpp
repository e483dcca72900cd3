#include "gyre/op/apply.h"

#include <chrono>

namespace gyre {
namespace {

constinit std::atomic<CallObserver*> observer{nullptr};

Device common_device(const OpDef& op, Inputs in) {
  const Device* first = nullptr;
  for (const Tensor& t : in) {
    if (!t.defined() || t.impl()->meta.weak) continue;
    const Device& device = t.impl()->meta.device;
    if (!first) {
      first = &device;
    } else if (!(device == *first)) {
      refuse(Code::device, op, "operands lie on " + to_string(*first) + " and " + to_string(device),
             to_string(*first), to_string(device));
    }
  }
  return first ? *first : Device{};
}

void check_count(const OpDef& op, Inputs in) {
  if (in.size() < op.args.required() || (in.size() > op.args.size() && !op.args.variadic())) {
    refuse(
        Code::value, op,
        "takes " + std::to_string(op.args.size()) + " tensors, got " + std::to_string(in.size()));
  }
  for (size_t i = 0; i < in.size(); ++i) {
    if (!in[i].defined() && !op.args.of(i).optional) {
      refuse(Code::value, op, std::string(op.args.of(i).name) + " is empty");
    }
  }
}

// The operands with absent ones at the end that a call left out.
Tensors completed(const OpDef& op, Inputs in) {
  Tensors all(in.begin(), in.end());
  all.resize(op.args.size());
  return all;
}

// Runs a part of the op; what that calls refuses in the name of the op.
template <class F>
auto in_name_of(const OpDef& op, F part) try {
  return part();
} catch (const Error& e) {
  if (e.op == op.name) throw;
  refuse(e.code, op, e.what(), e.expected, e.actual);
}

bool apply_view(const OpDef& op, const void* attrs, const Tensor& in, Tensors& out) {
  Layout layout;
  layout.offset = in.impl()->offset;
  if (!in_name_of(op, [&] { return op.view(op, attrs, in, layout); })) return false;
  check_shape(layout.shape, size_of(in.dtype()), op.name);
  out.push_back(make_view(in, layout.shape, layout.strides, layout.offset));
  return true;
}

void compute(const OpDef& op, Inputs in, const void* attrs, Device device, bool keep_hidden,
             Tensors& out) {
  SmallVector<Meta, 2> metas(op.outputs.size());
  in_name_of(op, [&] { op.infer(op, attrs, in, metas); });
  size_t made = keep_hidden ? op.outputs.size() : static_cast<size_t>(op.visible);
  for (size_t i = 0; i < made; ++i) {
    metas[i].device = device;
    out.push_back(empty(metas[i]));
  }
  run_kernel(op, in, out, attrs);
}

Tensors apply_unseen(const OpDef& op, Inputs in, const Attrs& attrs) {
  const void* a = attrs ? attrs->value : nullptr;
  Tensors out;
  check_count(op, in);
  if (in.size() < op.args.size() && !op.args.variadic()) [[unlikely]]
    return apply_unseen(op, completed(op, in), attrs);
  Device device = common_device(op, in);
  if (op.view && apply_view(op, a, in[0], out)) {
    if (would_record(op, in)) record(op, in, attrs, out);
    return out;
  }
  if (!op.kernels[device.kind]) {
    if (op.compose) return in_name_of(op, [&] { return op.compose(a, in); });
    refuse(Code::unsupported, op, "has no kernel for " + to_string(device));
  }
  bool recording = would_record(op, in);
  compute(op, in, a, device, recording, out);
  if (recording) record(op, in, attrs, out);
  out.resize(static_cast<size_t>(op.visible));
  return out;
}

}  // namespace

void refuse(Code code, const OpDef& op, const std::string& message, std::string expected,
            std::string actual) {
  throw Error(code, op.name, message, std::move(expected), std::move(actual));
}

void refuse(const OpDef& op, const Status& s) {
  std::string message = s.what, place = " at position " + std::to_string(s.where);
  if (s.code == Code::index) {
    std::string range = "[" + std::to_string(s.least) + ", " + std::to_string(s.bound) + ")",
                value = std::to_string(s.value);
    refuse(s.code, op, message + " " + value + place + " is out of range " + range, range, value);
  }
  bool placed = s.code != Code::resource && s.code != Code::unavailable;
  refuse(s.code, op, placed ? message + place : message);
}

void run_kernel(const OpDef& op, Inputs in, Inputs out, const void* attrs) {
  isa();  // a GYRE_ISA that cannot be had throws here, not inside a kernel
  SmallVector<View, 4> from, to;
  for (const Tensor& t : in) from.emplace_back(t);
  for (const Tensor& t : out) to.emplace_back(t);
  Ref<Storage> scratch;
  if (op.scratch) {
    if (size_t bytes = op.scratch(attrs, in)) scratch = allocate_storage(bytes, {});
  }
  KernelArgs args{from, to, attrs, scratch ? scratch->data : nullptr, nullptr};
  check(op, op.kernels[out[0].device().kind](op, args));
}

Tensors apply(const OpDef& op, Inputs in, const Attrs& attrs) {
  CallObserver* seen_by = observer.load(std::memory_order_relaxed);
  if (!seen_by) [[likely]]
    return apply_unseen(op, in, attrs);
  auto start = std::chrono::steady_clock::now();
  Tensors out = apply_unseen(op, in, attrs);
  seen_by->call(
      op, in, out,
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start)
          .count());
  return out;
}

Tensor apply_one(const OpDef& op, Inputs in, const Attrs& attrs) {
  Tensors out = apply(op, in, attrs);
  return std::move(out[0]);
}

void set_call_observer(CallObserver* seen_by) noexcept { observer.store(seen_by); }

}  // namespace gyre
