#include "gyre/op/apply.h"

#include <algorithm>

#include "gyre/cuda/device_library.h"
#include "gyre/op/kind_handler.h"
#include "gyre/op/observation.h"
#include "gyre/op/view_history.h"

namespace gyre {

struct CheckedRun {
  Kernel kernel;
  Inputs in, out;
  const void* attrs;
  Device device;
  size_t scratch;
};

// Copies a literal, one element on the host, to the device of the call.
View copy_literal(const OpDef& op, const View& number, Device device,
                  SmallVector<Ref<Storage>, 2>& kept) {
  const size_t bytes = size_of(number.dtype);
  kept.push_back(allocate_storage(bytes, device));
  check(op, device_library()->write(kept.back()->data, number.data, bytes, device.index));
  View there = number;
  there.data = kept.back()->data;
  there.device = device;
  return there;
}

// A kernel on operands whose kinds it takes.
Status run_checked(const OpDef& op, const CheckedRun& run) {
  isa();  // an unsupported GYRE_ISA throws here, not inside a kernel
  SmallVector<View, 4> from, to;
  from.reserve(run.in.size());
  to.reserve(run.out.size());
  for (const Tensor& t : run.in) from.emplace_back(t, RunsKernels());
  for (const Tensor& t : run.out) to.emplace_back(t, RunsKernels());
  SmallVector<Ref<Storage>, 2> kept;
  if (run.device.kind != Device::cpu && !op.crosses_devices) [[unlikely]] {
    for (View& v : from) {
      if (v.weak && !(v.device == run.device)) v = copy_literal(op, v, run.device, kept);
    }
  }
  Ref<Storage> scratch;
  if (run.scratch) scratch = allocate_storage(run.scratch, run.device);
  const KernelArgs args{from, to, run.attrs, scratch ? scratch->data : nullptr, run.device};
  return run.kernel(op, args);
}

Status try_kernel(const OpDef& op, Kernel kernel, Inputs in, Inputs out, const void* attrs,
                  Device device, size_t scratch) {
  return run_checked(op, {kernel, in, out, attrs, device, scratch});
}

namespace {

constinit std::array<std::atomic<KindHandler>, kMaxTensorKinds> kind_handlers{};

[[noreturn]] void refuse_devices(const OpDef& op, Device a, Device b) {
  refuse(Code::device, op, {"operands are on different devices: ", a, " and ", b}, a, b);
}

[[noreturn]] void refuse_missing_kernel(const OpDef& op, Device device) {
  std::string message = "there is no kernel for " + to_string(device);
  if (op.kernels.host_only) message += std::string(": ") + op.kernels.host_only;
  refuse(Code::unavailable, op, message);
}

Device common_device(const OpDef& op, Inputs in) {
  const Device* first = nullptr;
  for (const Tensor& t : in) {
    if (!t.defined() || t.impl()->meta.weak) continue;
    const Device& device = t.impl()->meta.device;
    if (!first) {
      first = &device;
    } else if (!(device == *first)) {
      refuse_devices(op, *first, device);
    }
  }
  return first ? *first : Device{};
}

// Runs a part of the op; errors of the ops it calls get the name of this op.
template <class F>
auto with_op_name(const OpDef& op, F part) try {
  return part();
} catch (const Error& e) {
  if (e.op == op.name) throw;
  refuse(e.code, op, e.what(), e.expected, e.actual);
}

// A tensor to which this call may attach its node: neither an operand nor shared.
Tensor untracked_alias(const Tensor& t) {
  return t.impl()->refs.load(std::memory_order_relaxed) == 1 && !t.tracked() ? t : alias_of(t);
}

// A composition: its parts are recorded, or the whole if it has a backward rule.
Tensors run_composition(const OpDef& op, Inputs in, const Attrs& attrs) {
  const void* a = attrs ? attrs->value : nullptr;
  if (!op.vjp) return with_op_name(op, [&] { return op.compose(op, a, in); });
  bool recording = would_record(op, in);
  Tensors out;
  {
    GradMode recorded(!recording && grad_enabled());
    out = with_op_name(op, [&] { return op.compose(op, a, in); });
  }
  if (!recording) return out;
  for (Tensor& t : out) {
    t = untracked_alias(t);
    // a view of an operand, or of what the composition made, which nobody else has
    t.impl()->is_view = std::ranges::any_of(in, [&](const Tensor& x) {
      return x.defined() && x.impl()->storage.get() == t.impl()->storage.get();
    });
  }
  record(op, in, attrs, out);
  return out;
}

bool apply_view(const OpDef& op, const void* attrs, const Tensor& in, Tensors& out) {
  Layout layout;
  layout.offset = in.impl()->offset;
  if (!with_op_name(op, [&] { return op.view(op, attrs, in, layout); })) return false;
  check_shape(layout.shape, size_of(in.dtype()), op.name);
  out.push_back(make_view(in, layout.shape, layout.strides, layout.offset));
  out.back().impl()->is_view = true;
  if (grad_enabled() && is_floating(in.dtype())) give_base(out.back(), in);
  return true;
}

[[gnu::always_inline]] inline void run_own(const OpDef& op, Inputs in, Inputs out,
                                           const void* attrs) {
  const Device device = out[0].device();
  const size_t scratch = op.scratch ? op.scratch(attrs, in) : 0;
  check(op, run_checked(op, {op.kernels[device.kind], in, out, attrs, device, scratch}));
}

void compute(const OpDef& op, Inputs in, const void* attrs, Device device, bool keep_hidden,
             Tensors& out) {
  if (op.writes) [[unlikely]]
    refuse(Code::unsupported, op, "this op writes in place; call write() instead of apply()");
  SmallVector<Meta, 2> metas(op.outputs.size());
  with_op_name(op, [&] { op.infer(op, attrs, in, metas); });
  size_t made = keep_hidden ? op.outputs.size() : static_cast<size_t>(op.visible);
  for (size_t i = 0; i < made; ++i) {
    metas[i].device = device;
    out.push_back(empty(metas[i]));
  }
  run_own(op, in, out, attrs);
}

bool any_tracked_inside(Inputs in) {
  bool any = false;
  for (const Tensor& t : in) any |= is_tracked_inside(t);
  return any;
}

// Shapes and dtypes of the results, none where only the values tell.
SmallVector<Meta, 2> infer_results(const OpDef& op, Inputs in, const void* attrs, Device device) {
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

// The highest kind among operands that the op does not take as they are; plain when there is none.
TensorKind highest_kind(const OpDef& op, Inputs in) {
  TensorKind highest = TensorKind::plain;
  for (size_t i = 0; i < in.size(); ++i) {
    if (takes(op, i, in[i])) continue;
    highest = std::max(highest, in[i].kind());
  }
  return highest;
}

Tensors apply_kind(TensorKind kind, const KindCall& call) {
  KindHandler handler = kind_handlers[static_cast<size_t>(kind)].load(std::memory_order_acquire);
  if (handler) return handler(call);
  for (const Tensor& t : call.in) {
    if (t.defined() && t.kind() == kind) refuse_kind(t, call.op.name);
  }
  __builtin_unreachable();
}

Tensors apply_unobserved(const OpDef& op, Inputs in, const Attrs& attrs, bool keep_hidden = false) {
  const void* a = attrs ? attrs->value : nullptr;
  Tensors out;
  bool any_kind = check_operands(op, in);
  if (in.size() < op.args.size() && !op.args.variadic()) [[unlikely]]
    return apply_unobserved(op, completed(op, in), attrs, keep_hidden);
  Device device = common_device(op, in);
  if (any_kind) [[unlikely]] {
    TensorKind kind = highest_kind(op, in);
    if (kind != TensorKind::plain) return apply_kind(kind, {op, in, attrs, device, keep_hidden});
  }
  if (op.view && apply_view(op, a, in[0], out)) {
    if (would_record(op, in)) record(op, in, attrs, out);
    return out;
  }
  if (!op.kernels[device.kind]) {
    if (op.compose) return run_composition(op, in, attrs);
    refuse_missing_kernel(op, device);
  }
  bool recording = would_record(op, in);
  compute(op, in, a, device, recording || keep_hidden, out);
  if (recording) record(op, in, attrs, out);
  if (!keep_hidden) out.resize(static_cast<size_t>(op.visible));
  return out;
}

}  // namespace

bool check_operands(const OpDef& op, Inputs in) {
  auto refuse_count = [&](const Message& what) {
    std::string names;
    for (const Arg& a : op.args) names += (names.empty() ? "" : ", ") + std::string(a.name);
    refuse(Code::value, op, {what, "; expected tensors ", names});
  };
  if (in.size() > op.args.size() && !op.args.variadic())
    refuse_count({"got ", in.size(), " tensors"});
  auto kinds = static_cast<unsigned>(TensorKind::plain);
  for (size_t i = 0; i < std::max(in.size(), op.args.size()); ++i) {
    if (i < in.size() && in[i].defined()) {
      kinds |= static_cast<unsigned>(in[i].impl()->kind);
    } else if (!op.args.of(i).optional && (i < in.size() || !op.args.of(i).variadic)) {
      refuse_count({op.args.of(i).name, " is missing"});
    }
  }
  return kinds != 0;
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

void refuse(Code code, const OpDef& op, const Message& message, const Message& expected,
            const Message& actual) {
  throw Error(code, op.name, message, expected, actual);
}

void refuse(const OpDef& op, const Status& s) {
  if (s.code == Code::unavailable && !*s.what) {
    refuse_missing_kernel(op, {Device::cuda, static_cast<uint8_t>(s.value)});
  }
  std::string message = s.what, place = " at position " + std::to_string(s.where);
  if (s.code == Code::index) {
    std::string range = "[" + std::to_string(s.least) + ", " + std::to_string(s.bound) + ")",
                value = std::to_string(s.value);
    refuse(s.code, op, message + " " + value + place + " is out of range " + range, range, value);
  }
  bool placed = s.where >= 0 && s.code != Code::resource && s.code != Code::unavailable;
  refuse(s.code, op, placed ? message + place : message);
}

void write(const OpDef& op, Inputs in, Inputs out, const Attrs& attrs) {
  write(op, in, out, attrs, [] {});
}

void write(const OpDef& op, Inputs in, Inputs out, const Attrs& attrs,
           FunctionRef<void()> written) {
  for (size_t i = 0; i < in.size(); ++i) {
    if (!takes(op, i, in[i])) refuse_kind(in[i], op.name);
  }
  for (const Tensor& t : out) {
    if (t.defined()) require_plain(t, op.name);
  }
  if (out.empty() || !out[0].defined()) refuse(Code::value, op, "there is no tensor to write");
  Device device = out[0].device();
  if (!op.kernels[device.kind]) refuse_missing_kernel(op, device);
  for (Inputs list : {in, out}) {
    for (const Tensor& t : list) {
      bool elsewhere = t.defined() && !t.impl()->meta.weak && !(t.impl()->meta.device == device);
      if (elsewhere && !op.crosses_devices) refuse_devices(op, device, t.device());
    }
  }
  auto raise_versions = [&] {
    for (const Tensor& t : out) {
      if (t.defined()) t.impl()->storage->version.fetch_add(1, std::memory_order_relaxed);
    }
  };
  auto run = [&] {
    if (!op.writes) raise_versions();  // if it fails it may have written
    run_own(op, in, out, attrs ? attrs->value : nullptr);
    if (op.writes) raise_versions();
    written();
  };
  if (!Observation::wanted()) [[likely]]
    return run();
  Observation seen(op, attrs, in, out, ObservedCall::written);
  run();
  seen.show(in, out);
}

Tensors apply_keeping(const OpDef& op, Inputs in, const Attrs& attrs) {
  return apply_unobserved(op, in, attrs, true);
}

Tensors apply(const OpDef& op, Inputs in, const Attrs& attrs) {
  if (!Observation::wanted()) [[likely]]
    return apply_unobserved(op, in, attrs);
  Observation seen(op, attrs, in, {}, ObservedCall::applied);
  Tensors out = apply_unobserved(op, in, attrs);
  seen.show(in, out);
  return out;
}

Tensor apply_one(const OpDef& op, Inputs in, const Attrs& attrs) {
  Tensors out = apply(op, in, attrs);
  return std::move(out[0]);
}

void set_kind_handler(TensorKind kind, KindHandler handler) {
  auto number = static_cast<size_t>(kind);
  if (kind == TensorKind::plain || number >= kMaxTensorKinds) {
    throw Error(Code::value, "set_kind_handler",
                {"expected a kind in [1, ", kMaxTensorKinds, "), got ", number});
  }
  KindHandler before = nullptr;
  if (kind_handlers[number].compare_exchange_strong(before, handler) || before == handler) return;
  throw Error(Code::value, "set_kind_handler",
              {"kind ", number, " has another handler; choose another number"});
}

Tensors run_as_recorded(const KindCall& call, FunctionRef<Tensors(std::span<const Meta>)> run) {
  const OpDef& op = call.op;
  bool composed = !op.view && !op.kernels[call.device.kind] && !op.batch;
  if (composed && !(op.vjp && grad_enabled() && any_tracked_inside(call.in))) {
    return run_composition(op, call.in, call.attrs);
  }
  auto metas = infer_results(op, call.in, call.attrs ? call.attrs->value : nullptr, call.device);
  Tensors out = run(metas);
  if (would_record(op, call.in)) {
    for (Tensor& t : out) t = untracked_alias(t);
    record(op, call.in, call.attrs, out);
  }
  if (!composed && !call.keep_hidden) out.resize(static_cast<size_t>(op.visible));
  return out;
}

}  // namespace gyre
