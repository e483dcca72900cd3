#pragma once
#include <cstdint>
#include <span>

namespace gyre {

/// The constants of a Riemannian step.
struct RiemannianNumbers {
  double lr = 1e-3, beta1 = 0.9, beta2 = 0.999, eps = 1e-8;
  int64_t step = 1;  ///< from 1
};

/// A step of Adam for scales and angles of groups, points (u, theta) of the hyperbolic plane in
/// polar coordinates: metric du^2 + sinh(u)^2 dtheta^2, so that gradients are taken in the
/// orthonormal frame, (dL/du, dL/dtheta / sinh u). u moves by the first part of the step, theta by
/// the second over sinh u. Without `turns` theta stays, and u keeps at least half of what it was;
/// with it a u below 0 is mirrored: -u, theta + pi. theta stays in (-pi, pi]. All arrays are
/// [groups, 2].
void riemannian_step(const RiemannianNumbers& numbers, std::span<const float> gradient, bool turns,
                     std::span<float> points, std::span<float> m, std::span<float> v);
void riemannian_step(const RiemannianNumbers& numbers, std::span<const double> gradient, bool turns,
                     std::span<double> points, std::span<double> m, std::span<double> v);

}  // namespace gyre
