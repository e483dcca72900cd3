#include "gyre/nn/replace_tensors.h"

#include <gtest/gtest.h>

#include "gyre/base/error.h"
#include "gyre/nn/linear.h"
#include "gyre/nn/sequential.h"
#include "gyre/ops/create/create.h"
#include "tests/thrown.h"

namespace gyre::nn {
namespace {

// Two layers that share their weight.
struct Tied {
  Tied() {
    auto one = std::make_shared<Linear>(2, 2), two = std::make_shared<Linear>(2, 2);
    two->weight = one->weight;
    net.add(one);
    net.add(two);
    first = one.get();
    second = two.get();
  }
  Sequential net;
  Linear *first, *second;
};

TEST(ReplaceTensors, ReachesEveryNameOfATensor) {
  Tied pair;
  Tensor bias = pair.first->bias, weight = gyre::ones({2, 2});
  replace_tensors(pair.net, std::vector<NamedTensor>{{"1.weight", weight}});
  EXPECT_EQ(pair.first->weight.impl(), weight.impl());
  EXPECT_EQ(pair.second->weight.impl(), weight.impl());
  EXPECT_EQ(pair.first->bias.impl(), bias.impl());
  Tensor other = gyre::zeros({2, 2});
  replace_tensors(pair.net, std::vector<NamedTensor>{{"0.weight", other}, {"1.weight", weight}});
  EXPECT_EQ(pair.first->weight.impl(), other.impl());
  EXPECT_EQ(pair.second->weight.impl(), weight.impl());
}

TEST(ReplaceTensors, RejectsUnknownNames) {
  Tied pair;
  Tensor weight = pair.first->weight;
  Error error = error_of([&] {
    replace_tensors(
        pair.net, std::vector<NamedTensor>{{"0.weight", gyre::ones({2, 2})}, {"0.wieght", weight}});
  });
  EXPECT_EQ(error.code, Code::value);
  EXPECT_TRUE(contains(error.what(), "did you mean 0.weight")) << error.what();
  EXPECT_EQ(code_of([&] {
              replace_tensors(pair.net, std::vector<NamedTensor>{{"0.weight", {}}});
            }),
            Code::value);
  EXPECT_EQ(pair.first->weight.impl(), weight.impl());
}

TEST(WithTensors, RestoresTheTensors) {
  Tied pair;
  Tensor weight = pair.first->weight, own = pair.second->bias, put = gyre::zeros({2});
  std::vector<NamedTensor> other{{"0.weight", gyre::zeros({2, 2})}, {"0.bias", gyre::zeros({2})}};
  Tensor x = gyre::ones({1, 2}), y;
  with_tensors(pair.net, other, [&] {
    y = pair.first->operator()(x);
    pair.second->bias = put;
  });
  EXPECT_EQ(to_vector<float>(y), (std::vector<float>{0, 0}));
  EXPECT_EQ(pair.first->weight.impl(), weight.impl());
  EXPECT_EQ(pair.second->bias.impl(), put.impl());
  EXPECT_EQ(code_of([&] {
              with_tensors(pair.net, other, [] { throw Error(Code::numeric, "test", "no"); });
            }),
            Code::numeric);
  EXPECT_EQ(pair.first->weight.impl(), weight.impl());
}

}  // namespace
}  // namespace gyre::nn
