#include "gyre/packed/training/riemannian_step.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

namespace gyre {
namespace {

// Moves one moment pair, and returns the step of Adam.
template <class T>
double adam(const RiemannianNumbers& n, double g, T& m, T& v) {
  m = static_cast<T>(n.beta1 * m + (1 - n.beta1) * g);
  v = static_cast<T>(n.beta2 * v + (1 - n.beta2) * g * g);
  const auto t = static_cast<double>(n.step);
  const double mean = m / (1 - std::pow(n.beta1, t)), square = v / (1 - std::pow(n.beta2, t));
  return n.lr * mean / (std::sqrt(square) + n.eps);
}

template <class T>
void step_points(const RiemannianNumbers& numbers, std::span<const T> gradient, bool turns,
                 std::span<T> points, std::span<T> m, std::span<T> v) {
  constexpr double kPi = std::numbers::pi;
  for (size_t i = 0; i + 1 < points.size(); i += 2) {
    double u = points[i], theta = points[i + 1];
    const double across = std::sinh(u);
    const double along = adam(numbers, gradient[i], m[i], v[i]);
    if (turns && across > 0) {
      theta -= adam(numbers, gradient[i + 1] / across, m[i + 1], v[i + 1]) / across;
    }
    u = turns ? u - along : std::max(u - along, u / 2);
    if (u < 0) {
      u = -u;
      theta += kPi;
    }
    points[i] = static_cast<T>(u);
    points[i + 1] = static_cast<T>(std::remainder(theta, 2 * kPi));
  }
}

}  // namespace

void riemannian_step(const RiemannianNumbers& numbers, std::span<const float> gradient, bool turns,
                     std::span<float> points, std::span<float> m, std::span<float> v) {
  step_points(numbers, gradient, turns, points, m, v);
}

void riemannian_step(const RiemannianNumbers& numbers, std::span<const double> gradient, bool turns,
                     std::span<double> points, std::span<double> m, std::span<double> v) {
  step_points(numbers, gradient, turns, points, m, v);
}

}  // namespace gyre
