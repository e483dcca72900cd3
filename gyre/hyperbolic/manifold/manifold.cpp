#include "gyre/hyperbolic/manifold/manifold.h"

#include "gyre/base/error.h"
#include "gyre/op/node.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"

namespace gyre::hyperbolic {
namespace {

#define GYRE_METHOD_1(name, joined, kinds, a, doc) constexpr const char* k_##name[] = {#a};
#define GYRE_METHOD_1F GYRE_METHOD_1
#define GYRE_METHOD_2(name, joined, kinds, a, b, doc) constexpr const char* k_##name[] = {#a, #b};
#define GYRE_METHOD_3(name, joined, kinds, a, b, c, doc) \
  constexpr const char* k_##name[] = {#a, #b, #c};
#include "gyre/hyperbolic/manifold/methods.def"
#undef GYRE_METHOD_3
#undef GYRE_METHOD_2
#undef GYRE_METHOD_1F
#undef GYRE_METHOD_1

#define GYRE_METHOD_1(name, joined, kinds, a, doc) \
  {#name, Joined::joined, kinds, k_##name, nullptr, doc},
#define GYRE_METHOD_1F(name, joined, kinds, a, doc) \
  {#name, Joined::joined, kinds, k_##name, &record_of<FunctionOptions>, doc},
#define GYRE_METHOD_2(name, joined, kinds, a, b, doc) \
  {#name, Joined::joined, kinds, k_##name, nullptr, doc},
#define GYRE_METHOD_3(name, joined, kinds, a, b, c, doc) \
  {#name, Joined::joined, kinds, k_##name, nullptr, doc},
constexpr MethodDef kMethods[] = {
#include "gyre/hyperbolic/manifold/methods.def"
};
#undef GYRE_METHOD_3
#undef GYRE_METHOD_2
#undef GYRE_METHOD_1F
#undef GYRE_METHOD_1

std::string arguments(const MethodDef& method) {
  std::string list;
  for (const char* name : method.args) list += (list.empty() ? "" : ", ") + std::string(name);
  return list;
}

}  // namespace

std::span<const MethodDef> methods() { return kMethods; }

Tensor Geometry::project(const Tensor& x) const { return call(Method::project, {&x, 1}, {}); }

Tensor Manifold::call(Method m, Inputs in, TangentFunction f) const {
  const MethodDef& method = def_of(m);
  if (!has(m)) {
    throw Error(Code::value, name(), {method.name, " is not defined on this manifold"}, {},
                method.name);
  }
  if (in.size() != method.args.size()) {
    std::string wanted = arguments(method);
    throw Error(Code::value, name(),
                {method.name, " expects (", wanted, "), got ", in.size(), " tensor(s)"}, wanted,
                in.size());
  }
  return geometry_->call(m, in, f);
}

void Manifold::require_points(const Tensor& x, const char* op) const {
  NoGrad off;
  auto refuse = [&](Code code, const Message& why) {
    throw Error(code, op, {"expected points of ", text(), ": ", why}, text());
  };
  if (!is_floating(x.dtype())) refuse(Code::dtype, std::string("got dtype ") + name_of(x.dtype()));
  if (x.rank() == 0) refuse(Code::value, "got a 0-d tensor, expected rows [..., d]");
  if (all(isfinite(x)).item() == 0) refuse(Code::value, "got values that are not finite");
  std::string why = geometry_->fault(x);
  if (!why.empty()) refuse(Code::value, why);
}

Manifold Manifold::of_rows(const Shape& shape, const Tensor& rows) const {
  Ref<const Geometry> theirs = geometry_->of_rows(shape, rows);
  return theirs ? Manifold(std::move(theirs)) : *this;
}

Manifold manifold_of(const Tensor& parameter) {
  auto geometry = Ref<const Geometry>(dynamic_cast<const Geometry*>(space_of(parameter)));
  if (!geometry) {
    throw Error(Code::value, "manifold_of",
                "expected a ManifoldParameter, got a tensor without a manifold");
  }
  return Manifold(std::move(geometry));
}

}  // namespace gyre::hyperbolic
