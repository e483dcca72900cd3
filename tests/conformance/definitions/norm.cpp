#include <cmath>

#include "tests/conformance/definitions.h"

namespace gyre::conformance {
namespace {

double logsumexp_of(const Values& x) {
  double m = x[best(x, 1)];
  Values e;
  for (double v : x) e.push_back(std::exp(v - m));
  return m + std::log(total(e));
}

Values normalised(const Values& x, bool centred, double eps) {
  double mean = centred ? total(x) / static_cast<double>(x.size()) : 0;
  Values squares, y;
  for (double v : x) squares.push_back((v - mean) * (v - mean));
  double scale = 1 / std::sqrt(total(squares) / static_cast<double>(x.size()) + eps);
  for (double v : x) y.push_back((v - mean) * scale);
  return y;
}

Values softmax_backward(const Values& g, const Values& y) {
  Values r, products;
  for (size_t i = 0; i < g.size(); ++i) products.push_back(g[i] * y[i]);
  double s = total(products);
  for (size_t i = 0; i < g.size(); ++i) r.push_back(y[i] * (g[i] - s));
  return r;
}

Values log_softmax(Values x) {
  double l = logsumexp_of(x);
  for (double& v : x) v -= l;
  return x;
}

Values log_softmax_backward(const Values& g, const Values& y) {
  Values r;
  double s = total(g);
  for (size_t i = 0; i < g.size(); ++i) r.push_back(g[i] - std::exp(y[i]) * s);
  return r;
}

// normalised(x) weight + bias
Values scaled(Values y, const Values& weight, const Values& bias) {
  for (size_t i = 0; i < y.size(); ++i) {
    if (!weight.empty()) y[i] *= weight[i];
    if (!bias.empty()) y[i] += bias[i];
  }
  return y;
}

using Rows = std::vector<Values>;

Definition rows(Values (*f)(const Rows& in, double eps)) {
  return [f](const Call& call, const std::vector<Dense>& in) {
    double eps = attribute(call, "eps", 0.0);
    return std::vector<Values>{by_rows([&](const Rows& row) { return f(row, eps); }, in,
                                       attribute(call, "axis", int64_t{-1}))};
  };
}

double mean_of(const Values& x) { return total(x) / static_cast<double>(x.size()); }
double variance_of(const Values& x) {
  Values squares;
  double mean = mean_of(x);
  for (double v : x) squares.push_back((v - mean) * (v - mean));
  return mean_of(squares);
}

double cosine(const Values& x, const Values& y, double eps) {
  Values xy, xx, yy;
  for (size_t i = 0; i < x.size(); ++i) {
    xy.push_back(x[i] * y[i]);
    xx.push_back(x[i] * x[i]);
    yy.push_back(y[i] * y[i]);
  }
  return total(xy) / (std::fmax(std::sqrt(total(xx)), eps) * std::fmax(std::sqrt(total(yy)), eps));
}

// x [n, channels, ...] element by element: f(elements that are normalised together, channel), where
// set_of(sample, channel) numbers these sets.
struct ChannelNorm {
  Values out;
  std::vector<Values> sets;

  template <class Set>
  ChannelNorm(const std::vector<Dense>& in, size_t count, double eps, Set set_of,
              const Values& means = {}, const Values& variances = {})
      : sets(count) {
    const Dense& x = in[0];
    size_t channels = static_cast<size_t>(x.shape[1]);
    size_t inside = x.v.size() ? x.v.size() / channels / static_cast<size_t>(x.shape[0]) : 1;
    auto set = [&](size_t i) { return set_of(i / inside / channels, i / inside % channels); };
    for (size_t i = 0; i < x.v.size(); ++i) sets[set(i)].push_back(x.v[i]);
    Values mean = means, variance = variances;
    for (const Values& v : sets) {
      if (means.empty()) mean.push_back(mean_of(v));
      if (variances.empty()) variance.push_back(variance_of(v));
    }
    for (size_t i = 0; i < x.v.size(); ++i) {
      size_t c = i / inside % channels;
      double y = (x.v[i] - mean[set(i)]) / std::sqrt(variance[set(i)] + eps);
      if (!in[1].v.empty()) y *= in[1].v[c];
      if (!in[2].v.empty()) y += in[2].v[c];
      out.push_back(y);
    }
  }
};

Rows group_norm(const Call& call, const std::vector<Dense>& in) {
  auto groups = static_cast<size_t>(attribute(call, "groups", int64_t{1}));
  auto channels = static_cast<size_t>(in[0].shape[1]), each = channels / groups;
  auto set = [&](size_t sample, size_t channel) { return sample * groups + channel / each; };
  size_t sets = static_cast<size_t>(in[0].shape[0]) * groups;
  return {ChannelNorm(in, sets, attribute(call, "eps", 0.0), set).out};
}

Rows batch_norm(const Call& call, const std::vector<Dense>& in) {
  auto channels = static_cast<size_t>(in[0].shape[1]);
  auto set = [](size_t, size_t channel) { return channel; };
  ChannelNorm n(in, channels, attribute(call, "eps", 0.0), set, in[3].v, in[4].v);
  Rows r{n.out, in[3].v, in[4].v};
  for (const Values& v : n.sets) {
    if (in[3].v.empty()) r[1].push_back(mean_of(v));
    if (in[4].v.empty()) r[2].push_back(variance_of(v));
  }
  return r;
}

const Definitions kNorm({
    {"moments",
     [](const Call& call, const std::vector<Dense>& in) {
       auto axis = attribute(call, "axis", int64_t{-1});
       return Rows{by_rows([](const Rows& r) { return Values{mean_of(r[0])}; }, in, axis),
                   by_rows([](const Rows& r) { return Values{variance_of(r[0])}; }, in, axis)};
     }},
    {"standardize",
     [](const Call& call, std::vector<Dense> in) {
       auto axis = attribute(call, "axis", int64_t{-1});
       double eps = attribute(call, "eps", 0.0);
       int at = static_cast<int>(axis < 0 ? axis + in[0].shape.rank : axis);
       for (size_t i = 1; i < in.size(); ++i) {  // restores the axis with size 1
         if (in[i].v.empty() || in[i].shape.rank == 0) continue;
         Shape with;
         int skipped = in[0].shape.rank - 1 - in[i].shape.rank;
         for (int k = 0; k < in[i].shape.rank; ++k) {
           if (k + skipped == at) with.push_back(1);
           with.push_back(in[i].shape[k]);
         }
         if (at == in[0].shape.rank - 1) with.push_back(1);
         in[i].shape = with;
       }
       auto row = [&](const Rows& r) {
         Values y;
         for (size_t i = 0; i < r[0].size(); ++i) {
           double v = (r[0][i] - r[1][i]) / std::sqrt(r[2][i] + eps);
           y.push_back(v * (r[3].empty() ? 1 : r[3][i]) + (r[4].empty() ? 0 : r[4][i]));
         }
         return y;
       };
       return Rows{by_rows(row, in, axis)};
     }},
    {"cosine_similarity",
     rows([](const Rows& in, double eps) { return Values{cosine(in[0], in[1], eps)}; })},
    {"group_norm", group_norm},
    {"batch_norm", batch_norm},
    {"softmax", rows([](const Rows& in, double) { return softmax_of(in[0]); })},
    {"log_softmax", rows([](const Rows& in, double) { return log_softmax(in[0]); })},
    {"logsumexp_rows", rows([](const Rows& in, double) { return Values{logsumexp_of(in[0])}; })},
    {"logsumexp",
     [](const Call& call, const std::vector<Dense>& in) {
       return Rows{folded(logsumexp_of, in[0], attribute(call, "axes", Shape()))};
     }},
    {"softmax_backward",
     rows([](const Rows& in, double) { return softmax_backward(in[0], in[1]); })},
    {"log_softmax_backward",
     rows([](const Rows& in, double) { return log_softmax_backward(in[0], in[1]); })},
    {"layer_norm", rows([](const Rows& in, double eps) {
       return scaled(normalised(in[0], true, eps), in[1], in[2]);
     })},
    {"rms_norm", rows([](const Rows& in, double eps) {
       return scaled(normalised(in[0], false, eps), in[1], {});
     })},
});

}  // namespace
}  // namespace gyre::conformance
