#include "gyre/kernel/export_tiles.h"
#include "gyre/optim/bodies.h"
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
  using Stored = typename Value::Stored;
  using G = typename Gradient::Stored;
  using V = Vec<T>;
  static constexpr int64_t W = V::width;

  // p[0] is the value or its master.
  template <int arrays, class F>
  static GYRE_INLINE void one(V g, Stored* value, T* const (&p)[arrays], F f) {
    V x[arrays];
    for (int a = 0; a < arrays; ++a) x[a] = V::load(p[a]);
    if constexpr (kRounded<Value>) x[0] = current<Value>(x[0], Value::load(value));
    f(g, x);
    for (int a = 0; a < arrays; ++a) x[a].store(p[a]);
    if constexpr (kRounded<Value>) Value::store(x[0], value);
  }

  // Runs f on vectors of the gradient (read only), the value and the first state arrays (updated);
  // the tail goes through padded copies and the same code.
  template <int states, class F>
  static GYRE_INLINE void walk(const StepArrays& at, const GradientNumbers& numbers, int64_t n,
                               F f) {
    const Incoming<V> incoming(numbers);
    constexpr int arrays = 1 + states;
    const G* g = static_cast<const G*>(at.gradient);
    Stored* value = static_cast<Stored*>(at.value);
    T* p[arrays] = {static_cast<T*>(kRounded<Value> ? at.master : at.value)};
    for (int a = 0; a < states; ++a) p[1 + a] = static_cast<T*>(at.state[a]);
    int64_t i = 0;
    for (; i + W <= n; i += W) {
      T* here[arrays];
      for (int a = 0; a < arrays; ++a) here[a] = p[a] + i;
      one(incoming(Gradient::load(g + i)), value + i, here, f);
    }
    if (i == n) return;
    G last[W] = {};
    Stored rounded[W] = {};
    T part[arrays][W] = {};
    T* parts[arrays];
    for (int64_t l = 0; l < n - i; ++l) last[l] = g[i + l];
    for (int64_t l = 0; l < n - i; ++l) rounded[l] = value[i + l];
    for (int a = 0; a < arrays; ++a) {
      parts[a] = part[a];
      for (int64_t l = 0; l < n - i; ++l) part[a][l] = p[a][i + l];
    }
    one(incoming(Gradient::load(last)), rounded, parts, f);
    if (kRounded<Value>) {
      for (int64_t l = 0; l < n - i; ++l) value[i + l] = rounded[l];
    }
    for (int a = 0; a < arrays; ++a) {
      for (int64_t l = 0; l < n - i; ++l) p[a][i + l] = part[a][l];
    }
  }

  // Whether a parameter has the most or the least state of the rule tells its last tensor.
  template <class Body, class Numbers>
  static GYRE_TILE void step(const Numbers& c, const StepArrays& at, int64_t n) noexcept {
    const Body body(c);
    if constexpr (Body::most > Body::least) {
      if (at.state[Body::most - 1]) return walk<Body::most>(at, c.gradient, n, body);
    }
    walk<Body::least>(at, c.gradient, n, body);
  }

  static constexpr StepTile tile() {
    return {
#define OP(name)
#define STEP(rule, Rule, ...) step<Rule##Body<V>, Rule##Numbers>,
#include "gyre/optim/optim_ops.def"
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
      if (finite_only) v = select(abs(v) <= D(kMost<double>), v, D(0.0));
      sum[k] = fma(v, v, sum[k]);
    }
  }
  D all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  double total = 0;
  for (int l = 0; l < kWide; ++l) total += all[l];
  for (; i < n; ++i) {
    double v = x[i];
    if (!finite_only || __builtin_fabs(v) <= kMost<double>) total += v * v;
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
  using T = typename Element::Number;
  using S = typename Element::Stored;
  constexpr int64_t W = Vec<T>::width;
  S* x = static_cast<S*>(array);
  const Incoming<Vec<T>> incoming(numbers);
  int64_t i = 0;
  for (; i + W <= n; i += W) Element::store(incoming(Element::load(x + i)), x + i);
  S last[W] = {};
  for (int64_t l = 0; l < n - i; ++l) last[l] = x[i + l];
  Element::store(incoming(Element::load(last)), last);
  for (int64_t l = 0; l < n - i; ++l) x[i + l] = last[l];
}

template <class Element>
GYRE_TILE void average(double gain, const void* array, void* into, int64_t n) noexcept {
  using T = typename Element::Number;
  using S = typename Element::Stored;
  using V = Vec<T>;
  constexpr int64_t W = V::width;
  const S* x = static_cast<const S*>(array);
  T* a = static_cast<T*>(into);
  V share(gain);
  int64_t i = 0;
  for (; i + W <= n; i += W) averaged(V::load(a + i), Element::load(x + i), share).store(a + i);
  S last[W] = {};
  T part[W] = {};
  for (int64_t l = 0; l < n - i; ++l) last[l] = x[i + l];
  for (int64_t l = 0; l < n - i; ++l) part[l] = a[i + l];
  averaged(V::load(part), Element::load(last), share).store(part);
  for (int64_t l = 0; l < n - i; ++l) a[i + l] = part[l];
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
using F64 = Plain<double>;

}  // namespace

GYRE_EXPORT_TILES(OptimTiles, optim) = {Step<F16, F16>::tile(),   Step<F16, F32>::tile(),
                                        Step<Bf16, Bf16>::tile(), Step<Bf16, F32>::tile(),
                                        Step<F32, F32>::tile(),   Step<F64, F64>::tile(),
                                        array16<F16>(),           array16<Bf16>(),
                                        array<float>(),           array<double>()};

}  // namespace gyre
