#include "tests/conformance/rows.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "gyre/registry/op_table.h"
#include "tests/conformance/calls.h"

namespace gyre::conformance {
namespace {

// After the last test: prints the counts and, when all suites ran, requires that no row is missing.
class Summary final : public ::testing::Environment {
  void TearDown() override {
    std::fputs(rows().table().c_str(), stdout);
    if (const char* path = std::getenv("GYRE_CONFORMANCE_JSON")) rows().write_json(path);
    if (::testing::GTEST_FLAG(filter) != "*") return;
    for (const Row& row : rows().missing()) {
      ADD_FAILURE() << "no case for " << row.op << ": " << row.order << " " << row.check << " "
                    << row.dtype << " " << row.layout;
    }
  }
};
[[maybe_unused]] ::testing::Environment* const kSummary =
    ::testing::AddGlobalTestEnvironment(new Summary);

TEST(Table, EveryOpHasThreeSamplesAndARefusal) {
  for (const OpDef* op : op_table().ops) {
    EXPECT_TRUE(op->samples) << op->name;
    EXPECT_GE(samples_of(*op).calls.size(), 3u) << op->name;
    EXPECT_GE(samples_of(*op).refusals.size(), 1u) << op->name;
  }
}

TEST(Table, NamesAreUniqueAndEveryOpIsDocumented) {
  for (const OpDef* op : op_table().ops) {
    EXPECT_EQ(op_table().find(op->name), op);
    ASSERT_TRUE(op->doc) << op->name;
    EXPECT_FALSE(std::string(op->doc).empty()) << op->name;
    bool any_number = op->outputs.empty();
    EXPECT_TRUE(any_number || static_cast<int>(op->outputs.size()) >= op->visible) << op->name;
    for (const Arg& arg : op->args) EXPECT_TRUE(arg.name) << op->name;
    EXPECT_GT(op->ulp, 0) << op->name;
  }
}

TEST(Table, DiscreteOpsHaveNoGradientAndOthersHaveOne) {
  for (const OpDef* op : op_table().ops) {
    bool has_rule = op->vjp || op->vjp_first;
    EXPECT_FALSE(op->is_discrete && has_rule) << op->name;
    EXPECT_TRUE(!op->vjp_first || op->vjp || op->compose) << op->name << " has no second order";
  }
}

TEST(Table, EveryOpHasKernelsOrIsAComposition) {
  for (const OpDef* op : op_table().ops) {
    const Kernels& kernels = op->kernels;
    if (!kernels[Device::cpu]) {
      EXPECT_TRUE(op->compose || op->view) << op->name;
      EXPECT_FALSE(kernels.host_only || kernels[Device::cuda] || op->scratch || op->vjp_first)
          << op->name << " has parts of a kernel";
    } else {
      EXPECT_TRUE(op->infer && !op->view) << op->name;
      EXPECT_NE(kernels[Device::cuda] != nullptr, kernels.host_only != nullptr)
          << op->name << " has a kernel for every device, or a reason";
    }
    EXPECT_GE(op->version, 1) << op->name;
  }
}

TEST(Table, AMissingRowIsNoticed) {
  size_t expected = 0;
  for (const OpDef* op : tested_ops()) {
    EXPECT_GE(expected_rows(*op).size(), 3u) << op->name;
    expected += expected_rows(*op).size();
  }
  EXPECT_EQ(Rows().missing().size(), expected);
}

}  // namespace
}  // namespace gyre::conformance
