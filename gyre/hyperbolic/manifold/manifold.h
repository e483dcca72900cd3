#pragma once
#include <span>
#include <string>
#include <string_view>

#include "gyre/base/function_ref.h"
#include "gyre/hyperbolic/tangent_maps.h"
#include "gyre/tensor/points.h"

namespace gyre {

/// Options of methods that apply a function to each coordinate.
struct FunctionOptions {
  TangentFunction f = TangentFunction::relu;
};
GYRE_FIELDS(FunctionOptions, GYRE_FIELD(f, "function applied to each coordinate"));

namespace hyperbolic {

/// Methods of manifolds: one for each line of methods.def.
enum class Method : uint8_t {
#define GYRE_METHOD_1(name, ...) name,
#define GYRE_METHOD_1F GYRE_METHOD_1
#define GYRE_METHOD_2 GYRE_METHOD_1
#define GYRE_METHOD_3 GYRE_METHOD_1
#include "gyre/hyperbolic/manifold/methods.def"
#undef GYRE_METHOD_3
#undef GYRE_METHOD_2
#undef GYRE_METHOD_1F
#undef GYRE_METHOD_1
};

/// How a product manifold combines the results of its factors. rows: points or vectors, which are
/// concatenated; length: distances a, b, ..., combined to sqrt(a^2 + b^2 + ...); sum: squared
/// distances or inner products, which are added; none: product manifolds do not have the method.
enum class Joined : uint8_t { rows, length, sum, none };

/// A line of methods.def.
struct MethodDef {
  const char* name;
  Joined joined;
  /// a letter per argument: r, points or tangent vectors [..., d], of which each factor of a
  /// product gets its columns; n, numbers such as weights, the same for all factors; m, a matrix
  std::string_view kinds;
  std::span<const char* const> args;
  const Record* options;  ///< FunctionOptions or null
  const char* doc;
};
/// All methods, in the order of Method.
std::span<const MethodDef> methods();
inline const MethodDef& def_of(Method m) { return methods()[static_cast<size_t>(m)]; }

/// The implementation of a Manifold.
struct Geometry : Space {
  [[nodiscard]] virtual const char* name() const = 0;
  [[nodiscard]] virtual bool has(Method m) const = 0;
  /// Calls a method that it has, with the right number of arguments; only pointwise uses f.
  [[nodiscard]] virtual Tensor call(Method m, Inputs in, TangentFunction f) const = 0;
  [[nodiscard]] Tensor project(const Tensor& x) const override;
  /// Why rows of x, which are finite, are not points of the manifold; empty if all are.
  [[nodiscard]] virtual std::string fault(const Tensor& x) const = 0;
  /// The manifold of selected rows of points [shape, d]; null if it is the same for all rows.
  [[nodiscard]] virtual Ref<const Geometry> of_rows(const Shape&, const Tensor&) const {
    return {};
  }
};

/// A manifold whose points and tangent vectors are rows [..., d]; copies share the implementation.
/// Its methods are those of methods.def, with the same names for every manifold and differentiable
/// with respect to every argument. Error{value} for a method that the manifold does not have.
class Manifold {
 public:
  explicit Manifold(Ref<const Geometry> geometry) : geometry_(std::move(geometry)) {}

  [[nodiscard]] const char* name() const { return geometry_->name(); }
  /// "PoincareBall(c=1)".
  [[nodiscard]] std::string text() const { return geometry_->text(); }
  [[nodiscard]] const Ref<const Geometry>& geometry() const { return geometry_; }

  [[nodiscard]] bool has(Method m) const { return geometry_->has(m); }
  /// Error{value} for a missing method or a wrong number of arguments.
  [[nodiscard]] Tensor call(Method m, Inputs in, TangentFunction f = TangentFunction::relu) const;
  /// Checks that the rows of x are points: Error{value} of `op` if one is not finite or not on the
  /// manifold, Error{dtype} if x is not floating.
  void require_points(const Tensor& x, const char* op) const;

  /// The manifold of the rows with indices `rows` [n] (i64) of points [shape, d], flattened to
  /// [rows, d]. It has the curvatures of these rows if there is one per row.
  [[nodiscard]] Manifold of_rows(const Shape& shape, const Tensor& rows) const;

#define GYRE_METHOD_1(name, joined, kinds, a, doc) \
  [[nodiscard]] Tensor name(const Tensor& a) const { return call(Method::name, {&a, 1}); }
#define GYRE_METHOD_1F(name, joined, kinds, a, doc)                                             \
  [[nodiscard]] Tensor name(const Tensor& a, TangentFunction f = TangentFunction::relu) const { \
    return call(Method::name, {&a, 1}, f);                                                      \
  }
#define GYRE_METHOD_2(name, joined, kinds, a, b, doc)                 \
  [[nodiscard]] Tensor name(const Tensor& a, const Tensor& b) const { \
    const Tensor in[] = {a, b};                                       \
    return call(Method::name, in);                                    \
  }
#define GYRE_METHOD_3(name, joined, kinds, a, b, c, doc)                               \
  [[nodiscard]] Tensor name(const Tensor& a, const Tensor& b, const Tensor& c) const { \
    const Tensor in[] = {a, b, c};                                                     \
    return call(Method::name, in);                                                     \
  }
#include "gyre/hyperbolic/manifold/methods.def"
#undef GYRE_METHOD_3
#undef GYRE_METHOD_2
#undef GYRE_METHOD_1F
#undef GYRE_METHOD_1
  /// exp0(f(log0(x))) for any function f of tangent vectors at the origin, [..., d] in the dtype of
  /// x; results [..., e] of f give points [..., e]. Errors: those of f, and as above.
  [[nodiscard]] Tensor pointwise(const Tensor& x, FunctionRef<Tensor(const Tensor&)> f) const {
    return exp0(f(log0(x)));
  }

 private:
  Ref<const Geometry> geometry_;
};

/// The manifold of a ManifoldParameter. Error{value} for other tensors.
Manifold manifold_of(const Tensor& parameter);

}  // namespace hyperbolic
}  // namespace gyre
