#include <gtest/gtest.h>

#include <string_view>

#include "gyre/autograd/backward.h"
#include "gyre/autograd/test_ops.h"
#include "gyre/op/call_observer.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"

namespace gyre {
namespace {

using testing::leaf;

TEST(Accumulate, AddsInPlaceWhereNobodySeesIt) {
  struct Adds final : CallObserver {
    void call(const ObservedCall& c) override {
      const bool is_add = std::string_view(c.op.name) == "add";
      written += is_add && c.kind == ObservedCall::written;
      applied += is_add && c.kind == ObservedCall::applied;
    }
    int written = 0, applied = 0;
  };
  for (const Shape& shape : {Shape{2}, Shape{1, 2}}) {
    Tensor x = leaf({1, 2}, shape), h = exp(x), y = h * 2.0, z = h * 3.0;
    Adds seen;
    {
      ThreadObserver scope(seen);
      backward(Tensors{y, z}, Tensors{ones_like(y), ones_like(z)});
    }
    EXPECT_EQ(seen.written, 1);
    EXPECT_EQ(seen.applied, 0);
    h = exp(x);
    ThreadObserver scope(seen);
    backward(Tensors{h}, Tensors{ones_like(h)});
    EXPECT_EQ(seen.written, 2) << "into the gradient of the leaf";
    EXPECT_EQ(seen.applied, 0);
  }
}

}  // namespace
}  // namespace gyre
