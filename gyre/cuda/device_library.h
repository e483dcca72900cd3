#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "gyre/base/status.h"

namespace gyre {

/// The computation of an op that a run does.
enum class Pass : uint8_t { forward, gradient };

/// A planned part of a call of an op (op/launch.h), to be run on a device.
struct DeviceRun {
  const char* op;  ///< name of the op
  Pass pass;
  int device;
  const void* plan;  ///< of the op and pass; with all it points to valid until run() returns
  Status (*on_cpu)(const void* plan) noexcept;  ///< the run for memory of the host
};

/// What makes devices other than the CPU usable: their memory and runs. Its functions may be called
/// from any thread.
struct DeviceLibrary {
  const char* name;
  /// Number of devices; 0: none can be used.
  int (*count)() noexcept;
  /// Memory of a device aligned to 64 bytes; null: there is none left.
  void* (*allocate)(size_t bytes, int device) noexcept;
  /// The memory may still be used by runs that have not ended.
  void (*release)(void* memory, size_t bytes, int device) noexcept;
  /// Copies bytes of a device to the host when all work before is done.
  Status (*read)(void* to, const void* from, size_t bytes, int device) noexcept;
  /// Copies bytes of the host, which may change once it returns, to a device after all work before.
  Status (*write)(void* to, const void* from, size_t bytes, int device) noexcept;
  /// Runs come after each other. One that reads or writes memory of the host, such as a copy to or
  /// from it, or whose op can fail by values (indices out of range) ends before this returns;
  /// others may end later. Status unavailable without a text if the library lacks the run.
  Status (*run)(const DeviceRun& run) noexcept;
};

/// A run of a library: its own code for the plans of an op.
struct DeviceKernel {
  const char* op;
  Pass pass;
  Status (*run)(const DeviceRun& run) noexcept;
};
/// Runs a plan by the kernel of its op and pass; Status unavailable without a text if there is
/// none.
Status run_by_table(std::span<const DeviceKernel> kernels, const DeviceRun& run) noexcept;

/// The library in use; null: the CPU is the only device.
const DeviceLibrary* device_library() noexcept;
/// Uses a library from now on; nullptr: none. Tensors on its devices must not outlive it.
void set_device_library(const DeviceLibrary* library) noexcept;

}  // namespace gyre
