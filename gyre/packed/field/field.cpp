#include "gyre/packed/field/field.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "gyre/base/error.h"

namespace gyre {
namespace {

constexpr const char* kField = "field";
constexpr float kLargestRadius = 1 - 0x1p-20F;

// Places and widths in hi.
struct Part {
  int at, bits;
  [[nodiscard]] uint64_t of(uint64_t hi) const { return hi >> at & ((uint64_t{1} << bits) - 1); }
};
constexpr Part kTrack{0, 2}, kFormat{2, 4}, kAmplitude{6, 11}, kPhase{17, 20}, kRadial{37, 10},
    kAngular{47, 6}, kCosh{53, 1}, kSign{54, 1}, kAmplitudeAbove{55, 5}, kUnused{60, 4};

uint64_t put(const Part& part, const char* name, uint64_t value) {
  const uint64_t bound = uint64_t{1} << part.bits;
  if (value >= bound) {
    throw Error(Code::value, kField, {name, " is ", value, ", expected less than ", bound}, bound,
                value);
  }
  return value << part.at;
}

bool is_radius(float r) { return r >= 0 && r <= kLargestRadius; }

[[noreturn]] void refuse_word(const char* why) {
  throw Error(Code::parse, kField, {"the word of an atom ", why});
}

// g and its derivative.
struct Curve {
  double value, slope;
};

Curve curve_at(const FieldAtom& atom, double t) {
  if (atom.track == FieldTrack::circular) return {std::sin(t), std::cos(t)};
  if (atom.track == FieldTrack::tangent) {
    const double tanh = std::tanh(t);
    return {tanh, 1 - tanh * tanh};
  }
  const double sinh = std::sinh(t), cosh = std::cosh(t);
  return atom.cosh ? Curve{cosh, sinh} : Curve{sinh, cosh};
}

}  // namespace

Packed128 field_word(const FieldAtom& atom) {
  if (!is_radius(atom.r) || !std::isfinite(atom.theta)) {
    throw Error(Code::value, kField,
                {"r is ", static_cast<double>(atom.r), ", theta is ",
                 static_cast<double>(atom.theta), "; expected r in [0, 1) and a finite angle"});
  }
  if (atom.cosh && atom.track != FieldTrack::hyperbolic)
    throw Error(Code::value, kField, "only an atom of the hyperbolic track may be cosh");
  if (atom.track < FieldTrack::circular || atom.track > FieldTrack::tangent)
    throw Error(Code::value, kField, "there is no such track");
  const auto number = [](int n) { return n < 0 ? ~uint64_t{0} : static_cast<uint64_t>(n); };
  const uint64_t low = atom.amplitude & ((1U << kAmplitude.bits) - 1);
  return {
      put(kTrack, "track", static_cast<uint64_t>(atom.track)) | put(kAmplitude, "amplitude", low) |
          put(kPhase, "phase", atom.phase) | put(kRadial, "radial", number(atom.radial)) |
          put(kAngular, "angular", number(atom.angular)) | put(kCosh, "cosh", atom.cosh ? 1 : 0) |
          put(kSign, "negative", atom.negative ? 1 : 0) |
          put(kAmplitudeAbove, "amplitude", uint64_t{atom.amplitude} >> kAmplitude.bits),
      uint64_t{std::bit_cast<uint32_t>(atom.theta)} << 32 | std::bit_cast<uint32_t>(atom.r)};
}

FieldAtom field_atom(const Packed128& word) {
  const uint64_t hi = word.hi;
  if (kTrack.of(hi) == 0) refuse_word("is one of rings");
  FieldAtom atom;
  atom.track = static_cast<FieldTrack>(kTrack.of(hi));
  atom.phase = static_cast<uint32_t>(kPhase.of(hi));
  atom.radial = static_cast<int>(kRadial.of(hi));
  atom.angular = static_cast<int>(kAngular.of(hi));
  atom.cosh = kCosh.of(hi) != 0;
  atom.negative = kSign.of(hi) != 0;
  atom.amplitude =
      static_cast<uint16_t>(kAmplitudeAbove.of(hi) << kAmplitude.bits | kAmplitude.of(hi));
  atom.r = std::bit_cast<float>(static_cast<uint32_t>(word.lo));
  atom.theta = std::bit_cast<float>(static_cast<uint32_t>(word.lo >> 32));
  const bool other_cosh = atom.cosh && atom.track != FieldTrack::hyperbolic;
  if (kFormat.of(hi) != 0 || kUnused.of(hi) != 0 || other_cosh)
    refuse_word("has bits that its track does not use");
  if (!is_radius(atom.r)) refuse_word("has an r outside of [0, 1)");
  if (!std::isfinite(atom.theta)) refuse_word("has a wrong angle");
  return atom;
}

FieldPlace field_place(int64_t rows, int64_t cols, int64_t i, int64_t j) {
  const auto along = [](int64_t n, int64_t k) {
    return n == 1 ? 0.0 : 2 * static_cast<double>(k) / static_cast<double>(n - 1) - 1;
  };
  const double x = along(cols, j), y = along(rows, i);
  return {std::min(std::hypot(x, y), 1.0), std::atan2(y, x)};
}

FieldSlopes field_slopes(const FieldAtom& atom, const FieldPlace& place) {
  const double a = std::exp2((atom.amplitude - 32768) / 2048.0) * (atom.negative ? -1 : 1),
               along = atom.radial / 16.0 * place.rho,
               u = 2 * std::atanh(static_cast<double>(atom.r)),
               phi = 2 * std::numbers::pi * atom.phase / FieldAtom::kPhases;
  const Curve g = curve_at(atom, along * u + atom.angular * (place.psi + atom.theta) + phi);
  return {a * g.value, a * g.slope * along, a * g.slope * atom.angular, a * g.slope};
}

std::vector<double> field_values(std::span<const FieldAtom> atoms, int64_t rows, int64_t cols) {
  std::vector<double> sums;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < cols; ++j) {
      const FieldPlace place = field_place(rows, cols, i, j);
      double sum = 0;
      for (const FieldAtom& atom : atoms) sum += field_slopes(atom, place).value;
      sums.push_back(sum);
    }
  }
  return sums;
}

FieldAtom field_transition(const FieldAtom& atom) {
  FieldAtom next = atom;
  if (atom.track == FieldTrack::tangent) {
    throw Error(Code::unsupported, kField,
                "an atom of tanh has no transition; its derivative by phi is A - W^2 / A");
  }
  if (atom.track == FieldTrack::circular) {
    next.phase = (atom.phase + FieldAtom::kPhases / 4) % FieldAtom::kPhases;
  } else {
    next.cosh = !atom.cosh;
  }
  return next;
}

}  // namespace gyre
