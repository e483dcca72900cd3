// The example of docs/add_a_kernel.md: an op whose kernel runs on every device, and a device's own
// run for it.
#include <gtest/gtest.h>

#include <atomic>

#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/ops/create/create.h"
#include "tests/conformance/far/far.h"

namespace gyre::conformance {
namespace {

// What a run needs: addresses, sizes and numbers, but no element.
struct CubePlan {
  const float* x;
  float* out;
  int64_t size;
};

// The run for memory of the host: reads and writes elements and decides nothing.
Status run_cube(const CubePlan& p) noexcept {
  for (int64_t i = 0; i < p.size; ++i) p.out[i] = p.x[i] * p.x[i] * p.x[i];
  return {};
}

// The kernel, for every device: plans from shapes and addresses, then launches.
Status cube_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  CubePlan plan{reinterpret_cast<const float*>(args.in[0].data),
                reinterpret_cast<float*>(args.out[0].data), numel(args.out[0].shape)};
  return launch<run_cube>(op, args, plan);
}

void cube_infer(const OpDef& op, const void*, Inputs in, std::span<Meta> out) {
  if (in[0].dtype() != DType::f32 || !in[0].is_contiguous()) {
    refuse(Code::unsupported, op, "expected a contiguous f32 tensor");
  }
  out[0].shape = in[0].shape();
}

constinit const OpDef cube_def{.name = "cube",
                               .doc = "x * x * x",
                               .infer = cube_infer,
                               .kernels = on_every_device(cube_kernel)};

std::atomic<int> cubes_on_far{0};

// The same run on the device, where a CUDA kernel would be launched.
Status cube_on_far(const DeviceRun& run) noexcept {
  ++cubes_on_far;
  return run_cube(*static_cast<const CubePlan*>(run.plan));
}

constexpr DeviceKernel kKernels[] = {
    {"cube", Pass::forward, cube_on_far},
};

TEST(FarDevice, RunsItsOwnKernels) {
  FarDevice device(kKernels);
  Tensor x = to_far(arange(0, 5)), y = apply_one(cube_def, {x});
  EXPECT_EQ(to_vector<float>(y), (std::vector<float>{0, 1, 8, 27, 64}));
  EXPECT_EQ(cubes_on_far, 1);
  Tensor here = apply_one(cube_def, {arange(0, 5)});
  EXPECT_EQ(to_vector<float>(here), to_vector<float>(y));
  EXPECT_EQ(cubes_on_far, 1);
}

TEST(FarDevice, NamesOpAndDeviceOfAMissingRun) {
  Tensor x;
  {
    FarDevice device;
    x = to_far(arange(0, 5));
  }
  FarDevice device({}, FarDevice::Others::absent);
  try {
    (void)apply_one(cube_def, {x});
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_EQ(e.code, Code::unavailable);
    EXPECT_STREQ(e.what(), "cube: there is no kernel for cuda:0");
  }
}

}  // namespace
}  // namespace gyre::conformance
