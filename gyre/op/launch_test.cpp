#include "gyre/op/launch.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <utility>

#include "gyre/op/apply.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

// A library of one device, whose memory is that of the host.
constexpr DeviceKernel kKernels[] = {
    {"exp", Pass::forward,
     [](const DeviceRun&) noexcept -> Status {
       return {.failed = true, .code = Code::numeric, .what = "the first"};
     }},
    {"log", Pass::gradient,
     [](const DeviceRun& run) noexcept -> Status { return run.on_cpu(run.plan); }}};
int live = 0;
bool is_full = false;
constexpr DeviceLibrary kLibrary{
    .name = "near",
    .count = []() noexcept { return 1; },
    .allocate = [](size_t bytes, int) noexcept -> void* {
      if (is_full || bytes == 0) return nullptr;
      ++live;
      return std::malloc(bytes);
    },
    .release =
        [](void* memory, size_t, int) noexcept {
          --live;
          std::free(memory);
        },
    .read = [](void* to, const void* from, size_t bytes, int) noexcept -> Status {
      if (is_full) return {.failed = true, .code = Code::resource, .what = "no way to the host"};
      std::memcpy(to, from, bytes);
      return {};
    },
    .write = [](void* to, const void* from, size_t bytes, int) noexcept -> Status {
      std::memcpy(to, from, bytes);
      return {};
    },
    .run = [](const DeviceRun& run) noexcept -> Status { return run_by_table(kKernels, run); }};

struct Near {
  Near() { set_device_library(&kLibrary); }
  ~Near() { set_device_library(nullptr); }
};

constexpr Device kNear{Device::cuda, 0};

struct Plan {
  int* seen;
};
Status run_plan(const Plan& plan) noexcept {
  ++*plan.seen;
  return {};
}

TEST(Launch, RunsAPlanOnTheHostOrByTheKernelOfItsOpAndPass) {
  Near library;
  int seen = 0;
  const auto on = [&](const char* op, Pass pass, Device device) {
    const OpDef def{.name = op};
    return launch<run_plan>(def, {.device = device}, Plan{&seen}, pass);
  };
  EXPECT_FALSE(on("exp", Pass::forward, {}).failed);
  EXPECT_EQ(seen, 1);
  EXPECT_STREQ(on("exp", Pass::forward, kNear).what, "the first");
  EXPECT_FALSE(on("log", Pass::gradient, kNear).failed);
  EXPECT_EQ(seen, 2);
  for (const auto& [op, pass] : {std::pair("log", Pass::forward), {"exp", Pass::gradient}}) {
    const Status absent = on(op, pass, kNear);
    EXPECT_TRUE(absent.failed && absent.code == Code::unavailable) << op;
    EXPECT_STREQ(absent.what, "");
  }
  EXPECT_EQ(seen, 2);
}

TEST(Launch, ADeviceThatIsNotThereIsUnavailable) {
  const OpDef op{.name = "exp"};
  int seen = 0;
  const auto status = [&](uint8_t index) {
    return launch<run_plan>(op, {.device = {Device::cuda, index}}, Plan{&seen});
  };
  EXPECT_EQ(status(0).code, Code::unavailable);
  EXPECT_STREQ(status(0).what, "the device is not available");
  Near library;
  EXPECT_EQ(status(0).code, Code::numeric);
  EXPECT_EQ(status(0).value, 0);
  for (uint8_t index : {1, 2}) EXPECT_STREQ(status(index).what, "the device is not available");
  EXPECT_EQ(seen, 0);
}

TEST(DeviceMemory, GoesBackAndItsFailuresAreErrors) {
  Near library;
  {
    Tensor t = empty(Shape{2}, DType::f32, kNear), none = empty(Shape{0}, DType::f32, kNear);
    EXPECT_EQ(live, 1);
    EXPECT_EQ(t.impl()->storage->device, kNear);
    EXPECT_FALSE(t.readable());
    float two[] = {3, 4}, back[2] = {};
    std::memcpy(t.impl()->bytes(), two, sizeof two);
    read_bytes(t, back, sizeof back);
    EXPECT_EQ(back[1], 4);
    is_full = true;
    EXPECT_EQ(message_of(Code::resource, [&] { read_bytes(t, back, 8); }),
              "read: no way to the host");
    EXPECT_EQ(message_of(Code::resource, [] { empty(Shape{3}, DType::f32, kNear); }),
              "allocate: cannot allocate 12 bytes on cuda:0");
    is_full = false;
  }
  EXPECT_EQ(live, 0);
  EXPECT_EQ(code_of([] { empty(Shape{3}, DType::f32, {Device::cuda, 1}); }), Code::unavailable);
}

}  // namespace
}  // namespace gyre
