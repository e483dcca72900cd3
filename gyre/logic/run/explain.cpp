#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

#include "gyre/logic/run/store.h"

namespace gyre::logic {
namespace {

// Of the score of a tuple for random unit rows of n numbers, when a relation of N pairs has s
// others with an element of it: sqrt(s / n + N / n^2). The mean of s over the tuples.
double expected_error(const Relation& r, int64_t n) {
  std::vector<std::unordered_map<uint32_t, int64_t>> having(static_cast<size_t>(r.arity()));
  r.for_each([&](const uint32_t* t) {
    for (size_t i = 0; i < having.size(); ++i) ++having[i][t[i]];
  });
  double shared = 0;
  for (const auto& column : having) {
    for (const auto& [symbol, count] : column)
      shared += static_cast<double>(count) * static_cast<double>(count - 1);
  }
  const auto pairs = static_cast<double>(r.size()), numbers = static_cast<double>(n);
  return pairs == 0 ? 0 : std::sqrt(shared / pairs / numbers + pairs / (numbers * numbers));
}

}  // namespace

// The time of rules that depend on each other is that of the first one.
void Store::report_rules(const Component& component, const FixpointReport& report) {
  const ComponentRules all = rules_of(component);
  for (size_t i = 0; i < all.places.size(); ++i) {
    Reports::Entry& entry = reports_->of(all.places[i]);
    if (i > 0) ++entry.runs;
    entry.plan = {report.plans[i]};
    if (i == 0) {
      entry.plan.push_back(fmt::format("{} new tuples in {} {}", report.derived, report.iterations,
                                       report.iterations == 1 ? "pass" : "passes"));
    }
  }
}

void Store::report_result(int entity) {
  const Cell& cell = cells_[static_cast<size_t>(entity)];
  std::string result;
  if (cell.relation >= 0) {
    const Relation& r = relations_[static_cast<size_t>(cell.relation)];
    result =
        fmt::format("{} tuples, layout {}, {} bytes", r.size(), name_of(r.layout()), r.bytes());
    const Entity& e = names_.entities[static_cast<size_t>(entity)];
    if (is_embedded(entity)) {
      result += fmt::format("; embedded: expected error {:.2g} of a reading",
                            expected_error(r, e.embed_size));
    }
  } else if (cell.dense.defined()) {
    result = fmt::format("{} {} on {}", name_of(cell.dense.dtype()), to_string(cell.dense.shape()),
                         to_string(cell.dense.device()));
  }
  for (const Ready& ready : cell.equations) reports_->of(ready.lowered.place).result = result;
  for (const ReadyRule& rule : cell.rules) reports_->of(rule.site->place).result = result;
}

}  // namespace gyre::logic
