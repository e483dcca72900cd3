#include "gyre/kernel/export_tiles.h"
#include "gyre/optim/optim_tile.h"
#include "gyre/simd/vec.h"

namespace gyre {
namespace {

template <class T>
struct Optim {
  using V = Vec<T>;
  static constexpr int64_t W = V::width;

  // Runs f on vectors of the gradient, which is only read, and of arrays that it changes; the tail
  // goes through padded copies and the same code.
  template <int arrays, class F>
  static GYRE_INLINE void walk(const T* g, T* const (&p)[arrays], int64_t n, F f) {
    int64_t i = 0;
    for (; i + W <= n; i += W) {
      V x[arrays];
      for (int a = 0; a < arrays; ++a) x[a] = V::load(p[a] + i);
      f(V::load(g + i), x);
      for (int a = 0; a < arrays; ++a) x[a].store(p[a] + i);
    }
    if (i == n) return;
    T last[W] = {}, part[arrays][W] = {};
    V x[arrays];
    for (int64_t l = 0; l < n - i; ++l) last[l] = g[i + l];
    for (int a = 0; a < arrays; ++a) {
      for (int64_t l = 0; l < n - i; ++l) part[a][l] = p[a][i + l];
      x[a] = V::load(part[a]);
    }
    f(V::load(last), x);
    for (int a = 0; a < arrays; ++a) {
      x[a].store(part[a]);
      for (int64_t l = 0; l < n - i; ++l) p[a][i + l] = part[a][l];
    }
  }

  static void adam(const AdamNumbers& c, const T* gradient, T* value, T* first, T* second,
                   int64_t n) noexcept {
    V scale(c.scale), l2(c.l2), beta1(c.beta1), gain1(1 - c.beta1), beta2(c.beta2);
    V gain2(1 - c.beta2), rate(c.rate), root(c.root_correction), eps(c.eps), keep(c.keep);
    T* const arrays[] = {value, first, second};
    walk(gradient, arrays, n, [&](V g, V(&x)[3]) GYRE_LAMBDA_INLINE {
      g = fma(l2, x[0], g * scale);
      x[1] = fma(beta1, x[1], gain1 * g);
      x[2] = fma(beta2, x[2], gain2 * g * g);
      x[0] = keep * x[0] - rate * x[1] / fma(sqrt(x[2]), root, eps);
    });
  }

  static void sgd(const SgdNumbers& c, const T* gradient, T* value, T* velocity,
                  int64_t n) noexcept {
    V scale(c.scale), l2(c.l2), lr(c.lr), momentum(c.momentum), undamped(c.undamped);
    if (!velocity) {
      T* const arrays[] = {value};
      walk(gradient, arrays, n,
           [&](V g, V(&x)[1]) GYRE_LAMBDA_INLINE { x[0] = x[0] - lr * fma(l2, x[0], g * scale); });
      return;
    }
    T* const arrays[] = {value, velocity};
    bool nesterov = c.nesterov;
    walk(gradient, arrays, n, [&](V g, V(&x)[2]) GYRE_LAMBDA_INLINE {
      g = fma(l2, x[0], g * scale);
      x[1] = fma(momentum, x[1], undamped * g);
      x[0] = x[0] - lr * (nesterov ? fma(momentum, x[1], g) : x[1]);
    });
  }

  // Four chains of doubles: the sum of a fixed number of elements never depends on more than their
  // order.
  static double squares(const T* x, int64_t n) noexcept {
    constexpr int kWide = kWidth<double>, kChains = 4;
    using D = Vec<double>;
    D sum[kChains] = {D(0.0), D(0.0), D(0.0), D(0.0)};
    int64_t i = 0;
    for (; i + kWide * kChains <= n; i += kWide * kChains) {
      for (int k = 0; k < kChains; ++k) {
        D v = convert<double>(Vec<T, kWide>::load(x + i + k * kWide));
        sum[k] = fma(v, v, sum[k]);
      }
    }
    D all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    double total = 0;
    for (int l = 0; l < kWide; ++l) total += all[l];
    for (; i < n; ++i) total += double(x[i]) * double(x[i]);
    return total;
  }

  static void multiply(T* x, double by, int64_t n) noexcept {
    V f(by);
    T* const arrays[] = {x};
    walk(x, arrays, n, [&](V, V(&v)[1]) GYRE_LAMBDA_INLINE { v[0] = v[0] * f; });
  }

  static constexpr OptimTile<T> tile() { return {adam, sgd, squares, multiply}; }
};

}  // namespace

GYRE_EXPORT_TILES(OptimTiles, optim) = {Optim<float>::tile(), Optim<double>::tile()};

}  // namespace gyre
