#include "gyre/packed/ring_tiles.h"

#include "gyre/kernel/export_tiles.h"
#include "gyre/simd/vec.h"

namespace gyre {
namespace {

constexpr float kNever = 1e30F;
// Numbers farther away cost as much as this one: they take the largest values anyway, and in f32
// the costs of other steps would be lost beside theirs.
constexpr float kFarthest = 64;

// Steps are taken from the last to the first. A state of step t has its low bits from the step and
// its other bits from the low bits of step t + 1: states that share these are a group. So the
// states of a group are adjacent, and those that have the same group as their low bits lie kGroups
// apart. A path is the groups it goes through.
//
// Only costs are kept; choices are found again from them along the few paths that are traced, which
// is less work than to keep all.
template <int bits>
class Search {
 public:
  static constexpr int kNew = 1 << bits, kGroups = kRingStates >> bits;

  Search(const RingCode& code, const float* x, RingMemory& memory)
      : code_(code), x_(x), groups_(memory.groups), costs_(memory.costs) {}

  // The best path goes around and on until it meets itself: what lies between is the best ring
  // through that group. If it does not in two rounds, a third goes through its middle group.
  void run(uint16_t* states) {
    const int steps = code_.steps, most = 2 * steps, more = steps < 8 ? 1 : steps / 8;
    for (int p = 0; p < kGroups; ++p) row(0)[p] = 0;
    for (int taken = 0, n = steps + 2 * more; taken < most; n += more) {
      const int traced = taken;
      if (n > most) n = most;
      for (; taken < n; ++taken) take(taken);
      groups_[n] = uint16_t(cheapest(row(n)));
      trace(n, traced);
      for (int i = n - steps; i >= 0; --i) {
        if (groups_[i] == groups_[i + steps]) return write(i, states);
      }
    }
    for (int p = 0; p < kGroups; ++p) row(0)[p] = p == groups_[steps] ? 0 : kNever;
    for (int i = 0; i < steps; ++i) take(i);
    trace(steps, 0);
    write(0, states);
  }

 private:
  using V = Vec<float>;

  // Least costs of the first i steps that were taken, by the group that comes next.
  float* row(int i) const { return costs_ + i * kGroups; }
  int step(int i) const { return code_.steps - 1 - i % code_.steps; }
  float wanted(int i) const {
    const float x = x_[step(i)];
    return x > kFarthest ? kFarthest : x < -kFarthest ? -kFarthest : x;
  }

  void take(int i) {
    const float x = wanted(i);
    if (x == x)
      add<false>(row(i), x);
    else
      add<true>(row(i), 0);
  }

  // From a row to the next; with `any`, where values cost nothing.
  template <bool any>
  GYRE_INLINE void add(float* costs, float x) {
    for (int p = 0; p < kGroups; p += V::width) {
      const float *from = costs + (p >> bits), *values = code_.values + p;
      V least;
#pragma GCC unroll 16
      for (int h = 0; h < kNew; ++h) {
        V cost = before(from + h * (kGroups >> bits));
        if constexpr (!any) {
          const V off = V::of(x) - V::load(values + h * kGroups);
          cost = cost + off * off;
        }
        least = h == 0 ? cost : V::from(raw_min<float, V::width>(cost.v, least.v));
      }
      least.store(costs + kGroups + p);
    }
  }

  // The costs before adjacent states: of the groups they follow, the first of which is given.
  static GYRE_INLINE V before(const float* costs) {
    if constexpr (kNew >= V::width)
      return V::of(*costs);
    else
      return each(V::load(costs), MakeSequence<V::width>{});
  }
  template <size_t... l>
  static GYRE_INLINE V each(V x, Sequence<l...>) {
    return V::from(__builtin_shufflevector(x.v, x.v, int(l >> bits)...));
  }

  static int cheapest(const float* costs) {
    V least = V::load(costs);
    for (int p = V::width; p < kGroups; p += V::width)
      least = V::from(raw_min<float, V::width>(V::load(costs + p).v, least.v));
    float cost = least[0];
    for (int l = 1; l < V::width; ++l) cost = least[l] < cost ? least[l] : cost;
    int p = 0;
    while (costs[p] != cost) ++p;
    return p;
  }

  // The path to the group of row n. Where it meets the path to row `traced`, the rest is known.
  void trace(int n, int traced) {
    for (int i = n - 1; i >= 0; --i) {
      const auto group = uint16_t(chosen(i, groups_[i + 1]));
      if (i < traced && groups_[i] == group) return;
      groups_[i] = group;
    }
  }

  // The group of row i on the best path to one of row i + 1: the first that comes to the same cost.
  int chosen(int i, int next) const {
    const float *costs = row(i), x = wanted(i), least = costs[kGroups + next];
    int state = next;
    for (; state + kGroups < kRingStates; state += kGroups) {
      const float off = x == x ? x - code_.values[state] : 0;
      if (costs[state >> bits] + off * off == least) break;
    }
    return state >> bits;
  }

  // The ring whose path begins in row i.
  void write(int i, uint16_t* states) const {
    for (const int end = i + code_.steps; i < end; ++i)
      states[step(i)] = uint16_t(groups_[i] << bits | (groups_[i + 1] & (kNew - 1)));
  }

  const RingCode& code_;
  const float* x_;
  uint16_t* groups_;
  float* costs_;
};

void encode(const RingCode& code, const float* x, uint16_t* states, RingMemory& memory) noexcept {
  switch (code.bits) {
    case 1:
      return Search<1>(code, x, memory).run(states);
    case 2:
      return Search<2>(code, x, memory).run(states);
    case 3:
      return Search<3>(code, x, memory).run(states);
    default:
      return Search<4>(code, x, memory).run(states);
  }
}

}  // namespace

GYRE_EXPORT_TILES(RingTiles, ring){encode};

}  // namespace gyre
