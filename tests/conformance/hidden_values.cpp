#include "tests/conformance/hidden_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "gyre/registry/op_table.h"
#include "tests/conformance/calls.h"

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

bool reads_for_words(const OpDef& op) {
  return gives_packed(op) && std::ranges::any_of(samples_of(op).calls.at(0).in, is_plain);
}

TEST(HiddenValues, TableNamesOps) {
  for (const auto& [name, _] : kShapedByValues) EXPECT_TRUE(op_table().find(name)) << name;
}

}  // namespace

bool is_shaped_by_values(const OpDef& op) {
  return kShapedByValues.contains(op.name) || reads_for_words(op);
}

bool refuses_hidden_values(const OpDef& op, const Error& e) {
  if (reads_for_words(op)) return e.code == Code::unsupported;
  auto entry = kShapedByValues.find(op.name);
  return entry != kShapedByValues.end() && e.code == Code::unsupported &&
         std::string_view(e.what()).starts_with(entry->second);
}

}  // namespace gyre::conformance
