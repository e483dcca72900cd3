#include <cmath>

#include "tests/conformance/definitions/image.h"

namespace gyre::conformance {
namespace {

// The positions along one axis that each window covers, and the divisor of a mean.
struct Windows {
  std::vector<std::vector<int64_t>> places;
  std::vector<double> divisors;
};

Windows adaptive(int64_t size, int64_t count) {
  Windows w;
  for (int64_t u = 0; u < count; ++u) {
    w.places.emplace_back();
    for (int64_t i = 0; i < size; ++i) {
      // place i belongs to window u if [i, i + 1) / size and [u, u + 1) / count overlap
      if (i * count < (u + 1) * size && (i + 1) * count > u * size) w.places.back().push_back(i);
    }
    w.divisors.push_back(static_cast<double>(w.places.back().size()));
  }
  return w;
}

Windows fixed(int64_t size, int64_t kernel, int64_t stride, int64_t padding, int64_t dilation,
              bool ceil_mode, bool counts_padding) {
  Windows w;
  for (int64_t start = -padding;; start += stride) {
    const int64_t last = start + (kernel - 1) * dilation;
    const bool fits = last < size + padding;
    // a partial window must start before the end, and only one may be partial
    if (!fits && (!ceil_mode || start >= size || last - stride >= size + padding - 1)) break;
    w.places.emplace_back();
    double padded = 0;
    for (int64_t i = start; i <= last; i += dilation) {
      if (i < size + padding) ++padded;
      if (i >= 0 && i < size) w.places.back().push_back(i);
    }
    w.divisors.push_back(counts_padding ? padded : static_cast<double>(w.places.back().size()));
  }
  return w;
}

struct Both {
  Windows y, x;
};

Both both_windows(const Call& call, const Shape& image, bool signal) {
  if (!find_field(*call.attrs->type, "kernel")) {
    const Axes size = pair_of(call, "size", 1, signal);
    return {adaptive(image.back(1), size.y), adaptive(image.back(), size.x)};
  }
  const Axes kernel = pair_of(call, "kernel", 1, signal),
             padding = pair_of(call, "padding", 0, signal),
             dilation = pair_of(call, "dilation", 1, signal);
  const bool same = attribute(call, "stride", Shape{}).rank == 0;
  const Axes stride = same ? kernel : pair_of(call, "stride", 1, signal);
  const bool ceil_mode = attribute(call, "ceil_mode", false);
  const bool counts = attribute(call, "count_include_pad", false);
  return {fixed(image.back(1), kernel.y, stride.y, padding.y, dilation.y, ceil_mode, counts),
          fixed(image.back(), kernel.x, stride.x, padding.x, dilation.x, ceil_mode, counts)};
}

// f(plane, u, v) for all windows of all images and channels.
template <class F>
void each_window(const Both& w, const Shape& x, F f) {
  const auto down = static_cast<int64_t>(w.y.places.size());
  const auto across = static_cast<int64_t>(w.x.places.size());
  each_place(Shape{x[0] * x[1], down, across}, [&](const int64_t* at) {
    f(at[0], static_cast<size_t>(at[1]), static_cast<size_t>(at[2]));
  });
}

std::vector<Values> max_pool(const Call& call, const std::vector<Dense>& in) {
  const Dense x = as_image(in[0]);
  const Both w = both_windows(call, x.shape, is_signal(in[0]));
  const int64_t height = x.shape[2], width = x.shape[3];
  Values r;
  each_window(w, x.shape, [&](int64_t plane, size_t u, size_t v) {
    double best = NAN;
    bool any = false;
    for (int64_t i : w.y.places[u]) {
      for (int64_t j : w.x.places[v]) {
        const double e = x.v[static_cast<size_t>((plane * height + i) * width + j)];
        if (!any || e > best || std::isnan(e)) {
          best = e;
          any = true;
        }
      }
    }
    r.push_back(best);
  });
  return {r};
}

std::vector<Values> avg_pool(const Call& call, const std::vector<Dense>& in) {
  const Dense x = as_image(in[0]);
  const Both w = both_windows(call, x.shape, is_signal(in[0]));
  Values r;
  each_window(w, x.shape, [&](int64_t plane, size_t u, size_t v) {
    double sum = 0;
    for (int64_t i : w.y.places[u]) {
      for (int64_t j : w.x.places[v]) {
        sum += x.v[static_cast<size_t>((plane * x.shape[2] + i) * x.shape[3] + j)];
      }
    }
    r.push_back(sum / (w.y.divisors[u] * w.x.divisors[v]));
  });
  return {r};
}

std::vector<Values> share_out(const Call& call, const std::vector<Dense>& in) {
  const Axes size = pair_of(call, "size", 1, false);
  const Shape& g = in[0].shape;
  const bool is_adaptive = !find_field(*call.attrs->type, "kernel");
  const Both w = is_adaptive ? Both{adaptive(size.y, g[2]), adaptive(size.x, g[3])}
                             : both_windows(call, Shape{size.y, size.x}, false);
  Values r(static_cast<size_t>(g[0] * g[1] * size.y * size.x), 0.0);
  size_t at = 0;
  each_window(w, g, [&](int64_t plane, size_t u, size_t v) {
    const double share = in[0].v[at++] / (w.y.divisors[u] * w.x.divisors[v]);
    for (int64_t i : w.y.places[u]) {
      for (int64_t j : w.x.places[v]) {
        r[static_cast<size_t>((plane * size.y + i) * size.x + j)] += share;
      }
    }
  });
  return {r};
}

// f(index in the image or -1, index in the columns) for all elements of all windows.
template <class F>
void each_column(const Call& call, const Shape& image, F f) {
  const Axes kernel = pair_of(call, "kernel", 1, false), stride = pair_of(call, "stride", 1, false),
             padding = pair_of(call, "padding", 0, false),
             dilation = pair_of(call, "dilation", 1, false);
  const auto count = [](int64_t n, int64_t k, int64_t s, int64_t p, int64_t d) {
    return (n + 2 * p - d * (k - 1) - 1) / s + 1;
  };
  int64_t column = 0;
  each_place(Shape{image[0] * image[1], kernel.y, kernel.x,
                   count(image[2], kernel.y, stride.y, padding.y, dilation.y),
                   count(image[3], kernel.x, stride.x, padding.x, dilation.x)},
             [&](const int64_t* at) {
               const int64_t y = at[3] * stride.y + at[1] * dilation.y - padding.y;
               const int64_t x = at[4] * stride.x + at[2] * dilation.x - padding.x;
               const bool inside = y >= 0 && y < image[2] && x >= 0 && x < image[3];
               f(inside ? (at[0] * image[2] + y) * image[3] + x : -1, column++);
             });
}

std::vector<Values> im2col(const Call& call, const std::vector<Dense>& in) {
  Values r;
  each_column(call, in[0].shape, [&](int64_t place, int64_t) {
    r.push_back(place < 0 ? 0 : in[0].v[static_cast<size_t>(place)]);
  });
  return {r};
}

std::vector<Values> col2im(const Call& call, const std::vector<Dense>& in) {
  const Axes size = pair_of(call, "size", 1, false), kernel = pair_of(call, "kernel", 1, false);
  const Shape image{in[0].shape[0], in[0].shape[1] / (kernel.y * kernel.x), size.y, size.x};
  Values r(static_cast<size_t>(numel(image)), 0.0);
  each_column(call, image, [&](int64_t place, int64_t column) {
    if (place >= 0) r[static_cast<size_t>(place)] += in[0].v[static_cast<size_t>(column)];
  });
  return {r};
}

const Definitions kPool({
    {"max_pool2d", max_pool},
    {"max_pool1d", max_pool},
    {"adaptive_max_pool2d", max_pool},
    {"adaptive_max_pool1d", max_pool},
    {"avg_pool2d", avg_pool},
    {"avg_pool1d", avg_pool},
    {"adaptive_avg_pool2d", avg_pool},
    {"adaptive_avg_pool1d", avg_pool},
    {"avg_pool2d_gradient", share_out},
    {"adaptive_avg_pool2d_gradient", share_out},
    {"im2col", im2col},
    {"col2im", col2im},
});

}  // namespace
}  // namespace gyre::conformance
