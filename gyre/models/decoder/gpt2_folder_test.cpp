#include "gyre/models/decoder/gpt2_folder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <tuple>

#include "gyre/autograd/backward.h"
#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/io/json.h"
#include "gyre/models/generation/generate.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/loss/loss.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/optim/rules/adam.h"
#include "gyre/optim/schedule.h"
#include "gyre/tensor/allocator.h"
#include "tests/largest_difference.h"
#include "tests/test_data.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

// Reference values from PyTorch.
const std::string kGolden = test_data("models/gpt2_tiny");

#define SKIP_WITHOUT_GOLDEN() \
  if (!file_exists(kGolden + "/golden.json")) GTEST_SKIP() << no_test_data(kGolden)

// Mean loss over the targets that are not -1.
Tensor masked_loss(const Decoder& model, const Tensor& tokens, const Tensor& targets) {
  Tensor rows = cross_entropy_rows(model(tokens), maximum(targets, zeros_like(targets)));
  Tensor counts = to(ge(targets, Tensor(0.0)), DType::f32);
  return sum(rows * counts) / sum(counts);
}

// A gradient in the file's layout.
Tensor as_stored(const std::string& name, const Tensor& gradient) {
  for (const char* end : {"c_attn.weight", "c_proj.weight", "c_fc.weight"}) {
    if (name.ends_with(end)) return transpose(gradient, 0, 1);
  }
  return gradient;
}

void expect_golden_gradients(const std::string& folder) {
  SafetensorsFile golden(kGolden + "/golden.safetensors");
  Decoder model = load_gpt2(folder);
  Tensor tokens = golden.load("input_ids"), targets = golden.load("targets");
  EXPECT_LE(largest_difference(model(tokens), golden.load("logits")), 1e-5);
  Tensor loss = masked_loss(model, tokens, targets);
  EXPECT_NEAR(loss.item(), 5.5395, 5e-5);
  loss.backward();
  int compared = 0;
  for (const NamedTensor& p : model.named_parameters()) {
    Tensor wanted = golden.load("grad." + p.name);
    ASSERT_EQ(as_stored(p.name, p.tensor.grad()).shape(), wanted.shape()) << p.name;
    EXPECT_LE(largest_difference(as_stored(p.name, p.tensor.grad()), wanted), 1e-5) << p.name;
    ++compared;
  }
  EXPECT_EQ(compared, 40);
}

TEST(Gpt2Golden, LossLogitsAndGradients) {
  SKIP_WITHOUT_GOLDEN();
  expect_golden_gradients(kGolden);
}

TEST(Gpt2Golden, AcceptsThePrefixTransformer) {
  SKIP_WITHOUT_GOLDEN();
  expect_golden_gradients(kGolden + "/prefixed");
}

TEST(Gpt2Golden, TwentyStepsOfAdamW) {
  SKIP_WITHOUT_GOLDEN();
  Json golden = Json::read(kGolden + "/golden.json");
  SafetensorsFile data(kGolden + "/golden.safetensors");
  Decoder model = load_gpt2(kGolden);
  std::vector<Tensor> matrices, vectors;
  for (const Tensor& p : model.parameters()) (p.rank() > 1 ? matrices : vectors).push_back(p);
  AdamW optimizer(matrices, {.beta2 = 0.95, .weight_decay = 0.1});
  optimizer.add_group(vectors, {.beta2 = 0.95, .weight_decay = 0});
  ScheduleOptions schedule{Schedule::cosine, 1e-3, 1e-4, 4, 20};
  Tensor tokens = data.load("input_ids"), targets = data.load("targets");
  const Json& trajectory = golden.at("adamw").at("trajectory");
  for (const Json& wanted : trajectory.as_array()) {
    int64_t step = wanted.at("it").as_integer();
    optimizer.zero_grad();
    Tensor loss = masked_loss(model, tokens, targets);
    loss.backward();
    EXPECT_NEAR(loss.item(), wanted.at("loss").as_real(), 2e-4) << step;
    EXPECT_NEAR(learning_rate(schedule, step), wanted.at("lr").as_real(), 1e-12) << step;
    optimizer.set_lr(learning_rate(schedule, step));
    StepResult result = optimizer.step({.clip = 1});
    EXPECT_NEAR(result.gradient_norm.item(), wanted.at("grad_norm").as_real(), 2e-4) << step;
  }
  EXPECT_NEAR(trajectory.as_array().back().at("loss").as_real(), 3.7522, 5e-5);
  EXPECT_NEAR(masked_loss(model, tokens, targets).item(), golden.at("after20_loss").as_real(),
              2e-4);
  SafetensorsFile after(kGolden + "/after20.safetensors");
  for (const NamedTensor& p : model.named_parameters()) {
    EXPECT_LE(largest_difference(as_stored(p.name, p.tensor), after.load(p.name)), 2e-4) << p.name;
  }
}

TEST(Gpt2Golden, GreedyTokens) {
  SKIP_WITHOUT_GOLDEN();
  Json golden = Json::read(kGolden + "/golden.json");
  GenerateOptions options;
  for (const Json& id : golden.at("prompt").as_array()) options.ids.push_back(id.dump());
  options.max_tokens = 24;
  options.sampling.greedy = true;
  Generated made = generate(kGolden, options);
  Json ids = Json::array();
  for (int32_t id : made.ids) ids.push_back(id);
  EXPECT_EQ(ids.dump(), golden.at("greedy_top1_ids").dump());
  options.sampling.greedy = false;
  options.sampling.top_k = 1;
  EXPECT_EQ(generate(kGolden, options).ids, made.ids) << "top_k 1 is greedy";
}

class Gpt2Folder : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "gyre_gpt2_folder";
    remove_tree(folder_);
  }
  void TearDown() override { remove_tree(folder_); }

  static DecoderOptions small() {
    DecoderOptions o;
    o.vocab = 11;
    o.block_size = 8;
    o.layers = 2;
    o.heads = 2;
    o.width = 8;
    return o;
  }
  Decoder saved(const DecoderOptions& options) {
    Generator generator{7, 0};
    Decoder model(options, &generator);
    model.save(folder_, nullptr);
    return model;
  }
  static Tensor tokens() { return tensor(std::vector<int32_t>{1, 5, 10, 0, 3, 3}, {2, 3}); }
  void expect_same_logits(Decoder& a, Decoder& b) {
    EXPECT_EQ(largest_difference(a(tokens()), b(tokens())), 0);
  }
  void expect_same_values(Decoder& a, Decoder& b) {
    std::vector<NamedTensor> left = a.state_dict(), right = b.state_dict();
    ASSERT_EQ(left.size(), right.size());
    for (size_t i = 0; i < left.size(); ++i) {
      EXPECT_EQ(to_vector<float>(left[i].tensor), to_vector<float>(right[i].tensor));
    }
  }
  Code code_of_loading() {
    Error e = error_of([&] { load_language_model(folder_); });
    message_ = e.what();
    return e.code;
  }
  void replace_in_config(const std::string& from, const std::string& to) {
    std::string path = folder_ + "/config.json", text = read_file(path);
    size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    write_file_atomic(path, text.replace(at, from.size(), to));
  }

  std::string folder_, message_;
};

TEST_F(Gpt2Folder, RoundTrips) {
  for (bool bias : {true, false}) {
    for (bool tied : {true, false}) {
      DecoderOptions o = small();
      o.bias = bias;
      o.tie_embeddings = tied;
      o.inner = 12;
      o.activation = bias ? Activation::gelu : Activation::silu;
      Decoder model = saved(o), again = load_gpt2(folder_);
      EXPECT_EQ(again.options().bias, bias);
      EXPECT_EQ(again.options().tie_embeddings, tied);
      EXPECT_EQ(again.options().activation, o.activation);
      expect_same_values(model, again);
      // products with transposed weights are summed in another order
      EXPECT_LE(largest_difference(model(tokens()), again(tokens())), 1e-6);
    }
  }
}

TEST_F(Gpt2Folder, WritesTheLayoutOfGpt2) {
  DecoderOptions o = small();
  o.bias = false;
  saved(o);
  SafetensorsFile file(folder_ + "/model.safetensors");
  EXPECT_EQ(file.find("transformer.h.1.attn.c_attn.weight")->shape, (Shape{8, 24}));
  EXPECT_EQ(file.find("transformer.h.1.attn.c_attn.bias")->shape, (Shape{24}));
  EXPECT_EQ(file.find("transformer.h.0.mlp.c_fc.weight")->shape, (Shape{8, 32}));
  EXPECT_EQ(file.find("transformer.ln_f.bias")->shape, (Shape{8}));
  EXPECT_EQ(file.find("lm_head.weight"), nullptr);
}

TEST_F(Gpt2Folder, EqualModelsGiveEqualBytes) {
  saved(small());
  std::string first = read_file(folder_ + "/model.safetensors");
  saved(small());
  EXPECT_EQ(read_file(folder_ + "/model.safetensors"), first);
}

TEST_F(Gpt2Folder, KeepsSixteenBitDTypes) {
  Decoder model = saved(small());
  model.to(DType::bf16);
  model.save(folder_, nullptr);
  Decoder again = load_gpt2(folder_, FileAccess::map);
  EXPECT_EQ(again.wte.weight.dtype(), DType::bf16);
  expect_same_logits(model, again);
}

TEST_F(Gpt2Folder, RefusesTablesOfOtherRowsThanStated) {
  saved(small());
  replace_in_config("\"vocab_size\": 11", "\"vocab_size\": 12");
  EXPECT_EQ(code_of_loading(), Code::value);
  EXPECT_TRUE(contains(message_, "vocab_size is 12, but transformer.wte.weight has 11 rows"))
      << message_;
  replace_in_config("\"vocab_size\": 12", "\"vocab_size\": 11");
  replace_in_config("\"n_positions\": 8", "\"n_positions\": 4");
  EXPECT_EQ(code_of_loading(), Code::value);
  EXPECT_TRUE(contains(message_, "n_positions is 4, but transformer.wpe.weight has 8 rows"))
      << message_;
}

TEST_F(Gpt2Folder, LendsTheFilesWeights) {
  DecoderOptions o = small();
  o.width = 64;
  o.vocab = 4000;
  const Generator before = default_generator();
  saved(o);
  allocator::empty_cache();
  allocator::reset_peak();
  const size_t in_use = allocator::stats().in_use;
  Decoder model = load_gpt2(folder_, FileAccess::map);
  EXPECT_LT(allocator::stats().peak, in_use + sizeof(float) * 64 * 64) << "no weight is copied";
  EXPECT_EQ(default_generator().offset, before.offset);
  for (const NamedTensor& t : model.state_dict()) {
    EXPECT_TRUE(t.tensor.impl()->storage->borrowed && t.tensor.requires_grad()) << t.name;
  }
}

// One step of AdamW.
void train(Decoder& model, const Tensor& tokens) {
  AdamW optimizer(model.parameters(), {.lr = 0.1});
  model.loss(tokens, tokens).backward();
  optimizer.step();
}

TEST_F(Gpt2Folder, TrainsLentWeightsWithoutChangingTheFile) {
  for (bool tied : {true, false}) {
    DecoderOptions o = small();
    o.tie_embeddings = tied;
    Decoder model = saved(o), again = load_gpt2(folder_, FileAccess::map);
    const std::string bytes = read_file(folder_ + "/model.safetensors");
    train(model, tokens());
    train(again, tokens());
    expect_same_logits(model, again);
    EXPECT_EQ(read_file(folder_ + "/model.safetensors"), bytes);
  }
}

TEST_F(Gpt2Folder, SavesOverTheFileThatItLends) {
  for (bool tied : {true, false}) {
    DecoderOptions o = small();
    o.tie_embeddings = tied;
    Decoder model = saved(o), lent = load_gpt2(folder_, FileAccess::map);
    const std::string bytes = read_file(folder_ + "/model.safetensors");
    lent.save(folder_, nullptr);
    EXPECT_EQ(read_file(folder_ + "/model.safetensors"), bytes);
    expect_same_values(model, lent);
    train(lent, tokens());
    lent.save(folder_, nullptr);
    Decoder again = load_gpt2(folder_, FileAccess::map);
    expect_same_values(lent, again);
  }
}

TEST_F(Gpt2Folder, RejectsUnsupportedConfigs) {
  const std::pair<const char*, const char*> cases[] = {
      {"\"model_type\": \"gpt2\"", "\"model_type\": \"mamba\""},
      {"\"activation_function\": \"gelu_new\"", "\"activation_function\": \"mish\""},
      {"\"bias\": true", "\"bias\": true, \"scale_attn_by_inverse_layer_idx\": true"},
      {"\"bias\": true", "\"bias\": true, \"quantization_config\": {\"bits\": 4}"}};
  for (const auto& [from, to] : cases) {
    saved(small());
    replace_in_config(from, to);
    EXPECT_EQ(code_of_loading(), Code::unsupported) << to;
  }
  EXPECT_NE(message_.find("quantization_config"), std::string::npos) << message_;
  const std::tuple<const char*, const char*, Code> fields[] = {
      {"\"n_head\"", "\"heads\"", Code::value},
      {"\"n_head\": 2", "\"n_head\": \"2\"", Code::parse}};
  for (const auto& [from, to, code] : fields) {
    saved(small());
    replace_in_config(from, to);
    EXPECT_EQ(code_of_loading(), code) << to;
    EXPECT_NE(message_.find("config.json: "), std::string::npos) << message_;
    EXPECT_NE(message_.find("n_head"), std::string::npos) << message_;
  }
}

TEST_F(Gpt2Folder, RejectsInvalidShapes) {
  saved(small());
  replace_in_config("\"n_embd\": 8", "\"n_embd\": 16");
  EXPECT_EQ(code_of_loading(), Code::shape);
  saved(small());
  replace_in_config("\"n_layer\": 2", "\"n_layer\": 3");
  EXPECT_EQ(code_of_loading(), Code::value);
  EXPECT_NE(message_.find("n_layer is 3, but model.safetensors has 2 layers"), std::string::npos)
      << message_;
  saved(small());
  replace_in_config("\"n_layer\": 2", "\"n_layer\": 1");
  EXPECT_EQ(code_of_loading(), Code::value);
  saved(small());
  replace_in_config("\"bias\": true", "\"bias\": false");
  EXPECT_NO_THROW(load_gpt2(folder_)) << "zero biases may be omitted";
  remove_tree(folder_ + "/model.safetensors");
  EXPECT_EQ(code_of_loading(), Code::io);
  write_safetensors(folder_ + "/model.safetensors", {});
  EXPECT_EQ(code_of_loading(), Code::value);
}

TEST_F(Gpt2Folder, ErrorsHaveTheNamesAndShapesOfTheFile) {
  const std::string path = folder_ + "/model.safetensors";
  for (const std::string prefix : {"transformer.", ""}) {
    const auto refused = [&](const std::string& name, const Tensor& value) {
      saved(small());
      std::vector<NamedTensor> state = SafetensorsFile(path).load_all();
      std::erase_if(state, [&](const NamedTensor& t) { return t.name == "transformer." + name; });
      if (value.defined()) state.push_back({"transformer." + name, value});
      for (NamedTensor& t : state) t.name = prefix + t.name.substr(12);
      write_safetensors(path, state);
      (void)code_of_loading();
      return message_;
    };
    const std::string fc = "h.1.mlp.c_fc.weight";
    EXPECT_TRUE(contains(refused(fc, {}), path + ": missing tensor " + prefix + fc)) << message_;
    EXPECT_TRUE(contains(refused(fc, zeros({8, 30})),
                         path + ": tensor " + prefix + fc + " has shape [8, 30], expected [8, 32]"))
        << message_;
  }
}

TEST_F(Gpt2Folder, RejectsNonzeroBiasesWithoutBias) {
  Decoder model = saved(small());
  for (const NamedTensor& t : model.state_dict()) {
    if (t.name == "ln_f.bias") nn::assign(t.tensor, ones({8}), t.name);
  }
  model.save(folder_, nullptr);
  replace_in_config("\"bias\": true", "\"bias\": false");
  EXPECT_EQ(code_of_loading(), Code::value);
}

TEST_F(Gpt2Folder, RejectsAConfigThatIsNotAnObject) {
  saved(small());
  write_file_atomic(folder_ + "/config.json", "[1]");
  EXPECT_EQ(code_of_loading(), Code::parse);
  write_file_atomic(folder_ + "/config.json", "{");
  EXPECT_EQ(code_of_loading(), Code::parse);
}

TEST_F(Gpt2Folder, RejectsOtherModels) {
  saved(small());
  remove_tree(folder_ + "/config.json");
  write_file_atomic(folder_ + "/embedding.safetensors", "");
  EXPECT_EQ(code_of_loading(), Code::value);
  EXPECT_NE(message_.find("an embedding; use `gyre embed query`"), std::string::npos) << message_;
  write_file_atomic(folder_ + "/model.json", "{}");
  EXPECT_EQ(code_of_loading(), Code::value);
  EXPECT_NE(message_.find("use `gyre predict`"), std::string::npos) << message_;
}

}  // namespace
}  // namespace gyre
