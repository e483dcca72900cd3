#include "tests/conformance/definitions.h"

#include <cmath>
#include <map>
#include <string_view>

#include "gyre/op/apply.h"
#include "gyre/op/node.h"
#include "tests/conformance/op_test.h"

// f64 results against the formulas in definitions/, and against the op's own composition.

namespace gyre::conformance {
namespace {

// Ops without a formula, and why.
const std::map<std::string_view, const char*> kWithoutFormula = {
    {"rand", "random: gyre/ops/random/random_test.cpp has its distribution"},
    {"randn", "random: as rand"},
    {"randint", "random: as rand"},
    {"bernoulli", "random: as rand"},
    {"dropout", "random: as rand"},
    {"svd", "vectors up to their sign: gyre/ops/linalg/decompositions_test.cpp has the residuals"},
    {"pinv", "by its properties: gyre/ops/linalg/decompositions_test.cpp"},
    {"poincare_exp_backward", "gradients: those of poincare_exp are held to differences"},
    {"lorentz_dist_backward", "gradients: those of lorentz_dist are held to differences"},
    {"poincare_ball_layer_backward", "gradients: paths_test.cpp has those of the layer"},
    {"lorentz_layer_backward", "gradients: as poincare_ball_layer_backward"},
    {"klein_layer_backward", "gradients: as poincare_ball_layer_backward"},
    {"eigh", "vectors up to their sign: as svd"},
    {"packed_matmul_int8", "rounds x: gyre/packed/int8/int8_test.cpp has the errors"},
    {"packed_encode", "words found by a search: packed_test.cpp and ring_test.cpp have the errors"},
};

class ByDefinition : public OpTest {
 protected:
  // Both sides are in f64, and a composition has several steps.
  void expect_equal(const Tensors& results, const std::vector<Values>& wanted,
                    const std::string& where) {
    ASSERT_LE(results.size(), wanted.size()) << where;
    for (size_t k = 0; k < results.size(); ++k) {
      Distance d = compare(results[k], wanted[k], 8 * op().ulp, op().by_element);
      EXPECT_TRUE(d.within) << where << " result " << k << ": " << d.what;
    }
  }
};

TEST_P(ByDefinition, FormulaAndComposition) {
  NoGrad guard;
  EXPECT_NE(has_definition(op()), kWithoutFormula.contains(op().name))
      << op().name << " has a formula in definitions/, or a reason in kWithoutFormula";
  for (size_t s = 0; s < calls().size(); ++s) {
    const Call& call = calls()[s];
    Tensors results = apply(op(), call.in, call.attrs);
    if (auto wanted = by_definition(op(), call); !wanted.empty()) {
      expect_equal(results, wanted, place(op(), s, "by its formula"));
      rows().add(op(), "forward", "definition", "f64", "plain");
    } else if (has_definition(op())) {
      EXPECT_GT(attribute(call, "dropout", 0.0), 0) << place(op(), s, "without a formula");
    }
    if (!op().compose) continue;
    std::vector<Values> composed;
    Tensors parts = op().compose(op(), call.attrs ? call.attrs->value : nullptr, call.in);
    for (size_t k = 0; k < parts.size(); ++k) {
      EXPECT_EQ(parts[k].shape(), results[k].shape()) << place(op(), s, "composition");
      EXPECT_EQ(parts[k].dtype(), results[k].dtype()) << place(op(), s, "composition");
      composed.push_back(values_of(parts[k]));
    }
    expect_equal(results, composed, place(op(), s, "by composition"));
    rows().add(op(), "forward", "composition", "f64", "plain");
  }
}

class LongOperands : public ByDefinition {};

TEST_P(LongOperands, AreByTheirFormula) {
  NoGrad guard;
  if (!op().family.rowwise[0] && !op().family.reduction[0]) return;
  for (size_t s = 0; s < calls().size() && s < 3; ++s) {
    for (const Call& big : enlarged(op(), calls()[s], 20000)) {
      auto wanted = by_definition(op(), big);
      if (wanted.empty()) continue;
      Tensors results = apply(op(), big.in, big.attrs);
      // sums of n elements in f64, and cancellation after changes of about 1 %
      double growth = std::sqrt(20000.0);
      for (size_t k = 0; k < results.size(); ++k) {
        Distance d = compare(results[k], wanted[k], growth * op().ulp, false);
        EXPECT_TRUE(d.within) << place(op(), s, "large, by its formula") << ": " << d.what;
      }
      rows().add(op(), "forward", "definition", "f64", "large");
    }
  }
}

GYRE_FOR_EVERY_OP(ByDefinition);
GYRE_FOR_VALUES_OF_EVERY_OP(LongOperands);

TEST(WithoutFormula, AreOps) {
  for (const auto& [name, why] : kWithoutFormula) EXPECT_TRUE(op_table().find(name)) << name;
}

}  // namespace
}  // namespace gyre::conformance
