#include "gyre/kernel/export_tiles.h"
#include "gyre/optim/rules/bodies.h"
#include "gyre/simd/convert16.h"

namespace gyre {
namespace {

// Storage types of elements and the types they are computed in.
template <class T>
struct Plain {
  using Stored = T;
  using Number = T;
  static GYRE_INLINE Vec<T> load(const T* p) { return Vec<T>::load(p); }
  static GYRE_INLINE void store(Vec<T> x, T* p) { x.store(p); }
};

struct F16 {
  using Stored = uint16_t;
  using Number = float;
  static GYRE_INLINE FloatLanes load(const uint16_t* p) { return load_f16(p); }
  static GYRE_INLINE void store(FloatLanes x, uint16_t* p) { store_f16(x, p); }
  /// x after a round trip through storage; x is not NaN.
  static GYRE_INLINE FloatLanes round_trip(FloatLanes x) {
    uint16_t stored[FloatLanes::width];
    store_f16(x, stored);
    return load_f16(stored);
  }
  static GYRE_TILE void widen(const uint16_t* x, float* to, int64_t n) { f16_to_f32(x, to, n); }
};

struct Bf16 {
  using Stored = uint16_t;
  using Number = float;
  static GYRE_INLINE FloatLanes load(const uint16_t* p) { return load_bf16(p); }
  static GYRE_INLINE void store(FloatLanes x, uint16_t* p) { store_bf16(x, p); }
  static GYRE_INLINE FloatLanes round_trip(FloatLanes x) {
    using J = IntLanes;
    J b = J::from(bits(x));
    J up = b + (J::of(0x7fff) + ((b >> 16) & J::of(1)));
    return FloatLanes::from_bits((up & J::of(-0x10000)).v);
  }
  static GYRE_TILE void widen(const uint16_t* x, float* to, int64_t n) { bf16_to_f32(x, to, n); }
};

// Vectors of elements; the last one, of n elements, through a copy padded with zeros.
template <class Element, class Part>
GYRE_INLINE auto load(Part, const typename Element::Stored* p, int64_t n) {
  if constexpr (!Part::value) return Element::load(p);
  typename Element::Stored lanes[kWidth<typename Element::Number>] = {};
  for (int64_t l = 0; l < n; ++l) lanes[l] = p[l];
  return Element::load(lanes);
}
template <class Element, class Part, class V>
GYRE_INLINE void store(Part, V x, typename Element::Stored* p, int64_t n) {
  if constexpr (!Part::value) return Element::store(x, p);
  typename Element::Stored lanes[V::width];
  Element::store(x, lanes);
  for (int64_t l = 0; l < n; ++l) p[l] = lanes[l];
}

template <class Element>
inline constexpr bool kRounded =
    sizeof(typename Element::Stored) < sizeof(typename Element::Number);

// The master if the value is its rounding, otherwise the value.
template <class Value>
GYRE_INLINE FloatLanes current(FloatLanes master, FloatLanes value) {
  auto same = IntLanes::from(bits(Value::round_trip(master))) == IntLanes::from(bits(value));
  return select(Mask<float>{same.v} & (master == master), master, value);
}

template <class Value, class Gradient>
struct Step {
  using T = typename Value::Number;
  using V = Vec<T>;

  // Runs f on vectors of the gradient (read only), the value or its master and the first state
  // arrays (updated).
  template <int states, class F>
  static GYRE_INLINE void walk(const StepArrays& at, int64_t n, F f) {
    constexpr int arrays = 1 + states;
    auto* g = static_cast<const typename Gradient::Stored*>(at.gradient);
    auto* value = static_cast<typename Value::Stored*>(at.value);
    T* p[arrays] = {static_cast<T*>(kRounded<Value> ? at.master : at.value)};
    for (int a = 0; a < states; ++a) p[1 + a] = static_cast<T*>(at.state[a]);
    over<V::width>(n, [&](auto part, int64_t i, int64_t left) GYRE_LAMBDA_INLINE {
      V x[arrays], gradient = incoming(load<Gradient>(part, g + i, left), f.c.gradient);
      for (int a = 0; a < arrays; ++a) x[a] = load<Plain<T>>(part, p[a] + i, left);
      if constexpr (kRounded<Value>)
        x[0] = current<Value>(x[0], load<Value>(part, value + i, left));
      f(gradient, x);
      for (int a = 0; a < arrays; ++a) store<Plain<T>>(part, x[a], p[a] + i, left);
      if constexpr (kRounded<Value>) store<Value>(part, x[0], value + i, left);
    });
  }

  // With as many state arrays, at most `states`, as are not null.
  template <class Body, int states>
  static GYRE_INLINE void walk_given(const StepArrays& at, int64_t n, const Body& body) {
    if constexpr (states > Body::least) {
      if (!at.state[states - 1]) return walk_given<Body, states - 1>(at, n, body);
    }
    walk<states>(at, n, body);
  }

  template <class Body, class Numbers>
  static GYRE_TILE void step(const Numbers& c, const StepArrays& at, int64_t n) noexcept {
    walk_given<Body, Body::most>(at, n, Body{c});
  }

  static constexpr StepTile tile() {
    return {
#define OP(name)
#define STEP(rule, Rule, ...) step<Rule##Body, Rule##Numbers>,
#include "gyre/optim/rules/optim_ops.def"
#undef STEP
#undef OP
    };
  }
};

// Four chains of doubles: the sum of a fixed number of elements depends only on their order.
template <class T, bool finite_only>
GYRE_TILE double squares(const void* array, int64_t n) noexcept {
  const T* x = static_cast<const T*>(array);
  constexpr int kWide = kWidth<double>, kChains = 4;
  using D = Vec<double>;
  D sum[kChains] = {D(0.0), D(0.0), D(0.0), D(0.0)};
  int64_t i = 0;
  for (; i + kWide * kChains <= n; i += kWide * kChains) {
    for (int k = 0; k < kChains; ++k) {
      D v = convert<double>(Vec<T, kWide>::load(x + i + k * kWide));
      if (finite_only) v = select(abs(v) <= D(__DBL_MAX__), v, D(0.0));
      sum[k] = fma(v, v, sum[k]);
    }
  }
  D all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  double total = 0;
  for (int l = 0; l < kWide; ++l) total += all[l];
  for (; i < n; ++i) {
    double v = x[i];
    if (!finite_only || __builtin_fabs(v) <= __DBL_MAX__) total += v * v;
  }
  return total;
}

// The same for 16-bit elements, widened in blocks that stay in the L1 cache.
template <class Element, bool finite_only>
GYRE_TILE double squares16(const void* array, int64_t n) noexcept {
  constexpr int64_t kPiece = 1024;
  const uint16_t* x = static_cast<const uint16_t*>(array);
  float piece[kPiece];
  double total = 0;
  for (int64_t i = 0; i < n; i += kPiece) {
    int64_t count = n - i < kPiece ? n - i : kPiece;
    Element::widen(x + i, piece, count);
    total += squares<float, finite_only>(piece, count);
  }
  return total;
}

template <class Element>
GYRE_TILE void scale(const GradientNumbers& numbers, void* array, int64_t n) noexcept {
  auto* x = static_cast<typename Element::Stored*>(array);
  const GradientNumbers c = numbers;  // which stores cannot alias
  over<kWidth<typename Element::Number>>(
      n, [&](auto part, int64_t i, int64_t left) GYRE_LAMBDA_INLINE {
        store<Element>(part, incoming(load<Element>(part, x + i, left), c), x + i, left);
      });
}

template <class Element>
GYRE_TILE void average(double gain, const void* array, void* into, int64_t n) noexcept {
  using T = typename Element::Number;
  auto* x = static_cast<const typename Element::Stored*>(array);
  auto* a = static_cast<T*>(into);
  over<kWidth<T>>(n, [&](auto part, int64_t i, int64_t left) GYRE_LAMBDA_INLINE {
    const auto v = load<Element>(part, x + i, left), to = load<Plain<T>>(part, a + i, left);
    store<Plain<T>>(part, averaged(to, v, gain), a + i, left);
  });
}

template <class T>
constexpr ArrayTile array() {
  return {squares<T, false>, squares<T, true>, average<Plain<T>>, scale<Plain<T>>};
}
template <class Element>
constexpr ArrayTile array16() {
  return {squares16<Element, false>, squares16<Element, true>, average<Element>, scale<Element>};
}

using F32 = Plain<float>;

}  // namespace

GYRE_EXPORT_TILES(OptimTiles, optim) = {
    {{Step<F16, F16>::tile(), Step<F16, F32>::tile()},
     {Step<Bf16, Bf16>::tile(), Step<Bf16, F32>::tile()},
     {Step<F32, F32>::tile()},
     {Step<Plain<double>, Plain<double>>::tile()}},
    {array16<F16>(), array16<Bf16>(), array<float>(), array<double>()}};

}  // namespace gyre
