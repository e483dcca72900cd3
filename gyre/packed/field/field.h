#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "gyre/packed/word.h"

// Atoms of a field: W = sign A g(w_r rho u + m_psi (psi + theta) + phi) at the places of a table,
// with u = 2 artanh r, w_r = m_r / 16, phi = 2 pi q / 2^20 and A = 2^((a - 32768) / 2048).

namespace gyre {

/// The function g of an atom.
enum class FieldTrack : uint8_t {
  circular = 1,  ///< sin
  hyperbolic,    ///< sinh, or cosh
  tangent        ///< tanh
};

struct FieldAtom {
  FieldTrack track = FieldTrack::circular;
  uint32_t phase = 0;          ///< q, below kPhases
  int radial = 0;              ///< m_r, 0 to 1023
  int angular = 0;             ///< m_psi, 0 to 63
  bool cosh = false;           ///< s: g is cosh; in the hyperbolic track only
  bool negative = false;       ///< sign
  uint16_t amplitude = 32768;  ///< a
  float r = 0, theta = 0;      ///< r from 0 to 1 - 2^-20

  static constexpr uint32_t kPhases = uint32_t{1} << 20;
  friend bool operator==(const FieldAtom&, const FieldAtom&) = default;
};

/// The word of an atom. hi: the track (2 bits, from the lowest), a format of rings (4, 0 here), the
/// low 11 bits of a, q (20), m_r (10), m_psi (6), s, sign, the high 5 bits of a, and 4 that are 0;
/// lo: r, then theta, both f32. Error{value} naming a part that is out of range.
Packed128 field_word(const FieldAtom& atom);
/// The atom of a word. Error{parse} for a word of rings, for bits that must be 0, for r out of
/// range and for an angle that is not finite.
FieldAtom field_atom(const Packed128& word);

/// A place of a table in polar coordinates: of (x, y) with x = 2 j / (cols - 1) - 1 and
/// y = 2 i / (rows - 1) - 1, 0 where there is only one; rho is at most 1.
struct FieldPlace {
  double rho = 0, psi = 0;
};
FieldPlace field_place(int64_t rows, int64_t cols, int64_t i, int64_t j);

/// What an atom is at a place, and its derivatives by u, theta and phi. Infinite where sinh and
/// cosh are.
struct FieldSlopes {
  double value, by_u, by_theta, by_phase;
};
FieldSlopes field_slopes(const FieldAtom& atom, const FieldPlace& place);

/// The sum of atoms over a table [rows, cols].
std::vector<double> field_values(std::span<const FieldAtom> atoms, int64_t rows, int64_t cols);

/// The atom that is the derivative by phi: a circular one has its phase a quarter further, four
/// times are the identity; a hyperbolic one has the other function, twice is the identity.
/// Error{unsupported} for the track of tanh, which has no cycle: its derivative is A - W^2 / A,
/// with the sign in A.
FieldAtom field_transition(const FieldAtom& atom);

}  // namespace gyre
