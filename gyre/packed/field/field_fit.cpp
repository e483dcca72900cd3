#include "gyre/packed/field/field_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "gyre/base/error.h"

namespace gyre {
namespace {

constexpr double kTurn = 2 * std::numbers::pi, kLastPhase = kTurn * (1 - 1.0 / FieldAtom::kPhases);
constexpr int kRadialSteps = 24, kAngularSteps = 12;
constexpr double kRadialStep = 1;

// An atom with real numbers in place of codes: amplitude g(radial rho + angular psi + phase).
struct Wave {
  FieldTrack track = FieldTrack::circular;
  bool cosh = false;
  double amplitude = 0, radial = 0;
  int angular = 0;
  double phase = 0;
};

constexpr FieldAtom kNothing{.amplitude = 0};  // sin(0)

int64_t power_of(double amplitude) {
  return std::llround(2048 * std::log2(std::fabs(amplitude))) + 32768;
}

FieldAtom atom_of(const Wave& wave) {
  FieldAtom atom;
  const int64_t power = wave.amplitude == 0 ? -1 : power_of(wave.amplitude);
  if (power < 0) return kNothing;  // smaller than any amplitude
  if (power > UINT16_MAX) {
    throw Error(Code::numeric, "field",
                {"the table is too large: it takes an amplitude of ", wave.amplitude});
  }
  atom.track = wave.track;
  atom.cosh = wave.cosh;
  atom.negative = wave.amplitude < 0;
  atom.amplitude = static_cast<uint16_t>(power);
  // the least w_r that is a whole number leaves u at most 1
  const double whole = std::clamp(std::ceil(wave.radial), 1.0, 63.0);
  atom.radial = static_cast<int>(whole) * 16;
  atom.r = static_cast<float>(std::tanh(wave.radial / whole / 2));
  atom.angular = wave.angular;
  const double turns = wave.phase / kTurn;
  atom.phase = static_cast<uint32_t>(
      std::llround((turns - std::floor(turns)) * FieldAtom::kPhases) % FieldAtom::kPhases);
  return atom;
}

class Fit {
 public:
  Fit(std::span<const float> table, int64_t rows, int64_t cols)
      : rest_(table.begin(), table.end()) {
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < cols; ++j) places_.push_back(field_place(rows, cols, i, j));
    }
    for (int k = 0; k < kRadialSteps; ++k)
      radial_.push_back(turned([&](const FieldPlace& p) { return k * kRadialStep * p.rho; }));
    for (int k = 0; k < kAngularSteps; ++k)
      angular_.push_back(turned([&](const FieldPlace& p) { return k * p.psi; }));
  }

  // The atom that takes most of what is left, which it is subtracted from.
  FieldAtom take() {
    Found best = best_circular();
    for (const FieldTrack track : {FieldTrack::hyperbolic, FieldTrack::tangent}) {
      for (const bool cosh : {false, true}) {
        if (cosh && track == FieldTrack::tangent) continue;
        for (const double radial : {1.0, 2.0, 4.0}) {
          for (const double phase : {0.0, 0.5, 1.0, 2.0})
            try_start({track, cosh, 1, radial, 0, phase}, best);
        }
      }
    }
    const FieldAtom atom = atom_of(refined(best));
    const double before = squares();
    add(atom, -1);
    if (squares() <= before) return atom;
    add(atom, 1);  // rounding cost more than it takes away
    return kNothing;
  }
  // Adds an atom, times `sign`, to what is left.
  void add(const FieldAtom& atom, double sign) {
    for (size_t i = 0; i < rest_.size(); ++i)
      rest_[i] += sign * field_slopes(atom, places_[i]).value;
  }
  [[nodiscard]] double squares() const {
    double sum = 0;
    for (const double x : rest_) sum += x * x;
    return sum;
  }

 private:
  // A wave and by how much it lowers the sum of squares.
  struct Found {
    Wave wave{};
    double gain = 0;
  };
  struct Turned {
    std::vector<double> sin, cos;
  };

  Turned turned(auto angle) const {
    Turned made;
    for (const FieldPlace& p : places_) {
      made.sin.push_back(std::sin(angle(p)));
      made.cos.push_back(std::cos(angle(p)));
    }
    return made;
  }

  // Amplitude and phase by least squares for every pair of frequencies.
  [[nodiscard]] Found best_circular() const {
    Found best;
    for (int r = 0; r < kRadialSteps; ++r) {
      for (int m = 0; m < kAngularSteps; ++m) {
        const Turned &a = radial_[static_cast<size_t>(r)], &b = angular_[static_cast<size_t>(m)];
        double xs = 0, xc = 0, ss = 0, sc = 0, cc = 0;
        for (size_t i = 0; i < rest_.size(); ++i) {
          const double sin = a.sin[i] * b.cos[i] + a.cos[i] * b.sin[i],
                       cos = a.cos[i] * b.cos[i] - a.sin[i] * b.sin[i];
          xs += rest_[i] * sin;
          xc += rest_[i] * cos;
          ss += sin * sin;
          sc += sin * cos;
          cc += cos * cos;
        }
        const double determinant = ss * cc - sc * sc;
        double s = 0, c = 0;
        if (determinant > 1e-9 * ss * cc) {
          s = (xs * cc - xc * sc) / determinant;
          c = (xc * ss - xs * sc) / determinant;
        } else if (cc > 0) {
          c = xc / cc;  // without a frequency there is no sine
        }
        const double gain = s * xs + c * xc;
        if (gain > best.gain) {
          best = {
              {FieldTrack::circular, false, std::hypot(s, c), r * kRadialStep, m, std::atan2(c, s)},
              gain};
        }
      }
    }
    return best;
  }

  // What waves are at a place before the amplitude, with slopes by argument.
  struct Slope {
    double value, slope;
  };
  static Slope at(const Wave& wave, const FieldPlace& place) {
    const double t = wave.radial * place.rho + wave.angular * place.psi + wave.phase;
    if (wave.track == FieldTrack::circular) return {std::sin(t), std::cos(t)};
    if (wave.track == FieldTrack::tangent) return {std::tanh(t), 1 - std::tanh(t) * std::tanh(t)};
    return wave.cosh ? Slope{std::cosh(t), std::sinh(t)} : Slope{std::sinh(t), std::cosh(t)};
  }

  void try_start(Wave wave, Found& best) const {
    double xg = 0, gg = 0;
    for (size_t i = 0; i < rest_.size(); ++i) {
      const double g = at(wave, places_[i]).value;
      xg += rest_[i] * g;
      gg += g * g;
    }
    if (gg == 0) return;
    wave.amplitude = xg / gg;
    if (const double gain = xg * xg / gg; gain > best.gain) best = {wave, gain};
  }

  [[nodiscard]] double distance(const Wave& wave) const {
    double sum = 0;
    for (size_t i = 0; i < rest_.size(); ++i) {
      const double off = rest_[i] - wave.amplitude * at(wave, places_[i]).value;
      sum += off * off;
    }
    return sum;
  }

  // Steps in amplitude, radial frequency and phase, halved until they help.
  [[nodiscard]] Wave refined(const Found& found) const {
    constexpr int kSteps = 12, kHalvings = 6;
    Wave wave = found.wave;
    if (found.gain <= 0) return {};
    double now = distance(wave);
    for (int step = 0; step < kSteps; ++step) {
      std::array<double, 3> g{};
      double h[3][3] = {};
      for (size_t i = 0; i < rest_.size(); ++i) {
        const Slope s = at(wave, places_[i]);
        const double by = wave.amplitude * s.slope, off = rest_[i] - wave.amplitude * s.value;
        const double slopes[3] = {s.value, by * places_[i].rho, by};
        for (size_t a = 0; a < 3; ++a) {
          g[a] += slopes[a] * off;
          for (size_t b = 0; b < 3; ++b) h[a][b] += slopes[a] * slopes[b];
        }
      }
      for (int a = 0; a < 3; ++a) h[a][a] += 1e-9 * h[a][a] + 1e-300;
      const std::array<double, 3> to = solved(h, g);
      double length = 1;
      int halving = 0;
      for (; halving < kHalvings; ++halving, length /= 2) {
        Wave moved = wave;
        moved.amplitude += length * to[0];
        moved.radial = std::clamp(moved.radial + length * to[1], 0.0, 63.0);
        moved.phase += length * to[2];
        // only a circular atom may have any phase, since its code is one of a turn
        if (moved.track != FieldTrack::circular)
          moved.phase = std::clamp(moved.phase, 0.0, kLastPhase);
        if (const double next = distance(moved); next < now) {
          wave = moved;
          now = next;
          break;
        }
      }
      if (halving == kHalvings) break;
    }
    return wave;
  }

  // A symmetric positive system, by elimination.
  static std::array<double, 3> solved(double (&h)[3][3], std::array<double, 3> g) {
    for (size_t a = 0; a < 3; ++a) {
      for (size_t b = a + 1; b < 3; ++b) {
        const double by = h[b][a] / h[a][a];
        for (size_t c = a; c < 3; ++c) h[b][c] -= by * h[a][c];
        g[b] -= by * g[a];
      }
    }
    for (size_t a = 3; a-- > 0;) {
      for (size_t c = a + 1; c < 3; ++c) g[a] -= h[a][c] * g[c];
      g[a] /= h[a][a];
    }
    return g;
  }

  std::vector<double> rest_;
  std::vector<FieldPlace> places_;
  std::vector<Turned> radial_, angular_;
};

}  // namespace

std::vector<FieldAtom> fit_atoms(std::span<const float> table, int64_t rows, int64_t cols,
                                 int count) {
  Fit fit(table, rows, cols);
  std::vector<FieldAtom> atoms;
  for (int i = 0; i < count; ++i) atoms.push_back(fit.take());
  for (FieldAtom& atom : atoms) {
    const double before = fit.squares();
    fit.add(atom, 1);
    const FieldAtom found = fit.take();
    if (fit.squares() <= before) {
      atom = found;
      continue;
    }
    fit.add(found, 1);
    fit.add(atom, -1);
  }
  return atoms;
}

}  // namespace gyre
