#include "gyre/ops/einsum/plan.h"

#include <mutex>
#include <unordered_map>

#include "gyre/ops/einsum/contraction_order.h"

namespace gyre {
namespace {

/// The axes of a matrix product: [batch, rows, sums] times [batch, sums, cols].
struct Roles {
  Labels batch, rows, cols, sums;
  Labels result() const { return batch + rows + cols; }
};

class Planner {
 public:
  explicit Planner(Subscripts s) : s_(std::move(s)) {}

  EinsumPlan plan() {
    Indices all, out(s_.out);
    for (const Labels& term : s_.in) all = all | Indices(term);
    all.each([&](Label label) {
      if (s_.size(label) != 1) long_ = long_ | Indices(label);
    });
    plan_.sums = !(all - out - s_.broadcast).empty();
    plan_.naive_flops =
        elements(s_, all) * (static_cast<double>(s_.in.size()) - 1 + (plan_.sums ? 1 : 0));
    bool alone = s_.in.size() == 1;
    std::vector<Labels> given = s_.in;
    for (size_t i = 0; i < given.size(); ++i) {
      values_.push_back(static_cast<int>(i));
      Labels to = alone ? s_.out : needed(given, i);
      if (alone || to != given[i]) values_[i] = add(one_operand(static_cast<int>(i), to), to);
      s_.in[i] = to;
    }
    if (!alone) contract();
    return std::move(plan_);
  }

 private:
  // Indices of an operand that others or the result have, each once; those of size 1 only if the
  // result has them.
  Labels needed(const std::vector<Labels>& given, size_t i) const {
    Indices others;
    for (size_t j = 0; j < given.size(); ++j) {
      if (j != i) others = others | Indices(given[j]);
    }
    Indices wanted = Indices(s_.out) | (others & long_);
    Labels r;
    for (Label label : given[i]) {
      if (wanted.has(label) && r.find(label) == Labels::npos) r += label;
    }
    return r;
  }

  // Adds a step and gives its number among the values.
  int add(EinsumPlan::Step step, const Labels& result) {
    step.elements = elements(s_, Indices(result));
    plan_.steps.push_back(std::move(step));
    return static_cast<int>(s_.in.size() + plan_.steps.size()) - 1;
  }

  EinsumPlan::Step one_operand(int operand, const Labels& to) const {
    EinsumPlan::Step step{EinsumStep::view, operand};
    const Labels& from = s_.in[static_cast<size_t>(operand)];
    step.spec = text_of(from) + "->" + text_of(to);
    Indices kept(to);
    Labels left;
    for (size_t axis = 0; axis < from.size(); ++axis) {
      if (s_.size(from[axis]) == 1 && !kept.has(from[axis])) {
        step.dropped.push_back(static_cast<int64_t>(axis));
      } else {
        left += from[axis];
      }
    }
    for (size_t first = 0; first < left.size();) {
      size_t second = left.find(left[first], first + 1);
      if (second == Labels::npos) {
        ++first;
        continue;
      }
      step.diagonals.push_back({static_cast<int64_t>(first), static_cast<int64_t>(second)});
      left += left[first];
      left.erase(second, 1);
      left.erase(first, 1);
    }
    for (size_t axis = 0; axis < left.size(); ++axis) {
      if (!kept.has(left[axis])) step.summed.push_back(static_cast<int64_t>(axis));
    }
    if (step.summed.rank) {
      step.kind = EinsumStep::sum;
      step.flops = elements(s_, Indices(left));
    }
    step.result = arranged(only(left, kept), to, s_.shape(to));
    return step;
  }

  void contract() {
    std::vector<Labels> terms = s_.in;
    std::vector<bool> spent(terms.size(), false);
    std::vector<Contraction> order = contraction_order(s_);
    for (size_t i = 0; i < order.size(); ++i) {
      auto a = static_cast<size_t>(order[i].a), b = static_cast<size_t>(order[i].b);
      spent[a] = spent[b] = true;
      Indices wanted(s_.out);
      for (size_t k = 0; k < terms.size(); ++k) {
        if (!spent[k]) wanted = wanted | Indices(terms[k]);
      }
      bool last = i + 1 == order.size();
      if (last && turn(terms[a], terms[b])) std::swap(a, b);
      values_.push_back(add_pair(terms[a], terms[b], wanted, last, values_[a], values_[b]));
      terms.push_back(result_);
      spent.push_back(false);
    }
  }

  // True if only swapped operands give the result's order.
  bool turn(const Labels& a, const Labels& b) const {
    Indices out(s_.out);
    return roles(a, b, out, true).result() != s_.out && roles(b, a, out, true).result() == s_.out;
  }

  // Adds the step for two values and leaves the term of its result in result_.
  int add_pair(const Labels& a, const Labels& b, Indices wanted, bool last, int a_value,
               int b_value) {
    Indices all = Indices(a) | Indices(b);
    EinsumPlan::Step step{EinsumStep::pointwise, a_value, b_value};
    step.flops = flops_of(s_, Indices(a), Indices(b), all & wanted);
    if ((all - wanted).empty()) {
      result_ = last ? s_.out : a + only(b, all - Indices(a));
      step.left = broadcast(a);
      step.right = broadcast(b);
    } else {
      step.kind = EinsumStep::product;
      multiply(step, a, b, roles(a, b, wanted, last), last);
    }
    step.spec = text_of(a) + "," + text_of(b) + "->" + text_of(result_);
    return add(std::move(step), result_);
  }

  // A term as an operand that broadcasts to result_.
  Arrangement broadcast(const Labels& term) const {
    Shape shape;
    for (Label label : result_) {
      bool has = Indices(term).has(label);
      if (has || shape.rank) shape.push_back(has ? s_.size(label) : 1);
    }
    return arranged(term, only(result_, Indices(term)), shape);
  }

  void multiply(EinsumPlan::Step& step, const Labels& a, const Labels& b, const Roles& r,
                bool last) {
    Shape batch = s_.shape(r.batch);
    if (batch.rank > kMaxRank - 2) batch = {numel(batch)};
    // without a batch, an operand that has only the summed indices is a vector
    const bool row = r.batch.empty() && r.rows.empty(), col = r.batch.empty() && r.cols.empty();
    auto matrix = [&](const Labels& rows, const Labels& cols) {
      Shape shape = batch;
      if (!row || &rows != &r.rows) shape.push_back(numel(s_.shape(rows)));
      if (!col || &cols != &r.cols) shape.push_back(numel(s_.shape(cols)));
      return shape;
    };
    step.left = arranged(a, r.batch + r.rows + r.sums, matrix(r.rows, r.sums));
    step.right = arranged(b, r.batch + r.sums + r.cols, matrix(r.sums, r.cols));
    result_ = last ? s_.out : r.result();
    step.result = arranged(r.result(), result_, s_.shape(r.result()));
    step.result.reshapes = !(matrix(r.rows, r.cols) == step.result.shape);
  }

  // The roles of indices, in an order that spares copies of the operands.
  Roles roles(const Labels& a, const Labels& b, Indices wanted, bool last) const {
    Indices of_a(a), of_b(b), both = of_a & of_b, sums = both - wanted, batch = both & wanted;
    Roles r{only(last ? s_.out : a, batch), only(a, of_a - both), only(b, of_b - both),
            only(a, sums)};
    double cost = copied(a, r.rows, r.sums) + copied(b, r.cols, r.sums);
    Roles other = r;
    other.sums = only(b, sums);
    if (copied(a, r.rows, other.sums) + copied(b, r.cols, other.sums) < cost) r = other;
    if (last && copied(a, r.rows, r.sums) > 0) r.rows = only(s_.out, of_a - both);
    if (last && copied(b, r.cols, r.sums) > 0) r.cols = only(s_.out, of_b - both);
    return r;
  }

  // Elements of a contiguous operand that must be copied before a product.
  double copied(const Labels& term, const Labels& outer, const Labels& sums) const {
    Labels all = only(term, long_), rows = only(outer, long_), inner = only(sums, long_);
    bool fits = all.find(rows) != Labels::npos && all.find(inner) != Labels::npos;
    bool along = all.empty() || (rows + inner).find(all.back()) != Labels::npos;
    return fits && along ? 0 : elements(s_, Indices(term));
  }

  Arrangement arranged(const Labels& from, const Labels& to, const Shape& shape) const {
    Arrangement r;
    for (Label label : to) {
      r.permutes |= static_cast<size_t>(r.axes.rank) != from.find(label);
      r.axes.push_back(static_cast<int64_t>(from.find(label)));
    }
    r.shape = shape;
    r.reshapes = !(shape == s_.shape(to));
    return r;
  }

  Subscripts s_;
  EinsumPlan plan_;
  std::vector<int> values_;  ///< numbers of the operands and of what pairs gave, among all steps
  Labels result_;            ///< the term of the latest pair
  Indices long_;             ///< indices of another size than 1
};

// With the length of the spec, which may hold any bytes, also those of a shape.
std::string key_of(std::string_view spec, std::span<const Shape> shapes) {
  std::string key = std::to_string(spec.size()) + ' ';
  key += spec;
  for (const Shape& shape : shapes) {
    key += static_cast<char>(shape.rank);
    key.append(reinterpret_cast<const char*>(shape.begin()),
               static_cast<size_t>(shape.rank) * sizeof(int64_t));
  }
  return key;
}

struct Cache {
  std::mutex mutex;
  std::unordered_map<std::string, std::shared_ptr<const EinsumPlan>> plans;
};

Cache& cache() {
  static Cache* const kept = new Cache;  // leaked on purpose: threads may outlive main
  return *kept;
}

}  // namespace

EinsumPlan make_einsum_plan(const EinsumTerms& terms, std::span<const Shape> shapes) {
  return Planner(bind_shapes(terms, shapes)).plan();
}

std::shared_ptr<const EinsumPlan> einsum_plan(std::string_view spec,
                                              std::span<const Shape> shapes) {
  std::string key = key_of(spec, shapes);
  Cache& c = cache();
  {
    std::lock_guard lock(c.mutex);
    if (auto found = c.plans.find(key); found != c.plans.end()) return found->second;
  }
  auto made = std::make_shared<const EinsumPlan>(make_einsum_plan(read_terms(spec), shapes));
  std::lock_guard lock(c.mutex);
  if (c.plans.size() >= kMostPlans) c.plans.clear();
  return c.plans.try_emplace(std::move(key), std::move(made)).first->second;
}

}  // namespace gyre
