#include <algorithm>

#include "gyre/logic/run/evaluator.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/ops/sparse/semiring.h"

namespace gyre::logic {
namespace {

LabelList joined(const LabelList& a, const LabelList& b, const LabelList& c) {
  LabelList all = a;
  all.append(b.begin(), b.end());
  all.append(c.begin(), c.end());
  return all;
}

// The axes of two factors: those that both and the result have, those of one and the result, and
// those that are projected away.
struct FactorAxes {
  LabelList batch, rows, columns, over;

  // Whether the projection is a matrix product whose combinations take more memory than its
  // factors.
  bool find(const LabelList& a, const LabelList& b, const LabelList& left) {
    for (const Label l : left) {
      if (!has(a, l) && !has(b, l)) return false;
      (has(a, l) && has(b, l) ? batch : has(a, l) ? rows : columns).push_back(l);
    }
    for (const Label l : a) {
      if (!has(left, l)) over.push_back(l);
    }
    const auto known = [&](Label l) { return has(left, l) || has(over, l); };
    return std::all_of(b.begin(), b.end(), known) &&
           std::all_of(over.begin(), over.end(), [&](Label l) { return has(b, l); }) &&
           !rows.empty() && !columns.empty() && !over.empty();
  }
};

Semiring semiring_of(bool adds, Projection projection) {
  if (projection == Projection::min) return adds ? Semiring::min_plus : Semiring::min_times;
  return adds ? Semiring::max_plus : Semiring::max_times;
}

// The share of elements that are the identity, from a few of the rows.
double share_of(double identity, const Tensor& matrix) {
  constexpr int64_t kRows = 32;
  const int64_t rows = matrix.size(-2), step = std::max<int64_t>(1, rows / kRows);
  const Tensor some = slice(matrix.detach(), {-2, 0, rows, step});
  return mean(to(some == Tensor(identity), DType::f32)).item();
}

bool is_load(const Node& node, int entity, Label first, Label second) {
  const auto is_variable = [](const Position& p, Label l) {
    return p.kind == Position::variable && !p.is_virtual && p.label == l;
  };
  return node.kind == Node::load && node.entity == entity && node.positions.size() == 2 &&
         is_variable(node.positions[0], first) && is_variable(node.positions[1], second);
}

}  // namespace

std::optional<Tensor> Evaluator::shortest_paths(int entity, const Tensor& start) {
  const Node& right = *l_.right;
  const bool is_extreme = l_.projection == Projection::min || l_.projection == Projection::max;
  if (!is_extreme || l_.mask || right.kind != Node::sum || right.children.size() != 2 ||
      right.inverse[0] || right.inverse[1] || l_.left.size() != 2 || right.axes.size() != 3) {
    return std::nullopt;
  }
  const Label row = l_.left[0].label, column = l_.left[1].label;
  LabelList over = right.axes;
  over.erase(
      std::remove_if(over.begin(), over.end(), [&](Label l) { return l == row || l == column; }),
      over.end());
  if (over.size() != 1) return std::nullopt;
  for (size_t i = 0; i < 2; ++i) {
    const Node& paths = *right.children[i];
    const NodePtr& edges_at = right.children[1 - i];
    const Node& edges = *edges_at;
    const bool before = is_load(paths, entity, row, over[0]);
    if (!before && !is_load(paths, entity, over[0], column)) continue;
    if (edges.kind != Node::load || edges.entity == entity || edges.axes.size() != 2) continue;
    // paths on the left of edges grow at their end, so that all is transposed
    const Tensor weights = before ? aligned(value(edges_at), {column, over[0]})
                                  : aligned(value(edges_at), {row, over[0]});
    constexpr double kSparse = 7.0 / 8;
    const bool fits = weights.size(0) == weights.size(1) && size(row) == start.size(0) &&
                      size(column) == start.size(1);
    if (weights.tracked() || start.tracked() || !is_floating(weights.dtype()) || !fits ||
        share_of(identity_of(l_.projection), weights) < kSparse) {
      return std::nullopt;
    }
    const Semiring semiring = semiring_of(true, l_.projection);
    if (plan_) plan_->push_back("paths over " + text_of(edges) + " at once");
    if (!before) return semiring_fixpoint(weights, start, semiring);
    return transpose(semiring_fixpoint(weights, transpose(start, 0, 1), semiring), 0, 1);
  }
  return std::nullopt;
}

std::optional<Value> Evaluator::semiring_product(const Node& right, Projection projection,
                                                 const LabelList& left) {
  const bool adds = right.kind == Node::sum,
             is_extreme = projection == Projection::min || projection == Projection::max;
  if (!is_extreme || !(adds || right.kind == Node::product)) return std::nullopt;
  if (right.children.size() != 2 || right.inverse[0] || right.inverse[1]) return std::nullopt;
  FactorAxes axes;
  if (!axes.find(without_fixed(right.children[0]->axes), without_fixed(right.children[1]->axes),
                 left)) {
    return std::nullopt;
  }
  const Value a = value(right.children[0]), b = value(right.children[1]);
  if (!is_floating(a.tensor.dtype()) || !is_floating(b.tensor.dtype())) return std::nullopt;
  const auto count = [&](const LabelList& labels) {
    int64_t n = 1;
    for (const Label l : labels) n *= size(l);
    return n;
  };
  const auto matrix = [&](const Value& v, const LabelList& rows, const LabelList& columns) {
    const Tensor t = aligned(v, joined(axes.batch, rows, columns));
    if (axes.batch.empty()) return reshape(t, {count(rows), count(columns)});
    return reshape(t, {count(axes.batch), count(rows), count(columns)});
  };
  const Tensor x = matrix(a, axes.rows, axes.over), y = matrix(b, axes.over, axes.columns);
  // elements of the first factor that are the identity cost no time
  const double identity = identity_of(projection);
  constexpr int64_t kLarge = 10000;
  const bool turned = adds && x.numel() > kLarge && y.numel() > kLarge &&
                      share_of(identity, y) > share_of(identity, x);
  const Semiring semiring = semiring_of(adds, projection);
  const Tensor t = turned ? semiring_matmul(transpose(y, -1, -2), transpose(x, -1, -2), semiring)
                          : semiring_matmul(x, y, semiring);
  const LabelList order = turned ? joined(axes.batch, axes.columns, axes.rows)
                                 : joined(axes.batch, axes.rows, axes.columns);
  if (plan_) {
    plan_->push_back("product over the semiring " +
                     std::string(kSemiringNames[static_cast<size_t>(semiring)]) + " of " +
                     text_of(*right.children[0]) + " and " + text_of(*right.children[1]));
  }
  Shape shape;
  for (const Label l : order) shape.push_back(size(l));
  return Value{aligned({reshape(t, shape), order}, left), left};
}

}  // namespace gyre::logic
