#include <fmt/format.h>

#include <algorithm>

#include "gyre/logic/run/evaluator.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::logic {
namespace {

Labels labels_of(const LabelList& axes) {
  Labels labels;
  for (const Label l : axes) labels += static_cast<char16_t>(l);
  return labels;
}

}  // namespace

Tensor contracted(ProductPlans::Plan& plan, const std::vector<Value>& operands,
                  const LabelList& axes) {
  std::vector<Shape> shapes;
  Tensors tensors;
  for (const Value& v : operands) {
    shapes.push_back(v.tensor.shape());
    tensors.push_back(v.tensor);
  }
  if (plan.shapes != shapes) {
    EinsumTerms terms;
    for (const Value& v : operands) terms.in.push_back({.labels = labels_of(v.axes)});
    terms.out = {.labels = labels_of(axes)};
    plan = {shapes, make_einsum_plan(terms, shapes)};
  }
  return run_einsum(plan.plan, tensors);
}

namespace {

// Whether a step reads a tensor at variables and constants only.
bool is_atom(const Node& node) {
  return node.kind == Node::load &&
         std::all_of(node.positions.begin(), node.positions.end(), [](const Position& p) {
           return p.kind == Position::variable || p.kind == Position::constant;
         });
}

constexpr const char* kNoEvidence = "the evidence has probability 0";

[[noreturn]] void refuse_0_by_0(Place place, const char* meaning) {
  refuse(DiagnosticCode::R01, place, {"0 / 0: ", meaning}, "",
         "restrict the equation with where to what is possible");
}

}  // namespace

Tensor divided(const Tensor& t, const Tensor& by, Place place, const char* meaning) {
  const Tensor quotient = t / by;
  if (any(isnan(quotient.detach())).item() != 0 &&
      any(logical_and(t.detach() == Tensor(0.0), by.detach() == Tensor(0.0))).item() != 0)
    refuse_0_by_0(place, meaning);
  return quotient;
}

namespace {

// Refuses a sum over all indices of the factors, divided by `by`, that has a term 0 / 0. Terms are
// counted, so that the array of all is not needed.
void check_divided(const std::vector<Value>& factors, double scale, const Value& by, Place place) {
  const Tensor is_zero = by.tensor.detach() == Tensor(0.0);
  if (any(is_zero).item() == 0) return;
  std::vector<Value> all{{to(is_zero, DType::f64), by.axes}}, nonzero = all;
  for (const Value& f : factors) {
    const Tensor is_nonzero = to(f.tensor.detach() != Tensor(0.0), DType::f64);
    nonzero.push_back({is_nonzero, f.axes});
    all.push_back({ones_like(is_nonzero), f.axes});
  }
  const auto count = [](const std::vector<Value>& operands) {
    ProductPlans::Plan plan;
    return contracted(plan, operands, {}).item();
  };
  if (scale == 0 || count(nonzero) < count(all)) refuse_0_by_0(place, kNoEvidence);
}

}  // namespace

// The product of the factors, divided afterwards by what has all its indices on the outside.
Value Evaluator::product(const Node& node) {
  if (fixed_ < 0) {
    std::vector<const Node*> counted, atoms;
    for (size_t i = 0; i < node.children.size(); ++i) {
      const Node& child = *node.children[i];
      if (node.inverse[i] || !is_atom(child)) continue;
      if (tuples_.is_relation(child.entity)) counted.push_back(&child);
      if (tuples_.is_sparse(child.entity)) atoms.push_back(&child);
    }
    const bool counts = counted.size() == 1 || !atoms.empty();
    if (node.axes.empty() && counts && counted.size() == node.children.size()) {
      const int64_t count = tuples_.count(counted);
      if (plan_) plan_->push_back(fmt::format("count of a join: {} bindings", count));
      return {number(static_cast<double>(count)), {}};
    }
    if (!atoms.empty()) return sparse_product(node, atoms);
    if (std::optional<Value> done = convolved(node)) return std::move(*done);
  }
  const LabelList axes = without_fixed(node.axes);
  std::vector<Value> factors, divisors, summed;  // what divides and is summed over is inverted
  factors.reserve(node.children.size());
  double scale = 1, divisor = 1;
  for (size_t i = 0; i < node.children.size(); ++i) {
    const Node& child = *node.children[i];
    if (child.kind == Node::number) {
      (node.inverse[i] ? divisor : scale) *= child.value;
      continue;
    }
    Value v = value(node.children[i]);
    if (!node.inverse[i]) {
      factors.push_back(std::move(v));
    } else if (std::all_of(v.axes.begin(), v.axes.end(), [&](Label l) {
                 return place_of(axes, l) < static_cast<int>(axes.size());
               })) {
      divisors.push_back(std::move(v));
    } else {
      summed.push_back(std::move(v));
    }
  }
  for (const Value& d : summed) check_divided(factors, scale, d, node.place);
  for (const Value& d : summed) factors.push_back({reciprocal(d.tensor), d.axes});
  // the factor with the first axis first, so that a product of matrices needs no transposition
  const auto first_axis = [&](const Value& f) {
    int least = static_cast<int>(axes.size());
    for (const Label l : f.axes) least = std::min(least, place_of(axes, l));
    return least;
  };
  const auto comes_first = [&](const Value& a, const Value& b) {
    return first_axis(a) < first_axis(b);
  };
  if (!std::is_sorted(factors.begin(), factors.end(), comes_first))
    std::stable_sort(factors.begin(), factors.end(), comes_first);
  Value result{number(1), {}};
  if (!factors.empty()) {
    LabelList found;
    for (const Label l : axes) {
      if (std::any_of(factors.begin(), factors.end(), [&](const Value& f) {
            return place_of(f.axes, l) < static_cast<int>(f.axes.size());
          }))
        found.push_back(l);
    }
    if (factors.size() == 1 && factors[0].axes == found) {
      result = {factors[0].tensor, found};
    } else {
      ProductPlans::Plan& plan = plans_.by_node[&node];
      result = {contracted(plan, factors, found), found};
      if (plan_) explain_product(node, plan.plan);
    }
  }
  if (scale != 1) result.tensor = result.tensor * Tensor(scale);
  if (divisor == 0)
    result.tensor = divided(result.tensor, Tensor(divisor), node.place, kNoEvidence);
  else if (divisor != 1)
    result.tensor = result.tensor / Tensor(divisor);
  Tensor t = aligned(result, axes);
  for (const Value& d : divisors) t = divided(t, aligned(d, axes), node.place, kNoEvidence);
  Shape shape;
  for (const Label l : axes) shape.push_back(size(l));
  return {t.shape() == shape ? t : expand(t, shape), axes};
}

}  // namespace gyre::logic
