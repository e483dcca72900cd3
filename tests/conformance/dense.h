#pragma once
#include <functional>

#include "tests/conformance/calls.h"
#include "tests/conformance/values.h"

// Building blocks of the formulas: elements in row-major order and plain loops over them.

namespace gyre::conformance {

/// A tensor's elements in row-major order.
struct Dense {
  Shape shape;
  Values v;
  Dense() = default;
  explicit Dense(const Tensor& t) : shape(t.shape()), v(values_of(t)) {}
};

/// The element of x at index `at` of a shape that x broadcasts to.
double at_place(const Dense& x, const Shape& space, const int64_t* at);
/// f(index) for every index of a shape in row-major order.
template <class F>
void each_place(const Shape& space, F f) {
  int64_t at[kMaxRank] = {}, n = numel(space);
  for (int64_t i = 0; i < n; ++i) {
    f(at);
    for (int k = space.rank; k-- > 0 && ++at[k] == space[k];) at[k] = 0;
  }
}
/// The shape that all of them broadcast to.
Shape broadcast_space(const std::vector<Dense>& in);

/// The attribute of a call by name, or `otherwise` if it does not exist.
template <class T>
T attribute(const Call& call, const char* name, T otherwise) {
  const Field* field = call.attrs ? find_field(*call.attrs->type, name) : nullptr;
  if (!field) return otherwise;
  return *reinterpret_cast<const T*>(static_cast<const std::byte*>(call.attrs->value) +
                                     field->offset);
}

/// The sum, and the index of the maximum (sign 1) or minimum (-1): the first among equals.
double total(const Values& x);
size_t best(const Values& x, double sign);
/// softmax.
Values softmax_of(const Values& x);

/// f of up to three numbers, element by element.
using Scalar = double (*)(double, double, double);
Values elementwise(Scalar f, const std::vector<Dense>& in);
/// Reduction by f over some axes (none: all of them).
using Fold = std::function<double(const Values&)>;
Values folded(const Fold& f, const Dense& x, Shape axes);
/// f of the rows along an axis of operands that broadcast; f returns a row, or one number. An
/// absent operand gives empty rows.
using RowFunction = std::function<Values(const std::vector<Values>&)>;
Values by_rows(const RowFunction& f, const std::vector<Dense>& in, int64_t axis);

}  // namespace gyre::conformance
