// Ops of the Poincaré ball, c = 1, on points distributed as in peers.py.
#include "bench/work.h"
#include "gyre/autograd/backward.h"
#include "gyre/hyperbolic/ball/ball.h"
#include "gyre/hyperbolic/nn/ball_maps.h"
#include "gyre/op/node.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/norm/norm.h"
#include "gyre/ops/random/random.h"

namespace gyre::bench {
namespace {

using Call = Tensor (*)(const Tensor& x, const Tensor& y);

Tensor mobius_add(const Tensor& x, const Tensor& y) { return poincare_add(x, y, 1.0); }
Tensor dist(const Tensor& x, const Tensor& y) { return poincare_dist(x, y, 1.0); }
Tensor exp0(const Tensor& x, const Tensor&) { return poincare_exp0(x, 1.0); }
Tensor log0(const Tensor& x, const Tensor&) { return poincare_log0(x, 1.0); }

// Points in random directions, at most `reach` from the origin; tangent vectors for exp0.
Tensor rows(const Work& w, double reach) {
  return normalize(randn({w.sizes[0], w.sizes[1]})) * (reach * rand({w.sizes[0], 1}));
}

template <Call call, int reach_tenths>
Ready forward(const Work& w, const Settings&) {
  constexpr double kReach = reach_tenths / 10.0;
  return {[x = rows(w, kReach), y = rows(w, kReach)] { Tensor z = call(x, y); }};
}

template <Call call, int reach_tenths>
Ready gradients(const Work& w, const Settings&) {
  constexpr double kReach = reach_tenths / 10.0;
  Tensor x = rows(w, kReach), y = rows(w, kReach), g = randn(call(x, y).shape());
  x.set_requires_grad();
  y.set_requires_grad();
  return {[x, y, g]() mutable {
    x.zero_grad();
    y.zero_grad();
    Tensor z = call(x, y);
    backward(Inputs(&z, 1), Inputs(&g, 1));
  }};
}

// A layer beside its op: what the check of the rows costs.
Ready from_ball(const Work&, const Settings&) {
  Tensor x = normalize(randn({32, 56, 56, 16})) * (0.9 * rand({32, 56, 56, 1}));
  return {.call = [x, layer = std::make_shared<nn::FromBall>(
                          BallMapOptions{})] { Tensor y = (*layer)(x); },
          .least = [x] { Tensor y = poincare_log0(x, 1.0); }};
}

constexpr Work work(const char* name, Ready (*prepare)(const Work&, const Settings&), int64_t n,
                    int64_t d, int arrays) {
  return {name,   "us",        "rows of the Poincaré ball, c = 1",        prepare,
          {n, d}, Limit::copy, 4.0 * arrays * static_cast<double>(n * d), n * d};
}

#define WORKS(op, reach, ahead, back)                                                     \
  work(#op "_65536x16", forward<op, reach>, 65536, 16, ahead),                            \
      work(#op "_65536x16_gradients", gradients<op, reach>, 65536, 16, (ahead) + (back)), \
      work(#op "_4096x512", forward<op, reach>, 4096, 512, ahead),                        \
      work(#op "_4096x512_gradients", gradients<op, reach>, 4096, 512, (ahead) + (back))

constexpr Work kHyperbolicWorks[] = {
    WORKS(mobius_add, 9, 3, 5),
    WORKS(dist, 9, 2, 4),
    WORKS(exp0, 20, 2, 3),
    WORKS(log0, 9, 2, 3),
    {"from_ball_32x56x56x16", "us",
     "the layer FromBall without gradients; the limit is its op alone", from_ball}};

}  // namespace

std::span<const Work> hyperbolic_works() { return kHyperbolicWorks; }

}  // namespace gyre::bench
