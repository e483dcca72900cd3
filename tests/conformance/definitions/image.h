#pragma once
#include "tests/conformance/definitions.h"

// Images of convolutions and pooling; a 1-d signal is an image of height 1.

namespace gyre::conformance {

struct Axes {
  int64_t y = 0, x = 0;
};

// An attribute of one or two numbers; a 1-d signal has one axis.
inline Axes pair_of(const Call& call, const char* name, int64_t otherwise, bool signal) {
  const Shape s = attribute(call, name, Shape{otherwise});
  return signal ? Axes{otherwise, s[0]} : Axes{s[0], s.back()};
}

inline bool is_signal(const Dense& x) { return x.shape.rank == 3; }

inline Dense as_image(Dense d) {
  if (is_signal(d)) d.shape = {d.shape[0], d.shape[1], 1, d.shape[2]};
  return d;
}

}  // namespace gyre::conformance
