#include "gyre/packed/field/field.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <numbers>

#include "tests/thrown.h"

namespace gyre {
namespace {

constexpr FieldTrack kTracks[] = {FieldTrack::circular, FieldTrack::hyperbolic,
                                  FieldTrack::tangent};

FieldAtom atom_of(FieldTrack track, bool cosh = false) {
  return {.track = track,
          .phase = 123456,
          .radial = 9,
          .angular = 3,
          .cosh = cosh,
          .negative = track == FieldTrack::tangent,
          .amplitude = 30000,
          .r = 0.4F,
          .theta = -0.7F};
}

// Every track, both functions of the hyperbolic one.
std::vector<FieldAtom> atoms() {
  std::vector<FieldAtom> all;
  for (FieldTrack track : kTracks) all.push_back(atom_of(track));
  all.push_back(atom_of(FieldTrack::hyperbolic, true));
  return all;
}

// The places of a table that is neither square nor symmetric.
std::vector<FieldPlace> places() {
  std::vector<FieldPlace> all;
  for (int64_t i = 0; i < 4; ++i) {
    for (int64_t j = 0; j < 7; ++j) all.push_back(field_place(4, 7, i, j));
  }
  return all;
}

double value(const FieldAtom& atom, const FieldPlace& place) {
  return field_slopes(atom, place).value;
}

// The derivative by phi, by phases beside that of the atom.
double difference_by_phase(const FieldAtom& atom, const FieldPlace& place) {
  FieldAtom after = atom, before = atom;
  after.phase += 8;
  before.phase -= 8;
  const double step = 2 * std::numbers::pi * 16 / FieldAtom::kPhases;
  return (value(after, place) - value(before, place)) / step;
}

TEST(Field, AnAtomIsWhatItsFormulaSays) {
  const FieldAtom atom = atom_of(FieldTrack::circular);
  const double x = 2 * 5 / 6.0 - 1, y = 2 * 1 / 3.0 - 1, u = 2 * std::atanh(double{0.4F});
  const double t = 9 / 16.0 * std::hypot(x, y) * u + 3 * (std::atan2(y, x) + double{-0.7F}) +
                   2 * std::numbers::pi * 123456 / 1048576;
  const double a = std::exp2((30000 - 32768) / 2048.0);
  const FieldPlace place = field_place(4, 7, 1, 5);
  EXPECT_NEAR(value(atom, place), a * std::sin(t), 1e-15);
  EXPECT_NEAR(value(atom_of(FieldTrack::hyperbolic), place), a * std::sinh(t), 1e-13);
  EXPECT_NEAR(value(atom_of(FieldTrack::hyperbolic, true), place), a * std::cosh(t), 1e-13);
  EXPECT_NEAR(value(atom_of(FieldTrack::tangent), place), -a * std::tanh(t), 1e-15);
}

TEST(Field, PlacesAreThoseOfADisc) {
  EXPECT_EQ(field_place(1, 1, 0, 0).rho, 0);
  EXPECT_EQ(field_place(5, 5, 0, 0).rho, 1);  // a corner is outside
  EXPECT_EQ(field_place(1, 5, 0, 3).rho, 0.5);
  EXPECT_EQ(field_place(1, 5, 0, 4).psi, 0);
  EXPECT_DOUBLE_EQ(field_place(5, 1, 4, 0).psi, std::numbers::pi / 2);
}

TEST(Field, SumsAtoms) {
  const std::vector<FieldAtom> all = atoms();
  const std::vector<double> sums = field_values(all, 4, 7);
  const std::vector<FieldPlace> at = places();
  ASSERT_EQ(sums.size(), at.size());
  for (size_t i = 0; i < sums.size(); ++i) {
    double sum = 0;
    for (const FieldAtom& atom : all) sum += value(atom, at[i]);
    EXPECT_EQ(sums[i], sum);
  }
  EXPECT_EQ(field_values({}, 2, 2), std::vector<double>(4));
}

TEST(Field, SlopesAgreeWithDifferences) {
  for (const FieldAtom& atom : atoms()) {
    for (const FieldPlace& place : places()) {
      const FieldSlopes slopes = field_slopes(atom, place);
      FieldAtom after = atom, before = atom;
      after.theta += 0x1p-10F;
      before.theta -= 0x1p-10F;
      const double scale = std::fabs(slopes.value) + std::fabs(slopes.by_phase);
      const double by_theta = (value(after, place) - value(before, place)) /
                              (double{after.theta} - double{before.theta});
      EXPECT_NEAR(slopes.by_theta, by_theta, 3e-5 * scale);
      after = before = atom;
      after.r += 0x1p-10F;
      before.r -= 0x1p-10F;
      const double by_u = (value(after, place) - value(before, place)) /
                          (2 * (std::atanh(double{after.r}) - std::atanh(double{before.r})));
      EXPECT_NEAR(slopes.by_u, by_u, 3e-5 * scale);
      EXPECT_NEAR(slopes.by_phase, difference_by_phase(atom, place), 1e-8 * scale);
    }
  }
}

TEST(Field, CircularTransitionsAreDerivativesAndFourAreTheIdentity) {
  FieldAtom atom = atom_of(FieldTrack::circular);
  const FieldAtom start = atom;
  for (int times = 0; times < 4; ++times) {
    const FieldAtom next = field_transition(atom);
    for (const FieldPlace& place : places())
      EXPECT_NEAR(value(next, place), difference_by_phase(atom, place), 1e-8);
    atom = next;
    EXPECT_EQ(field_word(atom) == field_word(start), times == 3);
  }
}

TEST(Field, HyperbolicTransitionsAreDerivativesAndTwoAreTheIdentity) {
  const FieldAtom start = atom_of(FieldTrack::hyperbolic), next = field_transition(start);
  for (const FieldPlace& place : places()) {
    const double scale = std::fabs(value(start, place)) + std::fabs(value(next, place));
    EXPECT_NEAR(value(next, place), difference_by_phase(start, place), 1e-8 * scale);
    EXPECT_NEAR(value(start, place), difference_by_phase(next, place), 1e-8 * scale);
  }
  EXPECT_EQ(std::popcount(field_word(start).hi ^ field_word(next).hi), 1);
  EXPECT_EQ(field_transition(next), start);
}

TEST(Field, TangentsHaveNoCycle) {
  const FieldAtom atom = atom_of(FieldTrack::tangent);
  const double a = -std::exp2((30000 - 32768) / 2048.0);
  for (const FieldPlace& place : places()) {
    const double w = value(atom, place);
    EXPECT_NEAR(a - w * w / a, difference_by_phase(atom, place), 1e-8);
    EXPECT_NEAR(a - w * w / a, field_slopes(atom, place).by_phase, 1e-15);
  }
  EXPECT_EQ(code_of([&] { field_transition(atom); }), Code::unsupported);
}

TEST(Field, WordsHoldAtoms) {
  for (FieldAtom atom : atoms()) {
    EXPECT_EQ(field_atom(field_word(atom)), atom);
    atom.phase = FieldAtom::kPhases - 1;
    atom.radial = 1023;
    atom.angular = 63;
    atom.amplitude = 65535;
    atom.r = 1 - 0x1p-20F;
    EXPECT_EQ(field_atom(field_word(atom)), atom);
  }
  EXPECT_EQ(field_word({.phase = 1}).hi, uint64_t{1} | uint64_t{1} << 17 | uint64_t{16} << 55);
}

TEST(Field, RefusesWhatIsOutOfRange) {
  const auto code = [](auto change) {
    FieldAtom atom = atom_of(FieldTrack::circular);
    change(atom);
    return code_of([&] { field_word(atom); });
  };
  EXPECT_EQ(code([](FieldAtom& a) { a.phase = FieldAtom::kPhases; }), Code::value);
  EXPECT_EQ(code([](FieldAtom& a) { a.radial = 1024; }), Code::value);
  EXPECT_EQ(code([](FieldAtom& a) { a.angular = -1; }), Code::value);
  EXPECT_EQ(code([](FieldAtom& a) { a.r = 1; }), Code::value);
  EXPECT_EQ(code([](FieldAtom& a) { a.theta = NAN; }), Code::value);
  EXPECT_EQ(code([](FieldAtom& a) { a.cosh = true; }), Code::value);
  EXPECT_EQ(code([](FieldAtom& a) { a.track = FieldTrack{0}; }), Code::value);
  const Packed128 word = field_word(atom_of(FieldTrack::circular));
  const auto parse = [&](uint64_t hi, uint64_t lo) {
    return code_of([&] { field_atom({word.hi ^ hi, word.lo ^ lo}); });
  };
  EXPECT_EQ(parse(1, 0), Code::parse);                                     // rings
  EXPECT_EQ(parse(1 << 2, 0), Code::parse);                                // a format of rings
  EXPECT_EQ(parse(uint64_t{1} << 63, 0), Code::parse);                     // unused
  EXPECT_EQ(parse(uint64_t{1} << 53, 0), Code::parse);                     // cosh
  EXPECT_EQ(parse(0, uint64_t{1} << 31), Code::parse);                     // r below 0
  EXPECT_EQ(parse(0, word.lo ^ uint64_t{0x7fc00000} << 32), Code::parse);  // r 0, no angle
}

}  // namespace
}  // namespace gyre
