#include "gyre/op/apply.h"
#include "gyre/op/op_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/conv/conv.h"
#include "gyre/ops/conv/window.h"
#include "gyre/ops/shape/shape.h"

// 1-D convolutions, computed as 2-D convolutions of images one row high.

namespace gyre {
namespace {

constexpr Arg kConv1dArgs[] = {{"x"}, {"weight"}, {.name = "bias", .optional = true}};

// A 1-D attribute extended to an image one row high.
Shape widened(const OpDef& op, const char* name, const Shape& given, int64_t other) {
  if (given.rank != 1) {
    throw mismatch(Code::value, op.name, {name, " must be one number"}, "[x]", given);
  }
  return {other, given[0]};
}

void check_signals(const OpDef& op, Inputs in) {
  if (in[0].rank() != 3 || in[1].rank() != 3) {
    refuse(Code::shape, op,
           {"expected x [N, C, L] and weight [out, C, kernel]; x is ", in[0].shape(),
            ", weight is ", in[1].shape()},
           in[0].shape(), in[1].shape());
  }
}

Tensor bias_of(Inputs in) { return in.size() > 2 ? in[2] : Tensor(); }

Tensors conv1d_compose(const OpDef& op, const void* attrs, Inputs in) {
  const auto& a = attrs_as<ConvAttrs>(attrs);
  check_signals(op, in);
  const ConvAttrs wide{widened(op, "stride", a.stride, 1), widened(op, "padding", a.padding, 0),
                       widened(op, "dilation", a.dilation, 1), a.groups};
  return {squeeze(conv2d(unsqueeze(in[0], 2), unsqueeze(in[1], 2), bias_of(in), wide), {2})};
}

Tensors conv_transpose1d_compose(const OpDef& op, const void* attrs, Inputs in) {
  const auto& a = attrs_as<ConvTransposeAttrs>(attrs);
  check_signals(op, in);
  const ConvTransposeAttrs wide{widened(op, "stride", a.stride, 1),
                                widened(op, "padding", a.padding, 0),
                                widened(op, "output_padding", a.output_padding, 0),
                                widened(op, "dilation", a.dilation, 1), a.groups};
  return {
      squeeze(conv_transpose2d(unsqueeze(in[0], 2), unsqueeze(in[1], 2), bias_of(in), wide), {2})};
}

void conv1d_samples(Samples& s) {
  s.add({s.uniform({2, 3, 8}), s.uniform({4, 3, 3}), s.uniform({4})});
  s.add({s.uniform({1, 4, 300}), s.uniform({6, 2, 5}), Tensor()}, box(ConvAttrs{{1}, {4}, {2}, 2}));
  s.add({s.uniform({2, 1, 9}), s.uniform({5, 1, 4}), s.uniform({5})}, box(ConvAttrs{{3}, {2}}));
  s.add({s.uniform({0, 3, 8}), s.uniform({4, 3, 3}), s.uniform({4})});
  s.refuse(Code::shape, {s.uniform({2, 3, 8, 1}), s.uniform({4, 3, 3}), Tensor()});
  s.refuse(Code::value, {s.uniform({2, 3, 8}), s.uniform({4, 3, 3}), Tensor()},
           box(ConvAttrs{{1, 1}}));
}

void conv_transpose1d_samples(Samples& s) {
  s.add({s.uniform({2, 3, 6}), s.uniform({3, 4, 3}), s.uniform({4})});
  s.add({s.uniform({1, 4, 7}), s.uniform({4, 2, 4}), Tensor()},
        box(ConvTransposeAttrs{{3}, {2}, {1}, {2}, 2}));
  s.add({s.uniform({0, 3, 6}), s.uniform({3, 4, 3}), s.uniform({4})});
  s.refuse(Code::shape, {s.uniform({2, 3}), s.uniform({3, 4, 3}), Tensor()});
  s.refuse(Code::value, {s.uniform({2, 3, 6}), s.uniform({3, 4, 3}), Tensor()},
           box(ConvTransposeAttrs{{2}, {0}, {1, 1}}));
}

}  // namespace

extern constinit const OpDef conv1d_def{
    .name = "conv1d",
    .doc = "1-D convolution of x [N, in, L] by weight [out, in / groups, l]",
    .args = kConv1dArgs,
    .attrs = &record_of<ConvAttrs>,
    .compose = conv1d_compose,
    .samples = conv1d_samples};

extern constinit const OpDef conv_transpose1d_def{
    .name = "conv_transpose1d",
    .doc = "1-D transposed convolution of x [N, in, L] by weight [in, out / groups, l]",
    .args = kConv1dArgs,
    .attrs = &record_of<ConvTransposeAttrs>,
    .compose = conv_transpose1d_compose,
    .samples = conv_transpose1d_samples};

GYRE_FUNCTION_3(conv1d, ConvAttrs)

GYRE_FUNCTION_3(conv_transpose1d, ConvTransposeAttrs)

}  // namespace gyre
