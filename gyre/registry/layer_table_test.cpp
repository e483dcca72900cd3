#include "gyre/registry/layer_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gyre/autograd/backward.h"
#include "gyre/autograd/gradcheck.h"
#include "gyre/base/system/file.h"
#include "gyre/io/record_json.h"
#include "gyre/nn/init.h"
#include "gyre/nn/make_layer.h"
#include "gyre/op/node.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/compress/compress.h"
#include "gyre/packed/packed.h"
#include "gyre/packed/packed_file.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

// Tests every layer using only its table entry and its samples.

namespace gyre {
namespace {

using nn::LayerDef;
using nn::LayerSamples;
using nn::Module;

LayerSamples samples_of(const LayerDef& layer) {
  LayerSamples samples;
  if (layer.samples) layer.samples(samples);
  if (layer.op) {
    const Samples calls(*layer.op);
    for (const Samples::Call& call : calls.calls) {
      if (call.in.size() == 1) samples.calls.push_back({call.attrs, call.in});
    }
  }
  return samples;
}

std::unique_ptr<Module> made(const LayerDef& layer, const Attrs& options, uint64_t seed) {
  Generator generator{seed, 0};
  return layer.make(options ? options->value : nullptr, &generator);
}

Tensors cast(const Tensors& in, DType dtype) {
  Tensors out;
  for (const Tensor& t : in) {
    out.push_back(t.defined() && is_floating(t.dtype()) ? to(t, dtype) : t);
  }
  return out;
}

bool has_packed(Module& module) {
  return std::ranges::any_of(module.parameters(), [](const Tensor& t) { return is_packed(t); });
}

Tensor unpacked(const Tensor& t) { return is_packed(t) ? packed_decode(t.detach()) : t; }

// Replaces a module's parameters by other tensors, in order.
class Replacement final : public nn::Visitor {
 public:
  Replacement(Module& module, Inputs parameters) : parameters_(parameters) { module.visit(*this); }
  void parameter(std::string_view, Tensor& value) override {
    if (value.defined()) value = parameters_[next_++];
  }
  void buffer(std::string_view, Tensor&) override {}
  void module(std::string_view, Module& child) override { child.visit(*this); }

 private:
  Inputs parameters_;
  size_t next_ = 0;
};

class Layers : public testing::TestWithParam<const LayerDef*> {
 protected:
  const LayerDef& layer() const { return *GetParam(); }
};

std::string name_of_layer(const testing::TestParamInfo<const LayerDef*>& info) {
  return info.param->name;
}
INSTANTIATE_TEST_SUITE_P(Every, Layers, testing::ValuesIn(layer_table().layers), name_of_layer);

TEST(LayerTable, NamesAreUniqueAndDocumented) {
  std::set<std::string_view> names;
  for (const LayerDef* layer : layer_table().layers) {
    EXPECT_TRUE(names.insert(layer->name).second) << layer->name;
    EXPECT_TRUE(layer->text() && *layer->text()) << layer->name;
    EXPECT_EQ(layer_table().find(layer->name), layer);
  }
  EXPECT_EQ(layer_table().find("linear"), nullptr);
}

TEST_P(Layers, AreFoundByTheirModules) {
  auto module = made(layer(), samples_of(layer()).calls[0].options, 1);
  EXPECT_EQ(layer_table().of(*module), layer().type ? &layer() : nullptr);
  EXPECT_EQ(layer().type == nullptr, layer().op != nullptr);
}

TEST_P(Layers, HaveSamples) { EXPECT_FALSE(samples_of(layer()).calls.empty()); }

TEST_P(Layers, AreMadeFromJsonWithTheSameValues) {
  for (const auto& call : samples_of(layer()).calls) {
    auto plain = made(layer(), call.options, 3);
    Json options =
        layer().options ? record_to_json(*layer().options, call.options->value) : Json::object();
    Generator generator{3, 0};
    auto again = nn::make_layer(layer_table(), layer().name, options, &generator);
    auto first = plain->state_dict(), second = again->state_dict();
    ASSERT_EQ(first.size(), second.size());
    for (size_t i = 0; i < first.size(); ++i) {
      EXPECT_EQ(first[i].name, second[i].name);
      EXPECT_EQ(largest_difference(unpacked(first[i].tensor), unpacked(second[i].tensor)), 0)
          << first[i].name;
    }
  }
}

TEST_P(Layers, HaveTheDerivativesOfDifferences) {
  for (const auto& call : samples_of(layer()).calls) {
    auto module = made(layer(), call.options, 1);
    if (has_packed(*module)) continue;  // words have no differences: word_gradient_test.cpp
    module->to(DType::f64);
    Tensors inputs;
    std::vector<size_t> given;
    for (size_t i = 0; i < call.in.size(); ++i) {
      Tensor t = call.in[i].defined() ? call.in[i].detach() : Tensor();
      if (!t.defined() || !is_floating(t.dtype()) || !layer().inputs.of(i).differentiable) continue;
      inputs.push_back(t.set_requires_grad());
      given.push_back(i);
    }
    for (const Tensor& p : module->parameters()) inputs.push_back(p);
    if (inputs.empty()) continue;
    auto call_on = [&](Inputs values) {
      Replacement parameters(*module, values.subspan(given.size()));
      Tensors in = call.in;
      for (size_t k = 0; k < given.size(); ++k) in[given[k]] = values[k];
      return module->forward({in.data(), in.size()});
    };
    GradcheckReport first = gradcheck(call_on, {inputs.data(), inputs.size()});
    EXPECT_TRUE(first.passed) << first.what();
    GradcheckReport second = gradgradcheck(call_on, {inputs.data(), inputs.size()});
    EXPECT_TRUE(second.passed) << second.what();
  }
}

TEST_P(Layers, GiveEveryParameterAGradientAndListTheirResults) {
  for (const auto& call : samples_of(layer()).calls) {
    auto module = made(layer(), call.options, 1);
    Tensors in = cast(call.in, DType::f32);
    Tensors out = module->forward({in.data(), in.size()});
    ASSERT_EQ(out.size(), layer().outputs.size());
    if (!module->parameters().empty()) {
      Tensor total = sum(out[0]);
      for (size_t i = 1; i < out.size(); ++i) total = total + sum(out[i]);
      total.backward();
    }
    for (const NamedTensor& p : module->named_parameters()) {
      EXPECT_TRUE(p.tensor.grad().defined()) << p.name;
    }
  }
}

TEST_P(Layers, AreTheSameAfterAFile) {
  for (const auto& call : samples_of(layer()).calls) {
    auto module = made(layer(), call.options, 1), other = made(layer(), call.options, 2);
    Tensors in = cast(call.in, DType::f32);
    (void)module->forward({in.data(), in.size()});  // updates running statistics
    std::string path = testing::TempDir() + "/gyre-layer-" + layer().name + ".safetensors";
    write_state(path, module->state_dict());
    other->load_state_dict(load_state(SafetensorsFile(path)));
    remove_tree(path);
    module->eval();
    other->eval();
    Tensors a = module->forward({in.data(), in.size()}), b = other->forward({in.data(), in.size()});
    for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ(largest_difference(a[i], b[i]), 0);
  }
}

TEST_P(Layers, TakeTheWeightsOfAFileUnfilled) {
  for (DType dtype : {DType::f32, DType::bf16}) {
    for (const auto& call : samples_of(layer()).calls) {
      auto module = made(layer(), call.options, 1);
      module->to(dtype);
      std::string path = testing::TempDir() + "/gyre-lent-" + layer().name + ".safetensors";
      write_state(path, module->state_dict());
      std::unique_ptr<Module> other;
      {
        nn::Unfilled scope;
        Generator generator{3, 0};
        other = layer().make(call.options ? call.options->value : nullptr, &generator);
        EXPECT_EQ(generator.offset, 0u);
      }
      other->to(dtype);
      for (const NamedTensor& t : other->state_dict()) {
        EXPECT_TRUE(nn::is_unfilled(t.tensor) || t.tensor.numel() < 2) << t.name;
      }
      other->lend_state(load_state(SafetensorsFile(path)));
      remove_tree(path);
      std::vector<NamedTensor> wanted = module->state_dict(), found = other->state_dict();
      ASSERT_EQ(found.size(), wanted.size());
      for (size_t i = 0; i < wanted.size(); ++i) {
        EXPECT_EQ(found[i].tensor.requires_grad(), wanted[i].tensor.requires_grad());
        EXPECT_EQ(found[i].tensor.dtype(), wanted[i].tensor.dtype());
      }
      module->eval();
      other->eval();
      Tensors in = cast(call.in, dtype);
      Tensors a = module->forward({in.data(), in.size()});
      Tensors b = other->forward({in.data(), in.size()});
      for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ(largest_difference(a[i], b[i]), 0);
    }
  }
}

// Packed weights give what their decoded ones give, in every layer that can have them.
TEST_P(Layers, RunOnPackedWeights) {
  for (const auto& call : samples_of(layer()).calls) {
    auto packed = made(layer(), call.options, 1), decoded = made(layer(), call.options, 1);
    if (has_packed(*packed)) continue;
    compress(*packed, {.format = &ring_format("D4"), .least_weights = 1});
    if (!has_packed(*packed)) continue;
    std::vector<NamedTensor> state = packed->state_dict();
    for (NamedTensor& t : state) t.tensor = unpacked(t.tensor);
    decoded->load_state_dict(state);
    packed->eval();
    decoded->eval();
    Tensors in = cast(call.in, DType::f32);
    Tensors a = packed->forward({in.data(), in.size()}),
            b = decoded->forward({in.data(), in.size()});
    for (size_t i = 0; i < a.size(); ++i)
      EXPECT_LE(largest_difference(a[i], b[i]),
                1e-5 * std::max(1.0, largest_difference(b[i], zeros_like(b[i]))));
  }
}

TEST_P(Layers, RunInSixteenBits) {
  for (DType dtype : {DType::bf16, DType::f16}) {
    for (const auto& call : samples_of(layer()).calls) {
      auto narrow = made(layer(), call.options, 1), wide = made(layer(), call.options, 1);
      narrow->to(dtype);
      wide->load_state_dict(narrow->state_dict());
      wide->to(DType::f64);
      Tensors in = cast(call.in, dtype), exact = cast(in, DType::f64);
      Tensors a = narrow->forward({in.data(), in.size()});
      Tensors b = wide->forward({exact.data(), exact.size()});
      for (size_t i = 0; i < a.size(); ++i) {
        if (!is_floating(a[i].dtype()) || a[i].numel() == 0) continue;
        EXPECT_EQ(a[i].dtype(), dtype);
        double size = std::max(1.0, largest_difference(b[i], zeros_like(b[i])));
        EXPECT_LE(largest_difference(to(a[i], DType::f64), b[i]),
                  size * (dtype == DType::bf16 ? 0.1 : 0.02));
      }
    }
  }
}

TEST_P(Layers, RefuseWrongOptionsAndNumbersOfInputs) {
  LayerSamples samples = samples_of(layer());
  for (const auto& refusal : samples.refusals) {
    Error error = error_of([&] { made(layer(), refusal.options, 1); });
    EXPECT_EQ(error.code, refusal.code) << error.what();
  }
  auto module = made(layer(), samples.calls[0].options, 1);
  if (layer().inputs.required() > 0) {
    EXPECT_EQ(code_of([&] { module->forward({}); }), Code::value);
  }
  Tensors many(layer().inputs.size() + 1);
  for (Tensor& t : many) t = zeros({1});
  EXPECT_EQ(code_of([&] { module->forward({many.data(), many.size()}); }), Code::value);
}

}  // namespace
}  // namespace gyre
