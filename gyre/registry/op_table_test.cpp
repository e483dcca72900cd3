#include "gyre/registry/op_table.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "gyre/autograd/custom_function.h"
#include "gyre/autograd/gradcheck.h"
#include "gyre/op/apply.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/gradient/factored.h"
#include "gyre/packed/packed.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

struct Cube final : CustomFunction {
  Tensors forward(Inputs in) const override { return {in[0] * in[0] * in[0]}; }
  Tensors backward(const BackwardCall& c) const override {
    return {3.0 * c.in[0] * c.in[0] * c.grad[0]};
  }
};
const Cube cube;

TEST(OpTable, ErrorBoundsAreTexts) {
  EXPECT_EQ(error_bound(*op_table().find("add")), "4 units in the last place of each element");
  EXPECT_EQ(error_bound(*op_table().find("unfold")), "exact");
  EXPECT_EQ(error_bound(*op_table().find("argmax")), "exact");
}

TEST(OpTable, DtypesAreThoseThatCallsTake) {
  const auto of = [](const char* name, bool in_place = false) {
    return dtypes_of(*op_table().find(name), in_place);
  };
  const std::vector<DType> floats{DType::f16, DType::bf16, DType::f32, DType::f64};
  EXPECT_EQ(of("add").size(), size_t{kDTypes});
  EXPECT_EQ(of("exp").size(), size_t{kDTypes});
  EXPECT_EQ(of("exp", true), floats);  // integers cannot hold the result
  EXPECT_EQ(of("cholesky"), floats);
  EXPECT_EQ(of("one_hot"), (std::vector{DType::i32, DType::i64}));
  EXPECT_EQ(of("packed_rows"), (std::vector{DType::i32, DType::i64}));
  EXPECT_EQ(of("packed_riemannian_step"), floats);
  EXPECT_TRUE(of("rand").empty());
  EXPECT_EQ(of("packed_decode"), std::vector{DType::f32});
}

TEST(OpTable, TakesOpsAtRunTime) {
  const OpTable& before = op_table();
  auto held = before.ops;
  size_t count = held.size();
  const OpDef& op = register_op(custom_op("cube_of_a_test", cube));
  EXPECT_EQ(before.ops.size(), count);
  EXPECT_EQ(held.back(), before.ops.back());
  EXPECT_EQ(before.find("cube_of_a_test"), nullptr);
  EXPECT_EQ(op_table().ops.size(), count + 1);
  EXPECT_EQ(op_table().ops.front(), held.front());
  EXPECT_EQ(op_table().find("cube_of_a_test"), &op);
  Tensors in{tensor(std::vector<double>{0.5, 2.0}, {2})};
  in[0].set_requires_grad();
  auto f = [&](Inputs x) { return apply(op, x); };
  EXPECT_TRUE(gradcheck(f, in));
  EXPECT_TRUE(gradgradcheck(f, in));
}

// An op of the user takes packed weights as they are, and they get its gradient.
TEST(OpTable, TakesOpsOnPackedOperands) {
  static constexpr Arg kArgs[] = {{"x"}, {.name = "w", .packed = true}};
  OpDef squares;
  squares.name = "squares_of_a_test";
  squares.args = kArgs;
  squares.compose = [](const OpDef&, const void*, Inputs in) {
    const Tensor y = packed_matmul(in[0], in[1]);
    return Tensors{y * y};
  };
  const OpDef& op = register_op(squares);
  Tensor w = packed_encode(rand({6, 20}), ring_format("T4")), dense = packed_decode(w);
  Tensors in{to(rand({3, 20}), DType::f64), w};
  in[0].set_requires_grad();
  const auto f = [&](Inputs x) { return apply(op, Inputs(std::array{x[0], w})); };
  EXPECT_TRUE(gradcheck(f, Tensors{in[0]}));
  w.set_requires_grad();
  dense.set_requires_grad();
  const Tensor y = linear(in[0], dense);
  sum(apply_one(op, {in[0], w})).backward();
  sum(y * y).backward();
  const Tensor error = abs(dense_gradient(w.grad()) - dense.grad());
  EXPECT_LT(max(error).item(), 1e-4);
  EXPECT_EQ(code_of([&] { apply_one(*op_table().find("mul"), {in[0], w}); }), Code::unsupported);
}

TEST(OpAliases, AreOtherNamesOfOps) {
  std::set<std::string_view> names;
  for (const OpAlias& alias : op_aliases()) {
    EXPECT_TRUE(names.insert(alias.name).second) << alias.name;
    EXPECT_EQ(op_table().find(alias.name), nullptr) << alias.name;
    EXPECT_EQ(op_table().find(alias.op->name), alias.op) << alias.name;
  }
  EXPECT_TRUE(names.contains("mobius_add"));
}

TEST(OpTable, RejectsInvalidOps) {
  EXPECT_EQ(code_of([&] { register_op(custom_op("add", cube)); }), Code::value);
  EXPECT_EQ(code_of([&] { register_op(custom_op("", cube)); }), Code::value);
  EXPECT_EQ(code_of([&] { register_op(custom_op(nullptr, cube)); }), Code::value);
  OpDef idle;
  idle.name = "idle";
  EXPECT_EQ(code_of([&] { register_op(idle); }), Code::value);
}

}  // namespace
}  // namespace gyre
