#include "gyre/op/apply.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

#include "gyre/autograd/backward.h"
#include "gyre/op/call_observer.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/norm/norm.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/tensor/allocator.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

constexpr Arg kX[] = {{"x"}};
constexpr Arg kXMaybe[] = {{"x"}, {"y", true}};
constexpr const char* kOut[] = {"out"};

void infer_like_x(const OpDef&, const void*, Inputs in, std::span<Meta> out) {
  out[0] = in[0].meta();
}

OpDef op_with(Kernel kernel) {
  OpDef d;
  d.name = "probe";
  d.args = kX;
  d.outputs = kOut;
  d.infer = infer_like_x;
  d.kernels[Device::cpu] = kernel;
  d.is_discrete = true;
  return d;
}

Tensor three() {
  Tensor t = empty(Shape{3}, DType::f64);
  for (int i = 0; i < 3; ++i) t.data<double>()[i] = i;
  return t;
}

TEST(Apply, RefusesAWrongNumberOfOperands) {
  OpDef op = op_with([](const OpDef&, const KernelArgs&) noexcept -> Status { return {}; });
  Tensor x = three();
  Tensor two[] = {x, x};
  EXPECT_EQ(message_of(Code::value, [&] { apply(op, two); }),
            "probe: got 2 tensors; expected tensors x");
  EXPECT_EQ(error_of([&] { apply(op, {}); }).code, Code::value);
  Tensor none[1];
  Error e = error_of([&] { apply(op, none); });
  EXPECT_EQ(e.code, Code::value);
  EXPECT_EQ(e.op, "probe");
  op.args = kXMaybe;
  Tensor absent[] = {x, Tensor()};
  EXPECT_EQ(apply(op, absent).size(), 1u);
  EXPECT_EQ(apply(op, {&x, 1}).size(), 1u);
  EXPECT_EQ(message_of(Code::value, [&] { apply(op, none); }),
            "probe: x is missing; expected tensors x, y");
  constexpr Arg kMany[] = {{"list", false, true}};
  op.args = kMany;
  EXPECT_FALSE(check_operands(op, {}));
  EXPECT_FALSE(check_operands(op, two));
  EXPECT_EQ(code_of([&] { check_operands(op, none); }), Code::value);
}

TEST(Apply, RefusesOperandsOnDifferentDevicesButNotLiterals) {
  OpDef op = op_with([](const OpDef&, const KernelArgs&) noexcept -> Status { return {}; });
  op.args = kXMaybe;
  double place = 0;
  Meta elsewhere;
  elsewhere.shape = Shape{1};
  elsewhere.dtype = DType::f64;
  elsewhere.device = {Device::cuda, 1};
  Tensor far = borrow(&place, elsewhere, Shape{1}, nullptr, nullptr), x = three();
  Tensor both[] = {x, far};
  Error e = error_of([&] { apply(op, both); });
  EXPECT_EQ(e.code, Code::device);
  EXPECT_EQ(e.expected, "cpu");
  EXPECT_EQ(e.actual, "cuda:1");
  Tensor literal[] = {x, Tensor(2.0)};
  EXPECT_EQ(apply(op, literal).size(), 1u);
  op.args = kX;
  EXPECT_EQ(error_of([&] { apply(op, {&far, 1}); }).code, Code::unavailable);  // no kernel
}

TEST(Apply, ThrowsTheErrorOfTheKernel) {
  Tensor x = three();
  int64_t tensors = live_tensors();
  OpDef index = op_with([](const OpDef&, const KernelArgs&) noexcept -> Status {
    return {true, Code::index, 4, 9, "row", 3};
  });
  Error e = error_of([&] { apply(index, {&x, 1}); });
  EXPECT_EQ(e.code, Code::index);
  EXPECT_STREQ(e.what(), "probe: row 9 at position 4 is out of range [0, 3)");
  EXPECT_EQ(e.expected, "[0, 3)");
  EXPECT_EQ(e.actual, "9");
  OpDef value = op_with([](const OpDef&, const KernelArgs&) noexcept -> Status {
    return {true, Code::numeric, 2, 0, "infinite"};
  });
  EXPECT_STREQ(error_of([&] { apply(value, {&x, 1}); }).what(), "probe: infinite at position 2");
  const auto message = [&](const Status& s) {
    return message_of(s.code, [&] { check(value, s); });
  };
  EXPECT_EQ(message({true, Code::value, 0, 0, "odd"}), "probe: odd at position 0");
  EXPECT_EQ(message({true, Code::value, -1, 0, "odd"}), "probe: odd");
  EXPECT_EQ(message({true, Code::resource, 0, 0, "no memory"}), "probe: no memory");
  EXPECT_EQ(message({true, Code::unavailable, 0, 0, "gone"}), "probe: gone");
  EXPECT_EQ(message({true, Code::unavailable, 0, 1, ""}), "probe: there is no kernel for cuda:1");
  EXPECT_EQ(live_tensors(), tensors);
  check(index, Status{});
}

TEST(Apply, WithoutKernelOrCompositionIsUnsupported) {
  OpDef op = op_with(nullptr);
  Tensor x = three();
  Error e = error_of([&] { apply(op, {&x, 1}); });
  EXPECT_EQ(e.code, Code::unavailable);
  EXPECT_EQ(e.op, "probe");
}

TEST(Apply, ErrorsOfPartsNameTheOp) {
  OpDef op = op_with(nullptr);
  op.compose = [](const OpDef&, const void*, Inputs in) -> Tensors {
    return {softmax(in[0], {5})};
  };
  Tensor x = three();
  Error e = error_of([&] { apply(op, {&x, 1}); });
  EXPECT_EQ(e.op, "probe");
  EXPECT_EQ(e.code, Code::index);
  EXPECT_NE(std::string(e.what()).find("softmax"), std::string::npos);
  EXPECT_EQ(e.actual, "5");
}

TEST(Apply, ScratchComesFromTheAllocatorAndIsFreed) {
  static size_t seen;
  OpDef op = op_with([](const OpDef&, const KernelArgs& a) noexcept -> Status {
    seen = reinterpret_cast<uintptr_t>(a.scratch) % 64;
    for (int i = 0; i < 1000; ++i) a.scratch[i] = std::byte{1};
    return {};
  });
  op.scratch = [](const void*, Inputs) -> size_t { return 1000; };
  Tensor x = three();
  size_t before = allocator::stats().in_use;
  seen = 99;
  apply(op, {&x, 1});
  EXPECT_EQ(seen, 0u);
  EXPECT_EQ(allocator::stats().in_use, before);
}

// A result that is an operand gets no history: the caller's handle would have it too.
TEST(Apply, ACompositionMayReturnItsOperands) {
  constexpr Arg kXY[] = {{"x"}, {"y"}};
  constexpr const char* kBoth[] = {"a", "b"};
  OpDef op = op_with(nullptr);
  op.args = kXY;
  op.outputs = kBoth;
  op.is_discrete = false;
  op.compose = [](const OpDef&, const void*, Inputs in) -> Tensors { return {in[0], in[1]}; };
  op.vjp = [](const VjpArgs& a) -> Tensors { return {a.grad[0] * Tensor(3.0), a.grad[1]}; };
  Tensor x = three().set_requires_grad(), y = three(), in[] = {x, y};
  Tensors out = apply(op, in);
  EXPECT_FALSE(node_of(x) || y.tracked());
  EXPECT_TRUE(node_of(out[0]) && node_of(out[1]));
  EXPECT_NE(out[0].impl(), x.impl());
  backward({&out[0], 1}, {&y, 1});
  EXPECT_EQ(x.grad().data<double>()[2], 6);
}

// Names and times of the calls it saw.
struct Seen final : CallObserver {
  Seen() { add_call_observer(*this); }
  ~Seen() { remove_call_observer(*this); }
  void call(const ObservedCall& call) override {
    names += std::string(call.op.name) + " ";
    operands += call.in.size() + call.out.size();
    EXPECT_GE(call.own, 0);
    EXPECT_GE(call.nanoseconds, call.own);
    last = call.nanoseconds;
    own += call.own;
  }
  std::string names;
  size_t operands = 0;
  int64_t last = 0, own = 0;
};

TEST(Apply, ObserversSeeEveryCall) {
  Tensor x = three();
  auto seen = std::make_unique<Seen>();
  exp(x);
  {
    Seen second;
    transpose(x + x, 0, 0);
    EXPECT_EQ(second.names, "add transpose ");
    Seen third;
    exp(x);
    EXPECT_EQ(third.names, "exp ");
    EXPECT_EQ(second.names, "add transpose exp ");
  }
  log(x);
  EXPECT_EQ(seen->names, "exp add transpose exp log ");
  EXPECT_EQ(seen->operands, 2u + 3u + 2u + 2u + 2u);
  seen.reset();
  exp(x);
}

// Removes itself while another thread is in a call of another one.
struct Leaving final : CallObserver {
  Leaving() { add_call_observer(*this); }
  ~Leaving() { remove_call_observer(*this); }
  void call(const ObservedCall&) override {
    if (std::this_thread::get_id() != thread.load()) return;
    for (++inside; inside < 2;) std::this_thread::yield();
    remove_call_observer(*this);
    ++calls;
  }
  static inline std::atomic<int> inside;
  std::atomic<std::thread::id> thread;
  int calls = 0;
};

TEST(Apply, ObserversOnTwoThreadsRemoveThemselves) {
  Leaving first, second;
  auto run = [](Leaving& observer) {
    observer.thread = std::this_thread::get_id();
    Tensor x = three();
    exp(x);
    exp(x);
    EXPECT_EQ(observer.calls, 1);
  };
  std::thread other([&] { run(first); });
  run(second);
  other.join();
}

TEST(Apply, ARemovedObserverIsNotCalledAnyMore) {
  struct Slow final : CallObserver {
    void call(const ObservedCall&) override {
      ++begun;
      for (int i = 0; i < 1000; ++i) std::this_thread::yield();
      ++done;
    }
    std::atomic<int> begun = 0, done = 0;
  } slow;
  add_call_observer(slow);
  Tensor x = three();
  std::thread other([&] {
    for (int i = 0; i < 3; ++i) exp(x);
  });
  while (slow.begun == 0) std::this_thread::yield();
  remove_call_observer(slow);
  EXPECT_EQ(slow.begun, slow.done);
  other.join();
}

// Removes the observer after it.
struct Removing final : CallObserver {
  explicit Removing(Seen& s) : seen(s) { add_call_observer(*this); }
  ~Removing() { remove_call_observer(*this); }
  void call(const ObservedCall&) override { remove_call_observer(seen); }
  Seen& seen;
};

TEST(Apply, ARemovedObserverIsPassedOver) {
  Seen before, removed;
  remove_call_observer(removed);
  Removing removing(removed);
  add_call_observer(removed);
  Seen after;
  exp(three());
  EXPECT_EQ(before.names + "|" + removed.names + "|" + after.names, "exp ||exp ");
}

TEST(Apply, AnObserverThatWasRemovedComesBackAtTheEnd) {
  Seen first, second;
  remove_call_observer(first);
  add_call_observer(first);
  exp(three());
  EXPECT_EQ(first.names + "|" + second.names, "exp |exp ");
}

TEST(Apply, ACompositionIsSeenAfterItsParts) {
  OpDef op = op_with(nullptr);
  op.kernels[0] = nullptr;
  op.compose = [](const OpDef&, const void*, Inputs in) -> Tensors { return {exp(log(in[0]))}; };
  Tensor x = three();
  Seen seen;
  apply(op, {&x, 1});
  EXPECT_EQ(seen.names, "log exp probe ");
  EXPECT_EQ(seen.own, seen.last) << "the self times of the parts and its own add up";
}

TEST(Apply, ACallThatFailsIsNotSeen) {
  OpDef op = op_with(nullptr);
  op.kernels[0] = nullptr;
  op.compose = [](const OpDef&, const void*, Inputs in) -> Tensors {
    return {softmax(exp(in[0]), {5})};
  };
  Tensor x = three();
  Seen seen;
  EXPECT_THROW(apply(op, {&x, 1}), Error);
  exp(x);
  EXPECT_EQ(seen.names, "exp exp ");
}

TEST(Write, IntoGivenTensors) {
  OpDef op = op_with([](const OpDef&, const KernelArgs& a) noexcept -> Status {
    for (int i = 0; i < 3; ++i) {
      reinterpret_cast<double*>(a.out[0].data)[i] =
          -reinterpret_cast<const double*>(a.in[0].data)[i * a.in[0].strides[0]];
    }
    return {};
  });
  Tensor x = three(), y = empty(Shape{3}, DType::f64);
  write(op, {&x, 1}, {&y, 1});
  EXPECT_EQ(y.data<double>()[2], -2);
  EXPECT_EQ(view_of(Tensor()).data, nullptr);
}

}  // namespace
}  // namespace gyre
