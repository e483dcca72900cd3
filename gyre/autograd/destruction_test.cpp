#include <gtest/gtest.h>
#include <pthread.h>

#include <cmath>

#include "gyre/autograd/backward.h"
#include "gyre/autograd/test_ops.h"
#include "gyre/base/system/memory.h"
#include "gyre/op/node.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "tests/fewer.h"

namespace gyre {
namespace {

using testing::leaf;
using testing::of;

constexpr int kLong = fewer(1000000);

// AddressSanitizer holds freed memory back for a while.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kQuarantine = true;
#elif defined(__has_feature)
constexpr bool kQuarantine = __has_feature(address_sanitizer);
#else
constexpr bool kQuarantine = false;
#endif

// Runs a function on a stack of 256 KiB, too small for one frame per node of a million.
void on_a_small_stack(void (*function)()) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, 256 << 10), 0);
  pthread_t thread;
  auto run = [](void* f) -> void* {
    reinterpret_cast<void (*)()>(f)();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, reinterpret_cast<void*>(function)), 0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
  pthread_attr_destroy(&attributes);
}

void expect_all_gone(void (*function)()) {
  int64_t tensors = live_tensors(), objects = live_objects();
  on_a_small_stack(function);
  EXPECT_EQ(live_tensors(), tensors);
  EXPECT_EQ(live_objects(), objects);
}

// The history is held by nodes only.
Tensor chain_of_edges(const Tensor& x, int length) {
  Tensor step = of({1}), y = x;
  for (int i = 0; i < length; ++i) y = y + step;
  return y;
}

// The history is also held by saved tensors.
Tensor chain_of_saved(const Tensor& x, int length) {
  Tensor y = x;
  for (int i = 0; i < length; ++i) y = y * y;
  return y;
}

TEST(Destruction, LongChainDroppedWithoutBackward) {
  expect_all_gone([] { chain_of_edges(leaf({1}), kLong); });
  expect_all_gone([] { chain_of_saved(leaf({1}), kLong / 5); });
}

TEST(Destruction, LongChainAfterBackward) {
  expect_all_gone([] {
    Tensor x = leaf({1});
    chain_of_edges(x, kLong).backward();
    EXPECT_EQ(x.grad().item(), 1);
  });
  expect_all_gone([] {
    Tensor x = leaf({1});
    chain_of_saved(x, 1000).backward();
    EXPECT_EQ(x.grad().item(), std::ldexp(1.0, 1000));
  });
}

TEST(Destruction, LongChainAfterARetainedBackward) {
  expect_all_gone([] {
    Tensor x = leaf({1});
    chain_of_edges(x, kLong / 5).backward(true);
    EXPECT_EQ(x.grad().item(), 1);
  });
}

TEST(Destruction, LongChainOfGradients) {
  expect_all_gone([] {
    Tensor x = leaf({0.5});
    Tensor y = x;
    for (int i = 0; i < 20000; ++i) y = sin(y);
    Tensor d = grad(y, x, {.create_graph = true});
    EXPECT_TRUE(d.tracked());
  });
}

TEST(Destruction, AnErrorInTheMiddleFreesTheRest) {
  expect_all_gone([] {
    Tensor x = leaf({1});
    Tensor y = chain_of_edges(testing::failing(chain_of_edges(x, 1000)), 1000);
    EXPECT_THROW(y.backward(), Error);
  });
}

TEST(Destruction, DroppedLossesLeaveMemoryFlat) {
  Tensor x = leaf({1, 2, 3});
  auto lose = [&] {
    Tensor y = x;
    for (int i = 0; i < 10; ++i) y = tanh(y * x) + x;
  };
  for (int i = 0; i < 100; ++i) lose();
  int64_t tensors = live_tensors(), objects = live_objects();
  size_t resident = resident_bytes();
  for (int i = 0; i < 10000; ++i) lose();
  EXPECT_EQ(live_tensors(), tensors);
  EXPECT_EQ(live_objects(), objects);
  if (!kQuarantine) {
    EXPECT_LE(resident_bytes(), resident + (1 << 20));
  }
}

}  // namespace
}  // namespace gyre
