#include "gyre/logic/run/initial.h"

#include <cmath>

#include "gyre/base/xxhash64.h"
#include "gyre/nn/init.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::logic {
namespace {

using enum DiagnosticCode;

double number_in(const Expr& e, const Names& names) {
  if (e.kind == Expr::number || e.kind == Expr::boolean) return e.value;
  if (e.kind == Expr::group) return number_in(e.children[0], names);
  if (e.kind == Expr::operation && e.op == Operator::negate)
    return -number_in(e.children[0], names);
  if (e.kind == Expr::operation && e.children.size() == 2) {
    const double a = number_in(e.children[0], names), b = number_in(e.children[1], names);
    switch (e.op) {
      case Operator::add:
        return a + b;
      case Operator::subtract:
        return a - b;
      case Operator::join:
        return a * b;
      case Operator::divide:
        return a / b;
      case Operator::power:
        return std::pow(a, b);
      default:
        break;
    }
  }
  if (const std::optional<int64_t> value = names.constant_value(e))
    return static_cast<double>(*value);
  refuse(E0203, e.place, "an array has numbers and constants");
}

void numbers_in(const Expr& e, const Names& names, std::vector<double>& found) {
  if (e.kind != Expr::array) return found.push_back(number_in(e, names));
  for (const Expr& child : e.children) numbers_in(child, names, found);
}

double attribute(const Initializer& init, std::string_view name, double otherwise) {
  for (const Attribute& a : init.attributes) {
    if (a.name != name) continue;
    if (const auto* i = std::get_if<int64_t>(&a.value)) return static_cast<double>(*i);
    if (const auto* d = std::get_if<double>(&a.value)) return *d;
    refuse(E0203, a.place, {"'", name, "' is a number"});
  }
  return otherwise;
}

void check_attributes(const Initializer& init) {
  for (const Attribute& a : init.attributes) {
    const bool gain = a.name == "gain" &&
                      (init.name == "xavier" || init.name == "he" || init.name == "orthonormal");
    const bool range = (a.name == "low" || a.name == "high") && init.name == "random";
    if (!gain && !range && a.name != "seed")
      refuse(E0203, a.place, {"initialiser '", init.name, "' has no argument '", a.name, "'"});
  }
}

Tensor drawn(const Initializer& init, const Shape& shape, Generator& generator) {
  if (init.name == "random") {
    const double low = attribute(init, "low", 0), high = attribute(init, "high", 1);
    return rand(shape, {.dtype = DType::f64, .generator = &generator}) * Tensor(high - low) +
           Tensor(low);
  }
  if (init.name == "xavier")
    return nn::xavier(shape, attribute(init, "gain", 1), &generator).detach();
  if (init.name == "he")
    return nn::he(shape, attribute(init, "gain", std::sqrt(2)), &generator).detach();
  if (init.name == "orthonormal")
    return nn::orthogonal(shape, attribute(init, "gain", 1), &generator).detach();
  const Tensor rows = randn(shape, {.dtype = DType::f64, .generator = &generator});
  return rows / sqrt(sum(rows * rows, {{shape.rank - 1}, true}));
}

}  // namespace

bool is_numbers(const Expr& expr, const Names& names) {
  if (expr.kind == Expr::reference) return !expr.bracketed && names.constant(expr.name);
  if (expr.kind == Expr::call || expr.kind == Expr::reduce) return false;
  for (const Expr& child : expr.children) {
    if (!is_numbers(child, names)) return false;
  }
  return true;
}

Tensor array_value(const Expr& expr, const Shape& shape, const Names& names, DType dtype) {
  const Shape own = shape_of_array(expr);
  if (own.rank > 0 && own != shape) {
    refuse(E0203, expr.place,
           {"the tensor has shape ", to_string(shape), ", the array ", to_string(own)});
  }
  std::vector<double> numbers;
  numbers_in(expr, names, numbers);
  if (own.rank == 0) return full(shape, numbers[0], {.dtype = dtype});
  return to(tensor(numbers, own), dtype);
}

Tensor initial_value(const Initializer& init, const std::string& name, const Shape& shape,
                     const Names& names, DType dtype, int64_t seed) {
  if (init.value) return array_value(*init.value, shape, names, dtype);
  check_attributes(init);
  if (init.name == "zeros" || init.name == "ones")
    return full(shape, init.name == "ones" ? 1 : 0, {.dtype = dtype});
  if (shape.rank < 2 && init.name != "random" && (init.name != "unit" || shape.rank < 1)) {
    refuse(E0203, init.place,
           {"initialiser '", init.name, "' needs at least two axes, the tensor has ", shape.rank});
  }
  Xxhash64 hash;
  hash.update(std::string_view(name));
  const auto own = static_cast<int64_t>(attribute(init, "seed", -1));
  Generator generator{.seed = own >= 0 ? static_cast<uint64_t>(own)
                                       : hash.digest() ^ static_cast<uint64_t>(seed)};
  return to(drawn(init, shape, generator), dtype);
}

}  // namespace gyre::logic
