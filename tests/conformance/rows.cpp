#include "tests/conformance/rows.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "gyre/base/cpu.h"
#include "gyre/base/memory/poison.h"
#include "gyre/registry/op_table.h"
#include "tests/conformance/calls.h"

namespace gyre::conformance {
namespace {

// What the samples of an op cover.
struct Traits {
  bool operands = false, floats = false, long_axis = false, alias = false, smooth = false,
       words = false;
  explicit Traits(const OpDef& op) {
    for (const Call& call : samples_of(op).calls) {
      for (size_t i = 0; i < call.in.size(); ++i) {
        const Tensor& t = call.in[i];
        operands |= t.defined();
        floats |= is_varied(t);
        smooth |= op.differentiable() && is_smooth(op, call.in, i);
        words |= op.differentiable() && !gives_packed(op) && argument(op, i).packed &&
                 argument(op, i).differentiable;
        Repeated repeated;
        long_axis |= repeat_along(t, false, repeated);
      }
      size_t first, second;
      alias |= find_alias(call, first, second);
    }
  }
};

bool has_family(const OpDef& op) {
  return op.family.pointwise[0] || op.family.rowwise[0] || op.family.reduction[0];
}

}  // namespace

void Rows::add(const OpDef& op, const char* order, const char* check, const char* dtype,
               const std::string& layout) {
  ++counts_[Row{op.name, order, check, dtype, layout}];
}

std::vector<Row> expected_rows(const OpDef& op) {
  std::vector<Row> e;
  auto want = [&](const char* order, const char* check, const char* dtype, const char* layout) {
    e.push_back({op.name, order, check, dtype, layout});
  };
  Traits traits(op);
  std::vector<const char*> dtypes{"own"}, layouts{"plain"};
  if (traits.floats) dtypes = {"f64", "f32", "f16", "bf16"};
  if (traits.operands) layouts = {"plain", "transposed", "stepped", "offset"};
  if (traits.long_axis) layouts.push_back("expanded");
  if (traits.alias) layouts.push_back("aliased");
  for (const char* dtype : dtypes) {
    for (const char* layout : layouts) want("forward", "reference", dtype, layout);
  }
  if (op.kernels[Device::cpu]) {
    for (const char* dtype : dtypes) want("forward", "guarded", dtype, "plain");
  }
  const char* working = traits.floats ? "f32" : "own";
  want("forward", "threads", working, "plain");
  want("forward", "refusal", "own", "plain");
  if (has_family(op)) want("forward", "threads", working, "large");
  if (traits.words) want("first", "words", "own", "plain");
  if (!traits.smooth) return e;
  want("forward", "recorded", "f64", "plain");
  if (!GYRE_ASAN) want("first", "gradcheck", "f64", "plain");
  if (!GYRE_ASAN) want("second", "gradcheck", "f64", "plain");
  for (const char* layout : layouts) {
    for (const char* dtype : {"f64", "f32"}) want("first", "reference", dtype, layout);
    want("second", "reference", "f64", layout);
  }
  for (const char* dtype : {"f16", "bf16"}) want("first", "reference", dtype, "plain");
  if (has_family(op)) want("first", "threads", "f32", "large");
  return e;
}

const std::vector<const OpDef*>& tested_ops() {
  static const std::vector<const OpDef*> kOps = [] {
    size_t part = 1, parts = 1;
    const char* asked = std::getenv("GYRE_TEST_PART");
    if (asked && (std::sscanf(asked, "%zu/%zu", &part, &parts) != 2 || part < 1 || part > parts)) {
      std::fprintf(stderr, "GYRE_TEST_PART: expected I/N, found %s\n", asked);
      std::exit(2);
    }
    std::vector<const OpDef*> ops;
    size_t at = 0;
    for (const OpDef* op : op_table().ops) {
      if (at++ % parts == part - 1) ops.push_back(op);
    }
    return ops;
  }();
  return kOps;
}

std::vector<Row> Rows::missing() const {
  std::vector<Row> r;
  for (const OpDef* op : tested_ops()) {
    for (Row& row : expected_rows(*op)) {
      if (!counts_.count(row)) r.push_back(std::move(row));
    }
  }
  return r;
}

std::string Rows::table() const {
  std::map<std::string, std::map<std::string, int64_t>> by_op, by_check;
  std::set<std::string> layouts;
  std::map<std::string, int64_t> orders;
  int64_t total = 0;
  for (const auto& [row, n] : counts_) {
    by_op[row.op][row.order] += n;
    by_check[row.order + " " + row.check + " " + row.dtype][row.layout] += n;
    layouts.insert(row.layout);
    orders[row.order] += n;
    total += n;
  }
  std::string text = fmt::format(
      "| conformance on {}: {} cases of {} ops: {} forward, {} first and "
      "{} second derivatives\n",
      isa_name(isa()), total, by_op.size(), orders["forward"], orders["first"], orders["second"]);
  text += fmt::format("| {:30}", "order, check, dtype");
  for (const auto& layout : layouts) text += fmt::format("{:>11}", layout);
  text += "\n";
  for (auto& [check, counts] : by_check) {
    text += fmt::format("| {:30}", check);
    for (const auto& layout : layouts) text += fmt::format("{:11}", counts[layout]);
    text += "\n";
  }
  text += fmt::format("| {:30}{:>11}{:>11}{:>11}\n", "op", "forward", "first", "second");
  for (auto& [op, counts] : by_op) {
    text += fmt::format("| {:30}{:11}{:11}{:11}\n", op, counts["forward"], counts["first"],
                        counts["second"]);
  }
  return text;
}

void Rows::write_json(const std::string& path) const {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& [row, n] : counts_) {
    list.push_back({{"op", row.op},
                    {"order", row.order},
                    {"check", row.check},
                    {"dtype", row.dtype},
                    {"layout", row.layout},
                    {"isa", isa_name(isa())},
                    {"count", n}});
  }
  std::ofstream(path) << list.dump(1) << "\n";
}

Rows& rows() {
  static Rows all;
  return all;
}

}  // namespace gyre::conformance
