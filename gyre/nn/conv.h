#pragma once
#include "gyre/base/philox.h"
#include "gyre/base/record_part.h"
#include "gyre/nn/layer.h"
#include "gyre/ops/conv/conv.h"

namespace gyre {

struct ConvOptions {
  int64_t in = 0, out = 0;
  Shape kernel{}, stride{1}, padding{0}, dilation{1};
  int64_t groups = 1;
  bool bias = true;
};
GYRE_FIELDS(ConvOptions,
            GYRE_FIELD(in, "channels of the input", .alias = "in_channels", .least = 1),
            GYRE_FIELD(out, "channels of the output", .alias = "out_channels", .least = 1),
            GYRE_FIELD(kernel, "one number for all axes or one per axis", .alias = "kernel_size"),
            GYRE_FIELD(stride, "stride of the kernel"),
            GYRE_FIELD(padding, "zero padding added on both sides of each axis"),
            GYRE_FIELD(dilation, "spacing between kernel elements"),
            GYRE_FIELD(groups, "groups of channels that are convolved separately", .least = 1),
            GYRE_FIELD(bias, "add a learned bias to each output channel"));

struct ConvTransposeOptions {
  ConvOptions conv{};
  Shape output_padding{0};
};
GYRE_RECORD(ConvTransposeOptions, GYRE_PART(conv),
            GYRE_FIELD(output_padding, "size added to one side of each output axis; below stride"));

namespace nn {

/// Convolution with learned weights: weight [out, in / groups, kernel...], bias [out].
class Convolution : public Layer {
 public:
  void visit(Visitor& visitor) override;
  Tensor weight, bias;

 protected:
  /// Weight and bias are uniform in [-1 / sqrt(fan_in), 1 / sqrt(fan_in)], as in PyTorch.
  /// Error{value} for sizes below 1, a kernel of more than `axes` numbers and groups that do not
  /// divide in and out.
  Convolution(const char* layer, const ConvOptions& options, int axes, bool transposed,
              Generator* generator);
};

/// conv1d of [N, in, L] or conv2d of [N, in, H, W].
template <int axes>
class Conv final : public Convolution {
 public:
  explicit Conv(const ConvOptions& options, Generator* generator = nullptr);
  Conv(int64_t in, int64_t out, int64_t kernel, Generator* generator = nullptr)
      : Conv(ConvOptions{.in = in, .out = out, .kernel = {kernel}}, generator) {}
  Tensor operator()(const Tensor& x) const override;

 private:
  ConvAttrs attrs_;
};
using Conv1d = Conv<1>;
using Conv2d = Conv<2>;

/// conv_transpose1d of [N, in, L] or conv_transpose2d of [N, in, H, W]; weight [in, out / groups,
/// kernel...].
template <int axes>
class ConvTranspose final : public Convolution {
 public:
  explicit ConvTranspose(const ConvTransposeOptions& options, Generator* generator = nullptr);
  Tensor operator()(const Tensor& x) const override;

 private:
  ConvTransposeAttrs attrs_;
};
using ConvTranspose1d = ConvTranspose<1>;
using ConvTranspose2d = ConvTranspose<2>;

}  // namespace nn
}  // namespace gyre
