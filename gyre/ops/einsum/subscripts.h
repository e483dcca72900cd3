#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/tensor/shape.h"

namespace gyre {

/// A set of letters.
class Indices {
 public:
  constexpr Indices() = default;
  constexpr explicit Indices(std::string_view letters) {
    for (char c : letters) bits_ |= bit(c);
  }
  constexpr bool has(char c) const { return bits_ & bit(c); }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr int count() const { return __builtin_popcountll(bits_); }
  constexpr Indices operator|(Indices o) const { return Indices(bits_ | o.bits_); }
  constexpr Indices operator&(Indices o) const { return Indices(bits_ & o.bits_); }
  constexpr Indices operator-(Indices o) const { return Indices(bits_ & ~o.bits_); }
  constexpr bool operator==(const Indices&) const = default;
  /// f(letter) for each in alphabetical order.
  template <class F>
  constexpr void each(F f) const {
    for (uint64_t rest = bits_; rest; rest &= rest - 1) f(letter(__builtin_ctzll(rest)));
  }
  static constexpr int kMost = 52;
  static constexpr char letter(int i) {
    return static_cast<char>(i < 26 ? 'A' + i : 'a' + (i - 26));
  }

 private:
  constexpr explicit Indices(uint64_t bits) : bits_(bits) {}
  static constexpr uint64_t bit(char c) {
    return uint64_t{1} << (c >= 'a' ? c - 'a' + 26 : c - 'A');
  }
  uint64_t bits_ = 0;
};

/// An einsum spec bound to its operands: every axis has an index letter. Axes of an ellipsis have
/// letters unused in the spec; those of size 1 that broadcast share one letter used nowhere else,
/// so that they are summed away.
struct Subscripts {
  std::vector<std::string> in;  ///< a letter for each axis of each operand
  std::string out;              ///< each letter once
  Indices broadcast;            ///< the letter of broadcast axes of size 1, if any
  std::array<int64_t, 128> sizes{};

  int64_t size(char index) const { return sizes[static_cast<unsigned char>(index)]; }
  Shape shape(std::string_view term) const;
};

/// Reads a spec as NumPy does ("ij,jk->ik", "...ii", spaces anywhere): without an arrow the result
/// has the axes of the ellipsis and then, in alphabetical order with capitals first, the indices
/// that come once. An ellipsis that the result lacks is summed.
/// Error{parse} with position and reason when it does not parse, Error{value} when the number of
/// terms is not that of the operands, Error{shape} when axes or sizes differ, or when there are
/// more than 52 indices.
Subscripts read_subscripts(std::string_view spec, std::span<const Shape> shapes);

/// Product of the sizes of some indices; a double, since it may exceed any tensor.
double elements(const Subscripts& s, Indices indices);
/// The letters of `term` that are in `indices`, in the order of the term.
std::string only(std::string_view term, Indices indices);

}  // namespace gyre
