#include "gyre/tensor/tensor.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "gyre/base/error.h"
#include "gyre/base/system/child_process.h"
#include "gyre/op/apply.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/tensor/batched.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

TEST(Tensor, NewOnesAreContiguousAndAligned) {
  int64_t before = live_tensors();
  {
    Tensor t = empty(Shape{2, 3}, DType::f16);
    EXPECT_EQ(t.rank(), 2);
    EXPECT_EQ(t.numel(), 6);
    EXPECT_EQ(t.size(-1), 3);
    EXPECT_EQ(t.strides(), (Shape{3, 1}));
    EXPECT_TRUE(t.is_contiguous());
    EXPECT_EQ(t.impl()->storage->bytes, 12u);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(t.bytes()) % 64, 0u);
    EXPECT_EQ(live_tensors(), before + 1);
    Tensor copy = t;
    EXPECT_EQ(copy.impl(), t.impl());
    EXPECT_EQ(live_tensors(), before + 1);
  }
  EXPECT_EQ(live_tensors(), before);
}

TEST(Tensor, EmptyHandleHoldsNothing) {
  Tensor none;
  EXPECT_FALSE(none.defined());
  EXPECT_FALSE(none.tracked());
  EXPECT_FALSE(none.requires_grad());
  EXPECT_EQ(code_of([&] { none.shape(); }), Code::value);
  EXPECT_EQ(code_of([&] { none.numel(); }), Code::value);
  EXPECT_EQ(code_of([&] { none.size(0); }), Code::value);
  EXPECT_EQ(code_of([&] { none.item(); }), Code::value);
  EXPECT_EQ(code_of([&] { none.bytes(); }), Code::value);
  EXPECT_EQ(code_of([&] { none.data<float>(); }), Code::value);
  EXPECT_EQ(code_of([&] { none.grad(); }), Code::value);
  EXPECT_EQ(code_of([&] { none.set_grad({}); }), Code::value);
  EXPECT_EQ(code_of([&] { none.zero_grad(); }), Code::value);
  EXPECT_EQ(code_of([&] { none.detach(); }), Code::value);
  for (bool wanted : {false, true}) {
    EXPECT_EQ(code_of([&] { none.set_requires_grad(wanted); }), Code::value);
  }
}

static_assert(!std::is_constructible_v<bool, Tensor>, "`if (x < y)` must not compile");

TEST(Tensor, LiteralsAreWeak) {
  Tensor t = 2.5;
  EXPECT_EQ(t.rank(), 0);
  EXPECT_TRUE(t.meta().weak);
  EXPECT_EQ(t.dtype(), DType::f64);
  EXPECT_EQ(t.item(), 2.5);
  EXPECT_EQ(Tensor(true).dtype(), DType::boolean);
  EXPECT_EQ(Tensor(true).item(), 1);
  EXPECT_TRUE(Tensor(true).meta().weak && t.detach().meta().weak);
}

TEST(Tensor, ItemReadsEveryDtype) {
  for (int d = 0; d < kDTypes; ++d) {
    Tensor t = empty(Shape{1, 1}, static_cast<DType>(d));
    std::memset(t.bytes(), 0, size_of(t.dtype()));
    EXPECT_EQ(t.item(), 0) << name_of(t.dtype());
  }
  Tensor h = empty(Shape{}, DType::bf16);
  *h.data<bf16>() = to_bf16(-1.5f);
  EXPECT_EQ(h.item(), -1.5);
  Tensor i = empty(Shape{}, DType::i8);
  *i.data<int8_t>() = -7;
  EXPECT_EQ(i.item(), -7);
}

TEST(Tensor, ViewsShareStorageFromAnOffset) {
  Tensor t = empty(Shape{6}, DType::i32);
  for (int i = 0; i < 6; ++i) t.data<int32_t>()[i] = i;
  Tensor v = make_view(t, Shape{2}, Shape{3}, 1);
  EXPECT_EQ(v.impl()->storage.get(), t.impl()->storage.get());
  EXPECT_EQ(v.data<int32_t>()[0], 1);
  EXPECT_EQ(v.data<int32_t>()[3], 4);
  EXPECT_FALSE(v.is_contiguous());
}

TEST(Tensor, BorrowedMemoryIsReleasedOnce) {
  alignas(8) char bytes[32] = {};
  static int given_back;
  given_back = 0;
  Meta meta;
  meta.shape = Shape{4};
  meta.dtype = DType::f64;
  {
    Tensor t = borrow(bytes, meta, Shape{1}, &given_back,
                      [](void* owner) noexcept { ++*static_cast<int*>(owner); });
    Tensor view = make_view(t, Shape{2}, Shape{2}, 1);
    t = {};
    EXPECT_EQ(given_back, 0);
  }
  EXPECT_EQ(given_back, 1);
  { Tensor unowned = borrow(bytes, meta, Shape{1}, nullptr, nullptr); }
  auto refused = [&](const Shape& shape) {
    meta.shape = shape;
    return code_of([&] {
      borrow(bytes, meta, contiguous_strides(shape), &given_back,
             [](void* owner) noexcept { ++*static_cast<int*>(owner); });
    });
  };
  EXPECT_EQ(refused(Shape{-1}), Code::value);
  EXPECT_EQ(refused(Shape{int64_t{1} << 40, int64_t{1} << 40}), Code::resource);
  EXPECT_EQ(given_back, 1) << "after an error the caller keeps the memory";
}

#ifndef NDEBUG
TEST(TensorDeathTest, MisalignedElementsEndTheProgram) {
  Tensor t = empty(Shape{4});
  EXPECT_DEATH(
      {
        t.impl()->storage->data += 1;
        t.bytes();
      },
      "bytes\\(\\)");
}
#endif

TEST(Tensor, BorrowsNoMisalignedElements) {
  alignas(8) char bytes[16] = {};
  static int given_back;
  given_back = 0;
  Meta meta;
  meta.shape = Shape{1};
  for (DType dtype : {DType::u8, DType::f16, DType::f32, DType::f64}) {
    meta.dtype = dtype;
    for (size_t at = 0; at < 8; ++at) {
      auto take = [&] {
        borrow(bytes + at, meta, Shape{1}, &given_back,
               [](void* owner) noexcept { ++*static_cast<int*>(owner); });
      };
      int before = given_back;
      if (at % size_of(dtype) == 0) {
        take();
        EXPECT_EQ(given_back, before + 1);
      } else {
        EXPECT_EQ(error_of(take).code, Code::value);
        EXPECT_EQ(given_back, before);
      }
    }
  }
}

TEST(Tensor, RefusesWhatDoesNotFit) {
  Tensor t = empty(Shape{2, 3}), i = empty(Shape{2}, DType::i32);
  EXPECT_EQ(error_of([&] { t.size(2); }).code, Code::index);
  Error item = error_of([&] { t.item(); });
  EXPECT_EQ(item.code, Code::shape);
  EXPECT_EQ(item.actual, "[2, 3]");
  Error data = error_of([&] { t.data<double>(); });
  EXPECT_EQ(data.code, Code::dtype);
  EXPECT_EQ(data.expected, "f64");
  EXPECT_EQ(data.actual, "f32");
  EXPECT_EQ(error_of([&] { i.set_requires_grad(); }).code, Code::dtype);
  EXPECT_FALSE(i.set_requires_grad(false).requires_grad());
  EXPECT_EQ(error_of([&] { t.set_grad(i); }).code, Code::shape);
  EXPECT_EQ(error_of([] { empty(Shape{-2}); }).code, Code::value);
  EXPECT_EQ(error_of([] {
              empty(Shape{2}, DType::f32, Device{Device::cuda, 0});
            }).code,
            Code::unavailable);
  Tensor leaf = empty(Shape{}, DType::f32);
  *leaf.data<float>() = 1;
  leaf.set_requires_grad();
  Tensor result = neg(leaf);
  EXPECT_EQ(error_of([&] { result.set_requires_grad(); }).code, Code::value);
}

TEST(Tensor, GradientsAndDetaching) {
  Tensor t = empty(Shape{2});
  EXPECT_FALSE(t.grad().defined());
  t.set_requires_grad();
  EXPECT_TRUE(t.tracked());
  Tensor g = empty(Shape{2});
  t.set_grad(g);
  EXPECT_EQ(t.grad().impl(), g.impl());
  t.zero_grad();
  EXPECT_FALSE(t.grad().defined());
  Tensor d = t.detach();
  EXPECT_FALSE(d.tracked());
  EXPECT_EQ(d.bytes(), t.bytes());
}

TEST(Tensor, AGradientMatchesItsTensor) {
  Tensor x = empty({2}, DType::f32);
  EXPECT_EQ(code_of([&] { x.set_grad(empty({2}, DType::f16)); }), Code::dtype);
  EXPECT_EQ(code_of([&] { x.set_grad(empty({2}, DType::i32)); }), Code::dtype);
  EXPECT_EQ(code_of([&] { x.set_grad(empty({3}, DType::f32)); }), Code::shape);
  Tensor elsewhere = empty({2}, DType::f32);
  elsewhere.impl()->meta.device = {Device::cuda, 0};
  EXPECT_EQ(code_of([&] { x.set_grad(elsewhere); }), Code::device);
  elsewhere.impl()->meta.device = {};
  EXPECT_FALSE(x.grad().defined());
  x.set_grad(empty({2}, DType::f32));
  EXPECT_TRUE(x.grad().defined());
  x.set_grad({});
  EXPECT_FALSE(x.grad().defined());
}

TEST(Batched, SlicesHaveTheLayoutOfTheBatch) {
  double memory[24] = {};
  const Meta meta{{4, 3, 2}, DType::f64, {Device::cuda, 1}, false};
  Tensor slices = make_batched(borrow(memory, meta, {6, 1, 3}, nullptr, nullptr), 5);
  EXPECT_EQ(slices.shape(), (Shape{3, 2}));
  EXPECT_EQ(slices.strides(), (Shape{1, 3}));
  EXPECT_EQ(slices.dtype(), DType::f64);
  EXPECT_EQ(slices.device(), meta.device);
  EXPECT_TRUE(is_batched(slices) && batched_storage(slices).level == 5);
  EXPECT_EQ(all_slices(make_batched(slices, 6)).shape(), meta.shape);
}

TEST(Device, NamesBothWays) {
  EXPECT_EQ(device_of("cpu"), Device{});
  EXPECT_EQ(device_of("cuda"), (Device{Device::cuda, 0}));
  EXPECT_EQ(device_of("cuda:3"), (Device{Device::cuda, 3}));
  EXPECT_EQ(to_string(Device{Device::cuda, 3}), "cuda:3");
  EXPECT_EQ(to_string(Device{}), "cpu");
  for (const char* name : {"", "gpu", "cuda:", "cuda:x", "cuda:1x", "cuda:256", "CPU"}) {
    EXPECT_EQ(error_of([&] { device_of(name); }).code, Code::device) << name;
  }
}

// GYRE_DEVICE is read once per process, so this test runs itself in child processes.
TEST(Device, TheEnvironmentChoosesTheDefault) {
  const char* given = std::getenv("GYRE_DEVICE");
  const std::string before = given ? given : "-";
  if (before == "gpu" || before == "cuda:7") {
    Error e = error_of([] { default_device(); });
    EXPECT_EQ(e.code, before == "gpu" ? Code::device : Code::unavailable);
    EXPECT_EQ(e.op, "GYRE_DEVICE");
    return;
  }
  EXPECT_EQ(default_device(), Device{});
  if (before.empty()) return;
  for (const char* device : {"", "gpu", "cuda:7"}) {
    ::setenv("GYRE_DEVICE", device, 1);
    const std::string self[] = {std::filesystem::read_symlink("/proc/self/exe").string(),
                                "--gtest_filter=Device.TheEnvironmentChoosesTheDefault"};
    ChildProcess child(self);
    given ? ::setenv("GYRE_DEVICE", before.c_str(), 1) : ::unsetenv("GYRE_DEVICE");
    const std::string said = child.read_all();
    EXPECT_EQ(child.wait(), 0) << said;
  }
}

TEST(Device, OnlyThoseThatAreThereCanBeTheDefault) {
  EXPECT_EQ(default_device(), Device{});
  EXPECT_EQ(Device::best(), Device{});
  EXPECT_EQ(device_of("best"), Device{});
  EXPECT_EQ(available_devices().size(), 1u);
  EXPECT_EQ(available_devices()[0], Device{});
  Error e = error_of([] { set_default_device({Device::cuda, 1}); });
  EXPECT_EQ(e.code, Code::unavailable);
  EXPECT_NE(std::string(e.what()).find("cuda:1 is not available; available: cpu"),
            std::string::npos)
      << e.what();
  EXPECT_EQ(default_device(), Device{});
}

}  // namespace
}  // namespace gyre
