#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

#include "gyre/logic/run/store.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"

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

void Evaluator::check_overflow(const Node& node, const Value& v) {
  const auto is_finite = [](const Tensor& t) {
    return !gyre::is_floating(t.dtype()) || all(isfinite(t.detach())).item() != 0;
  };
  if (node.kind == Node::load || is_finite(v.tensor)) return;
  for (const NodePtr& child : node.children) {
    if (!is_finite(value(child).tensor)) return;
  }
  refuse(DiagnosticCode::R07, node.place,
         {"a value is not finite in ", name_of(v.tensor.dtype()), ", from finite values"},
         v.tensor.dtype() == DType::f16 ? "the largest finite f16 is 65504; bf16 and f32 have more"
                                        : "");
}

// A factor as an error or a plan names it.
std::string Evaluator::text_of(const Node& node) const {
  if (node.kind == Node::number) return fmt::format("{:g}", node.value);
  const std::string name = node.kind == Node::load
                               ? names_.entities[static_cast<size_t>(node.entity)].name
                           : node.op ? node.op->name
                                     : "(..)";
  const auto of = [&](Label l) { return l_.variables[static_cast<size_t>(l)].name; };
  std::string axes;
  const auto add = [&](const std::string& text) { axes += (axes.empty() ? "" : ", ") + text; };
  if (node.kind == Node::load) {
    for (const Position& p : node.positions)
      add(p.kind == Position::variable   ? of(p.label)
          : p.kind == Position::constant ? std::to_string(p.value)
                                         : "..");
  } else {
    for (const Label l : node.axes) add(of(l));
  }
  return axes.empty() ? name : name + "[" + axes + "]";
}

void Evaluator::explain_product(const Node& node, const EinsumPlan& plan) const {
  std::string factors;
  for (const NodePtr& child : node.children)
    factors += (factors.empty() ? "" : " ") + text_of(*child);
  double flops = 0;
  for (const EinsumPlan::Step& step : plan.steps) flops += step.flops;
  plan_->push_back(fmt::format("einsum of {}: {} {}, {:.4g} operations, {:.4g} without an order",
                               factors, plan.steps.size(),
                               plan.steps.size() == 1 ? "step" : "steps", flops, plan.naive_flops));
}

}  // namespace gyre::logic
