#pragma once
#include "gyre/hyperbolic/oracle/oracle.h"

// Distances on the hyperboloid from norms and the angle between points: accurate at every distance
// from the origin.

namespace gyre::oracle {

/// sinh^2(sqrt(c) d / 2) for the distance d, from squared norms and `apart` = 2 - 2 cos(angle).
inline Jet half_angle(const Jet& c, const Jet& aa, const Jet& bb, const Jet& apart) {
  Jet na = sqrt(c * aa), nb = sqrt(c * bb);
  Jet ta = sqrt(1 + na * na), tb = sqrt(1 + nb * nb);
  Jet radial = (na * na - nb * nb) / (na * tb + nb * ta);  // sinh of the difference of radii
  return radial * radial / (2 * (1 + sqrt(1 + radial * radial))) + na * nb * apart / 4;
}
/// The component of b orthogonal to a: sum_j a_j (a_j b_i - a_i b_j) / |a|^2, whose differences are
/// exact for f32 and f64 elements.
inline Vector across(const Vector& a, const Vector& b) {
  Vector r(a.size());
  Quad aa = dot(a, a);
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t j = 0; j < a.size(); ++j) r[i] += a[j] * (a[j] * b[i] - a[i] * b[j]);
    r[i] = r[i] / aa;
  }
  return r;
}
/// 2 - 2 cos(angle) from the component of b orthogonal to a.
inline Quad apart_of(const Vector& a, const Vector& b, const Vector& bent) {
  Quad na = sqrt(dot(a, a)), nb = sqrt(dot(b, b)), cosine = dot(a, b) / (na * nb);
  Quad less = dot(bent, bent) / (nb * nb) / (1 + abs(cosine));  // 1 - |cosine|
  return 2 * (cosine < 0 ? 2 - less : less);
}

}  // namespace gyre::oracle
