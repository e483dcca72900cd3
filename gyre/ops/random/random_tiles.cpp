#include "gyre/ops/random/random_tiles.h"

#include "gyre/kernel/export_tiles.h"
#include "gyre/simd/math_log.h"

namespace gyre {
namespace {

// ---- Philox, one counter per lane ----

#if GYRE_RAW_SCALAR
constexpr int kLanes = 1;
typedef uint64_t Lane;
#else
constexpr int kLanes = GYRE_VBYTES / 8;
typedef uint64_t Lane __attribute__((vector_size(GYRE_VBYTES)));
#endif

// Product of the lower halves of 64-bit lanes: one instruction, which g++ 12 does not find by
// itself.
GYRE_INLINE Lane multiply_halves(Lane a, Lane b) {
#if !defined(__clang__) && GYRE_VBYTES == 64 && defined(__AVX512F__)
  typedef int Half __attribute__((vector_size(64)));
  typedef long long Whole __attribute__((vector_size(64)));
  return Lane(__builtin_ia32_pmuludq512_mask(Half(a), Half(b), Whole{}, -1));
#elif !defined(__clang__) && GYRE_VBYTES == 32 && defined(__AVX2__)
  typedef int Half __attribute__((vector_size(32)));
  return Lane(__builtin_ia32_pmuludq256(Half(a), Half(b)));
#elif !defined(__clang__) && GYRE_VBYTES == 16 && defined(__SSE2__)
  typedef int Half __attribute__((vector_size(16)));
  return Lane(__builtin_ia32_pmuludq128(Half(a), Half(b)));
#else
  return (a & 0xffffffff) * (b & 0xffffffff);
#endif
}

// Upper halves of the lanes of c are undefined between rounds; only lower halves are multiplied.
GYRE_INLINE void philox_rounds(Lane (&c)[4], uint64_t seed) {
  uint64_t k0 = seed & 0xffffffff, k1 = seed >> 32;
  for (int round = 0; round < 10; ++round) {
    Lane p0 = multiply_halves(c[0], Lane{} + 0xD2511F53);
    Lane p1 = multiply_halves(c[2], Lane{} + 0xCD9E8D57);
    c[0] = (p1 >> 32) ^ c[1] ^ k0;
    c[2] = (p0 >> 32) ^ c[3] ^ k1;
    c[1] = p1;
    c[3] = p0;
    k0 = (k0 + 0x9E3779B9) & 0xffffffff;
    k1 = (k1 + 0xBB67AE85) & 0xffffffff;
  }
}

void words(uint64_t seed, uint64_t block, uint32_t* out, int64_t blocks) noexcept {
  uint64_t counters[kLanes];
  for (int64_t b = 0; b < blocks; b += kLanes) {
    for (int i = 0; i < kLanes; ++i) counters[i] = block + uint64_t(b) + uint64_t(i);
    Lane low;
    __builtin_memcpy(&low, counters, sizeof low);
    Lane c[4] = {low, low >> 32, Lane{}, Lane{}};
    philox_rounds(c, seed);
    uint64_t lanes[4][kLanes];
    __builtin_memcpy(lanes, c, sizeof lanes);
    for (int i = 0; i < kLanes; ++i) {
      for (int j = 0; j < 4; ++j) out[4 * (b + i) + j] = uint32_t(lanes[j][i]);
    }
  }
}

// ---- normals ----

using V = Vec<double>;

// Horner's scheme as simd's poly(), but rounding each product.
template <int I, int N>
GYRE_INLINE V plain_horner(V p, V x, const double (&c)[N]) {
  if constexpr (I < N)
    return plain_horner<I + 1>(p * x + V(c[I]), x, c);
  else
    return p;
}
template <int N>
GYRE_INLINE V plain_poly(V x, const double (&c)[N]) {
  return plain_horner<1>(V(c[0]), x, c);
}

// Coefficients of FreeBSD's msun (e_log.c, k_sin.c, k_cos.c), highest power first.
constexpr double kLog[] = {1.479819860511658591e-01, 1.531383769920937332e-01,
                           1.818357216161805012e-01, 2.222219843214978396e-01,
                           2.857142874366239149e-01, 3.999999999940941908e-01,
                           6.666666666666735130e-01};
constexpr double kSin[] = {1.58969099521155010221e-10, -2.50507602534068634195e-08,
                           2.75573137070700676789e-06, -1.98412698298579493134e-04,
                           8.33333333332248946124e-03, -1.66666666666666324348e-01};
constexpr double kCos[] = {-1.13596475577881948265e-11, 2.08757232129817482790e-09,
                           -2.75573143513906633035e-07, 2.48015872894767294178e-05,
                           -1.38888888888741095749e-03, 4.16666666666666019037e-02};

// log u for u in (0, 1].
GYRE_INLINE V plain_log(V u) {
  auto parts = log_parts(u);
  V f = parts.f, s = f / (f + V(2.0)), z = s * s, half = V(0.5) * f * f;
  V r = z * plain_poly(z, kLog);
  return parts.e * V(6.93147180369123816490e-01) -
         ((half - (s * (half + r) + parts.e * V(1.90821492927058770002e-10))) - f);
}

void normals(const double* u, const double* t, double* out, int64_t n) noexcept {
  for (int64_t i = 0; i < n; i += V::width) {
    V radius = sqrt(V(-2.0) * plain_log(V::load(u + i)));
    // t = (q + r) / 4 turns with |r| <= 1/2, exact
    V turns = V::load(t + i) * V(4.0), q = round(turns);
    V angle = (turns - q) * V(1.5707963267948966), z = angle * angle;
    V sine = angle + angle * z * plain_poly(z, kSin);
    V cosine = V(1.0) - (V(0.5) * z - z * z * plain_poly(z, kCos));
    auto odd = (q == V(1.0)) | (q == V(3.0));
    V x = select(odd, sine, cosine), y = select(odd, cosine, sine);
    x = select((q == V(1.0)) | (q == V(2.0)), -x, x);
    y = select((q == V(2.0)) | (q == V(3.0)), -y, y);
    (radius * x).store(out + i);
    (radius * y).store(out + n + i);
  }
}

// ---- dropout ----

void drop(const float* in, const uint32_t* words, uint32_t threshold, float scale, float* out,
          int64_t n) noexcept {
  using F = Vec<float>;
  using I = Vec<int32_t>;
  const I sign = I::of(int32_t(0x80000000u));  // compares unsigned numbers as signed ones
  const I bound = I::of(int32_t(threshold ^ 0x80000000u));
  const int32_t* w = reinterpret_cast<const int32_t*>(words);
  int64_t i = 0;
  for (; i + F::width <= n; i += F::width) {
    Mask<float> dropped{((I::load(w + i) ^ sign) < bound).v};
    select(dropped, F(0.0), F::load(in + i) * F::of(scale)).store(out + i);
  }
  for (; i < n; ++i) out[i] = words[i] < threshold ? 0.0f : in[i] * scale;
}

}  // namespace

GYRE_EXPORT_TILES(RandomTiles, random) = {words, normals, drop};

}  // namespace gyre
