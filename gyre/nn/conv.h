#pragma once
#include "gyre/base/philox.h"
#include "gyre/nn/module.h"
#include "gyre/ops/conv/conv.h"

namespace gyre {

struct ConvOptions {
  int64_t in = 0, out = 0;
  Shape kernel{}, stride{1}, padding{0}, dilation{1};
  int64_t groups = 1;
  bool bias = true;
};
GYRE_FIELDS(ConvOptions, GYRE_FIELD(in, "channels of the input"),
            GYRE_FIELD(out, "channels of the result"),
            GYRE_FIELD(kernel, "size of the windows, one number for all axes or one for each"),
            GYRE_FIELD(stride, "distance of windows"),
            GYRE_FIELD(padding, "zeros around the input, on each side"),
            GYRE_FIELD(dilation, "distance of elements in a window"),
            GYRE_FIELD(groups, "parts of the channels that are convolved by themselves"),
            GYRE_FIELD(bias, "adds a trained number to each channel"));

namespace nn {

/// conv1d of [N, in, L]: weight [out, in / groups, kernel], bias [out].
class Conv1d : public Module {
 public:
  /// Weight and bias uniform within 1 / sqrt(in / groups * kernel), as PyTorch's. Error{value} for
  /// sizes below 1, a kernel of more than one number and groups that do not divide in and out.
  explicit Conv1d(const ConvOptions& options, Generator* generator = nullptr);
  Conv1d(int64_t in, int64_t out, int64_t kernel, Generator* generator = nullptr)
      : Conv1d(ConvOptions{.in = in, .out = out, .kernel = {kernel}}, generator) {}

  Tensor operator()(const Tensor& x) const;
  void visit(Visitor& visitor) override;

  Tensor weight, bias;

 private:
  ConvAttrs attrs_;
};

/// conv2d of [N, in, H, W]: weight [out, in / groups, kernel height, kernel width], bias [out].
class Conv2d : public Module {
 public:
  /// Weight and bias uniform within 1 / sqrt(in / groups * elements of a window), as PyTorch's.
  /// Error{value} as for Conv1d, with one or two numbers a kernel.
  explicit Conv2d(const ConvOptions& options, Generator* generator = nullptr);
  Conv2d(int64_t in, int64_t out, int64_t kernel, Generator* generator = nullptr)
      : Conv2d(ConvOptions{.in = in, .out = out, .kernel = {kernel}}, generator) {}

  Tensor operator()(const Tensor& x) const;
  void visit(Visitor& visitor) override;

  Tensor weight, bias;

 private:
  ConvAttrs attrs_;
};

}  // namespace nn
}  // namespace gyre
