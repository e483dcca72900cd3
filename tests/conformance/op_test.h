#pragma once
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "gyre/base/memory/poison.h"
#include "gyre/registry/op_table.h"
#include "tests/conformance/calls.h"
#include "tests/conformance/rows.h"

// A suite that runs once for each op of the table.

namespace gyre::conformance {

class OpTest : public ::testing::TestWithParam<const OpDef*> {
 protected:
  const OpDef& op() const { return *GetParam(); }
  const std::vector<Call>& calls() const { return samples_of(op()).calls; }
  void SetUp() override {
    samples_of(op());  // cached for all suites
    tensors_before_ = live_tensors();
  }
  /// No check may leave a tensor alive.
  void TearDown() override { EXPECT_EQ(live_tensors(), tensors_before_) << op().name << " leaks"; }

 private:
  int64_t tensors_before_ = 0;
};

/// Samples of an op that are also tested with many elements, and numbers of threads to compare with
/// one. AddressSanitizer takes four times as long and finds in one what it finds in all.
inline constexpr size_t kEnlarged = GYRE_ASAN ? 1 : 2;
inline std::initializer_list<int> thread_counts() {
  static constexpr std::initializer_list<int> kAll = {2, 3, 7}, kOne = {3};
  return GYRE_ASAN ? kOne : kAll;
}

inline std::string op_name(const ::testing::TestParamInfo<const OpDef*>& info) {
  return info.param->name;
}

/// The suite `Name`, derived from OpTest, for every op.
#define GYRE_FOR_EVERY_OP(Name) \
  INSTANTIATE_TEST_SUITE_P(Every, Name, ::testing::ValuesIn(tested_ops()), op_name)

/// A suite that calls an op very often to compare its values. It takes ten times as long under
/// AddressSanitizer, which finds nothing in it that it does not find in the other suites, and runs
/// without it only.
#if GYRE_ASAN
#define GYRE_FOR_VALUES_OF_EVERY_OP(Name) GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Name)
#else
#define GYRE_FOR_VALUES_OF_EVERY_OP(Name) GYRE_FOR_EVERY_OP(Name)
#endif

}  // namespace gyre::conformance
