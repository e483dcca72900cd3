// Logits of PoincareMLR and LorentzMLR in f32 against the formulas of their papers in 113 bits, at
// every radius, on and off the hyperplanes.
#if defined(__SIZEOF_FLOAT128__)
#include <gtest/gtest.h>

#include <cstdio>
#include <random>

#include "gyre/hyperbolic/nn/plane_layers.h"
#include "gyre/hyperbolic/oracle/oracle.h"
#include "gyre/ops/create/create.h"

namespace gyre::oracle {
namespace {

constexpr int64_t kPointCount = 24, kClasses = 6;

Quad arsinh(Quad x) {
  Quad a = abs(x), y = log(a + sqrt(a * a + 1));
  return x < 0 ? -y : y;
}

// The formulas for points x, a normal z, an offset r and c.
using Logit = Quad (*)(const Vector& x, const Vector& z, Quad r, Quad c);
Quad poincare(const Vector& x, const Vector& z, Quad r, Quad c) {
  Quad s = sqrt(c), n = sqrt(dot(z, z)), lambda = 2 / (1 - c * dot(x, x));
  return 2 * n / s *
         arsinh(lambda * s * dot(x, z) / n * cosh(Jet(2 * s * r)).v -
                (lambda - 1) * sinh(Jet(2 * s * r)).v);
}
Quad lorentz(const Vector& x, const Vector& z, Quad a, Quad c) {
  Quad s = sqrt(c), n = sqrt(dot(z, z)), t = sqrt(1 / c + dot(x, x));
  Quad ch = cosh(Jet(s * a)).v, sh = sinh(Jet(s * a)).v;
  Quad alpha = ch * dot(z, x) - sh * n * t, beta = sqrt(ch * ch * n * n - sh * sh * n * n);
  return beta / s * arsinh(s * alpha / beta);
}

class Draw {
 public:
  explicit Draw(uint64_t seed) : bits_(seed) {}
  double normal() { return normal_(bits_); }
  Vector direction(int64_t d) {
    Vector v(static_cast<size_t>(d));
    for (Quad& e : v) e = normal();
    return combined(1 / sqrt(dot(v, v)), v, 0, v);
  }

 private:
  std::mt19937_64 bits_;
  std::normal_distribution<double> normal_;
};

Vector row(const Tensor& t, int64_t i) {
  const float* from = t.data<float>() + i * t.size(-1);
  return Vector(from, from + t.size(-1));
}

// The largest error of a row of logits relative to its norm.
template <class Layer>
double worst(Logit logit, double c, double radius, int64_t d, bool ball) {
  Draw draw(static_cast<uint64_t>(d));
  Layer layer({.in = d, .out = kClasses, .c = c});
  float *weight = layer.weight.template data<float>(), *bias = layer.bias.template data<float>();
  for (int64_t i = 0; i < kClasses * d; ++i) weight[i] = static_cast<float>(draw.normal());
  // the first hyperplane goes through the origin
  for (int64_t k = 1; k < kClasses; ++k) bias[k] = static_cast<float>(draw.normal());
  Tensor x = empty({kPointCount, d}, DType::f32);
  Quad length = (ball ? tanh(Jet(radius / 2)).v : sinh(Jet(radius)).v) / sqrt(Quad(c));
  for (int64_t i = 0; i < kPointCount; ++i) {
    Vector to = draw.direction(d);
    if (i % 2) {  // on that hyperplane, up to rounding of coordinates
      Vector z = row(layer.weight, 0);
      to = combined(1, to, -dot(to, z) / dot(z, z), z);
      to = combined(1 / sqrt(dot(to, to)), to, 0, to);
    }
    for (int64_t j = 0; j < d; ++j) {
      x.data<float>()[i * d + j] = static_cast<float>(length * to[static_cast<size_t>(j)]);
    }
  }
  Tensor y = layer(x);
  double most = 0;
  for (int64_t i = 0; i < kPointCount; ++i) {
    Vector exact;
    for (int64_t k = 0; k < kClasses; ++k) {
      exact.push_back(logit(row(x, i), row(layer.weight, k), bias[k], c));
    }
    most = std::max(most, relative_error(row(y, i), exact));
  }
  return most;
}

template <class Layer>
void judge(const char* name, Logit logit, std::initializer_list<double> radii, bool ball) {
  double most = 0, at = 0;
  for (int64_t d : {2, 10, 128}) {
    for (double c : {0.1, 1.0, 4.0}) {
      for (double radius : radii) {
        double error = worst<Layer>(logit, c, radius, d, ball);
        if (error > most) {
          most = error;
          at = radius;
        }
      }
    }
  }
  std::printf("%s worst relative error %8.1e at radius %4.2f\n", name, most, at);
  EXPECT_LE(most, 1e-6);
}

TEST(MlrOracle, PoincareF32) {
  judge<nn::PoincareMLR>("PoincareMLR", poincare, {0.01, 0.5, 2, 4, 8, 12, 13}, true);
}
TEST(MlrOracle, LorentzF32) {
  judge<nn::LorentzMLR>("LorentzMLR", lorentz, {0.01, 0.5, 2, 4, 8, 12, 16}, false);
}

}  // namespace
}  // namespace gyre::oracle
#endif
