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

const Definitions kNorm({
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
