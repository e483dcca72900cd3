#include "tests/conformance/hidden_values.h"

#include <gtest/gtest.h>

#include <map>
#include <string_view>

#include "gyre/registry/op_table.h"

namespace gyre::conformance {
namespace {

// The ops, with the beginning of the message.
const std::map<std::string_view, std::string_view> kShapedByValues = {
    {"nonzero", "nonzero: "},
    {"index", "index: nonzero: "},  // a mask selects any number of elements
    {"index_put", "index_put: nonzero: "},
    {"masked_select", "masked_select: index: nonzero: "},
    // the largest value and the number of distinct values
    {"bincount", "bincount: Tensor: expected a plain tensor on the host, got a "},
    {"unique", "unique: Tensor: expected a plain tensor on the host, got a "},
};

TEST(HiddenValues, TableNamesOps) {
  for (const auto& [name, _] : kShapedByValues) EXPECT_TRUE(op_table().find(name)) << name;
}

}  // namespace

bool is_shaped_by_values(const OpDef& op) { return kShapedByValues.contains(op.name); }

bool refuses_hidden_values(const OpDef& op, const Error& e) {
  auto entry = kShapedByValues.find(op.name);
  return entry != kShapedByValues.end() && e.code == Code::unsupported &&
         std::string_view(e.what()).starts_with(entry->second);
}

}  // namespace gyre::conformance
