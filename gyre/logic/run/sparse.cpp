#include <fmt/format.h>

#include <algorithm>

#include "gyre/logic/run/evaluator.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::logic {
namespace {

constexpr Label kRow = 64;  // of the tuples of a join; above the labels of variables

}  // namespace

// Flat row-major places of the tuples in an array over some of their columns.
Tensor Evaluator::places(const std::vector<uint32_t>& tuples, const LabelList& columns,
                         const LabelList& over) const {
  const size_t width = columns.size(), rows = tuples.size() / width;
  std::vector<int64_t> flat(rows, 0);
  for (const Label l : over) {
    const auto column =
        static_cast<size_t>(std::find(columns.begin(), columns.end(), l) - columns.begin());
    const int64_t n = size(l);
    for (size_t i = 0; i < rows; ++i) flat[i] = flat[i] * n + tuples[i * width + column];
  }
  return tensor(flat, {static_cast<int64_t>(rows)});
}

// A factor at the tuples: [tuples, its other axes].
Value Evaluator::at_tuples(const Value& v, const std::vector<uint32_t>& tuples,
                           const LabelList& columns) const {
  LabelList over, order, axes{kRow};
  for (const Label l : v.axes) {
    if (has(columns, l)) over.push_back(l);
  }
  if (over.empty()) return v;
  order = over;
  Shape shape;
  shape.push_back(1);
  for (const Label l : over) shape[0] *= size(l);
  for (const Label l : v.axes) {
    if (has(over, l)) continue;
    order.push_back(l);
    axes.push_back(l);
    shape.push_back(size(l));
  }
  return {index_select(reshape(aligned(v, order), shape), 0, places(tuples, columns, over)), axes};
}

// The sum of products over the tuples of a join of relations, which are not made dense: other
// factors are read at the tuples, and the products added up where the result has them.
Value Evaluator::sparse_product(const Node& node, const std::vector<const Node*>& atoms) {
  LabelList columns;
  for (const Node* atom : atoms) {
    for (const Label l : atom->axes) {
      if (!has(columns, l)) columns.push_back(l);
    }
  }
  const std::vector<uint32_t> tuples = tuples_.join(atoms, columns);
  const size_t width = std::max<size_t>(columns.size(), 1);
  if (plan_) {
    std::string names;
    for (const Node* atom : atoms) names += (names.empty() ? "" : ", ") + text_of(*atom);
    plan_->push_back(fmt::format("join of {}: {} bindings, at which other factors are gathered",
                                 names, tuples.size() / width));
  }
  const auto rows = static_cast<int64_t>(tuples.size() / width);
  std::vector<Value> factors{{ones({rows}, {.dtype = dtype_}), {kRow}}};
  for (size_t i = 0; i < node.children.size(); ++i) {
    const Node& child = *node.children[i];
    if (std::find(atoms.begin(), atoms.end(), &child) != atoms.end()) continue;
    Value v = value(node.children[i]);
    if (node.inverse[i]) v.tensor = reciprocal(v.tensor);
    factors.push_back(columns.empty() ? v : at_tuples(v, tuples, columns));
  }
  LabelList scattered, kept, wanted;
  for (const Label l : node.axes) (has(columns, l) ? scattered : kept).push_back(l);
  if (!scattered.empty()) wanted.push_back(kRow);
  wanted.append(kept.begin(), kept.end());
  ProductPlans::Plan plan;
  const Tensor products = contracted(plan, factors, wanted);
  if (scattered.empty()) return {products, node.axes};
  Shape flat = products.shape(), shape;
  flat[0] = 1;
  for (const Label l : scattered) {
    flat[0] *= size(l);
    shape.push_back(size(l));
  }
  for (int i = 1; i < flat.rank; ++i) shape.push_back(flat[i]);
  const Tensor sums = index_add(zeros(flat, {.dtype = products.dtype()}), 0,
                                places(tuples, columns, scattered), products);
  LabelList order = scattered;
  order.append(kept.begin(), kept.end());
  return {aligned({reshape(sums, shape), order}, node.axes), node.axes};
}

}  // namespace gyre::logic
