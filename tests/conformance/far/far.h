#pragma once
#include <cstdint>

#include "gyre/cuda/device_library.h"
#include "gyre/tensor/tensor.h"

namespace gyre::conformance {

/// The test device `cuda:0`, while an object of this class exists: its library runs the kernels it
/// is given and for others those of the CPU, unless they are to be absent; a second type of plan of
/// an op and pass fails. Its memory is inaccessible (PROT_NONE) except while a run works. What
/// touches an element of a far tensor while it plans, or outside of a run, ends the program.
class FarDevice {
 public:
  enum class Others : uint8_t { on_cpu, absent };
  explicit FarDevice(std::span<const DeviceKernel> kernels = {}, Others others = Others::on_cpu);
  ~FarDevice();
  FarDevice(const FarDevice&) = delete;
  FarDevice& operator=(const FarDevice&) = delete;

  static constexpr Device kDevice{Device::cuda, 0};
};

/// Counts since the start of the program.
struct FarCounts {
  int64_t runs = 0;       ///< of all ops, copies included
  int64_t uploads = 0;    ///< copies from the host
  int64_t downloads = 0;  ///< copies to the host
  int64_t live = 0;       ///< bytes allocated now
};
FarCounts far_counts();

/// The same elements in the same layout on the test device, without history.
Tensor to_far(const Tensor& t);
/// A contiguous copy on the host.
Tensor to_near(const Tensor& t);

}  // namespace gyre::conformance
