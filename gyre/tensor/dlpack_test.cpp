#include "gyre/tensor/dlpack.h"

#include <gtest/gtest.h>

#include "tests/thrown.h"

namespace gyre {
namespace {

TEST(DLPack, RoundTripsWithoutACopy) {
  int64_t before = live_tensors();
  for (int d = 0; d < kDTypes; ++d) {
    Tensor x = empty({2, 3, 4}, static_cast<DType>(d));
    Tensor part = make_view(x, {4, 2}, {1, 12}, 4);
    Tensor back = from_dlpack(to_dlpack(part)), again = from_dlpack(to_dlpack_versioned(back));
    for (const Tensor& t : {back, again}) {
      EXPECT_EQ(t.bytes(), part.bytes());
      EXPECT_EQ(t.shape(), part.shape());
      EXPECT_EQ(t.strides(), part.strides());
      EXPECT_EQ(t.dtype(), part.dtype());
    }
  }
  EXPECT_EQ(live_tensors(), before);
}

TEST(DLPack, KeepsMemoryUntilItIsReleased) {
  int64_t before = live_tensors();
  dlpack::Managed* out;
  {
    Tensor x = empty({3}, DType::f64);
    x.data<double>()[2] = 7;
    out = to_dlpack(x);
  }
  EXPECT_EQ(static_cast<double*>(out->array.data)[2], 7);
  out->release(out);
  EXPECT_EQ(live_tensors(), before);
}

// An array of another library that counts its releases.
struct Theirs {
  alignas(64) float numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  int64_t shape[20] = {2, 2}, strides[2] = {4, 1};
  int released = 0;
  dlpack::VersionedManaged managed{
      1,    1,
      this, [](dlpack::VersionedManaged* m) {
                                     ++static_cast<Theirs*>(m->context)->released; },
      0,    {numbers, {}, 2, {2, 32, 1}, shape, strides, 8}};
};

TEST(DLPack, ImportsForeignArrays) {
  Theirs theirs;
  Tensor x = from_dlpack(&theirs.managed);
  EXPECT_EQ(x.data<float>(), theirs.numbers + 2);
  EXPECT_EQ(x.strides(), (Shape{4, 1}));
  x = {};
  EXPECT_EQ(theirs.released, 1);
  theirs.managed.array.strides = nullptr;
  EXPECT_EQ(from_dlpack(&theirs.managed).strides(), (Shape{2, 1}));
}

TEST(DLPack, RejectsUnsupportedArrays) {
  const auto refused = [](auto change) {
    Theirs theirs;
    change(theirs.managed);
    Code code = code_of([&] { from_dlpack(&theirs.managed); });
    EXPECT_EQ(theirs.released, 0);
    return code;
  };
  using M = dlpack::VersionedManaged;
  EXPECT_EQ(refused([](M& m) { m.array.dtype = {5, 64, 1}; }), Code::dtype);
  EXPECT_EQ(refused([](M& m) { m.array.dtype.lanes = 4; }), Code::dtype);
  EXPECT_EQ(refused([](M& m) { m.array.dtype.bits = 128; }), Code::dtype);
  EXPECT_EQ(refused([](M& m) { m.array.device.type = 2; }), Code::unavailable);
  EXPECT_EQ(refused([](M& m) { m.array.rank = 17; }), Code::shape);
  EXPECT_EQ(refused([](M& m) { m.array.data = nullptr; }), Code::value);
  EXPECT_EQ(refused([](M& m) { m.array.strides[0] = -1; }), Code::value);
  EXPECT_EQ(refused([](M& m) { m.array.shape[0] = -1; }), Code::value);
  EXPECT_EQ(refused([](M& m) { m.array.byte_offset = 2; }), Code::value);
  EXPECT_EQ(refused([](M& m) { m.major = 2; }), Code::value);
  EXPECT_EQ(refused([](M& m) { m.flags = dlpack::kReadOnly; }), Code::value);
}

}  // namespace
}  // namespace gyre
