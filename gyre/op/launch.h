#pragma once
#include <exception>

#include "gyre/cuda/device_library.h"
#include "gyre/op/op_def.h"

// The two halves of a kernel. A kernel is a host function: it works out a plan (a struct of host
// integers, strides, addresses, and pointers to attributes and definitions; it owns none of them,
// and all live as long as the call) from the shapes, attributes and addresses of a call, without
// reading an element. It is declared in a header, for the runs of devices. The kernel then
// launches a run of the plan, on the device of the call: a function that reads and writes elements
// and decides nothing else. So kernels serve every device, and only runs are written for each of
// them. Ops over lists of tensors have no smaller plan than the call: theirs is the KernelArgs
// (optim/rules/optim_ops.h).

namespace gyre {

/// Runs a plan by the library of the device. Status unavailable if there is none.
Status launch_elsewhere(Device device, const DeviceRun& run) noexcept;

/// Runs a plan on the device of a call: on the CPU by `run`, a function Status(const P&) noexcept.
template <auto run, class P>
[[gnu::always_inline]] inline Status launch(const OpDef& op, const KernelArgs& args, const P& plan,
                                            Pass pass = Pass::forward) noexcept {
  if (args.device.kind == Device::cpu) [[likely]]
    return run(plan);
  return launch_elsewhere(args.device,
                          {op.name, pass, args.device.index, &plan,
                           [](const void* p) noexcept { return run(*static_cast<const P*>(p)); }});
}

/// Runs a kernel body and converts its exceptions to a Status. They mean out of memory
/// (thread_scratch or a container), since infer() checked all else: Code::resource.
Status run_or_report(auto run) noexcept {
  try {
    run();
    return {};
  } catch (const std::exception&) {
    return {true, Code::resource, 0, 0, "no memory for scratch"};
  }
}

/// The kernels of an op whose kernel launches runs, or moves elements by kernel/copy.h alone.
constexpr Kernels on_every_device(Kernel kernel) {
  Kernels all;
  all.fill(kernel);
  return all;
}

}  // namespace gyre
