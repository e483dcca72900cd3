#include "gyre/ops/einsum/contraction_order.h"

#include <array>
#include <limits>

#include "gyre/base/error.h"

namespace gyre {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

struct Cost {
  double flops = kNever, between = kNever;
  bool operator<(const Cost& o) const {
    return flops < o.flops || (flops == o.flops && between < o.between);
  }
};

[[noreturn]] void refuse_rank() {
  throw Error(Code::shape, "einsum",
              "found no contraction order whose results have at most 16 axes", "at most 16 axes");
}

// Subsets of operands are bit masks: bit i is operand i.
class SubsetSearch {
 public:
  explicit SubsetSearch(const Subscripts& s) : s_(s), all_((1u << s.in.size()) - 1) {
    for (unsigned set = 1; set <= all_; ++set) visit(set);
  }

  std::vector<Contraction> order() {
    if (all_ != 0 && best_[all_].cost.flops == kNever) refuse_rank();
    next_ = static_cast<int>(s_.in.size());
    value_of(all_);
    return std::move(order_);
  }

 private:
  struct Best {
    Indices indices;  ///< of the result
    Cost cost;
    unsigned left = 0;
  };

  void visit(unsigned set) {
    Indices inside, outside(s_.out);
    for (size_t i = 0; i < s_.in.size(); ++i) {
      Indices own(s_.in[i]);
      (set >> i & 1 ? inside : outside) = (set >> i & 1 ? inside : outside) | own;
    }
    Best& best = best_[set];
    best.indices = inside & outside;
    if ((set & (set - 1)) == 0) {
      best.cost = {0, 0};
      return;
    }
    if (best.indices.count() > kMaxRank) return;
    double between = set == all_ ? 0 : elements(s_, best.indices);
    // each pair once: the lowest operand is in the left part
    unsigned lowest = set & (~set + 1);
    for (unsigned left = (set - 1) & set; left; left = (left - 1) & set) {
      if (!(left & lowest)) continue;
      const Best &a = best_[left], &b = best_[set ^ left];
      double below = a.cost.flops + b.cost.flops;
      if (below > best.cost.flops) continue;
      Cost cost{below + flops_of(s_, a.indices, b.indices, best.indices),
                a.cost.between + b.cost.between + between};
      if (cost < best.cost) {
        best.cost = cost;
        best.left = left;
      }
    }
  }

  int value_of(unsigned set) {
    if ((set & (set - 1)) == 0) return __builtin_ctz(set);
    unsigned left = best_[set].left;
    int a = value_of(left), b = value_of(set ^ left);
    order_.push_back({a, b});
    return next_++;
  }

  const Subscripts& s_;
  unsigned all_;
  std::array<Best, 1 << kMostOptimal> best_;
  std::vector<Contraction> order_;
  int next_ = 0;
};

class Greedy {
 public:
  explicit Greedy(const Subscripts& s) : s_(s) {
    for (size_t i = 0; i < s.in.size(); ++i) add({static_cast<int>(i), Indices(s.in[i])});
  }

  std::vector<Contraction> order() {
    auto next = static_cast<int>(s_.in.size());
    while (left_.size() > 1) {
      size_t a = 0, b = 0;
      Indices result = choose(a, b);
      order_.push_back({left_[a].number, left_[b].number});
      remove(b);  // the later one first
      remove(a);
      add({next++, result});
    }
    return std::move(order_);
  }

 private:
  struct Value {
    int number;
    Indices indices;
  };

  void add(const Value& v) {
    left_.push_back(v);
    v.indices.each([&](Label label) { ++uses_[label]; });
  }
  void remove(size_t i) {
    left_[i].indices.each([&](Label label) { --uses_[label]; });
    left_.erase(left_.begin() + static_cast<ptrdiff_t>(i));
  }

  // Indices that remain after contracting two values: those of the result or of a third.
  Indices result_of(Indices a, Indices b) const {
    Indices out(s_.out), both = a & b, result = (a | b) - both;
    both.each([&](Label label) {
      if (out.has(label) || uses_[label] > 2) result = result | Indices(label);
    });
    return result;
  }

  Indices choose(size_t& a, size_t& b) const {
    Cost best;
    Indices chosen;
    bool found = false;
    for (size_t i = 0; i < left_.size(); ++i) {
      for (size_t j = i + 1; j < left_.size(); ++j) {
        Indices x = left_[i].indices, y = left_[j].indices, result = result_of(x, y);
        if (result.count() > kMaxRank) continue;
        Cost cost{elements(s_, result) - elements(s_, x) - elements(s_, y),
                  flops_of(s_, x, y, result)};
        if (found && !(cost < best)) continue;
        found = true;
        best = cost;
        chosen = result;
        a = i;
        b = j;
      }
    }
    if (!found) refuse_rank();
    return chosen;
  }

  const Subscripts& s_;
  std::vector<Value> left_;
  int uses_[Indices::kMost] = {};
  std::vector<Contraction> order_;
};

}  // namespace

double flops_of(const Subscripts& s, Indices a, Indices b, Indices result) {
  Indices all = a | b;
  return elements(s, all) * ((all - result).empty() ? 1 : 2);
}

std::vector<Contraction> contraction_order(const Subscripts& s) {
  if (s.in.size() <= kMostOptimal) return SubsetSearch(s).order();
  return Greedy(s).order();
}

}  // namespace gyre
