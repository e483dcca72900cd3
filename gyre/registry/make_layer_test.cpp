#include "gyre/nn/make_layer.h"

#include <gtest/gtest.h>

#include "gyre/base/error.h"
#include "gyre/nn/linear.h"
#include "gyre/nn/sequential.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/registry/layer_table.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

namespace gyre::nn {
namespace {

std::unique_ptr<Module> model(const char* json, uint64_t seed = 1) {
  Generator generator{seed, 0};
  return make_model(layer_table(), Json::parse(json), &generator);
}

constexpr const char* kNet = R"([{"layer": "Linear", "in": 3, "out": 4}, {"layer": "ReLU"},
  {"layer": "Sequential", "layers": [{"layer": "Linear", "in": 4, "out": 2}]}])";

TEST(MakeModel, JoinsLayersOfADescription) {
  auto net = model(kNet);
  std::vector<std::string> names;
  for (const NamedTensor& t : net->named_parameters()) names.push_back(t.name);
  EXPECT_EQ(names, (std::vector<std::string>{"0.weight", "0.bias", "2.0.weight", "2.0.bias"}));
  Generator generator{1, 0};
  Linear first({3, 4}, &generator), second({4, 2}, &generator);
  Tensor x = tensor({{0.5, -1, 2}});
  EXPECT_EQ(largest_difference(net->forward({&x, 1})[0], second(relu(first(x)))), 0);
}

TEST(MakeModel, ErrorsNameTheLayer) {
  auto message = [](Code code, const char* json) { return message_of(code, [&] { model(json); }); };
  EXPECT_TRUE(contains(message(Code::value, R"([{"layer": "ReLU"}, {"layer": "Linaer"}])"),
                       "layers[1]: make_layer: unknown layer Linaer; did you mean Linear?"));
  EXPECT_TRUE(contains(message(Code::value, R"([[{"layer": "Linear", "inn": 3}]])"),
                       "layers[0].layers[0]: LinearOptions: unknown option inn; did you mean in?"));
  EXPECT_TRUE(contains(message(Code::value, R"({"layer": "ReLU", "slope": 1})"), "no options"));
  EXPECT_TRUE(contains(message(Code::value, R"({"layer": "Sequential"})"), "layers"));
  EXPECT_TRUE(contains(message(Code::value, R"({"layer": "Sequential", "layers": [], "x": 1})"),
                       "nothing else"));
  EXPECT_TRUE(contains(message(Code::parse, R"({"in": 3})"), "layer"));
  EXPECT_TRUE(contains(message(Code::parse, R"({"layer": "Linear", "in": "3"})"), "in"));
  EXPECT_TRUE(contains(message(Code::parse, "3"), "layer"));
}

TEST(Sequential, HoldsLayersOfAnyKind) {
  Generator generator{1, 0};
  Sequential net(Linear({3, 4}, &generator), Linear({4, 2}, &generator));
  EXPECT_EQ(net.size(), 2u);
  EXPECT_EQ(net(zeros({5, 3})).shape(), (Shape{5, 2}));
  EXPECT_EQ(net.parameter_count(), 3 * 4 + 4 + 4 * 2 + 2);
  EXPECT_EQ(code_of([&] { net.add(nullptr); }), Code::value);
  EXPECT_EQ(code_of([&] { (void)net[2]; }), Code::index);
  net.eval();
  EXPECT_FALSE(net[0]->training());
}

TEST(Module, WithoutForwardCannotBeCalled) {
  struct Silent : Module {
    void visit(Visitor&) override {}
  };
  EXPECT_EQ(code_of([] { Silent().forward({}); }), Code::unsupported);
}

}  // namespace
}  // namespace gyre::nn
