#include "gyre/simd/math.h"

#include "gyre/simd/convert16.h"
#include "gyre/simd/math_table.h"

namespace gyre {
namespace {

/// The whole array through the same vector code; the tail padded with ones.
template <class T, class F>
GYRE_INLINE void over_array(F f, const T* x, const T* y, T* out, int64_t n) {
  using V = Vec<T>;
  int64_t i = 0;
  for (; i + V::width <= n; i += V::width) f(V::load(x + i), V::load(y + i)).store(out + i);
  if (i < n) {
    V a(1.0), b(1.0);
    for (int64_t j = i; j < n; ++j) {
      a.set(int(j - i), x[j]);
      b.set(int(j - i), y[j]);
    }
    V r = f(a, b);
    for (int64_t j = i; j < n; ++j) out[j] = r[int(j - i)];
  }
}

#define GYRE_MATH_TILES(name, call)                                                              \
  template <class T>                                                                             \
  void name##_array(const T* x, const T* y, T* out, int64_t n) noexcept {                        \
    over_array<T>([](auto a, [[maybe_unused]] auto b) GYRE_LAMBDA_INLINE { return call; }, x, y, \
                  out, n);                                                                       \
  }
#define GYRE_MATH1(name, bound, reference) GYRE_MATH_TILES(name, name(a))
#define GYRE_MATH2(name, bound, reference) GYRE_MATH_TILES(name, name(a, b))
#include "gyre/simd/math.def"
#undef GYRE_MATH1
#undef GYRE_MATH2

constexpr MathFunction kFunctions[] = {
#define GYRE_MATH1(name, bound, reference) \
  {#name, 1, bound, name##_array<float>, name##_array<double>},
#define GYRE_MATH2(name, bound, reference) \
  {#name, 2, bound, name##_array<float>, name##_array<double>},
#include "gyre/simd/math.def"
#undef GYRE_MATH1
#undef GYRE_MATH2
};

}  // namespace

#define GYRE_JOIN_(a, b) a##b
#define GYRE_JOIN(a, b) GYRE_JOIN_(a, b)
constinit const MathTable GYRE_JOIN(math_tiles_, GYRE_ISA) = {
    kFunctions,  sizeof(kFunctions) / sizeof(kFunctions[0]), f16_to_f32, bf16_to_f32, f32_to_f16,
    f32_to_bf16,
};

}  // namespace gyre
