#include "gyre/optim/optimizer_def.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gyre/base/text/nearest.h"
#include "gyre/optim/rules/adam.h"
#include "gyre/optim/rules/sgd.h"
#include "gyre/optim/test_parameters.h"
#include "gyre/registry/optimizer_table.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

TEST(OptimizerDef, MakesEveryOptimizerByName) {
  for (const OptimizerDef* def : optimizer_table().optimizers) {
    Tensor a = leaf({40}, 1), b = leaf({40}, 1);
    std::unique_ptr<Optimizer> by_name = make_optimizer(
        optimizer_table(), def->name, Json::parse(R"({"lr": 0.25})"), std::vector<Tensor>{a});
    OpenAttrs options(*def->options);
    std::unique_ptr<Optimizer> made = def->make(std::vector<Tensor>{b}, options.memory);
    EXPECT_EQ(&by_name->def(), def);
    EXPECT_EQ(by_name->lr(), 0.25);
    made->set_lr(0.25);
    EXPECT_EQ(by_name->options().dump(), made->options().dump());
    for (uint64_t step = 0; step < 3; ++step) {
      set_gradient(a, step);
      set_gradient(b, step);
      by_name->step();
      made->step();
    }
    EXPECT_EQ(bits_of(a), bits_of(b)) << def->name;
    EXPECT_NE(bits_of(a), bits_of(leaf({40}, 1))) << def->name;
  }
}

// But for "Optimizer" at the end of a class that would otherwise be an adjective.
TEST(OptimizerDef, NamesDifferInCaseOnly) {
  for (const OptimizerDef* def : optimizer_table().optimizers) {
    std::string_view name = def->class_name;
    if (name.ends_with("Optimizer")) name.remove_suffix(9);
    EXPECT_EQ(edit_distance(def->name, name), 0u);
  }
}

TEST(OptimizerDef, ListsTheMostSimilarNameFirst) {
  std::vector<Tensor> p{leaf({2}, 1)};
  EXPECT_EQ(error_of([&] { make_optimizer(optimizer_table(), "adamv", Json::object(), p); }).code,
            Code::value);
  EXPECT_TRUE(
      contains(error_of([] { (void)optimizer_table().of("adamv"); }).expected, "adam, adamw, "));
  EXPECT_TRUE(error_of([] { (void)optimizer_table().of("sgdm"); }).expected.starts_with("sgd, "));
  EXPECT_EQ(
      code_of([&] { make_optimizer(optimizer_table(), "sgd", Json::parse(R"({"rate": 1})"), p); }),
      Code::value);
  EXPECT_EQ(
      code_of([&] { make_optimizer(optimizer_table(), "sgd", Json::parse(R"({"lr": "1"})"), p); }),
      Code::parse);
  EXPECT_EQ(
      message_of(
          Code::value,
          [&] { make_optimizer(optimizer_table(), "adam", Json::parse(R"({"beta2": 1.5})"), p); }),
      "adam: `beta2` must be in [0, 1), got 1.5");
}

TEST(Optimizer, GroupsAndOptionsGoByName) {
  Tensor a = leaf({3}, 1), b = leaf({3}, 2);
  AdamW optimizer(std::vector<Tensor>{a}, {.lr = 0.5, .beta1 = 0.8});
  optimizer.add_group(Json::parse(R"({"weight_decay": 0})"), std::vector<Tensor>{b});
  EXPECT_EQ(optimizer.groups(), 2u);
  EXPECT_EQ(optimizer.options(0).at("beta1").as_real(), 0.8);
  EXPECT_EQ(optimizer.options(1).at("beta1").as_real(), 0.9) << "its default";
  EXPECT_EQ(optimizer.options(1).at("weight_decay").as_real(), 0);

  optimizer.set_options(Json::parse(R"({"eps": 1e-5, "lr": 0.125})"));
  optimizer.set_options(Json::parse(R"({"lr": 2})"), 1);
  for (size_t g : {0, 1}) EXPECT_EQ(optimizer.options(g).at("eps").as_real(), 1e-5);
  EXPECT_EQ(optimizer.lr(0), 0.125);
  EXPECT_EQ(optimizer.lr(1), 2);
  EXPECT_EQ(optimizer.options(0).at("beta1").as_real(), 0.8) << "not given";
}

TEST(Optimizer, InvalidOptionsChangeNothing) {
  Tensor a = leaf({3}, 1), b = leaf({3}, 2);
  AdamW optimizer(std::vector<Tensor>{a}, {.lr = 0.5});
  std::string before = optimizer.options().dump();
  auto set = [&](const char* text) {
    return code_of([&] { optimizer.set_options(Json::parse(text)); });
  };
  EXPECT_EQ(set(R"({"lr": 1, "beta1": 1})"), Code::value);
  EXPECT_EQ(set(R"({"lr": 1, "momentum": 0.5})"), Code::value);
  EXPECT_EQ(set(R"({"beta1": 0.5, "lr": -1})"), Code::value);
  EXPECT_EQ(set(R"({"lr": 1, "beta1": true})"), Code::parse);
  EXPECT_EQ(code_of([&] { optimizer.set_lr(std::nan("")); }), Code::value);
  EXPECT_EQ(code_of([&] { optimizer.set_options(Json::object(), 1); }), Code::index);
  EXPECT_EQ(code_of([&] { return optimizer.options(1); }), Code::index);
  EXPECT_EQ(
      code_of([&] { optimizer.add_group(Json::parse(R"({"eps": -1})"), std::vector<Tensor>{b}); }),
      Code::value);
  EXPECT_EQ(code_of([&] { optimizer.add_group(Json::object(), std::vector<Tensor>{a}); }),
            Code::value);
  EXPECT_EQ(optimizer.options().dump(), before);
  EXPECT_EQ(optimizer.groups(), 1u);
  EXPECT_EQ(optimizer.parameters().size(), 1u);
}

TEST(Optimizer, CreatesStateForNewOptions) {
  Tensor a = leaf({3}, 1), b = leaf({3}, 1);
  Sgd optimizer(std::vector<Tensor>{a}), with(std::vector<Tensor>{b}, {.momentum = 0.5});
  EXPECT_EQ(optimizer.state_dict().size(), 1u) << "steps";
  optimizer.set_options(Json::parse(R"({"momentum": 0.5})"));
  for (uint64_t step = 0; step < 2; ++step) {
    for (const Tensor& p : {a, b}) set_gradient(p, step);
    optimizer.step();
    with.step();
  }
  EXPECT_EQ(bits_of(a), bits_of(b));
  EXPECT_EQ(optimizer.state_dict().size(), 2u);
  optimizer.set_options(Json::parse(R"({"momentum": 0})"));
  EXPECT_EQ(optimizer.state_dict().size(), 1u);
}

TEST(Optimizer, OptionsOfAGroupLeaveTheStateOfOthersAlone) {
  Tensor p[] = {leaf({3}, 1), leaf({3}, 2), leaf({3}, 3)};
  Sgd optimizer(std::vector<Tensor>{p[0]});
  for (size_t i : {1, 2}) optimizer.add_group({&p[i], 1}, SgdOptions{});
  for (const Tensor& t : p) set_gradient(t, 4);
  optimizer.step();
  optimizer.set_options(Json::parse(R"({"momentum": 0.5})"), 1);
  ASSERT_EQ(optimizer.state_dict().size(), 2u);
  EXPECT_EQ(optimizer.state_dict()[1].name.substr(optimizer.state_dict()[1].name.find('.')), ".1");
}

}  // namespace
}  // namespace gyre
