#include "gyre/packed/ring_tiles.h"

#include "gyre/kernel/export_tiles.h"
#include "gyre/simd/vec.h"

namespace gyre {
namespace {

constexpr float kNever = 1e30f;

// Steps are taken from the last to the first. A state of step t has its low bits from the step and
// its other bits from the low bits of step t + 1: kShared groups of states share these. So the
// states that may follow one group lie kShared apart, and those of one group are adjacent.
template <int bits>
class Search {
 public:
  static constexpr int kNew = 1 << bits, kShared = kRingStates >> bits;

  Search(const RingCode& code, const float* x, RingMemory& memory)
      : code_(code), x_(x), m_(memory), costs_(memory.costs[0]), next_(memory.costs[1]) {}

  void run(uint16_t* states) {
    for (int p = 0; p < kShared; ++p) m_.best[p] = 0;
    round(true);
    lower();
    round(false);
    trace(cheapest(0, 1), states);
    const int shared = states[code_.steps - 1] >> bits;
    for (int p = 0; p < kShared; ++p) m_.best[p] = p == shared ? 0 : kNever;
    round(true);
    trace(cheapest(shared, kShared), states);
  }

 private:
  // All steps; with `begins`, the last starts from `best`.
  void round(bool begins) {
    for (int t = code_.steps - 1; t >= 0; --t) {
      if (!begins) choose(m_.choice[t]);
      begins = false;
      if (x_[t] == x_[t])
        add<false>(x_[t]);
      else
        add<true>(0);
      float* costs = costs_;
      costs_ = next_;
      next_ = costs;
    }
  }

  // The cheapest of the states that may follow each group.
  GYRE_INLINE void choose(uint8_t* choice) {
    using V = Vec<float>;
    for (int p = 0; p < kShared; p += V::width) {
      V least = V::load(costs_ + p), which(0.0);
#pragma GCC unroll 15
      for (int h = 1; h < kNew; ++h) {
        const V cost = V::load(costs_ + h * kShared + p);
        const auto lower = cost < least;
        least = select(lower, cost, least);
        which = select(lower, V(double(h)), which);
      }
      least.store(m_.best + p);
      const auto bytes = raw_convert<uint8_t, V::width>(convert<int32_t>(which).v);
      __builtin_memcpy(choice + p, &bytes, V::width);
    }
  }

  // Costs of the states of a step that stands for x; NaN costs nothing.
  template <bool any>
  GYRE_INLINE void add(float x) {
    using V = Vec<float>;
    const V wanted = V::of(x);
    if constexpr (kNew < V::width) {
      for (int p = 0; p < kShared; ++p) {
        for (int i = 0; i < kNew; ++i) m_.wide[(p << bits) + i] = m_.best[p];
      }
    }
    for (int s = 0; s < kRingStates; s += V::width) {
      const V before = kNew < V::width ? V::load(m_.wide + s) : V::of(m_.best[s >> bits]);
      const V off = wanted - V::load(code_.values + s);
      (any ? before : before + off * off).store(next_ + s);
    }
  }

  // Subtracts the least cost, so that a second round keeps precision.
  void lower() {
    const float least = costs_[cheapest(0, 1)];
    for (int s = 0; s < kRingStates; ++s) costs_[s] -= least;
  }

  // The cheapest of the states first, first + apart, ...
  int cheapest(int first, int apart) const {
    int best = first;
    for (int s = first; s < kRingStates; s += apart) {
      if (costs_[s] < costs_[best]) best = s;
    }
    return best;
  }

  void trace(int state, uint16_t* states) const {
    for (int t = 0;; ++t) {
      states[t] = uint16_t(state);
      if (t + 1 == code_.steps) return;
      const int shared = state >> bits;
      state = m_.choice[t][shared] * kShared + shared;
    }
  }

  const RingCode& code_;
  const float* x_;
  RingMemory& m_;
  float *costs_, *next_;
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
