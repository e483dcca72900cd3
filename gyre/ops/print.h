#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "gyre/tensor/tensor.h"

namespace gyre {

/// Formats values as NumPy's str(): nested brackets, aligned columns, shortest digits that identify
/// the value (at most 8 after the point), lines of at most 75 characters. Above 1000 elements every
/// axis shows its first and last three. "none" for an undefined Tensor.
std::string to_string(const Tensor& x);

/// The elements that a text of a tensor shows: above 1000 elements the first and last kEdgeElements
/// of every axis that is longer than these together, which is then `cut`.
struct Excerpt {
  Tensor shown;
  bool cut[kMaxRank + 1] = {};
};
inline constexpr int64_t kEdgeElements = 3;
Excerpt excerpt_of(const Tensor& x);
/// The elements of an integer or boolean tensor in row-major order: "-3", "True".
std::vector<std::string> integer_texts(const Tensor& x);

std::ostream& operator<<(std::ostream& out, const Tensor& x);
/// "[4, 3]".
std::ostream& operator<<(std::ostream& out, const Shape& shape);
/// "f32".
std::ostream& operator<<(std::ostream& out, DType dtype);

}  // namespace gyre
