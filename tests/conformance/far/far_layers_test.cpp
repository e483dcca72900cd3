#include "gyre/autograd/backward.h"
#include "gyre/models/decoder/decoder.h"
#include "gyre/nn/replace_tensors.h"
#include "gyre/op/node.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/registry/layer_table.h"
#include "tests/conformance/far/far.h"
#include "tests/conformance/op_test.h"

// Every layer with its parameters and inputs on the test device: the bits of the CPU, gradients
// included.

namespace gyre::conformance {
namespace {

using nn::LayerDef;
using nn::LayerSamples;

LayerSamples samples_of_layer(const LayerDef& layer) {
  LayerSamples samples;
  if (layer.samples) layer.samples(samples);
  if (!layer.op) return samples;
  const Samples calls(*layer.op);
  for (const Samples::Call& call : calls.calls) {
    if (call.in.size() == 1) samples.calls.push_back({call.attrs, call.in});
  }
  return samples;
}

class FarLayers : public testing::TestWithParam<const LayerDef*> {
 protected:
  // Whether all tensors of the layer store their elements.
  static bool all_plain(const LayerSamples::Call& call) {
    Generator generator{5, 0};
    auto module = GetParam()->make(call.options ? call.options->value : nullptr, &generator);
    for (const NamedTensor& t : module->state_dict()) {
      if (!t.tensor.plain()) return false;
    }
    return true;
  }

  // The results, the gradients of all parameters, then parameters and buffers.
  Tensors run(const LayerSamples::Call& call, bool far, bool training) {
    Generator generator{5, 0};
    const GeneratorScope random({9, 0});
    auto module = GetParam()->make(call.options ? call.options->value : nullptr, &generator);
    std::vector<NamedTensor> moved;
    for (const NamedTensor& t : module->state_dict()) {
      Tensor there = far ? to_far(t.tensor) : t.tensor.detach();
      moved.push_back({t.name, there.set_requires_grad(t.tensor.requires_grad())});
    }
    nn::replace_tensors(*module, moved);
    module->train(training);
    Tensors in, found;
    for (const Tensor& t : call.in) {
      Tensor x = t.defined() && is_floating(t.dtype()) ? to(t.detach(), DType::f32) : t;
      in.push_back(far ? to_far(x) : x);
    }
    Tensors cotangents, tracked;
    for (const Tensor& y : module->forward(in)) {
      found.push_back(y);
      if (!y.tracked()) continue;
      Tensor weights = lay_out(weights_for(y), y.dtype(), Order::plain);
      tracked.push_back(y);
      cotangents.push_back(far ? to_far(weights) : weights);
    }
    if (!tracked.empty()) backward(tracked, cotangents);
    for (const Tensor& p : module->parameters()) found.push_back(p.grad());
    for (const NamedTensor& t : module->state_dict()) found.push_back(t.tensor);
    return found;
  }

  void expect_same(const LayerSamples::Call& call, bool training) {
    const char* name = GetParam()->name;
    Tensors near;
    try {
      near = run(call, false, training);
    } catch (const Error&) {  // a sample of one row, in training
      EXPECT_TRUE(training) << name;
      EXPECT_THROW(run(call, true, training), Error) << name;
      return;
    }
    const Tensors far = run(call, true, training);
    ASSERT_EQ(far.size(), near.size());
    for (size_t i = 0; i < near.size(); ++i) {
      ASSERT_EQ(far[i].defined(), near[i].defined());
      if (!near[i].defined()) continue;
      EXPECT_TRUE(same_bits(to_near(far[i]), to_near(near[i]))) << name << " " << i << training;
    }
  }
};

TEST_P(FarLayers, HaveTheSameBits) {
  FarDevice device;
  for (const LayerSamples::Call& call : samples_of_layer(*GetParam()).calls) {
    if (!all_plain(call)) continue;  // packed words are decoded on the host only
    for (bool training : {false, true}) expect_same(call, training);
  }
}

// Lengths, positions and the cache stay on the device: no token waits for the host.
TEST(FarGpt, DecodesWithoutReadingOnTheHost) {
  FarDevice device;
  Generator generator{5, 0};
  Decoder model({.vocab = 5, .block_size = 8, .layers = 2, .heads = 2, .width = 4, .window = 2},
                &generator);
  const auto decode = [&](bool far, CacheDType dtype) {
    Tensors logits;
    TokenCache cache = model.cache(2, dtype);
    for (const Tensor& tokens :
         {tensor<int64_t>({0, 3, 4, 1}, {2, 2}), tensor<int64_t>({2, 0}, {2, 1})}) {
      const Tensor there = far ? to_far(tokens) : tokens;
      const int64_t reads = far_counts().downloads;
      logits.push_back(model.next(there, cache));
      EXPECT_EQ(far_counts().downloads, reads);
    }
    logits.push_back(cache.lengths);
    return logits;
  };
  constexpr CacheDType kDTypes[] = {CacheDType::model, CacheDType::f16, CacheDType::int8};
  std::vector<Tensors> near;
  for (const CacheDType dtype : kDTypes) near.push_back(decode(false, dtype));
  std::vector<NamedTensor> moved;
  for (const NamedTensor& t : model.state_dict()) moved.push_back({t.name, to_far(t.tensor)});
  nn::replace_tensors(model, moved);
  for (size_t d = 0; d < near.size(); ++d) {
    const Tensors far = decode(true, kDTypes[d]);
    for (size_t i = 0; i < far.size(); ++i) {
      EXPECT_TRUE(same_bits(to_near(far[i]), to_near(near[d][i]))) << d << " " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, FarLayers, testing::ValuesIn(layer_table().layers),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
}  // namespace gyre::conformance
