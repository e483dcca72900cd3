#include "gyre/embed/training/bodies.h"
#include "gyre/kernel/export_tiles.h"

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

  GYRE_INLINE double* coordinate(int64_t j) const { return at + j * padded; }
  GYRE_INLINE V squared_distance(int64_t i, int64_t dim) const {
    V sum(0.0);
    for (int64_t j = 0; j < dim; ++j) {
      const V e = V::load(coordinate(j) + i);
      sum = fma(e, e, sum);
    }
    return sum;
  }
};

template <size_t... lane>
GYRE_INLINE void gather(const EmbedPlan& b, const double* x, const uint32_t* targets,
                        const Differences& to, Sequence<lane...>) {
  const int64_t dim = b.dim, stride = b.stride, count = b.targets;  // which stores may alias
  const double* points = b.points;
  for (int64_t i = 0; i < to.padded; i += W) {
    const double* const y[] = {points + targets[i + int64_t(lane) < count ? i + int64_t(lane) : 0] *
                                            stride...};
    auto numbers = [&](int64_t j)
                       GYRE_LAMBDA_INLINE { return V::from(typename V::R{y[lane][j]...}); };
    for (int64_t j = 0; j < dim; ++j) (V(x[j]) - numbers(j)).store(to.coordinate(j) + i);
    numbers(dim).store(to.coordinate(dim) + i);
    numbers(dim + 1).store(to.coordinate(dim + 1) + i);
  }
  for (int64_t i = count; i < to.padded; ++i) {
    for (int64_t j = 0; j < dim; ++j) to.coordinate(j)[i] = kFarAway;
  }
}

template <class Body>
GYRE_TILE PairLoss pair(const EmbedPlan& b, int64_t number, double* scratch) noexcept {
  const int64_t dim = b.dim, padded = (b.targets + W - 1) / W * W;
  const uint32_t* nodes = b.pairs + number * (1 + b.targets);
  const double* x = b.points + nodes[0] * b.stride;
  double *toward_of = b.records + number * b.record(), *along_of = toward_of + b.slots();
  const Differences e{scratch, padded};
  gather(b, x, nodes + 1, e, MakeSequence<W>{});
  Body body;
  if constexpr (Body::curved) {
    body.a = x[dim];
  } else {
    V least(kFarAway);
    for (int64_t i = 0; i < padded; i += W) least = min(least, sqrt(e.squared_distance(i, dim)));
    body.least = -max_of_lanes(-least);
    body.excess = sqrt(e.squared_distance(0, dim))[0] - body.least;
  }

  // First the powers, stored in `toward`, and their sum; slopes replace the defects, which are no
  // longer needed, and squares are stored in `along`.
  V sum(0.0);
  double first = 0;
  double* slopes = e.coordinate(dim);
  for (int64_t i = 0; i < padded; i += W) {
    V slope, squared = e.squared_distance(i, dim);
    const V power = body.power(squared, V::load(slopes + i), slope);
    if (i == 0) first = power[0];
    sum = sum + power;
    power.store(toward_of + i);
    slope.store(slopes + i);
    squared.store(along_of + i);
  }
  const double total = sum_of_lanes(sum);
  const V share(-1 / total);
  V along_child(0.0);
  for (int64_t i = 0; i < padded; i += W) {
    V weight = V::load(toward_of + i) * share;
    if (i == 0) weight.set(0, weight[0] + 1);
    const V toward = weight * V::load(slopes + i);
    V along(0.0);
    if constexpr (Body::curved) {
      const V squared = toward * V::load(along_of + i);
      along = squared * V::load(e.coordinate(dim + 1) + i);
      along_child = along_child + squared / V(body.a);
    }
    toward.store(toward_of + i);
    along.store(along_of + i);
  }
  const double along = sum_of_lanes(along_child);
  double *copy = along_of + b.slots(), *gradient = copy + b.stride;
  for (int64_t j = 0; j < b.stride; j += W) V::load(x + j).store(copy + j);
  for (int64_t j = 0; j < dim; ++j) {
    V g(0.0);
    for (int64_t i = 0; i < padded; i += W) {
      g = fma(V::load(toward_of + i), V::load(e.coordinate(j) + i), g);
    }
    gradient[j] = sum_of_lanes(g) + along * x[j];
  }
  return body.loss(total, first);
}

// Coordinates are whole vectors: the stride is a multiple of 8.
GYRE_TILE void row(const EmbedPlan& b, int64_t number, double* gradient) noexcept {
  const MovedRow* moved = b.rows + number;
  const GradientEntry *begin = b.entries + moved[0].begin, *end = b.entries + moved[1].begin;
  const int64_t dim = b.dim, stride = b.stride, slots = b.slots(), record = b.record();
  const double *records = b.records, *y = b.points + moved[0].node * stride;
  for (int64_t j = 0; j < dim; j += W) {
    const V here = V::load(y + j);
    V sum(0.0);
    for (const GradientEntry* e = begin; e < end; ++e) {
      const double *of = records + e->pair * record, *child = of + 2 * slots + j;
      if (e->target == GradientEntry::kIsChild) {
        sum = sum + V::load(child + stride);
        continue;
      }
      sum = fma(V(of[e->target]), here - V::load(child), sum);
      sum = fma(V(of[slots + e->target]), here, sum);
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

GYRE_TILE void keys(const double* x, int64_t dim, const double* candidates, int64_t n,
                    double* out) noexcept {
  for (int64_t i = 0; i < n; i += W) key(x, dim, candidates, n, i).store(out + i);
}

GYRE_TILE void within(const double* x, int64_t dim, const double* candidates, int64_t n,
                      const double* limits, int64_t limit_count, double* counts) noexcept {
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

GYRE_EXPORT_TILES(EmbedTiles, embed){
#define GEOMETRY(space, Body) pair<Body::Pair>,
#include "gyre/embed/training/geometries.def"
#undef GEOMETRY
    row, keys, within};

}  // namespace gyre
