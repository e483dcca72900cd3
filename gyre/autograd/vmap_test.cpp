#include "gyre/autograd/vmap.h"

#include <gtest/gtest.h>

#include "gyre/autograd/backward.h"
#include "gyre/autograd/checkpoint.h"
#include "gyre/autograd/test_ops.h"
#include "gyre/op/apply.h"
#include "gyre/op/call_observer.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/in_place.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/norm/norm.h"
#include "gyre/ops/order/order.h"
#include "gyre/ops/print.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

using testing::leaf;
using testing::of;
using testing::values;

constexpr double kAgree = 1e-12;

// A network with one hidden layer and its squared error on one example.
Tensor error_of(const Tensor& w, const Tensor& v, const Tensor& x, const Tensor& y) {
  Tensor hidden = tanh(linear(x, w));
  return square(sum(hidden * v) - y);
}

struct Network {
  Tensor w = of({0.1, -0.4, 0.3, 0.2, 0.5, -0.6}, {2, 3}), v = of({1, -2});
  Tensor x = of({1, 2, 3, -1, 0.5, 0, 0.3, 0.2, 0.1, 2, -1, 1}, {4, 3}), y = of({1, 2, 3, 4});
  Tensor row(int64_t n) const { return select(x, {0, n}); }
  Tensor target(int64_t n) const { return select(y, {0, n}); }
};

TEST(Vmap, AddsGradientsThatDependOnTheSliceAndThatDoNot) {
  Tensor x = of({1, 2, 3, 4}, {2, 2}), c = of({5, 6});
  auto f = [&](const Tensor& a) { return sum(a * a) + sum(a * c); };
  auto g = [&](const Tensor& a) { return sum(a * c) + sum(a * a); };
  EXPECT_EQ(largest_difference(vmap([&](const Tensor& a) { return grad(f, a); })(x), x * 2.0 + c),
            0);
  EXPECT_EQ(largest_difference(vmap([&](const Tensor& a) { return grad(g, a); })(x), x * 2.0 + c),
            0);
}

// Names of the calls of this thread.
struct Names final : CallObserver {
  void call(const ObservedCall& c) override { text += std::string(c.op.name) + " "; }
  std::string text;
};

TEST(Vmap, ALayerThatAllSlicesShareIsOneProduct) {
  Network n;
  const auto calls = [&](auto f) {
    Names seen;
    ThreadObserver scope(seen);
    vmap(f)(n.x);
    return seen.text;
  };
  Tensor bias = of({1, 2});
  EXPECT_EQ(calls([&](const Tensor& x) { return linear(x, n.w, bias); }), "linear linear ");
  EXPECT_EQ(calls([&](const Tensor& x) { return matmul(x, transpose(n.w, 0, 1)); }),
            "transpose matmul matmul ");
}

// A composition without a batching rule is cut into slices only for the sake of its own rule.
TEST(Vmap, CompositionsRunByTheirParts) {
  OpDef with_rule{.name = "thrice"};
  with_rule.compose = [](const OpDef&, const void*, Inputs in) -> Tensors { return {in[0] * 3.0}; };
  OpDef without = with_rule;
  with_rule.vjp = [](const VjpArgs& a) -> Tensors { return {a.grad[0] * 3.0}; };
  Tensor x = of({1, 2, 3, 4}, {2, 2}), tracked = leaf({1, 2, 3, 4}, {2, 2});
  const auto slices = [](const OpDef& op, const Tensor& batch) {
    const int64_t before = sliced_calls();
    vmap([&](const Tensor& a) { return apply_one(op, {a}); })(batch);
    return sliced_calls() - before;
  };
  EXPECT_EQ(slices(with_rule, tracked), 1);
  EXPECT_EQ(slices(with_rule, x) + slices(without, tracked), 0);
  NoGrad off;
  EXPECT_EQ(slices(with_rule, tracked), 0);
}

TEST(Vmap, ResultsForNoSlicesAreLikeThoseOfSome) {
  OpDef op{.name = "same"};
  op.view = [](const OpDef&, const void*, const Tensor& x, Layout& out) {
    out.shape = x.shape();
    out.strides = x.strides();
    return true;
  };
  const auto run = vmap([&](const Tensor& a) { return apply_one(op, {a}); });
  const Tensor none = run(empty({0, 3}, DType::f64));
  EXPECT_EQ(none.shape(), (Shape{0, 3}));
  EXPECT_EQ(none.dtype(), DType::f64);
  const Tensor elsewhere =
      borrow(nullptr, {{0, 3}, DType::f64, {Device::cuda, 1}, false}, {3, 1}, nullptr, nullptr);
  const auto order = vmap([](const Tensor& a) { return argsort(a); });
  EXPECT_EQ(code_of([&] { run(elsewhere); }), Code::unavailable) << "there is no such device";
  EXPECT_EQ(code_of([&] { order(elsewhere); }), Code::unavailable);
}

TEST(Vmap, ProductsTakeTheHighestRank) {
  Shape rows{2};
  while (rows.rank < kMaxRank - 2) rows.push_back(1);
  Tensor x = full(concat(rows, {3, 2}), 1), y = of({1, 2, 3, 4}, {2, 2});
  Tensor z = vmap([](const Tensor& a, const Tensor& b) { return matmul(a, b); })(x, y);
  EXPECT_EQ(z.rank(), kMaxRank - 1);
  EXPECT_EQ(values(reshape(z, {2, 3}))[5], 7);
}

TEST(Vmap, AxesOfInputsAndOutputs) {
  Tensor x = of({1, 2, 3, 4, 5, 6}, {2, 3}), y = of({10, 20, 30});
  auto add_up = [](const Tensor& a, const Tensor& b) { return a + b; };
  EXPECT_EQ(largest_difference(vmap(add_up, {{0, kSameForAll}, {}})(x, y), x + y), 0);
  Tensor columns = vmap(add_up, {{1, 0}, {}})(x, y);
  EXPECT_EQ(columns.shape(), (Shape{3, 2}));
  EXPECT_EQ(largest_difference(columns, transpose(x + y, 0, 1)), 0);
  EXPECT_EQ(largest_difference(vmap(add_up, {{-1, 0}, {-1}})(x, y), x + y), 0);
  auto constant = [](const Tensor&) { return of({7, 8}); };
  EXPECT_EQ(values(vmap(constant)(x)), (std::vector<double>{7, 8, 7, 8}));
  EXPECT_EQ(values(vmap(constant, {{}, {1}})(x)), (std::vector<double>{7, 7, 8, 8}));
}

TEST(Vmap, GradientsOfEachExample) {
  Network n;
  auto slope = [](const Tensor& w, const Tensor& v, const Tensor& x, const Tensor& y) {
    return grad([&](const Tensor& t) { return error_of(t, v, x, y); }, w);
  };
  int64_t sliced = sliced_calls();
  Tensor each = vmap(slope, {{kSameForAll, kSameForAll, 0, 0}, {}})(n.w, n.v, n.x, n.y);
  EXPECT_EQ(sliced_calls(), sliced);
  EXPECT_FALSE(each.tracked());
  for (int64_t i = 0; i < 4; ++i) {
    Tensor wanted = slope(n.w, n.v, n.row(i), n.target(i));
    EXPECT_LT(largest_difference(select(each, {0, i}), wanted), kAgree);
  }
  auto whole = [&](const Tensor& w) {
    auto one = [&](const Tensor& x, const Tensor& y) { return error_of(w, n.v, x, y); };
    return sum(vmap(one)(n.x, n.y));
  };
  EXPECT_LT(largest_difference(grad(whole, n.w), sum(each, {{0}, false})), kAgree);
  // through the caller's graph, twice
  Tensor w = n.w.detach();
  w.set_requires_grad();
  Tensor again = vmap(slope, {{kSameForAll, kSameForAll, 0, 0}, {}})(w, n.v, n.x, n.y);
  EXPECT_TRUE(again.tracked());
  Tensor second = grad(sum(again), w), wanted = empty(w.shape(), DType::f64);
  wanted = hvp(whole, n.w, of({1, 1, 1, 1, 1, 1}, {2, 3}));
  EXPECT_LT(largest_difference(second, wanted), kAgree);
}

TEST(Vmap, LeavesOfEachSliceGetTheirGradients) {
  const Tensor x = of({1, 2, 3});
  auto slope = [](const Tensor& slice) {
    Tensor one = slice.detach();
    one.set_requires_grad();
    (one * one).backward();
    (3.0 * one).backward();  // adds to the gradient
    return one.grad();
  };
  EXPECT_EQ(values(vmap(slope)(x)), (std::vector<double>{5, 7, 9}));
}

TEST(Vmap, TransformsNestInEveryOrder) {
  Tensor x = of({0.5, -1, 0.3, 2, 0.1, -0.4}, {2, 3});
  auto f = [](const Tensor& t) { return sum(sin(t) * softmax(t * t, 0)); };
  auto first = [&](const Tensor& t) { return grad(f, t); };
  auto curve = [&](const Tensor& t) { return hessian(f, t); };
  auto diagonal = [&](const Tensor& t) { return hessian_diag(f, t); };
  auto along = [&](const Tensor& t) { return jvp(first, t, of({1, 2, 3})).second; };
  Tensor h = vmap(curve)(x), d = vmap(diagonal)(x), a = vmap(along)(x);
  for (int64_t i = 0; i < 2; ++i) {
    Tensor row = select(x, {0, i});
    EXPECT_LT(largest_difference(select(h, {0, i}), curve(row)), kAgree);
    EXPECT_LT(largest_difference(select(d, {0, i}), diagonal(row)), kAgree);
    EXPECT_LT(largest_difference(select(a, {0, i}), along(row)), kAgree);
  }
  // the Jacobian as a batch of vjps
  Tensor row = select(x, {0, 0}), eye = of({1, 0, 0, 0, 1, 0, 0, 0, 1}, {3, 3});
  auto pulled = [&](const Tensor& u) { return vjp(first, row, u).second; };
  EXPECT_LT(largest_difference(vmap(pulled)(eye), curve(row)), kAgree);
  // a gradient of a batch of gradients
  auto outer = [&](const Tensor& t) { return sum(square(vmap(first)(t))); };
  Tensor g = grad(outer, x);
  for (int64_t i = 0; i < 2; ++i) {
    auto one = [&](const Tensor& t) { return sum(square(first(t))); };
    EXPECT_LT(largest_difference(select(g, {0, i}), grad(one, select(x, {0, i}))), kAgree);
  }
  // nested vmap, where the inner function uses the outer's tensors
  Tensor y = of({1, 2, 3});
  auto table = [](const Tensor& rows, const Tensor& columns) {
    auto with = [&](const Tensor& r) {
      return vmap([&](const Tensor& c) {
        return r * c + grad([&](const Tensor& u) { return r * u * u; }, c);
      })(columns);
    };
    return vmap(with)(rows);
  };
  Tensor r = unsqueeze(y, 1), c = unsqueeze(y * 10.0, 0);
  EXPECT_LT(largest_difference(table(y, y * 10.0), 3.0 * r * c), kAgree);
}

TEST(Vmap, HistoryOfTheCallerIsKept) {
  int64_t before = live_tensors();
  {
    Tensor x = leaf({1, 2, 3, 4}, {2, 2}), w = leaf({5, 6});
    auto f = [&](const Tensor& t) { return sum(t * t * w); };
    Tensor y = vmap(f)(x);
    sum(y).backward();
    EXPECT_EQ(values(x.grad()), (std::vector<double>{10, 24, 30, 48}));
    EXPECT_EQ(values(w.grad()), (std::vector<double>{10, 20}));
    // inside, detach() ends it and a checkpoint does not
    auto half = [&](const Tensor& t) { return sum(t * t.detach()); };
    EXPECT_EQ(values(grad(sum(vmap(half)(x)), x)), (std::vector<double>{1, 2, 3, 4}));
    auto kept = [&](const Tensor& t) {
      auto body = [](Inputs in) -> Tensors { return {sum(in[0] * in[0])}; };
      return grad([&](const Tensor& u) { return checkpoint(body, Inputs(&u, 1))[0]; }, t);
    };
    EXPECT_EQ(values(vmap(kept)(x.detach())), (std::vector<double>{2, 4, 6, 8}));
    NoGrad off;
    EXPECT_FALSE(vmap(f)(x).tracked());
  }
  EXPECT_EQ(live_tensors(), before);
}

TEST(Vmap, RandomNumbersAreThoseOfALoop) {
  Tensor x = of({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {2, 8});
  Generator generator(7);
  auto drop = [&](const Tensor& t) {
    Generator same = generator;
    return dropout(t, 0.5, true, &same);
  };
  Tensor y = vmap(drop)(x);
  for (int64_t i = 0; i < 2; ++i) {
    EXPECT_EQ(largest_difference(select(y, {0, i}), drop(select(x, {0, i}))), 0);
  }
}

TEST(Vmap, RejectsUnsupportedOperations) {
  Tensor x = of({1, 2, 3, 4}, {2, 2}), three = of({1, 2, 3}), w = leaf({5, 6});
  auto two = [](const Tensor& a, const Tensor& b) { return a + b; };
  auto one = [](const Tensor& a) { return a * 2.0; };
  EXPECT_EQ(code_of([&] { vmap(two)(x, three); }), Code::shape);
  EXPECT_EQ(code_of([&] { vmap(one)(of({1}, Shape{})); }), Code::index);
  EXPECT_EQ(code_of([&] { vmap(one, {{2}, {}})(x); }), Code::index);
  EXPECT_EQ(code_of([&] { vmap(one, {{}, {2}})(x); }), Code::index);
  EXPECT_EQ(code_of([&] { vmap(one, {{kSameForAll}, {}})(x); }), Code::value);
  EXPECT_EQ(code_of([&] { vmap(two, {{0, 0, 0}, {}})(x, x); }), Code::value);
  auto none = [](Inputs) -> Tensors { return {Tensor()}; };
  EXPECT_EQ(code_of([&] { vmap(none)(Inputs(&x, 1)); }), Code::value);
  auto reads = [](const Tensor& a) { return a * sum(a).item(); };
  EXPECT_EQ(code_of([&] { vmap(reads)(x); }), Code::unsupported);
  auto copies_out = [](const Tensor& a) { return a * to_vector<double>(a)[0]; };
  EXPECT_EQ(code_of([&] { vmap(copies_out)(x); }), Code::unsupported);
  auto prints = [](const Tensor& a) {
    EXPECT_EQ(to_string(a), "a slice of a batch inside vmap(), [2]");
    return a;
  };
  vmap(prints)(x);
  auto writes = [](const Tensor& a) { return a += 1.0; };
  EXPECT_EQ(code_of([&] { vmap(writes)(x); }), Code::unsupported);
  Tensor narrow = ones({2});  // f32, so the sum is computed apart
  auto adds = [&](const Tensor& a) { return add_(narrow, a); };
  Error added = gyre::error_of([&] { vmap(adds)(x); });
  EXPECT_EQ(added.code, Code::unsupported);
  EXPECT_EQ(added.op, "add");
  auto copies = [&](const Tensor& a) { return copy_(three, a); };
  EXPECT_EQ(code_of([&] { vmap(copies)(x); }), Code::unsupported);
  auto fills = [&](const Tensor& a) { return fill_(a, 1); };
  EXPECT_EQ(code_of([&] { vmap(fills)(x); }), Code::unsupported);
  auto wrong = [](const Tensor& a) { return matmul(a, of({1, 2, 3}, {3, 1})); };
  EXPECT_EQ(code_of([&] { vmap(wrong)(x); }), Code::shape);
  auto gathers = [&](const Tensor& a) {
    Tensor y = sum(a * w);
    y.backward();
    return y;
  };
  EXPECT_EQ(code_of([&] { vmap(gathers)(x); }), Code::unsupported);
  EXPECT_FALSE(w.grad().defined());
  Tensor escaped;
  auto leaks = [&](const Tensor& a) { return escaped = a * 1.0; };
  vmap(leaks)(x);
  EXPECT_EQ(code_of([&] { (escaped + 1.0).bytes(); }), Code::unsupported);
}

}  // namespace
}  // namespace gyre
