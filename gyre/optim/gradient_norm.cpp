#include "gyre/optim/gradient_norm.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gyre/autograd/accumulate.h"
#include "gyre/base/error.h"
#include "gyre/op/node.h"
#include "gyre/ops/in_place.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

// The gradients, each in memory with no other owner.
std::vector<Tensor> own_gradients(std::span<const Tensor> parameters) {
  std::vector<Tensor> gradients;
  for (const Tensor& p : parameters) {
    Tensor g = p.grad();
    if (g.defined() && !is_sole_owner(g, 2)) {  // the parameter's handle and this one
      g = clone(g);
      p.impl()->grad = g.ref();
    }
    gradients.push_back(std::move(g));
  }
  return gradients;
}

}  // namespace

double gradient_norm(const ParameterWalk& walk, std::span<const Tensor> gradients,
                     bool finite_only) {
  for (const Tensor& g : gradients) {
    if (g.defined() && !is_floating(g.dtype())) {
      throw mismatch(Code::dtype, "gradient_norm", "expected floating gradients",
                     "a floating dtype", name_of(g.dtype()));
    }
  }
  double squares = walk.sum([&](const ParameterWalk::Chunk& c) {
    const Tensor& g = gradients[c.parameter];
    if (!g.defined()) return 0.0;
    const ArrayTile& tile = array_tile(g.dtype());
    return (finite_only ? tile.finite_squares : tile.squares)(elements(g, c), c.count);
  });
  return std::sqrt(squares);
}

void refuse_non_finite(const char* op, std::span<const Tensor> gradients) {
  for (size_t i = 0; i < gradients.size(); ++i) {
    if (!gradients[i].defined()) continue;
    ParameterWalk walk;
    walk.add(gradients[i].numel());
    double norm = gradient_norm(walk, gradients.subspan(i, 1));
    if (std::isfinite(norm)) continue;
    throw Error(Code::numeric, op,
                fmt::format("expected finite gradients, got norm {} for parameter {}", norm, i),
                "a finite number", fmt::format("{}", norm));
  }
  throw Error(Code::numeric, op, "expected a finite total gradient norm, got overflow",
              "a finite number");
}

// As in PyTorch: the small constant avoids division by 0.
double clip_factor(double norm, double clip) {
  return clip > 0 ? std::min(1.0, clip / (norm + 1e-6)) : 1.0;
}

double clip_grad_norm(std::span<const Tensor> parameters, double max_norm, NonFinite non_finite) {
  if (!(max_norm > 0)) {
    throw mismatch(Code::value, "clip_grad_norm", "max_norm must be above 0", "> 0",
                   fmt::format("{}", max_norm));
  }
  NoGrad scope;
  std::vector<Tensor> gradients = own_gradients(parameters);
  ParameterWalk walk;
  for (const Tensor& g : gradients) walk.add(g.defined() ? g.numel() : 0);
  bool finite_only = non_finite == NonFinite::zero;
  double norm = gradient_norm(walk, gradients, finite_only), factor = clip_factor(norm, max_norm);
  if (!std::isfinite(norm)) {
    if (non_finite == NonFinite::raise) refuse_non_finite("clip_grad_norm", gradients);
    return norm;
  }
  if (factor == 1 && !finite_only) return norm;
  walk.run([&](const ParameterWalk::Chunk& c, int64_t) {
    const Tensor& g = gradients[c.parameter];
    array_tile(g.dtype()).scale({factor, finite_only}, elements(g, c), c.count);
  });
  for (const Tensor& g : gradients) {
    if (g.defined()) bump_version(g);
  }
  return norm;
}

}  // namespace gyre
