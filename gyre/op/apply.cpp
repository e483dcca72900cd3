#include "gyre/op/apply.h"

#include "gyre/op/batching.h"
#include "gyre/op/observation.h"

namespace gyre {

namespace {

constinit std::atomic<BatchHandler> batch_handler{nullptr};

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

// Runs a part of the op; what that calls refuses in the name of the op.
template <class F>
auto with_op_name(const OpDef& op, F part) try {
  return part();
} catch (const Error& e) {
  if (e.op == op.name) throw;
  refuse(e.code, op, e.what(), e.expected, e.actual);
}

// A handle that the call may give a history: no operand, and nothing that somebody else holds.
Tensor untracked_alias(const Tensor& t) {
  return t.impl()->refs.load(std::memory_order_relaxed) == 1 && !t.tracked()
             ? t
             : make_view(t, t.shape(), t.strides(), t.impl()->offset);
}

// An op that is a composition: its parts are recorded, or the whole if that has a reverse rule.
Tensors run_composition(const OpDef& op, Inputs in, const Attrs& attrs) {
  const void* a = attrs ? attrs->value : nullptr;
  if (!op.vjp) return with_op_name(op, [&] { return op.compose(op, a, in); });
  bool recording = would_record(op, in);
  Tensors out;
  {
    NoGrad off;
    out = with_op_name(op, [&] { return op.compose(op, a, in); });
  }
  if (!recording) return out;
  for (Tensor& t : out) t = untracked_alias(t);
  record(op, in, attrs, out);
  return out;
}

// Whether a kernel's results past the visible ones are returned, too.
enum class HiddenOutputs : bool { dropped, given };

bool apply_view(const OpDef& op, const void* attrs, const Tensor& in, Tensors& out) {
  Layout layout;
  layout.offset = in.impl()->offset;
  if (!with_op_name(op, [&] { return op.view(op, attrs, in, layout); })) return false;
  check_shape(layout.shape, size_of(in.dtype()), op.name);
  out.push_back(make_view(in, layout.shape, layout.strides, layout.offset));
  return true;
}

void compute(const OpDef& op, Inputs in, const void* attrs, Device device, bool keep_hidden,
             Tensors& out) {
  SmallVector<Meta, 2> metas(op.outputs.size());
  with_op_name(op, [&] { op.infer(op, attrs, in, metas); });
  size_t made = keep_hidden ? op.outputs.size() : static_cast<size_t>(op.visible);
  for (size_t i = 0; i < made; ++i) {
    metas[i].device = device;
    out.push_back(empty(metas[i]));
  }
  run_kernel(op, in, out, attrs);
}

bool any_tracked_batch(Inputs in) {
  bool any = false;
  for (const Tensor& t : in) any |= has_tracked_batch(t);
  return any;
}

// Checks the call as one on a slice; its results, none if nothing but a run tells them.
SmallVector<Meta, 2> infer_slice(const OpDef& op, Inputs in, const void* attrs, Device device) {
  SmallVector<Meta, 2> metas(op.outputs.size());
  if (!op.infer && !op.view) return {};
  with_op_name(op, [&] {
    if (!op.view) return op.infer(op, attrs, in, metas);
    Layout layout;
    op.view(op, attrs, in[0], layout);
    metas[0] = in[0].meta();
    metas[0].shape = layout.shape;
  });
  for (Meta& m : metas) m.device = device;
  return metas;
}

// Recorded as a call on one slice, and run on the whole batch. A composition is a call of its parts
// unless its own reverse rule has to be recorded for the batch, too.
Tensors apply_batched(const OpDef& op, Inputs in, const Attrs& attrs, Device device,
                      HiddenOutputs kept) {
  bool composed = !op.view && !op.kernels[device.kind] && !op.batch;
  if (composed && !(op.vjp && grad_enabled() && any_tracked_batch(in))) {
    return run_composition(op, in, attrs);
  }
  auto metas = infer_slice(op, in, attrs ? attrs->value : nullptr, device);
  Tensors out = batch_handler.load(std::memory_order_acquire)(op, in, attrs, metas);
  if (would_record(op, in)) record(op, in, attrs, out);
  if (!composed && kept == HiddenOutputs::dropped) out.resize(static_cast<size_t>(op.visible));
  return out;
}

Tensors apply_unseen(const OpDef& op, Inputs in, const Attrs& attrs,
                     HiddenOutputs kept = HiddenOutputs::dropped) {
  const void* a = attrs ? attrs->value : nullptr;
  Tensors out;
  bool batched = check_operands(op, in);
  if (in.size() < op.args.size() && !op.args.variadic()) [[unlikely]]
    return apply_unseen(op, completed(op, in), attrs, kept);
  Device device = common_device(op, in);
  if (batched) [[unlikely]]
    return apply_batched(op, in, attrs, device, kept);
  if (op.view && apply_view(op, a, in[0], out)) {
    if (would_record(op, in)) record(op, in, attrs, out);
    return out;
  }
  if (!op.kernels[device.kind]) {
    if (op.compose) return run_composition(op, in, attrs);
    refuse(Code::unsupported, op, "has no kernel for " + to_string(device));
  }
  bool recording = would_record(op, in);
  compute(op, in, a, device, recording || kept == HiddenOutputs::given, out);
  if (recording) record(op, in, attrs, out);
  if (kept == HiddenOutputs::dropped) out.resize(static_cast<size_t>(op.visible));
  return out;
}

}  // namespace

bool check_operands(const OpDef& op, Inputs in) {
  if (in.size() < op.args.required() || (in.size() > op.args.size() && !op.args.variadic())) {
    refuse(
        Code::value, op,
        "takes " + std::to_string(op.args.size()) + " tensors, got " + std::to_string(in.size()));
  }
  bool batched = false;
  for (size_t i = 0; i < in.size(); ++i) {
    if (in[i].defined()) {
      batched |= in[i].impl()->is_batched;
    } else if (!op.args.of(i).optional) {
      refuse(Code::value, op, std::string(op.args.of(i).name) + " is empty");
    }
  }
  return batched;
}

Tensors completed(const OpDef& op, Inputs in) {
  Tensors all(in.begin(), in.end());
  all.resize(op.args.size());
  for (size_t i = in.size(); i < all.size(); ++i) {
    double otherwise = op.args[i].otherwise;
    if (otherwise == otherwise) all[i] = Tensor(otherwise);
  }
  return all;
}

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

void call_kernel(const OpDef& op, Inputs in, Inputs out, const void* attrs) {
  if (!Observation::wanted()) [[likely]]
    return run_kernel(op, in, out, attrs);
  Observation seen;
  run_kernel(op, in, out, attrs);
  seen.show(op, in, out);
}

Tensors apply_keeping(const OpDef& op, Inputs in, const Attrs& attrs) {
  return apply_unseen(op, in, attrs, HiddenOutputs::given);
}

Tensors apply(const OpDef& op, Inputs in, const Attrs& attrs) {
  if (!Observation::wanted()) [[likely]]
    return apply_unseen(op, in, attrs);
  Observation seen;
  Tensors out = apply_unseen(op, in, attrs);
  seen.show(op, in, out);
  return out;
}

Tensor apply_one(const OpDef& op, Inputs in, const Attrs& attrs) {
  Tensors out = apply(op, in, attrs);
  return std::move(out[0]);
}

void set_batch_handler(BatchHandler handler) noexcept {
  batch_handler.store(handler, std::memory_order_release);
}

}  // namespace gyre
