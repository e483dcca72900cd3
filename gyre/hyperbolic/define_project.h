#pragma once
#include "gyre/hyperbolic/ball/ball_bodies.h"
#include "gyre/hyperbolic/define_curved.h"

// Definition of the projections into the two balls.

namespace gyre {

template <Curvature allowed>
void project_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  double margin = attrs_as<ProjectAttrs>(attrs).margin;
  if (!(margin > 0 && margin < 1)) {
    refuse(Code::value, op, {"margin is ", margin, ", must be between 0 and 1"},
           "a number between 0 and 1", margin);
  }
  curved_infer<allowed>(op, attrs, in, out);
}

template <Curvature allowed>
void project_samples(Samples& s) {
  curved_samples<ProjectAttrs, allowed, kPoint>(s);
  Tensor within = s.uniform({4, 3}, -0.3, 0.3), beyond = s.uniform({4, 3}, 2, 3);
  for (double margin : {kGeooptMargin, 0.25}) {
    s.add({cat({within, beyond}, 0), s.uniform({}, 0.5, 1)}, box(ProjectAttrs{-1, margin}));
  }
  s.extreme({0.0 * within, s.uniform({}, 0.5, 1)});
  for (double margin : {0.0, 1.0, -0.1}) {
    s.refuse(Code::value, {within, s.uniform({}, 0.5, 1)}, box(ProjectAttrs{-1, margin}));
  }
}

template <Curvature allowed>
constexpr OpDef define_project(const char* name, const PerIsa<RowwiseTiles>& tiles) {
  OpDef d = define_curved<PoincareProject, allowed, kPoint>(
      name, "project x into the ball: clip its norm to 1 - margin of the radius", tiles);
  d.infer = project_infer<allowed>;
  d.samples = project_samples<allowed>;
  return d;
}

}  // namespace gyre
