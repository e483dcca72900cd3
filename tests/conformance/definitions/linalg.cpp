#include <cmath>

#include "tests/conformance/definitions.h"

namespace gyre::conformance {
namespace {

// Batched matrix products: x [.., m, k] times y [.., k, n]; vectors are one row or one column.
Values matrix_product(Dense x, Dense y) {
  if (x.shape.rank == 1) x.shape = Shape{1, x.shape[0]};
  if (y.shape.rank == 1) y.shape = Shape{y.shape[0], 1};
  int64_t m = x.shape.back(1), k = x.shape.back(), n = y.shape.back();
  auto batch_of = [](const Dense& t) {
    Dense b;
    b.shape = t.shape;
    b.shape.rank -= 2;
    for (int64_t i = 0; i < numel(b.shape); ++i) b.v.push_back(static_cast<double>(i));
    return b;
  };
  Dense bx = batch_of(x), by = batch_of(y);
  Shape batch = broadcast_space({bx, by});
  Values r;
  each_place(batch, [&](const int64_t* at) {
    const double* a = x.v.data() + static_cast<int64_t>(at_place(bx, batch, at)) * m * k;
    const double* b = y.v.data() + static_cast<int64_t>(at_place(by, batch, at)) * k * n;
    for (int64_t i = 0; i < m * n; ++i) {
      double s = 0;
      for (int64_t l = 0; l < k; ++l) s += a[i / n * k + l] * b[l * n + i % n];
      r.push_back(s);
    }
  });
  return r;
}

Values linear(const Dense& x, Dense weight, const Dense* bias) {
  Dense turned;
  int64_t out = weight.shape[0], width = weight.shape[1];
  turned.shape = Shape{width, out};
  for (int64_t k = 0; k < width; ++k) {
    for (int64_t j = 0; j < out; ++j) {
      turned.v.push_back(weight.v[static_cast<size_t>(j * width + k)]);
    }
  }
  Values y = matrix_product(x, turned);
  for (size_t i = 0; bias && i < y.size(); ++i) y[i] += bias->v[i % bias->v.size()];
  return y;
}

double activated(double z, int act) {
  double logistic = 1 / (1 + std::exp(-z));
  double u = std::sqrt(2 / M_PI) * (z + 0.044715 * z * z * z);
  const double all[] = {z,
                        std::fmax(z, 0),
                        z * 0.5 * std::erfc(-z * M_SQRT1_2),
                        z / (1 + std::exp(-2 * u)),
                        z * logistic,
                        logistic,
                        std::tanh(z)};
  return all[act];
}

const Definitions kLinalg({
    {"matmul",
     [](const Call&, const std::vector<Dense>& in) {
       return std::vector<Values>{matrix_product(in[0], in[1])};
     }},
    {"outer",
     [](const Call&, const std::vector<Dense>& in) {
       Values r;
       for (double x : in[0].v) {
         for (double y : in[1].v) r.push_back(x * y);
       }
       return std::vector<Values>{r};
     }},
    {"linear",
     [](const Call&, const std::vector<Dense>& in) {
       const Dense* bias = in.size() > 2 && !in[2].v.empty() ? &in[2] : nullptr;
       return std::vector<Values>{linear(in[0], in[1], bias)};
     }},
    {"linear_act",
     [](const Call& call, const std::vector<Dense>& in) {
       const Dense* bias = in.size() > 2 && !in[2].v.empty() ? &in[2] : nullptr;
       Values y = linear(in[0], in[1], bias);
       for (double& z : y) z = activated(z, attribute(call, "act", uint8_t{0}));
       return std::vector<Values>{y};
     }},
});

}  // namespace
}  // namespace gyre::conformance
