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
     "Poincaré ball: points with c|x|^2 < 1, curvature -c; c = 0 is Euclidean space, c < 0 the "
     "sphere in stereographic projection.",
     true, curved<PoincareBall>},
    {"Lorentz", "Hyperboloid (Lorentz model) of curvature -c, c > 0: points in space coordinates.",
     true, curved<Lorentz>},
    {"Klein", "Klein ball: points with c|x|^2 < 1, geodesics are straight; curvature -c, c > 0.",
     true, curved<Klein>},
    {"Euclidean", "Euclidean space R^d.", false, plain<Euclidean>},
    {"Sphere", "Unit sphere: points are rows of norm 1, tangent vectors are orthogonal to them.",
     false, plain<Sphere>},
};

}  // namespace

std::span<const ManifoldKind> manifold_kinds() { return kKinds; }

const ManifoldKind& manifold_kind(std::string_view name) {
  std::string known;
  for (const ManifoldKind& kind : kKinds) {
    if (name == kind.name) return kind;
    known += (known.empty() ? "" : ", ") + std::string(kind.name);
  }
  throw Error(Code::value, "manifold", {"unknown manifold ", name, "; expected one of ", known},
              known, name);
}

}  // namespace gyre::hyperbolic
