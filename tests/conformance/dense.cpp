#include "tests/conformance/dense.h"

#include <algorithm>
#include <cmath>

namespace gyre::conformance {

double at_place(const Dense& x, const Shape& space, const int64_t* at) {
  int shift = space.rank - x.shape.rank;
  int64_t place = 0;
  for (int i = 0; i < x.shape.rank; ++i) {
    place = place * x.shape[i] + (x.shape[i] == 1 ? 0 : at[i + shift]);
  }
  return x.v[static_cast<size_t>(place)];
}

Shape broadcast_space(const std::vector<Dense>& in) {
  Shape space;
  for (const Dense& x : in) {
    while (space.rank < x.shape.rank) {
      Shape longer{1};
      for (int64_t d : space) longer.push_back(d);
      space = longer;
    }
    for (int i = 0; i < x.shape.rank; ++i) {
      int64_t& d = space[space.rank - x.shape.rank + i];
      if (d == 1) d = x.shape[i];
    }
  }
  return space;
}

size_t best(const Values& x, double sign) {
  size_t b = 0;
  for (size_t i = 1; i < x.size(); ++i) {
    if (sign * x[i] > sign * x[b]) b = i;
  }
  return b;
}

double total(const Values& x) {
  long double s = 0;
  for (double v : x) s += static_cast<long double>(v);
  return static_cast<double>(s);
}

Values elementwise(Scalar f, const std::vector<Dense>& in) {
  Values r;
  Shape space = broadcast_space(in);
  each_place(space, [&](const int64_t* at) {
    double x[3] = {};
    for (size_t k = 0; k < in.size(); ++k) x[k] = at_place(in[k], space, at);
    r.push_back(f(x[0], x[1], x[2]));
  });
  return r;
}

Values folded(const Fold& f, const Dense& x, Shape axes) {
  bool gone[kMaxRank] = {};
  for (int64_t a : axes) gone[a < 0 ? a + x.shape.rank : a] = true;
  Shape kept, reduced;
  for (int i = 0; i < x.shape.rank; ++i) {
    bool go = gone[i] || axes.rank == 0;
    kept.push_back(go ? 1 : x.shape[i]);
    reduced.push_back(go ? x.shape[i] : 1);
  }
  Values r;
  each_place(kept, [&](const int64_t* outer) {
    Values together;
    each_place(reduced, [&](const int64_t* inner) {
      int64_t at[kMaxRank];
      for (int i = 0; i < x.shape.rank; ++i) at[i] = outer[i] + inner[i];
      together.push_back(at_place(x, x.shape, at));
    });
    r.push_back(f(together));
  });
  return r;
}

Values by_rows(const RowFunction& f, const std::vector<Dense>& in, int64_t axis) {
  Shape space = broadcast_space(in), outer = space;
  if (space.rank == 0) {
    std::vector<Values> row;
    for (const Dense& x : in) row.push_back(x.v);
    return f(row);
  }
  if (axis < 0) axis += space.rank;
  outer[static_cast<int>(axis)] = 1;
  Values r;
  size_t inside = 1, length = static_cast<size_t>(space[static_cast<int>(axis)]);
  for (int i = static_cast<int>(axis) + 1; i < space.rank; ++i) {
    inside *= static_cast<size_t>(space[i]);
  }
  size_t number = 0;
  each_place(outer, [&](const int64_t* place) {
    int64_t at[kMaxRank];
    std::copy(place, place + space.rank, at);
    std::vector<Values> row(in.size());
    for (size_t i = 0; i < length; ++i) {
      at[axis] = static_cast<int64_t>(i);
      for (size_t k = 0; k < in.size(); ++k) {
        if (!in[k].v.empty()) row[k].push_back(at_place(in[k], space, at));
      }
    }
    Values y = f(row);
    // row `number` starts after all elements of the preceding axes
    size_t begin = number / inside * inside * y.size() + number % inside;
    if (r.size() < (number / inside + 1) * inside * y.size()) {
      r.resize((number / inside + 1) * inside * y.size());
    }
    for (size_t i = 0; i < y.size(); ++i) r[begin + i * inside] = y[i];
    ++number;
  });
  return r;
}

Values softmax_of(const Values& x) {
  double m = x[best(x, 1)], s = 0;
  Values y;
  for (double v : x) y.push_back(std::exp(v - m));
  s = total(y);
  for (double& v : y) v /= s;
  return y;
}

}  // namespace gyre::conformance
