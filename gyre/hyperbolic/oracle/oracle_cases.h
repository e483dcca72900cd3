#pragma once
#include <cstdio>
#include <random>

#include "gyre/hyperbolic/oracle/oracle.h"
#include "gyre/tensor/tensor.h"

// Test points rounded to f32, as tensors, and the largest errors.

namespace gyre::oracle {

constexpr int kPoints = 2;  // of each kind

struct Case {
  Vector x, y;  // rounded to f32
  double c, radius;
  double t = 0.5;  // of geodesics
};

class Rounded {
 public:
  explicit Rounded(uint64_t seed) : bits_(seed) {}
  Vector direction(int d) {
    Vector v(static_cast<size_t>(d));
    for (Quad& e : v) e = normal_(bits_);
    Quad n = sqrt(dot(v, v));
    return combined(1 / n, v, 0, v);
  }
  static Vector of(const Vector& v) {
    Vector r;
    for (Quad e : v) r.push_back(static_cast<float>(e));
    return r;
  }

 private:
  std::mt19937_64 bits_;
  std::normal_distribution<double> normal_;
};

template <class T>
Tensor rows_of(const std::vector<Case>& cases, const Vector Case::*part) {
  auto n = static_cast<int64_t>(cases.size()), d = static_cast<int64_t>(cases[0].x.size());
  Tensor t = empty(Shape{n, d}, kDTypeOf<T>);
  T* to = t.data<T>();
  for (const Case& k : cases) {
    for (Quad e : k.*part) *to++ = static_cast<T>(e);
  }
  return t;
}
template <class T>
Vector row_of(const Tensor& t, size_t row) {
  auto d = static_cast<size_t>(t.numel() / t.shape()[0]);
  const T* from = t.data<T>() + row * d;
  return Vector(from, from + d);
}

struct Worst {
  double error = 0, radius = 0, c = 0;
  int d = 0;
  void add(double e, const Case& k) {
    if (e <= error) return;  // NaN stays
    *this = {e, k.radius, k.c, static_cast<int>(k.x.size())};
  }
  void print(const char* op, const char* what) const {
    std::printf("%-12s %-6s worst relative error %8.1e at radius %4.2f, d = %3d, c = %g\n", op,
                what, error, radius, d, c);
  }
};

/// One number per case as a tensor, and the elements of such a tensor.
inline Tensor numbers_of(const std::vector<Case>& cases, double Case::*part) {
  Tensor t = empty(Shape{static_cast<int64_t>(cases.size())}, DType::f64);
  for (size_t i = 0; i < cases.size(); ++i) t.data<double>()[i] = cases[i].*part;
  return t;
}

}  // namespace gyre::oracle
