#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/conformance/definitions.h"

namespace gyre::conformance {
namespace {

// NaN is larger than all numbers and equal to itself.
bool less(double x, double y) { return std::isnan(y) ? !std::isnan(x) : x < y; }

// The argsort of a row.
std::vector<size_t> order_of(const Values& row, bool descending) {
  std::vector<size_t> r(row.size());
  std::iota(r.begin(), r.end(), size_t{0});
  std::stable_sort(r.begin(), r.end(), [&](size_t i, size_t j) {
    return descending ? less(row[j], row[i]) : less(row[i], row[j]);
  });
  return r;
}

// The first k of that order, as values and as indices.
std::vector<Values> first_of(const Dense& x, int64_t axis, bool descending, size_t k,
                             bool by_place) {
  auto rows = [&](bool places) {
    auto one = [&](const std::vector<Values>& row) {
      std::vector<size_t> order = order_of(row[0], descending);
      order.resize(std::min(k, order.size()));
      if (by_place) std::sort(order.begin(), order.end());
      Values r;
      for (size_t i : order) r.push_back(places ? static_cast<double>(i) : row[0][i]);
      return r;
    };
    return by_rows(one, {x}, axis);
  };
  return {rows(false), rows(true)};
}

std::vector<Values> sorted(const Call& call, const std::vector<Dense>& in) {
  return first_of(in[0], attribute(call, "axis", int64_t{-1}), attribute(call, "descending", false),
                  SIZE_MAX, false);
}

std::vector<Values> topk(const Call& call, const std::vector<Dense>& in) {
  return first_of(in[0], attribute(call, "axis", int64_t{-1}), attribute(call, "largest", true),
                  static_cast<size_t>(attribute(call, "k", int64_t{1})),
                  !attribute(call, "sorted", true));
}

std::vector<Values> searched(const Call& call, const std::vector<Dense>& in) {
  const Dense &sorted = in[0], &values = in[1];
  bool right = attribute(call, "right", false), one_row = sorted.shape.rank == 1;
  auto n = static_cast<size_t>(sorted.shape.back());
  size_t in_row = values.shape.rank ? static_cast<size_t>(values.shape.back()) : 1;
  Values r;
  for (size_t i = 0; i < values.v.size(); ++i) {
    size_t row = one_row ? 0 : i / in_row * n;
    double before = 0;
    for (size_t j = 0; j < n; ++j) {
      double here = sorted.v[row + j];
      before += less(here, values.v[i]) || (right && !less(values.v[i], here));
    }
    r.push_back(before);
  }
  return {r};
}

std::vector<Values> unique(const Call&, const std::vector<Dense>& in) {
  Values distinct, inverse(in[0].v.size()), counts;
  for (size_t i : order_of(in[0].v, false)) {
    double x = in[0].v[i];
    if (distinct.empty() || less(distinct.back(), x)) {
      distinct.push_back(x);
      counts.push_back(0);
    }
    ++counts.back();
    inverse[i] = static_cast<double>(distinct.size() - 1);
  }
  return {distinct, inverse, counts};
}

std::vector<Values> bincount(const Call& call, const std::vector<Dense>& in) {
  Values r(static_cast<size_t>(attribute(call, "minlength", int64_t{0})));
  bool weighted = in.size() > 1 && in[1].v.size() == in[0].v.size();
  for (size_t i = 0; i < in[0].v.size(); ++i) {
    auto bin = static_cast<size_t>(in[0].v[i]);
    if (bin >= r.size()) r.resize(bin + 1);
    r[bin] += weighted ? in[1].v[i] : 1;
  }
  return {r};
}

// The element of a row at `place` of its order, as value and index.
std::vector<Values> ranked(const Dense& x, int64_t axis,
                           const std::function<size_t(const Values& ascending)>& place) {
  const auto rows = [&](bool places) {
    return by_rows(
        [&](const std::vector<Values>& row) {
          const std::vector<size_t> order = order_of(row[0], false);
          Values ascending;
          for (size_t i : order) ascending.push_back(row[0][i]);
          const size_t i = order[place(ascending)];
          return Values{places ? static_cast<double>(i) : row[0][i]};
        },
        {x}, axis);
  };
  return {rows(false), rows(true)};
}

std::vector<Values> kthvalue(const Call& call, const std::vector<Dense>& in) {
  const auto k = static_cast<size_t>(attribute(call, "k", int64_t{1}));
  return ranked(in[0], attribute(call, "axis", int64_t{-1}), [k](const Values&) { return k - 1; });
}

std::vector<Values> median(const Call& call, const std::vector<Dense>& in) {
  return ranked(in[0], attribute(call, "axis", int64_t{-1}), [](const Values& ascending) {
    const auto nan =
        std::find_if(ascending.begin(), ascending.end(), [](double x) { return std::isnan(x); });
    return nan == ascending.end() ? (ascending.size() - 1) / 2
                                  : static_cast<size_t>(nan - ascending.begin());
  });
}

std::vector<Values> quantile(const Call& call, const std::vector<Dense>& in) {
  const double q = attribute(call, "q", 0.5);
  const auto how = attribute(call, "interpolation", uint8_t{0});
  const Fold one = [&](const Values& row) {
    Values x = row;
    std::sort(x.begin(), x.end(), less);
    if (std::isnan(x.back())) return x.back();
    const double place = q * static_cast<double>(x.size() - 1);
    const double low = std::floor(place), high = std::ceil(place);
    const double between = place - low;
    const double weights[] = {between, 0, 1, 0.5, between > 0.5 ? 1.0 : 0.0};
    const double w = low == high ? 0 : weights[how];
    return (1 - w) * x[static_cast<size_t>(low)] + w * x[static_cast<size_t>(high)];
  };
  return {folded(one, in[0], attribute(call, "axes", Shape()))};
}

const Definitions kOrder({
    {"kthvalue", kthvalue},
    {"median", median},
    {"quantile", quantile},
    {"sort", sorted},
    {"argsort",
     [](const Call& call, const std::vector<Dense>& in) {
       return std::vector<Values>{sorted(call, in)[1]};
     }},
    {"topk", topk},
    {"searchsorted", searched},
    {"unique", unique},
    {"bincount", bincount},
});

}  // namespace
}  // namespace gyre::conformance
