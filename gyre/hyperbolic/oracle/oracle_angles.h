#pragma once
#include "gyre/hyperbolic/oracle/oracle.h"

// Two points of the hyperboloid by lengths and the angle between them: no digit of their distance
// is lost however far out they are.

namespace gyre::oracle {

/// sinh^2(sqrt(c) d / 2) for the distance d, by squared lengths and `apart` = 2 - 2 cos of the
/// angle.
inline Jet half_angle(const Jet& c, const Jet& aa, const Jet& bb, const Jet& apart) {
  Jet na = sqrt(c * aa), nb = sqrt(c * bb);
  Jet ta = sqrt(1 + na * na), tb = sqrt(1 + nb * nb);
  Jet radial = (na * na - nb * nb) / (na * tb + nb * ta);  // sinh of the radii's difference
  return radial * radial / (2 * (1 + sqrt(1 + radial * radial))) + na * nb * apart / 4;
}
/// b across a: sum_j a_j (a_j b_i - a_i b_j) / |a|^2, whose differences have no error for numbers
/// of f32 and f64.
inline Vector across(const Vector& a, const Vector& b) {
  Vector r(a.size());
  Quad aa = dot(a, a);
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t j = 0; j < a.size(); ++j) r[i] += a[j] * (a[j] * b[i] - a[i] * b[j]);
    r[i] = r[i] / aa;
  }
  return r;
}
/// 2 - 2 cos of their angle, by b across a.
inline Quad apart_of(const Vector& a, const Vector& b, const Vector& bent) {
  Quad na = sqrt(dot(a, a)), nb = sqrt(dot(b, b)), cosine = dot(a, b) / (na * nb);
  Quad less = dot(bent, bent) / (nb * nb) / (1 + abs(cosine));  // 1 - |cosine|
  return 2 * (cosine < 0 ? 2 - less : less);
}

}  // namespace gyre::oracle
