#include "gyre/hyperbolic/manifold/product.h"

#include <vector>

#include "gyre/base/error.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::hyperbolic {
namespace {

struct ProductGeometry final : Geometry {
  explicit ProductGeometry(std::span<const Part> given) : parts(given.begin(), given.end()) {
    if (parts.empty()) throw Error(Code::value, name(), "expected at least one part, got none");
    for (const Part& part : parts) {
      if (part.dim < 1) {
        throw Error(Code::value, name(), {"dim is ", part.dim, ", must be at least 1"}, "1 or more",
                    part.dim);
      }
      dim += part.dim;
    }
  }

  const char* name() const override { return "Product"; }
  std::string text() const override {
    std::string list;
    for (const Part& part : parts) {
      list += (list.empty() ? "" : " x ") + part.manifold.text() + "^" + std::to_string(part.dim);
    }
    return "Product(" + list + ")";
  }

  bool has(Method m) const override {
    if (def_of(m).joined == Joined::none) return false;
    for (const Part& part : parts) {
      if (!part.manifold.has(m)) return false;
    }
    return true;
  }

  // The columns of part `i` of rows x.
  Tensor rows_of(size_t i, int64_t begin, const Tensor& x) const {
    if (x.rank() == 0 || x.size(-1) != dim) {
      throw Error(Code::shape, name(), {"expected rows [..., ", dim, "], got shape ", x.shape()},
                  {"[..., ", dim, "]"}, x.shape());
    }
    return narrow(x, -1, begin, parts[i].dim);
  }

  Tensor call(Method m, Inputs in, TangentFunction f) const override {
    const MethodDef& method = def_of(m);
    Tensors results;
    int64_t begin = 0;
    for (size_t i = 0; i < parts.size(); ++i) {
      Tensors own;
      for (size_t k = 0; k < in.size(); ++k) {
        own.push_back(method.kinds[k] == 'r' ? rows_of(i, begin, in[k]) : in[k]);
      }
      results.push_back(parts[i].manifold.call(m, own, f));
      begin += parts[i].dim;
    }
    switch (method.joined) {
      case Joined::rows:
        return cat(results, -1);
      case Joined::length:
        return norm(stack(results, -1), -1);
      default:
        return sum(stack(results, -1), -1);
    }
  }

  std::string fault(const Tensor& x) const override {
    int64_t begin = 0;
    for (size_t i = 0; i < parts.size(); ++i) {
      std::string why = parts[i].manifold.geometry()->fault(rows_of(i, begin, x));
      if (!why.empty()) return "part " + std::to_string(i) + ": " + why;
      begin += parts[i].dim;
    }
    return {};
  }

  Ref<const Geometry> of_rows(const Shape& shape, const Tensor& rows) const override {
    std::vector<Part> theirs;
    for (const Part& part : parts) theirs.push_back({part.manifold.of_rows(shape, rows), part.dim});
    return make_ref<ProductGeometry>(theirs);
  }
  Ref<const Space> with(FunctionRef<Tensor(const Tensor&)> now) const override {
    std::vector<Part> theirs = parts;
    for (Part& part : theirs) {
      const Ref<const Space> space = part.manifold.geometry()->with(now);
      if (!space) continue;
      part.manifold = Manifold(Ref(static_cast<const Geometry*>(space.get())));
    }
    return make_ref<ProductGeometry>(theirs);
  }

  std::vector<Part> parts;
  int64_t dim = 0;
};

}  // namespace

Product::Product(std::span<const Part> parts) : Manifold(make_ref<ProductGeometry>(parts)) {}

std::span<const Part> Product::parts() const {
  return static_cast<const ProductGeometry&>(*geometry()).parts;
}

std::span<const Part> parts_of(const Manifold& manifold) {
  const auto* product = dynamic_cast<const ProductGeometry*>(manifold.geometry().get());
  return product ? std::span<const Part>(product->parts) : std::span<const Part>();
}

}  // namespace gyre::hyperbolic
