#include "gyre/packed/compress/compress.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gyre/autograd/vmap.h"
#include "gyre/base/error.h"
#include "gyre/nn/conv.h"
#include "gyre/nn/linear.h"
#include "gyre/nn/op_layers.h"
#include "gyre/nn/sequence/recurrent.h"
#include "gyre/nn/sequential.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/packed.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

// 0.weight [100, 64], 1.weight [100, 100] and 2.weight [5, 100] with their biases.
std::unique_ptr<nn::Sequential> three_layers() {
  Generator g{3, 0};
  auto model = std::make_unique<nn::Sequential>();
  model->add(std::make_unique<nn::Linear>(LinearOptions{64, 100}, &g));
  model->add(std::make_unique<nn::Linear>(LinearOptions{100, 100}, &g));
  model->add(std::make_unique<nn::Linear>(LinearOptions{100, 5}, &g));
  return model;
}

std::vector<std::string> formats_of(nn::Module& module, const std::vector<const char*>& rules) {
  CompressPolicy policy{&ring_format("D2")};
  for (const char* rule : rules) policy.rules.push_back(format_rule(rule));
  std::vector<std::string> formats;
  for (const PlannedTensor& t : plan_formats(module, policy))
    formats.push_back((t.format ? t.format->name : "f32") + std::string(t.free ? " free" : ""));
  return formats;
}

TEST(Compress, StatesOfPackedModulesAreCopied) {
  Generator g{3, 0};
  nn::Linear layer({64, 100}, &g), other({64, 100}, &g), fine({64, 100}, &g);
  compress(layer, {&ring_format("D2")});
  other.load_state_dict(layer.state_dict());
  EXPECT_TRUE(is_packed(other.weight));
  EXPECT_NE(other.weight.impl(), layer.weight.impl());
  const Tensor held = other.weight;
  other.load_state_dict(layer.state_dict());
  EXPECT_EQ(other.weight.impl(), held.impl()) << "in place";
  EXPECT_NE(packed_storage(held).data, packed_storage(layer.weight).data);
  EXPECT_EQ(to_vector<float>(packed_decode(held.detach())),
            to_vector<float>(packed_decode(layer.weight.detach())));
  const std::vector<NamedTensor> plain = fine.state_dict();
  EXPECT_EQ(code_of([&] { layer.load_state_dict(plain); }), Code::unsupported);
  compress(fine, {});
  EXPECT_EQ(code_of([&] { fine.load_state_dict(layer.state_dict()); }), Code::value);
}

TEST(Compress, KeepsWhatIsLearned) {
  Generator g{3, 0};
  nn::Linear layer({64, 100}, &g);
  layer.set_requires_grad(true);
  const Tensor before = clone(layer.weight.detach()), bias = layer.bias.detach();
  compress(layer, {});
  EXPECT_TRUE(layer.weight.requires_grad() && layer.bias.requires_grad());
  layer.lend_state(std::vector<NamedTensor>{{"weight", before}, {"bias", bias}});
  EXPECT_TRUE(layer.weight.plain() && layer.weight.requires_grad());
  vmap(
      [&](Inputs in) -> Tensors {
        EXPECT_EQ(code_of([&] {
                    layer.lend_state(std::vector<NamedTensor>{{"weight", in[0]}, {"bias", bias}});
                  }),
                  Code::unsupported);
        return {in[0]};
      },
      std::vector<Tensor>{ones({2, 100, 64})}, {});
}

TEST(Compress, PacksLargeWeightsInPlace) {
  Generator g{3, 0};
  nn::Sequential model;
  model.add(std::make_unique<nn::Linear>(LinearOptions{64, 100}, &g));
  model.add(std::make_unique<nn::Linear>(LinearOptions{100, 5}, &g));
  const Tensor x = randn({2, 64}, {.generator = &g});
  NoGrad off;
  const auto answer = [&] { return to_vector<float>(model.forward({&x, 1})[0]); };
  const std::vector<float> before = answer();
  int64_t seen = 0;
  const auto report = compress(model, {&ring_format("D4")},
                               [&](int64_t packed, int64_t all) { seen = packed * 1000 / all; });
  EXPECT_EQ(seen, 1000);
  ASSERT_EQ(report.size(), 4u);
  EXPECT_EQ(report[0].format, "D4");
  EXPECT_NEAR(report[0].error, 0.075, 0.01);
  EXPECT_EQ(report[2].format, "f32");
  const std::vector<float> after = answer();
  double error = 0;
  for (size_t i = 0; i < after.size(); ++i) error += std::abs(after[i] - before[i]);
  EXPECT_GT(error, 0);
  EXPECT_LT(error, 0.5);
  EXPECT_TRUE(contains(
      message_of(Code::unsupported, [&] { compress(model, {&ring_format("D4")}); }), "0.weight"));
}

TEST(Compress, ChangesNothingOnAnError) {
  Generator g{3, 0};
  nn::Linear layer({64, 100}, &g);
  layer.weight.data<float>()[77] = INFINITY;
  EXPECT_TRUE(contains(message_of(Code::numeric, [&] { compress(layer, {&ring_format("D2")}); }),
                       "weight: "));
  EXPECT_TRUE(layer.weight.plain());
  layer.to(DType::bf16);
  EXPECT_EQ(code_of([&] { compress(layer, {&ring_format("D2")}); }), Code::dtype);
}

TEST(Compress, TheFirstRuleThatMatchesCounts) {
  const auto model = three_layers();
  using Names = std::vector<std::string>;
  EXPECT_EQ(formats_of(*model, {}), (Names{"D2 free", "f32", "D2 free", "f32", "f32", "f32"}));
  EXPECT_EQ(formats_of(*model, {"1.*=T4"}), (Names{"D2 free", "f32", "T4", "f32", "f32", "f32"}));
  EXPECT_EQ(formats_of(*model, {"0.*=f32", "?.weight=D4", "*=D3"}),
            (Names{"f32", "f32", "D4", "f32", "f32", "f32"}));
  EXPECT_EQ(formats_of(*model, {"*.bias=f32"})[0], "D2 free");
  const auto report = compress(*model, {&ring_format("D2"), 4096, {format_rule("1.weight=D4")}});
  EXPECT_EQ(report[0].format, "D2");
  EXPECT_EQ(report[2].format, "D4");
  EXPECT_LT(report[2].error, 0.08);
}

TEST(Compress, PlainStatesOfPackedModulesAreRefusedByName) {
  nn::Linear layer(64, 80);
  const std::vector<NamedTensor> plain = layer.state_dict();
  std::vector<NamedTensor> copies;
  for (const NamedTensor& t : plain) copies.push_back({t.name, clone(t.tensor.detach())});
  compress(layer, {&ring_format("D4")});
  const std::string message = message_of(Code::unsupported, [&] { layer.load_state_dict(copies); });
  EXPECT_TRUE(contains(message, "weight: is packed weights in the module and plain in the state"));
}

TEST(Compress, RulesThatCannotHoldAreRefused) {
  const auto refusal = [](std::string_view text) {
    return message_of(Code::value, [&] { format_rule(text); });
  };
  for (const char* text : {"", "=", "D4", "=D4"})
    EXPECT_TRUE(contains(refusal(text), "PATTERN=FORMAT")) << text;
  EXPECT_TRUE(contains(refusal("a=D9"), "low_rank, F, f32, got D9"));
  EXPECT_TRUE(contains(refusal("a="), "got "));
  EXPECT_EQ(format_rule("a=b=D1").pattern, "a=b");
  const auto model = three_layers();
  const auto rule_refusal = [&](const char* rule) {
    return message_of(Code::value, [&] { formats_of(*model, {rule}); });
  };
  EXPECT_TRUE(contains(rule_refusal("wte=D4"), "matches no tensor; one is 0.weight"));
  EXPECT_TRUE(contains(rule_refusal("wte=f32"), "matches no tensor"));
  EXPECT_TRUE(contains(rule_refusal("*.bias=D4"), "stay as they are"));
  EXPECT_TRUE(contains(rule_refusal("2.weight=D4"), "stay as they are"));
}

TEST(Compress, WhatTheCallbackThrowsLeavesTheModuleUnchanged) {
  struct Stop {};
  const auto model = three_layers();
  int64_t before = -1, calls = 0;
  for (int64_t at : {0, 1, 6400, 16400}) {
    EXPECT_THROW(compress(*model, {},
                          [&](int64_t packed, int64_t all) {
                            EXPECT_EQ(all, 16400);
                            if (packed >= at) throw Stop();
                          }),
                 Stop);
    EXPECT_TRUE(model->state_dict()[0].tensor.plain());
  }
  compress(*model, {}, [&](int64_t packed, int64_t) {
    EXPECT_GE(packed, before);
    before = packed;
    ++calls;
  });
  EXPECT_EQ(before, 16400);
  EXPECT_GE(calls, 4);
}

// The answer of a packed module is that of its decoded weights.
void expect_decoded_answer(nn::Module& module, const Tensor& x, size_t packed) {
  NoGrad off;
  const auto answer = [&] { return module.forward({&x, 1})[0]; };
  const Tensor dense = answer();
  for (const RingFormat& format : ring_formats()) {
    const std::vector<NamedTensor> before = module.state_dict();
    const auto report = compress(module, {&format, 1});
    EXPECT_EQ(std::ranges::count_if(report, &CompressedTensor::packed),
              static_cast<std::ptrdiff_t>(packed));
    const Tensor now = answer();
    std::vector<NamedTensor> decoded = module.state_dict();
    for (NamedTensor& t : decoded) {
      t.tensor = t.tensor.detach();
      if (is_packed(t.tensor)) t.tensor = packed_decode(t.tensor);
    }
    module.lend_state(decoded);
    EXPECT_LT(largest_difference(now, answer()), 1e-5) << format.name;
    EXPECT_GT(largest_difference(now, dense), 1e-5) << format.name;
    module.lend_state(before);
  }
}

TEST(Compress, APackedCnnAnswersAsItsDecodedWeights) {
  Generator g{3, 0};
  nn::Sequential model(nn::Conv2d(3, 16, 3, &g), nn::OpLayer(relu_def), nn::Conv2d(16, 20, 3, &g),
                       nn::OpLayer(relu_def), nn::Flatten(), nn::Linear({20 * 6 * 5, 10}, &g));
  expect_decoded_answer(model, randn({2, 3, 10, 9}, {.generator = &g}), 3);
}

TEST(Compress, APackedGruAnswersAsItsDecodedWeights) {
  Generator g{3, 0};
  nn::Gru model({.in = 24, .hidden = 40, .layers = 2, .bidirectional = true}, &g);
  expect_decoded_answer(model, randn({7, 3, 24}, {.generator = &g}), 8);
}

TEST(Compress, FormatsHaveTheirErrors) {
  Generator g{5, 0};
  const Tensor x = randn({128, 504}, {.generator = &g});
  nn::Linear layer({504, 128, false}, &g);
  for (const RingFormat& format : ring_formats()) {
    layer.lend_state(std::vector<NamedTensor>{{"weight", x}});
    const auto report = compress(layer, {&format});
    EXPECT_NEAR(report[0].error, format.error, 0.02 * format.error) << format.name;
  }
}

}  // namespace
}  // namespace gyre
