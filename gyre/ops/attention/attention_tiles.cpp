#include "gyre/kernel/rows/rowwise_tile.h"
#include "gyre/ops/attention/attention_bodies.h"
#include "gyre/ops/attention/attention_tile.h"

namespace gyre {
namespace {

template <class T>
struct Attention {
  using V = Vec<T>;
  using One = Vec<T, 1>;
  static constexpr int W = V::width;
  static constexpr T kInfinity = T(__builtin_inf());

  static GYRE_INLINE T largest(V v) {
    T m = v[0];
    for (int l = 1; l < W; ++l) m = (v[l] > m || v[l] != v[l]) ? v[l] : m;
    return m;
  }
  static GYRE_INLINE T total(V v) {
    T s = 0;
    for (int l = 0; l < W; ++l) s += v[l];
    return s;
  }
  static GYRE_INLINE int64_t seen(const ScoreBlock<T>& s, int64_t r) {
    int64_t n = s.visible + r;
    return n < 0 ? 0 : n < s.cols ? n : s.cols;
  }

  static GYRE_INLINE T row_top(const T* x, int64_t n) {
    V m(double(-kInfinity));
    int64_t i = 0;
    for (; i + W <= n; i += W) m = max(m, V::load(x + i));
    if (i < n) m = max(m, load_part(x + i, n - i));
    return largest(m);
  }

  static GYRE_INLINE void scale_row(T* x, T by, int64_t n) {
    V f = V::of(by);
    int64_t i = 0;
    for (; i + W <= n; i += W) (V::load(x + i) * f).store(x + i);
    for (; i < n; ++i) x[i] *= by;
  }

  // exp(scale x - top) over n elements, zeros up to cols; gives the sum.
  static GYRE_INLINE T weights(T* x, int64_t n, int64_t cols, T scale, T top) {
    V sum(0.0), f = V::of(scale), m = V::of(top);
    int64_t i = 0;
    for (; i + W <= n; i += W) {
      V e = SoftmaxBody::weight(V::load(x + i), f, m);
      e.store(x + i);
      sum = sum + e;
    }
    if (i < n) {
      V e = first_lanes(SoftmaxBody::weight(load_part(x + i, n - i), f, m), n - i);
      store_part(e, x + i, n - i);
      sum = sum + e;
    }
    for (i = n; i < cols; ++i) x[i] = T(0);
    return total(sum);
  }

  static GYRE_TILE void cap(const ScoreBlock<T>& s, T cap, T* slopes) noexcept {
    const V f = V::of(s.scale / cap), c = V::of(cap);
    for (int64_t r = 0; r < s.rows; ++r) {
      T* x = s.scores + r * s.stride;
      for (int64_t i = 0; i < s.cols; i += W) {
        const int64_t n = s.cols - i < W ? s.cols - i : W;
        const V t = SoftCapBody::tanh_of(n < W ? load_part(x + i, n) : V::load(x + i), f);
        store_part(t * c, x + i, n);
        if (slopes) store_part(SoftCapBody::slope(t), slopes + r * s.stride + i, n);
      }
    }
  }

  static GYRE_TILE void forward(const ScoreBlock<T>& s, T* top, T* sum, T* out, int64_t out_stride,
                                int64_t width) noexcept {
    for (int64_t r = 0; r < s.rows; ++r) {
      T* x = s.scores + r * s.stride;
      int64_t n = seen(s, r);
      if (n == 0) {
        for (int64_t i = 0; i < s.cols; ++i) x[i] = T(0);
        continue;
      }
      T m = row_top(x, n) * s.scale;
      if (m == -kInfinity) {  // everything masked so far
        for (int64_t i = 0; i < s.cols; ++i) x[i] = T(0);
        continue;
      }
      if (!(m > top[r]) && m == m) {
        m = top[r];
      } else if (top[r] != m) {
        T by = SoftmaxBody::rescale(One::of(top[r]), One::of(m))[0];
        sum[r] *= by;
        scale_row(out + r * out_stride, by, width);
        top[r] = m;
      }
      sum[r] += weights(x, n, s.cols, s.scale, m);
    }
  }

  static GYRE_TILE void finish(const T* sum, T* out, int64_t out_stride, int64_t rows,
                               int64_t width) noexcept {
    for (int64_t r = 0; r < rows; ++r) {
      scale_row(out + r * out_stride, sum[r] == 0 ? T(0) : T(1) / sum[r], width);
    }
  }

  static GYRE_TILE void merge(const T* top, const T* sum, int64_t step, const T* out,
                              int64_t out_step, int64_t parts, T* result, int64_t width) noexcept {
    T most = -kInfinity, total = 0;
    for (int64_t p = 0; p < parts; ++p) {
      const T t = top[p * step];
      if (t > most || t != t) most = t;
    }
    for (int64_t i = 0; i < width; ++i) result[i] = T(0);
    for (int64_t p = 0; p < parts; ++p) {
      if (sum[p * step] == 0) continue;  // without keys
      const T by = SoftmaxBody::rescale(One::of(top[p * step]), One::of(most))[0];
      total += by * sum[p * step];
      const V f = V::of(by);
      const T* from = out + p * out_step;
      int64_t i = 0;
      for (; i + W <= width; i += W)
        fma(V::load(from + i), f, V::load(result + i)).store(result + i);
      for (; i < width; ++i) result[i] += by * from[i];
    }
    scale_row(result, total == 0 ? T(0) : T(1) / total, width);
  }

  static GYRE_TILE void probabilities(const ScoreBlock<T>& s, const T* top, const T* sum) noexcept {
    for (int64_t r = 0; r < s.rows; ++r) {
      T* x = s.scores + r * s.stride;
      int64_t n = seen(s, r);
      if (sum[r] == 0) {
        for (int64_t i = 0; i < s.cols; ++i) x[i] = T(0);
        continue;
      }
      weights(x, n, s.cols, s.scale, top[r]);
      scale_row(x, T(1) / sum[r], n);
    }
  }

  static GYRE_TILE void row_dot(const T* a, int64_t a_stride, const T* b, int64_t b_stride, T* d,
                                int64_t rows, int64_t width) noexcept {
    for (int64_t r = 0; r < rows; ++r) {
      const T *x = a + r * a_stride, *y = b + r * b_stride;
      V sum(0.0);
      int64_t i = 0;
      for (; i + W <= width; i += W) sum = fma(V::load(x + i), V::load(y + i), sum);
      T t = total(sum);
      for (; i < width; ++i) t += x[i] * y[i];
      d[r] = t;
    }
  }

  static GYRE_TILE void score_gradient(const ScoreBlock<T>& p, T* dp, const T* dot) noexcept {
    V f = V::of(p.scale);
    for (int64_t r = 0; r < p.rows; ++r) {
      const T* x = p.scores + r * p.stride;
      T* g = dp + r * p.stride;
      V d = V::of(dot[r]);
      int64_t i = 0;
      for (; i + W <= p.cols; i += W) {
        SoftmaxBody::gradient(V::load(x + i), V::load(g + i), d, f).store(g + i);
      }
      for (; i < p.cols; ++i) {
        g[i] = SoftmaxBody::gradient(One::of(x[i]), One::of(g[i]), One::of(dot[r]),
                                     One::of(p.scale))[0];
      }
    }
  }

  static constexpr AttentionTile<T> tile() {
    return {cap, forward, finish, merge, probabilities, row_dot, score_gradient};
  }
};

}  // namespace

GYRE_EXPORT_TILES(AttentionTiles, attention) = {Attention<float>::tile(),
                                                Attention<double>::tile()};

}  // namespace gyre
