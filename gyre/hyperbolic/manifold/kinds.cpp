#include "gyre/hyperbolic/manifold/kinds.h"

#include "gyre/base/error.h"
#include "gyre/hyperbolic/manifold/euclidean.h"
#include "gyre/hyperbolic/manifold/sphere.h"

namespace gyre::hyperbolic {
namespace {

template <class M>
Manifold curved(const Tensor& c, CheckCurvature check) {
  return M(c, check);
}
template <class M>
Manifold plain(const Tensor&, CheckCurvature) {
  return M();
}

constexpr ManifoldKind kKinds[] = {
    {"PoincareBall",
     "Points with c|x|^2 < 1 in a space of curvature -c; for c = 0 the plane, for c < 0 the sphere "
     "in stereographic projection.",
     true, curved<PoincareBall>},
    {"Lorentz", "Points of the hyperboloid of curvature -c by their space coordinates, c > 0.",
     true, curved<Lorentz>},
    {"Klein", "Points with c|x|^2 < 1, whose geodesics are straight; curvature -c, c > 0.", true,
     curved<Klein>},
    {"Euclidean", "R^d.", false, plain<Euclidean>},
    {"Sphere", "Rows of length 1; tangent vectors are at right angles to them.", false,
     plain<Sphere>},
};

}  // namespace

std::span<const ManifoldKind> manifold_kinds() { return kKinds; }

const ManifoldKind& manifold_kind(std::string_view name) {
  std::string known;
  for (const ManifoldKind& kind : kKinds) {
    if (name == kind.name) return kind;
    known += (known.empty() ? "" : ", ") + std::string(kind.name);
  }
  throw Error(Code::value, "manifold",
              "there is no manifold " + std::string(name) + "; there are " + known, known,
              std::string(name));
}

}  // namespace gyre::hyperbolic
