#include "gyre/ops/conv/conv.h"

#include "bench/work.h"
#include "gyre/autograd/backward.h"
#include "gyre/op/node.h"
#include "gyre/ops/random/random.h"

namespace gyre::bench {
namespace {

constexpr int64_t kImages = 32, kChannels = 64, kSide = 56, kKernel = 3;
constexpr double kConvFlops =
    2.0 * kImages * kSide * kSide * kChannels * kChannels * kKernel * kKernel;

struct ConvOperands {
  Tensor image(bool leaf) {
    return randn({kImages, kChannels, kSide, kSide}, {.requires_grad = leaf});
  }
  Tensor x = image(true), g = image(false);
  Tensor weight = randn({kChannels, kChannels, kKernel, kKernel}, {.requires_grad = true});
  [[nodiscard]] Tensor y() const { return conv2d(x, weight, {}, {.padding = {1}}); }
};

Ready conv_forward(const Work&, const Settings&) {
  return {[a = ConvOperands()] {
    NoGrad off;
    Tensor y = a.y();
  }};
}

Ready conv_gradients(const Work&, const Settings&) {
  return {[a = ConvOperands()]() mutable {
    a.x.zero_grad();
    a.weight.zero_grad();
    Tensor y = a.y();
    backward(Inputs(&y, 1), Inputs(&a.g, 1));
  }};
}

constexpr Work kConvWorks[] = {
    {"conv2d_32x64x56x56",
     "us",
     "64 filters of 64 x 3 x 3 on 32 images of 64 x 56 x 56, padding 1, no bias",
     conv_forward,
     {},
     Limit::fma,
     kConvFlops},
    {"conv2d_32x64x56x56_gradients",
     "us",
     "the same, forward and backward for images and filters",
     conv_gradients,
     {},
     Limit::fma,
     3 * kConvFlops},
};

}  // namespace

std::span<const Work> conv_works() { return kConvWorks; }

}  // namespace gyre::bench
