#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/tensor/shape.h"

namespace gyre {

/// The number of an index. Text has letters for the first 52: A to Z, then a to z.
using Label = char16_t;
/// A label for each axis of an operand or result; a string, since terms are searched and joined.
using Labels = std::basic_string<Label>;
/// Letters of the labels; labels from 52 on as #52, #53, ...
std::string text_of(const Labels& labels);

/// A set of labels.
class Indices {
 public:
  static constexpr int kMost = 128;

  constexpr Indices() = default;
  constexpr explicit Indices(Label label) : bits_(Bits{1} << label) {}
  constexpr explicit Indices(const Labels& labels) {
    for (Label label : labels) bits_ |= Bits{1} << label;
  }
  constexpr bool has(Label label) const { return bits_ >> label & 1; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr int count() const {
    return __builtin_popcountll(low(bits_)) + __builtin_popcountll(low(bits_ >> 64));
  }
  constexpr Indices operator|(Indices o) const { return Indices(bits_ | o.bits_); }
  constexpr Indices operator&(Indices o) const { return Indices(bits_ & o.bits_); }
  constexpr Indices operator-(Indices o) const { return Indices(bits_ & ~o.bits_); }
  constexpr bool operator==(const Indices&) const = default;
  /// f(label) for each in ascending order.
  template <class F>
  constexpr void each(F f) const {
    for (Bits rest = bits_; rest; rest &= rest - 1) {
      f(static_cast<Label>(low(rest) ? __builtin_ctzll(low(rest))
                                     : 64 + __builtin_ctzll(low(rest >> 64))));
    }
  }

 private:
  using Bits = unsigned __int128;
  constexpr explicit Indices(Bits bits) : bits_(bits) {}
  static constexpr uint64_t low(Bits bits) { return static_cast<uint64_t>(bits); }
  Bits bits_ = 0;
};

/// An einsum without the shapes of its operands. Labels are below Indices::kMost.
struct EinsumTerms {
  struct Term {
    Labels labels{};
    int ellipsis = -1;  ///< labels before the ellipsis; -1: there is none
  };
  std::vector<Term> in;
  Term out;  ///< labels of `in`, each once
};

/// The same with shapes: every axis has a label. Axes of an ellipsis have labels unused in the
/// terms; axes of size 1 that broadcast share one label used nowhere else, so that they are summed
/// away.
struct Subscripts {
  std::vector<Labels> in;  ///< a label for each axis of each operand
  Labels out;              ///< each label once
  Indices broadcast;       ///< the label of broadcast axes of size 1, if any
  std::array<int64_t, Indices::kMost> sizes{};

  int64_t size(Label label) const { return sizes[label]; }
  Shape shape(const Labels& term) const;
};

/// Reads a spec as NumPy does ("ij,jk->ik", "...ii", spaces anywhere): without an arrow the result
/// has the axes of the ellipsis and then, in alphabetical order with capitals first, the indices
/// that come once. An ellipsis that the result lacks is summed. Error{parse} with position and
/// reason.
EinsumTerms read_terms(std::string_view spec);

/// Error{value} when the number of terms is not that of the operands, Error{shape} when axes or
/// sizes differ, or when there are more than Indices::kMost indices.
Subscripts bind_shapes(const EinsumTerms& terms, std::span<const Shape> shapes);

/// Product of the sizes of some indices; a double, since it may exceed any tensor.
double elements(const Subscripts& s, Indices indices);
/// The labels of `term` that are in `indices`, in the order of the term.
Labels only(const Labels& term, Indices indices);

}  // namespace gyre
