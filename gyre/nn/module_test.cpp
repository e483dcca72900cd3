#include "gyre/nn/module.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "gyre/autograd/backward.h"
#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/nn/init.h"
#include "gyre/nn/linear.h"
#include "gyre/nn/op_layers.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/optim/rules/adam.h"
#include "gyre/tensor/allocator.h"
#include "tests/thrown.h"

namespace gyre::nn {
namespace {

// Two layers, a buffer, and an embedding used twice.
class Net : public Module {
 public:
  Net() : first(3, 4), second({4, 2, false}), drop({0.5}), count(buffer({2}, 0)) {
    shared = first.weight;
  }
  void visit(Visitor& v) override {
    v.module("first", first);
    v.module("second", second);
    v.module("drop", drop);
    v.parameter("shared", shared);
    v.buffer("count", count);
  }
  Linear first, second;
  Dropout drop;
  Tensor count, shared;
};

std::vector<std::string> names(const std::vector<NamedTensor>& tensors) {
  std::vector<std::string> all;
  for (const NamedTensor& t : tensors) all.push_back(t.name);
  return all;
}

using Names = std::vector<std::string>;

TEST(Module, NamesMembersInOrderAndSharedOnesOnce) {
  Net net;
  EXPECT_EQ(names(net.named_parameters()), (Names{"first.weight", "first.bias", "second.weight"}));
  EXPECT_EQ(names(net.named_buffers()), (Names{"count"}));
  EXPECT_EQ(names(net.state_dict()),
            (Names{"first.weight", "first.bias", "second.weight", "count"}));
  EXPECT_EQ(net.parameter_count(), 12 + 4 + 8);
}

TEST(Module, LoadsAStateDict) {
  Net from, to;
  from.count.data<float>()[1] = 5;
  std::vector<NamedTensor> state = from.state_dict();
  to.load_state_dict(state);
  EXPECT_EQ(to_vector<float>(to.first.weight), to_vector<float>(from.first.weight));
  EXPECT_EQ(to_vector<float>(to.count), to_vector<float>(from.count));
  EXPECT_NE(to.first.weight.bytes(), from.first.weight.bytes()) << "values, not storage";
  EXPECT_TRUE(to.first.weight.requires_grad());
}

TEST(Module, LoadsAFile) {
  Net from, to;
  std::string path = testing::TempDir() + "/gyre-module-test.safetensors";
  write_safetensors(path, from.state_dict());
  to.load_state_dict(SafetensorsFile(path));
  EXPECT_EQ(to_vector<float>(to.second.weight), to_vector<float>(from.second.weight));
  Linear other(3, 4);
  EXPECT_EQ(code_of([&] { other.load_state_dict(SafetensorsFile(path)); }), Code::value);
  std::remove(path.c_str());
}

// The same module without values.
Net unfilled() {
  Unfilled scope;
  return {};
}

TEST(Module, LoadedUnfilledTensorsGetMemoryOfTheirOwn) {
  Net from, to = unfilled();
  to.to(DType::bf16);
  EXPECT_TRUE(is_unfilled(to.first.weight));
  to.load_state_dict(from.state_dict());
  EXPECT_TRUE(to.first.weight.is_contiguous() && to.first.weight.requires_grad());
  EXPECT_NE(to.first.weight.bytes(), from.first.weight.bytes());
  EXPECT_EQ(to.shared.impl(), to.first.weight.impl());
  from.to(DType::bf16);
  EXPECT_EQ(to_vector<float>(to.first.weight), to_vector<float>(from.first.weight));
}

TEST(Module, CastsExpandedTensorsWithTheirValue) {
  Net net;
  net.count = expand(gyre::full({}, 3), {2});
  net.to(DType::f64);
  EXPECT_EQ(to_vector<double>(net.count), (std::vector<double>{3, 3}));
  EXPECT_EQ(net.count.dtype(), DType::f64);
}

TEST(Module, LendsAFileThatTrainingDoesNotChange) {
  Net from;
  const std::string path = testing::TempDir() + "/gyre-lend-test.safetensors";
  write_safetensors(path, from.state_dict());
  const std::string bytes = read_file(path);
  Net to = unfilled();
  to.freeze();
  to.second.weight.set_requires_grad();
  to.lend_state(SafetensorsFile(path, Verify::checksum, FileAccess::map));
  EXPECT_TRUE(to.first.weight.impl()->storage->borrowed);
  EXPECT_EQ(to.shared.impl(), to.first.weight.impl());
  EXPECT_EQ(to_vector<float>(to.shared), to_vector<float>(from.shared));
  EXPECT_FALSE(to.first.weight.requires_grad() || to.count.requires_grad());
  EXPECT_TRUE(to.second.weight.requires_grad());

  AdamW optimizer(std::vector<Tensor>{to.second.weight}, {.lr = 0.5});
  sum(to.second(gyre::ones({2, 4}))).backward();
  optimizer.step();
  EXPECT_NE(to_vector<float>(to.second.weight), to_vector<float>(from.second.weight));
  EXPECT_EQ(read_file(path), bytes);

  const std::vector<float> trained = to_vector<float>(to.second.weight);
  write_safetensors(path, to.state_dict());  // over the mapped file
  EXPECT_EQ(to_vector<float>(to.second.weight), trained);
  EXPECT_EQ(to_vector<float>(to.shared), to_vector<float>(from.shared));
  EXPECT_EQ(to_vector<float>(SafetensorsFile(path).load("second.weight")), trained);
  std::remove(path.c_str());
}

TEST(Module, LendsOtherDTypesAsCopies) {
  Net from, to = unfilled();
  from.to(DType::f16);
  to.lend_state(from.state_dict());
  EXPECT_EQ(to.first.weight.dtype(), DType::f32);
  EXPECT_EQ(to_vector<float>(to.first.weight), to_vector<float>(from.first.weight));
  EXPECT_EQ(to.count.bytes(), from.count.bytes()) << "running statistics stay f32";
  EXPECT_NE(to.count.impl(), from.count.impl());
}

TEST(Module, LendsAllOrNothing) {
  Net net, other;
  const std::vector<Tensor> before = net.parameters();
  auto code_with = [&](auto change) {
    std::vector<NamedTensor> state = other.state_dict();
    change(state);
    return code_of([&] { net.lend_state(state); });
  };
  EXPECT_EQ(code_with([](auto& state) { state.pop_back(); }), Code::value);
  EXPECT_EQ(code_with([](auto& state) { state[1].name = "third"; }), Code::value);
  EXPECT_EQ(code_with([](auto& state) { state[2].tensor = gyre::zeros({2, 5}); }), Code::shape);
  for (size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(net.parameters()[i].impl(), before[i].impl());
  }
}

TEST(Module, RejectsValuesThatCannotBeLent) {
  Net net, other;
  const Tensor before = net.first.weight;
  std::vector<NamedTensor> state = other.state_dict();
  const auto message = [&](Code code, const Tensor& bias) {
    state[1].tensor = bias;
    std::string text = message_of(code, [&] { net.lend_state(state); });
    EXPECT_TRUE(contains(text, "first.bias: ")) << text;
    EXPECT_EQ(net.first.weight.impl(), before.impl());
    return text;
  };
  EXPECT_TRUE(contains(message(Code::value, unfilled().first.bias), "elements share memory"));
  EXPECT_TRUE(contains(message(Code::value, expand(gyre::ones({1}), {4})), "share memory"));
}

TEST(Module, LoadsNothingIfATensorCannotBeWritten) {
  struct Windows : Module {
    Linear layer{2, 2};
    Tensor rows = expand(gyre::ones({1, 2}), {3, 2});
    void visit(Visitor& v) override {
      v.module("layer", layer);
      v.buffer("rows", rows);
    }
  } module;
  const std::vector<float> before = to_vector<float>(module.layer.weight);
  const std::vector<NamedTensor> state{{"layer.weight", gyre::zeros({2, 2})},
                                       {"layer.bias", gyre::zeros({2})},
                                       {"rows", gyre::zeros({3, 2})}};
  EXPECT_TRUE(contains(message_of(Code::value, [&] { module.load_state_dict(state); }), "rows: "));
  EXPECT_EQ(to_vector<float>(module.layer.weight), before);
}

TEST(Module, LeavesNoTensorWithoutValues) {
  Net from, to = unfilled();
  std::vector<NamedTensor> state = from.state_dict();
  state.pop_back();
  state.push_back({"other", gyre::ones({1})});
  EXPECT_EQ(message_of(Code::value, [&] { to.load_state_dict(state, Strict::no); }),
            "load_state_dict: missing, and the module was made without values: count");
  EXPECT_TRUE(is_unfilled(to.first.weight)) << "unchanged";
  state.push_back({"count", gyre::ones({2})});
  EXPECT_EQ(to.load_state_dict(state, Strict::no).unknown, Names{"other"});
  EXPECT_EQ(to_vector<float>(to.first.weight), to_vector<float>(from.first.weight));
}

TEST(Module, RejectsDuplicateNames) {
  struct Twins : Module {
    Linear a{2, 2}, b{2, 2};
    void visit(Visitor& v) override {
      v.module("layer", a);
      v.module("layer", b);
    }
  } twins;
  EXPECT_TRUE(contains(message_of(Code::value, [&] { twins.named_parameters(); }), "layer.weight"));
}

TEST(Module, ACopySharesItsWeights) {
  Linear layer(2, 2), copy = layer;
  EXPECT_EQ(copy.weight.impl(), layer.weight.impl());
}

Error error_of_loading(Net& net, const std::vector<NamedTensor>& state) {
  return error_of([&] { net.load_state_dict(state, Strict::yes); });
}

TEST(Module, RejectsMismatchedStateDictUnchanged) {
  Net net, other;
  std::vector<float> before = to_vector<float>(net.first.weight);
  std::vector<NamedTensor> state = other.state_dict();
  state.pop_back();
  Error missing = error_of_loading(net, state);
  EXPECT_EQ(missing.code, Code::value);
  EXPECT_TRUE(contains(missing.what(), "missing: count")) << missing.what();

  state = other.state_dict();
  state.push_back({"third.weight", other.count});
  Error unknown = error_of_loading(net, state);
  EXPECT_EQ(unknown.code, Code::value);
  EXPECT_TRUE(contains(unknown.what(), "unknown: third.weight")) << unknown.what();

  state.erase(state.begin());
  Error both = error_of_loading(net, state);
  EXPECT_TRUE(contains(both.what(), "missing: first.weight; unknown: third.weight")) << both.what();

  state = other.state_dict();
  state[2].tensor = gyre::zeros({2, 5});
  Error shape = error_of_loading(net, state);
  EXPECT_EQ(shape.code, Code::shape);
  EXPECT_TRUE(contains(shape.what(), "second.weight is [2, 4] in the module but [2, 5]"))
      << shape.what();
  EXPECT_EQ(to_vector<float>(net.first.weight), before);

  state = other.state_dict();
  state.push_back({"third.weight", other.count});
  const UnmatchedNames extra = net.load_state_dict(state, Strict::no);
  EXPECT_NE(to_vector<float>(net.first.weight), before);
  EXPECT_EQ(extra.unknown, (std::vector<std::string>{"third.weight"}));
  EXPECT_TRUE(extra.missing.empty());

  const std::vector<float> kept = to_vector<float>(net.first.weight);
  const std::vector<NamedTensor> part{{"first.bias", gyre::full({4}, 3)}};
  EXPECT_EQ(net.load_state_dict(part, Strict::no).missing.size(), net.state_dict().size() - 1);
  EXPECT_EQ(to_vector<float>(net.first.bias)[0], 3);
  EXPECT_EQ(to_vector<float>(net.first.weight), kept) << "missing tensors keep their values";
  const std::vector<NamedTensor> wide{{"first.bias", gyre::zeros({77})},
                                      {"other", gyre::zeros({1})}};
  EXPECT_EQ(code_of([&] { net.load_state_dict(wide, Strict::no); }), Code::shape);
}

TEST(Module, ModesReachNestedModules) {
  Net net;
  EXPECT_TRUE(net.drop.training());
  net.eval();
  EXPECT_FALSE(net.training());
  EXPECT_FALSE(net.drop.training());
  net.train();
  EXPECT_TRUE(net.drop.training());
}

TEST(Module, ZeroGradAndFreeze) {
  Net net;
  sum(net.first(gyre::ones({2, 3}))).backward();
  ASSERT_TRUE(net.first.bias.grad().defined());
  EXPECT_EQ(to_vector<float>(net.first.bias.grad()), (std::vector<float>{2, 2, 2, 2}));
  net.zero_grad();
  EXPECT_FALSE(net.first.bias.grad().defined());
  net.freeze();
  EXPECT_FALSE(net.first(gyre::ones({2, 3})).tracked());
}

TEST(Module, FrozenLayersKeepNoInputsForBackward) {
  Linear frozen(256, 256);
  frozen.freeze();
  const Tensor x = gyre::ones({64, 256}).set_requires_grad();
  const size_t before = allocator::stats().in_use, bytes = 64 * 256 * sizeof(float);
  const Tensor y = frozen(frozen(frozen(x)));
  EXPECT_LT(allocator::stats().in_use - before, 2 * bytes) << "the result alone";
  sum(y).backward();
  EXPECT_TRUE(x.grad().defined());
}

TEST(Module, CastsAndKeepsSharing) {
  Net net;
  net.to(DType::f64);
  EXPECT_EQ(net.first.weight.dtype(), DType::f64);
  EXPECT_EQ(net.count.dtype(), DType::f64);
  EXPECT_EQ(net.shared.impl(), net.first.weight.impl());
  EXPECT_TRUE(net.first.weight.requires_grad());
  EXPECT_FALSE(net.count.requires_grad());
}

TEST(Module, ADeviceThatIsNotThereIsRefusedBeforeAnythingMoves) {
  struct Nothing final : Module {
    void visit(Visitor&) override {}
  } nothing;
  Error e = error_of([&] { nothing.to(Device{Device::cuda, 1}); });
  EXPECT_EQ(e.code, Code::unavailable);
  EXPECT_EQ(e.op, "to");
}

TEST(Module, AssignErrorsNameTheTensor) {
  EXPECT_TRUE(contains(
      message_of(Code::shape, [] { assign(gyre::zeros({2}), gyre::zeros({3}), "gain"); }), "gain"));
}

}  // namespace
}  // namespace gyre::nn
