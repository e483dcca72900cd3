#pragma once
#include <span>
#include <string>
#include <string_view>

#include "gyre/hyperbolic/tangent_maps.h"
#include "gyre/tensor/points.h"

namespace gyre {

/// What methods take that apply a function to coordinates.
struct FunctionOptions {
  TangentFunction f = TangentFunction::relu;
};
GYRE_FIELDS(FunctionOptions, GYRE_FIELD(f, "the function of each coordinate"));

namespace hyperbolic {

/// What manifolds can do: one for each line of methods.def.
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

/// How a product puts together what a method gives for its parts: rows one after the other,
/// lengths as the sides of a rectangle, sums; none: products have no such method.
enum class Joined : uint8_t { rows, length, sum, none };

/// A line of methods.def.
struct MethodDef {
  const char* name;
  Joined joined;
  std::string_view kinds;  ///< of the arguments: r, n and m
  std::span<const char* const> args;
  const Record* options;  ///< FunctionOptions or none
  const char* doc;
};
/// All methods, in the order of Method.
std::span<const MethodDef> methods();
inline const MethodDef& def_of(Method m) { return methods()[static_cast<size_t>(m)]; }

/// What a Manifold is behind its handle.
struct Geometry : Space {
  [[nodiscard]] virtual const char* name() const = 0;
  [[nodiscard]] virtual bool has(Method m) const = 0;
  /// A method that it has, on the right number of arguments; f is of those with options.
  [[nodiscard]] virtual Tensor call(Method m, Inputs in, TangentFunction f) const = 0;
  [[nodiscard]] Tensor project(const Tensor& x) const override;
  /// Why the rows of x, which are finite, are no points, or an empty text.
  [[nodiscard]] virtual std::string fault(const Tensor& x) const = 0;
  /// The space of some of the rows of points [shape, d]; null where it is the same for all.
  [[nodiscard]] virtual Ref<const Geometry> of_rows(const Shape&, const Tensor&) const {
    return {};
  }
};

/// A space whose points and tangent vectors are rows [..., d]; a handle: copies share. Methods are
/// the lines of methods.def, under the same names for every space, and differentiable in each
/// tensor. A space that has no such method answers Error{value} naming both.
class Manifold {
 public:
  explicit Manifold(Ref<const Geometry> geometry) : geometry_(std::move(geometry)) {}

  [[nodiscard]] const char* name() const { return geometry_->name(); }
  /// "PoincareBall(c=1)".
  [[nodiscard]] std::string text() const { return geometry_->text(); }
  [[nodiscard]] const Ref<const Geometry>& geometry() const { return geometry_; }

  [[nodiscard]] bool has(Method m) const { return geometry_->has(m); }
  /// Error{value} for a method that it has not and for another number of arguments.
  [[nodiscard]] Tensor call(Method m, Inputs in, TangentFunction f = TangentFunction::relu) const;
  /// Error{value} naming `op` and the first reason why the rows of x are no points of this space,
  /// numbers that are not finite among them; Error{dtype} where they are not floating.
  void require_points(const Tensor& x, const char* op) const;

  /// The space of rows `rows` [n] (i64), counted in order, of points [shape, d]: a curvature for
  /// each row goes with its row.
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

 private:
  Ref<const Geometry> geometry_;
};

/// The manifold that a parameter's rows are points of (ManifoldParameter). Error{value} when it is
/// none.
Manifold manifold_of(const Tensor& parameter);

}  // namespace hyperbolic
}  // namespace gyre
