// Results and gradients are bitwise equal for contiguous, transposed, strided and single rows, for
// all numbers and lengths of rows.
#include <gtest/gtest.h>

#include <cmath>

#include "gyre/autograd/backward.h"
#include "gyre/hyperbolic/ball/ball.h"
#include "gyre/op/samples.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "tests/elements.h"
#include "tests/fewer.h"

namespace gyre {
namespace {

struct Op {
  const char* name;
  int points;
  Tensor (*call)(const Tensors& x, const Tensor& c);
};
const Op kOps[] = {
    {"add", 2, [](const Tensors& x, const Tensor& c) { return poincare_add(x[0], x[1], c); }},
    {"dist", 2, [](const Tensors& x, const Tensor& c) { return poincare_dist(x[0], x[1], c); }},
    {"exp0", 1, [](const Tensors& x, const Tensor& c) { return poincare_exp0(x[0], c); }},
    {"exp", 2, [](const Tensors& x, const Tensor& c) { return poincare_exp(x[0], x[1], c); }},
    {"gyration", 3,
     [](const Tensors& x, const Tensor& c) { return poincare_gyration(x[0], x[1], x[2], c); }},
};

// The result, and the gradients of all operands for the cotangent 1 + 0.5 cos(10 result).
Tensors everything(const Op& op, Tensors x, Tensor c) {
  for (Tensor& t : x) {
    t = t.detach();
    t.set_requires_grad();
  }
  c = c.detach();
  c.set_requires_grad();
  Tensor y = op.call(x, c);
  Tensor g = contiguous(1.0 + 0.5 * cos(10.0 * y.detach()));
  Tensors inputs = x;
  inputs.push_back(c);
  Tensors all = grad({&y, 1}, inputs, {&g, 1});
  all.push_back(y.detach());
  return all;
}

void expect_same(const Tensors& got, const Tensors& wanted, const std::string& where) {
  ASSERT_EQ(got.size(), wanted.size()) << where;
  for (size_t k = 0; k < got.size(); ++k) {
    EXPECT_EQ(elements(got[k]), elements(wanted[k])) << where << ", result " << k;
  }
}

TEST(Rows, AllCountsLengthsAndLayoutsAgree) {
  Samples random{5};
  for (const Op& op : fewer_of(kOps)) {
    for (DType dtype : {DType::f32, DType::f64}) {
      for (int64_t rows : {1, 7, 8, 9, 63, 65, 130}) {
        for (int64_t length : {2, 8, 15, 16, 17, 24, 31, 40, 70, 1024, 1030, 2048}) {
          if (rows > 9 && length > 70) continue;
          double reach = 0.9 / std::sqrt(static_cast<double>(length));
          Tensors x, turned, apart, alone;
          for (int i = 0; i < op.points; ++i) {
            x.push_back(to(random.uniform({rows, length}, -reach, reach), dtype));
            turned.push_back(transpose(contiguous(transpose(x.back(), 0, 1)), 0, 1));
            apart.push_back(narrow(cat({x.back(), x.back()}, 1), 1, 0, length));
            alone.push_back(narrow(x.back(), 0, rows - 1, 1));
          }
          Tensor c = random.uniform({rows}, 0.5, 1);
          std::string where = std::string(op.name) + " " + name_of(dtype) + " " +
                              std::to_string(rows) + " x " + std::to_string(length);
          Tensors along = everything(op, x, c);
          expect_same(everything(op, turned, c), along, where + " side by side");
          expect_same(everything(op, apart, c), along, where + " apart");
          Tensors last;
          for (const Tensor& t : along) last.push_back(narrow(t, 0, rows - 1, 1));
          expect_same(everything(op, alone, narrow(c, 0, rows - 1, 1)), last, where + " alone");
        }
      }
    }
  }
}

// Results of many rows are written with non-temporal stores.
TEST(Rows, ManyRowsEqualFewRows) {
  constexpr int64_t kMany = 1 << 16, kFew = 100;
  Samples random{6};
  const Op& op = kOps[0];
  for (int64_t length : {32, 33}) {
    Tensors x, first;
    for (int i = 0; i < op.points; ++i) {
      x.push_back(to(random.uniform({kMany, length}, -0.1, 0.1), DType::f32));
      first.push_back(narrow(x.back(), 0, kMany - kFew, kFew));
    }
    Tensor c = random.uniform({kMany}, 0.5, 1);
    Tensors last;
    for (const Tensor& t : everything(op, x, c)) last.push_back(narrow(t, 0, kMany - kFew, kFew));
    expect_same(last, everything(op, first, narrow(c, 0, kMany - kFew, kFew)),
                "rows of " + std::to_string(length));
  }
}

// 16-bit rows equal the f32 result rounded; a broadcast row equals an expanded copy.
TEST(Rows, NarrowDtypesAndBroadcastRows) {
  Samples random{7};
  for (const Op& op : kOps) {
    for (DType dtype : {DType::f16, DType::bf16}) {
      Tensors narrowed, wide;
      for (int i = 0; i < op.points; ++i) {
        narrowed.push_back(to(random.uniform({9, 16}, -0.2, 0.2), dtype));
        wide.push_back(to(narrowed.back(), DType::f32));
      }
      Tensor c = random.uniform({9}, 0.5, 1);
      EXPECT_EQ(elements(op.call(narrowed, c)), elements(to(op.call(wide, c), dtype))) << op.name;
      if (op.points == 1) continue;
      Tensors shared = wide, apart = wide;
      shared[0] = narrow(wide[0], 0, 3, 1);
      apart[0] = contiguous(expand(shared[0], {9, 16}));
      EXPECT_EQ(elements(op.call(shared, c)), elements(op.call(apart, c))) << op.name;
    }
  }
}

}  // namespace
}  // namespace gyre
