#include <algorithm>
#include <cmath>

#include "gyre/base/error.h"
#include "gyre/base/memory/poison.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "tests/conformance/op_test.h"
#include "tests/conformance/slopes.h"

// Degenerate points: operands that are 0, equal, parallel, antiparallel; with an operand c, the
// curvature of a space, also at curvatures around 0. Where the results, and values or derivatives,
// of points all around one have a limit, those at the point must be that limit.

namespace gyre::conformance {
namespace {

constexpr int64_t kMostElements = 64;
constexpr double kCurvatures[] = {-1, -1e-8, 0, 1e-8, 1};

// Results, first and second derivatives, one after the other.
struct Jet {
  Values of[3];
};
constexpr const char* kNameOf[] = {"result", "first derivative", "second derivative"};

void append(Values& to, const Tensors& tensors, const Tensors& like) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    Values v = tensors[i].defined()
                   ? values_of(tensors[i])
                   : Values(like[i].defined() ? static_cast<size_t>(like[i].numel()) : 0, 0.0);
    to.insert(to.end(), v.begin(), v.end());
  }
}

// A point that operands are moved to.
struct Degenerate {
  std::string name;
  Tensors in;
};

class Limit : public OpTest {
 protected:
  std::vector<Degenerate> degenerate(const Tensors& at, const std::string& where = "") const {
    std::vector<Degenerate> found;
    auto put = [&](const std::string& name, size_t i, const Tensor& t) {
      Tensors in = at;
      in[i] = t;
      found.push_back({name + where, in});
    };
    for (size_t i = 0; i < at.size(); ++i) {
      const std::string name = argument(op(), i).name;
      if (!is_smooth(op(), at, i) || (name == "c" && !where.empty())) continue;
      put(name + " = 0", i, Tensor(0.0) * at[i]);
      for (size_t j = 0; j < i; ++j) {
        if (!is_smooth(op(), at, j) || !(at[j].shape() == at[i].shape())) continue;
        const std::string other = argument(op(), j).name;
        put(name + " = " + other, i, at[j]);
        put(name + " = 2 " + other, i, 2.0 * at[j]);
        put(name + " = -" + other, i, neg(at[j]));
      }
    }
    return found;
  }

  // The degenerate points of a call, at its curvature and, but for gradients that users do not
  // call, at others.
  std::vector<Degenerate> all_degenerate(const Call& call, bool curved) const {
    std::vector<Degenerate> found = degenerate(call.in);
    curved = curved && !std::string_view(op().name).ends_with("_backward");
    for (size_t i = 0; curved && i < call.in.size(); ++i) {
      if (argument(op(), i).name != std::string("c")) continue;
      for (const double c : kCurvatures) {
        Tensors in = call.in;
        in[i] = Tensor(0.0) * in[i] + c;
        const std::string where = " at c = " + std::to_string(c);
        found.push_back({where, in});
        for (Degenerate& d : degenerate(in, where)) found.push_back(std::move(d));
      }
    }
    return found;
  }

  // Of the operands moved by `step` in a direction.
  Jet jet(const Tensors& at, const Attrs& attrs, double step, uint64_t direction) const {
    Tensors in = at;
    for (size_t i = 0; i < in.size(); ++i) {
      if (!is_smooth(op(), in, i)) continue;
      Values v = values_of(in[i]),
             d = weights(v.size(), 100 * direction + static_cast<uint64_t>(i));
      for (size_t k = 0; k < v.size(); ++k) v[k] += step * d[k];
      in[i] = lay_out(v, in[i].shape(), DType::f64);
    }
    const Slopes s = slopes_of(op(), leaves_of(op(), in), attrs, Order::plain, true);
    Jet r;
    append(r.of[0], s.results, s.results);
    append(r.of[1], s.first, in);
    append(r.of[2], s.second, in);
    return r;
  }

  // The largest distance of element i from that of the first jet; NaN if one is not finite.
  static double spread(const std::vector<Jet>& jets, int order, size_t i) {
    double most = 0;
    for (const Jet& j : jets) {
      if (!std::isfinite(j.of[order][i])) return NAN;
      most = std::max(most, std::fabs(j.of[order][i] - jets[0].of[order][i]));
    }
    return most;
  }

  // Jets around the point at two distances, in `count` directions and their opposites, so that the
  // sides of a kink differ.
  struct Around {
    std::vector<Jet> far, near;
  };
  void add(Around& a, const Degenerate& point, const Attrs& attrs, uint64_t first,
           uint64_t count) const {
    for (uint64_t d = first; d < first + count; ++d) {
      for (double sign : {1.0, -1.0}) {
        a.far.push_back(jet(point.in, attrs, 1e-3 * sign, d));
        a.near.push_back(jet(point.in, attrs, 1e-4 * sign, d));
      }
    }
  }

  // How far the value may be from near[0], if those around have a limit; else infinity.
  static double allowed(const Around& a, int order, size_t i) {
    double scale = 0;
    for (double x : a.near[0].of[order]) {
      scale = std::max(scale, std::isfinite(x) ? std::fabs(x) : 0);
    }
    const double wide = spread(a.far, order, i), narrow = spread(a.near, order, i);
    const double drift = std::fabs(a.far[0].of[order][i] - a.near[0].of[order][i]);
    const bool meet =
        narrow <= 0.02 * scale && narrow <= 0.3 * wide + 1e-7 * scale && drift <= 0.1 * scale;
    return meet ? 3 * narrow + drift + 1e-5 * scale + 1e-12 : INFINITY;
  }

  void check(const Degenerate& point, const Attrs& attrs, const std::string& where) const {
    Around around;
    Jet here;
    try {
      here = jet(point.in, attrs, 0, 0);
      add(around, point, attrs, 1, 2);
    } catch (const Error&) {
      return;  // outside of the domain
    }
    for (size_t i = 0; i < here.of[0].size(); ++i) {
      if (!std::isfinite(allowed(around, 0, i))) return;
    }
    for (int order = 0; order < 3; ++order) {
      for (size_t i = 0; i < here.of[order].size(); ++i) {
        const double got = here.of[order][i], limit = around.near[0].of[order][i];
        auto differs = [&] {
          const double most = allowed(around, order, i);
          return std::isfinite(most) && !(std::fabs(got - limit) <= most);
        };
        if (differs() && around.near.size() < 100) add(around, point, attrs, 3, 60);
        if (!differs()) continue;
        ADD_FAILURE() << where << ": " << kNameOf[order] << " " << i << " at " << point.name
                      << " is " << got << ", those around have the limit " << limit;
        return;
      }
    }
  }
};

TEST_P(Limit, OfValuesAndDerivatives) {
  if (!op().differentiable()) return;
  std::vector<size_t> small;
  for (size_t s = 0; s < calls().size() && small.size() < 3; ++s) {
    if (elements_of(calls()[s].in) <= kMostElements) small.push_back(s);
  }
  const auto fewest =
      std::ranges::min_element(small, {}, [&](size_t s) { return elements_of(calls()[s].in); });
  for (auto s = small.begin(); s != small.end(); ++s) {
    for (const Degenerate& point : all_degenerate(calls()[*s], s == fewest)) {
      check(point, calls()[*s].attrs, place(op(), *s, "limit"));
    }
  }
}

GYRE_FOR_VALUES_OF_EVERY_OP(Limit);

}  // namespace
}  // namespace gyre::conformance
