#include "gyre/registry/op_table.h"

#include <gtest/gtest.h>

#include <set>

#include "gyre/autograd/custom_function.h"
#include "gyre/autograd/gradcheck.h"
#include "gyre/op/apply.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
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
  EXPECT_TRUE(of("rand").empty());
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
