#include "gyre/embed/training/embed_tile.h"
#include "gyre/kernel/export_tiles.h"
#include "gyre/simd/math.h"

namespace gyre {
namespace {

using V = Vec<double>;
constexpr int64_t W = V::width;

// A coordinate difference so large that its loss term and gradients vanish: padding for the lanes
// of the last vector.
constexpr double kFarAway = 1e150;

// Differences x - y of a child and its targets, by coordinate, then defects and their inverses.
struct Differences {
  double* at;
  int64_t padded;

  double* coordinate(int64_t j) const { return at + j * padded; }
  V squared_distance(int64_t i, int64_t dim) const {
    V sum(0.0);
    for (int64_t j = 0; j < dim; ++j) {
      const V e = V::load(coordinate(j) + i);
      sum = fma(e, e, sum);
    }
    return sum;
  }
};

GYRE_INLINE void gather(const PointRows& p, const double* x, const uint32_t* targets, int64_t count,
                        const Differences& to) {
  for (int64_t i = 0; i < count; ++i) {
    const double* y = p.rows + targets[i] * p.stride;
    double* out = to.at + i;
    for (int64_t j = 0; j < p.dim; ++j) out[j * to.padded] = x[j] - y[j];
    out[p.dim * to.padded] = y[p.dim];
    out[(p.dim + 1) * to.padded] = y[p.dim + 1];
  }
  for (int64_t i = count; i < to.padded; ++i) {
    double* out = to.at + i;
    for (int64_t j = 0; j < p.dim; ++j) out[j * to.padded] = kFarAway;
    out[p.dim * to.padded] = out[(p.dim + 1) * to.padded] = 1;
  }
}

// With S = |x - y|^2 / (a b) = sinh^2(d / 2), a and b being the defects of x and y, and
// Q = a b sqrt(S (1 + S)): e^{-d} = a b / (a b + 2 |x - y|^2 + 2 Q), and the gradient of d with
// respect to y is (2 / Q) ((y - x) + (|x - y|^2 / b) y).
struct Hyperbolic {
  struct Term {
    V power, slope, squared;  // e^{-d}; 2 / Q, 0 where x = y; |x - y|^2
  };
  const Differences& e;
  int64_t dim;
  double a;

  void prepare(int64_t) {}
  Term term(int64_t i) const {
    const V squared = e.squared_distance(i, dim), ab = V(a) * V::load(e.coordinate(dim) + i);
    const V q = sqrt(squared * (ab + squared));
    const V power = ab / (ab + V(2.0) * (squared + q));
    return {power, select(q > V(0.0), V(2.0) / q, V(0.0)), squared};
  }
  V along(int64_t i, V toward, V squared) const {
    return toward * squared * V::load(e.coordinate(dim + 1) + i);
  }
  V along_child(V toward, V squared) const { return toward * squared / V(a); }
  PairLoss loss(double sum, double first) const { return {sum / first, 0}; }
};

// d = |x - y|; exponentials are relative to the smallest distance, to avoid underflow.
struct Euclidean {
  struct Term {
    V power, slope, squared;
  };
  const Differences& e;
  int64_t dim;
  double a;
  double least = 0, excess = 0;

  void prepare(int64_t padded) {
    V smallest(kFarAway);
    for (int64_t i = 0; i < padded; i += W) {
      const V d = sqrt(e.squared_distance(i, dim));
      if (i == 0) excess = d[0];
      smallest = min(smallest, d);
    }
    least = -max_of_lanes(-smallest);
    excess -= least;
  }
  Term term(int64_t i) const {
    const V d = sqrt(e.squared_distance(i, dim));
    return {exp(V(least) - d), select(d > V(0.0), V(1.0) / d, V(0.0)), d};
  }
  V along(int64_t, V, V) const { return V(0.0); }
  V along_child(V, V) const { return V(0.0); }
  PairLoss loss(double sum, double) const { return {sum, excess}; }
};

template <class Space>
PairLoss pair(const PointRows& points, uint32_t child, const uint32_t* targets, int64_t count,
              double* scratch, const TargetGradients& out, double* child_gradient) noexcept {
  const int64_t dim = points.dim, padded = (count + W - 1) / W * W;
  const double* x = points.rows + child * points.stride;
  const Differences e{scratch, padded};
  gather(points, x, targets, count, e);
  Space space{e, dim, x[dim]};
  space.prepare(padded);

  // First the exponentials, stored in `toward`, and their sum; slopes replace the defects, which
  // are no longer needed, and squares are stored in `along`.
  V sum(0.0);
  double first = 0;
  double* slopes = e.coordinate(dim);
  for (int64_t i = 0; i < padded; i += W) {
    const auto t = space.term(i);
    if (i == 0) first = t.power[0];
    sum = sum + t.power;
    t.power.store(out.toward + i);
    t.slope.store(slopes + i);
    t.squared.store(out.along + i);
  }
  const double total = sum_of_lanes(sum);
  const V share(-1 / total);
  V along_child(0.0);
  for (int64_t i = 0; i < padded; i += W) {
    V weight = V::load(out.toward + i) * share;
    if (i == 0) weight.set(0, weight[0] + 1);
    const V toward = weight * V::load(slopes + i), squared = V::load(out.along + i);
    toward.store(out.toward + i);
    space.along(i, toward, squared).store(out.along + i);
    along_child = along_child + space.along_child(toward, squared);
  }
  const double along = sum_of_lanes(along_child);
  for (int64_t j = 0; j < dim; ++j) {
    V g(0.0);
    for (int64_t i = 0; i < padded; i += W) {
      g = fma(V::load(out.toward + i), V::load(e.coordinate(j) + i), g);
    }
    child_gradient[j] = sum_of_lanes(g) + along * x[j];
  }
  for (int64_t j = dim; j < points.stride; ++j) child_gradient[j] = 0;
  return space.loss(total, first);
}

// Coordinates are whole vectors: the stride is a multiple of 8.
void row(const PointRows& points, uint32_t node, const GradientEntry* entries, int64_t n,
         const TargetGradients& gradients, const double* children, const double* child_gradients,
         double* gradient) noexcept {
  const double* y = points.rows + node * points.stride;
  for (int64_t j = 0; j < points.dim; j += W) {
    const V here = V::load(y + j);
    V sum(0.0);
    for (int64_t k = 0; k < n; ++k) {
      const GradientEntry& e = entries[k];
      const int64_t at = e.pair * points.stride + j;
      if (e.target == GradientEntry::kIsChild) {
        sum = sum + V::load(child_gradients + at);
        continue;
      }
      sum = fma(V(gradients.toward[e.target]), here - V::load(children + at), sum);
      sum = fma(V(gradients.along[e.target]), here, sum);
    }
    sum.store(gradient + j);
  }
}

GYRE_INLINE V key(const double* x, int64_t dim, const double* candidates, int64_t n, int64_t i) {
  V sum(0.0);
  for (int64_t j = 0; j < dim; ++j) {
    const V e = V(x[j]) - V::load(candidates + j * n + i);
    sum = fma(e, e, sum);
  }
  return sum * V::load(candidates + dim * n + i);
}

void keys(const double* x, int64_t dim, const double* candidates, int64_t n, double* out) noexcept {
  for (int64_t i = 0; i < n; i += W) key(x, dim, candidates, n, i).store(out + i);
}

void within(const double* x, int64_t dim, const double* candidates, int64_t n, const double* limits,
            int64_t limit_count, double* counts) noexcept {
  const V furthest(limits[limit_count - 1]);
  for (int64_t i = 0; i < n; i += W) {
    const V k = key(x, dim, candidates, n, i);
    if (!any(k <= furthest)) continue;
    for (int64_t l = 0; l < limit_count; ++l) {
      double* count = counts + l * 8;
      (V::load(count) + select(k <= V(limits[l]), 1.0, 0.0)).store(count);
    }
  }
}

}  // namespace

GYRE_EXPORT_TILES(EmbedTiles, embed){{pair<Hyperbolic>}, {pair<Euclidean>}, row, keys, within};

}  // namespace gyre
