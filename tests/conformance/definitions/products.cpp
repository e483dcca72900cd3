#include <algorithm>
#include <cmath>

#include "tests/conformance/definitions.h"

namespace gyre::conformance {
namespace {

int counted(int64_t axis, int rank) { return static_cast<int>(axis < 0 ? axis + rank : axis); }

// The indices of a shape, one for each element.
std::vector<std::vector<int64_t>> all_places(const Shape& shape) {
  std::vector<std::vector<int64_t>> all;
  each_place(shape, [&](const int64_t* at) { all.emplace_back(at, at + shape.rank); });
  return all;
}

std::vector<Values> addmm(const Call& call, const std::vector<Dense>& in) {
  const double beta = attribute(call, "beta", 1.0), alpha = attribute(call, "alpha", 1.0);
  const Shape &a = in[1].shape, &b = in[2].shape;
  Shape shape = a.rank > b.rank ? a : b;
  shape[shape.rank - 2] = a.back(1);
  shape[shape.rank - 1] = b.back();
  Values r;
  each_place(shape, [&](const int64_t* at) {
    double sum = 0;
    for (int64_t k = 0; k < a.back(); ++k) {
      const auto element = [&](const Dense& x, int64_t row, int64_t column) {
        const Shape& s = x.shape;
        const int64_t batch = s.rank == 3 ? at[0] : 0;
        return x.v[static_cast<size_t>((batch * s.back(1) + row) * s.back() + column)];
      };
      sum += element(in[1], at[shape.rank - 2], k) * element(in[2], k, at[shape.rank - 1]);
    }
    r.push_back(alpha * sum + (beta == 0 ? 0 : beta * at_place(in[0], shape, at)));
  });
  return {r};
}

std::vector<Values> tensordot(const Call& call, const std::vector<Dense>& in) {
  const Dense &x = in[0], &y = in[1];
  const Shape of_x = attribute(call, "x_axes", Shape()), of_y = attribute(call, "y_axes", Shape());
  // The position of a pair of axes in `axes` that has this axis; -1 if it is kept.
  const auto pair_with = [](const Shape& axes, int axis, int rank) {
    for (int i = 0; i < axes.rank; ++i) {
      if (counted(axes[i], rank) == axis) return i;
    }
    return -1;
  };
  Shape kept, summed;
  for (int i = 0; i < of_x.rank; ++i) summed.push_back(x.shape[counted(of_x[i], x.shape.rank)]);
  for (const auto& [t, axes] : {std::pair{&x, &of_x}, std::pair{&y, &of_y}}) {
    for (int i = 0; i < t->shape.rank; ++i) {
      if (pair_with(*axes, i, t->shape.rank) < 0) kept.push_back(t->shape[i]);
    }
  }
  Values r;
  each_place(kept, [&](const int64_t* at) {
    double total = 0;
    each_place(summed, [&](const int64_t* over) {
      const int64_t* next = at;
      double product = 1;
      for (const auto& [t, axes] : {std::pair{&x, &of_x}, std::pair{&y, &of_y}}) {
        int64_t place[kMaxRank];
        for (int i = 0; i < t->shape.rank; ++i) {
          const int pair = pair_with(*axes, i, t->shape.rank);
          place[i] = pair < 0 ? *next++ : over[pair];
        }
        product *= at_place(*t, t->shape, place);
      }
      total += product;
    });
    r.push_back(total);
  });
  return {r};
}

std::vector<Values> kron(const Call&, const std::vector<Dense>& in) {
  Shape shapes[2];
  const int rank = std::max(in[0].shape.rank, in[1].shape.rank);
  for (int t : {0, 1}) {
    for (int i = in[t].shape.rank; i < rank; ++i) shapes[t].push_back(1);
    for (int64_t n : in[t].shape) shapes[t].push_back(n);
  }
  Shape product;
  for (int i = 0; i < rank; ++i) product.push_back(shapes[0][i] * shapes[1][i]);
  Values r;
  each_place(product, [&](const int64_t* at) {
    int64_t outer[kMaxRank] = {}, inner[kMaxRank] = {};
    for (int i = 0; i < rank; ++i) {
      outer[i] = at[i] / shapes[1][i];
      inner[i] = at[i] % shapes[1][i];
    }
    r.push_back(at_place(in[0], shapes[0], outer) * at_place(in[1], shapes[1], inner));
  });
  return {r};
}

std::vector<Values> cross(const Call& call, const std::vector<Dense>& in) {
  const auto one = [](const std::vector<Values>& rows) {
    const Values &x = rows[0], &y = rows[1];
    return Values{x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
  };
  return {by_rows(one, in, attribute(call, "axis", int64_t{-1}))};
}

std::vector<Values> trace(const Call& call, const std::vector<Dense>& in) {
  const Shape& shape = in[0].shape;
  const int row = counted(attribute(call, "axis0", int64_t{0}), shape.rank);
  const int column = counted(attribute(call, "axis1", int64_t{1}), shape.rank);
  const auto offset = attribute(call, "offset", int64_t{0});
  Shape kept;
  for (int i = 0; i < shape.rank; ++i) {
    if (i != row && i != column) kept.push_back(shape[i]);
  }
  Values r(static_cast<size_t>(numel(kept)));
  size_t i = 0;
  for (const auto& at : all_places(shape)) {
    size_t place = 0;
    for (int axis = 0; axis < shape.rank; ++axis) {
      if (axis != row && axis != column) {
        place = place * static_cast<size_t>(shape[axis]) +
                static_cast<size_t>(at[static_cast<size_t>(axis)]);
      }
    }
    const int64_t off = at[static_cast<size_t>(column)] - at[static_cast<size_t>(row)];
    if (off == offset) r[place] += in[0].v[i];
    ++i;
  }
  return {r};
}

std::vector<Values> cdist(const Call& call, const std::vector<Dense>& in) {
  const double p = attribute(call, "p", 2.0);
  const Dense &x = in[0], &y = in[1];
  const int64_t m = x.shape.back(1), n = y.shape.back(1), d = x.shape.back();
  const int64_t batches_x = numel(x.shape) / std::max<int64_t>(1, m * d),
                batches_y = numel(y.shape) / std::max<int64_t>(1, n * d);
  Values r;
  for (int64_t b = 0; b < std::max(batches_x, batches_y); ++b) {
    const double* rows_x = x.v.data() + b % std::max<int64_t>(1, batches_x) * m * d;
    const double* rows_y = y.v.data() + b % std::max<int64_t>(1, batches_y) * n * d;
    for (int64_t i = 0; i < m * n; ++i) {
      double sum = 0;
      for (int64_t k = 0; k < d; ++k) {
        sum += std::pow(std::fabs(rows_x[i / n * d + k] - rows_y[i % n * d + k]), p);
      }
      r.push_back(std::pow(sum, 1 / p));
    }
  }
  return {r};
}

const Definitions kProducts({
    {"addmm", addmm},
    {"tensordot", tensordot},
    {"kron", kron},
    {"cross", cross},
    {"trace", trace},
    {"cdist", cdist},
});

}  // namespace
}  // namespace gyre::conformance
