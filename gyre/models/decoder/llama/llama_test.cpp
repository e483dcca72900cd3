#include <gtest/gtest.h>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/io/json.h"
#include "gyre/io/safetensors.h"
#include "gyre/models/architecture.h"
#include "gyre/models/decoder/decoder.h"
#include "gyre/models/generation/generate.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"
#include "tests/largest_difference.h"
#include "tests/test_data.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

const std::string kStories = test_data("models/stories260K/hf");

TEST(Stories260K, GivesItsTwoHundredTokens) {
  if (!file_exists(kStories + "/golden.json")) GTEST_SKIP() << no_test_data(kStories);
  const Json golden = Json::read(kStories + "/golden.json");
  const Generated made =
      generate(kStories, {.ids = {"1"}, .max_tokens = 200, .sampling = {.greedy = true}});
  std::vector<int32_t> wanted;
  for (const Json& id : golden.at("greedy_ids").as_array("greedy_ids"))
    wanted.push_back(static_cast<int32_t>(id.as_integer("greedy_ids")));
  EXPECT_EQ(made.ids, wanted);
}

// A small model of each relative of Llama, in a folder.
class LlamaFolder : public ::testing::Test {
 protected:
  static Json config_of(const char* type) {
    Json c = Json::object();
    c["model_type"] = type;
    c["vocab_size"] = 11;
    c["hidden_size"] = 8;
    c["intermediate_size"] = 12;
    c["num_hidden_layers"] = 3;
    c["num_attention_heads"] = 4;
    c["num_key_value_heads"] = 2;
    c["head_dim"] = 2;
    c["max_position_embeddings"] = 32;
    c["sliding_window"] = 5;
    c["eos_token_id"] = Json::parse("[2, 7]");
    return c;
  }
  // Reads the options, and writes a model with them.
  std::unique_ptr<Decoder> made(const Json& config) {
    const Architecture& a = architecture_named(config.at("model_type").as_string("model_type"));
    Decoder decoder(a.read_config(config, "config.json"));
    decoder.remember(a, config, folder_);
    decoder.save(folder_, nullptr);
    return std::make_unique<Decoder>(decoder);
  }
  void write(const Json& config) { write_file_atomic(folder_ + "/config.json", config.dump()); }
  static constexpr const char* kTypes[] = {"llama",       "mistral", "qwen2",   "qwen3", "gemma2",
                                           "gemma3_text", "phi3",    "smollm3", "olmo2", "granite"};
  void TearDown() override { remove_tree(folder_); }
  const std::string folder_ = ::testing::TempDir() + "gyre_llama_folder";
  const Tensor tokens_ = tensor<int64_t>({1, 5, 2, 10, 3, 3, 7, 0, 4, 9}, {1, 10});
};

TEST_F(LlamaFolder, ComesBackAsItWas) {
  for (const char* type : kTypes) {
    const auto model = made(config_of(type));
    const auto loaded = load_language_model(folder_);
    const auto& again = dynamic_cast<const Decoder&>(*loaded);
    EXPECT_STREQ(again.architecture().model_type, type);
    EXPECT_EQ(again.special_tokens().at("eos_token_id").dump(), "[2,7]");
    EXPECT_EQ(largest_difference((*model)(tokens_), again(tokens_)), 0) << type;
    const std::string before = read_file(folder_ + "/model.safetensors"),
                      config = read_file(folder_ + "/config.json");
    loaded->save(folder_, nullptr);
    EXPECT_EQ(read_file(folder_ + "/model.safetensors"), before) << type;
    EXPECT_EQ(read_file(folder_ + "/config.json"), config) << type;
  }
}

TEST_F(LlamaFolder, CachedLogitsAreThoseOfTheWhole) {
  for (const char* type : kTypes) {
    const auto model = made(config_of(type));
    model->eval();
    NoGrad off;
    const Tensor whole = (*model)(tokens_);
    TokenCache cache = model->cache(1);
    for (int64_t i = 0; i < tokens_.size(1);) {
      const int64_t n = i == 0 ? 4 : 1;
      const Tensor last = model->next(slice(tokens_, {1, i, i + n, 1}), cache);
      i += n;
      EXPECT_LE(largest_difference(last, reshape(slice(whole, {1, i - 1, i, 1}), {1, 11})), 1e-5)
          << type << " after " << i;
    }
  }
}

TEST_F(LlamaFolder, RefusesWhatItCannotCompute) {
  const auto refused = [&](const char* type, const char* field, const Json& value) {
    made(config_of(type));
    Json config = Json::read(folder_ + "/config.json");
    config[field] = value;
    write(config);
    const Error e = error_of([&] { (void)load_language_model(folder_); });
    EXPECT_NE(std::string(e.what()).find("config.json"), std::string::npos) << e.what();
    return e.code;
  };
  const auto scaling = [](const char* type, double factor = 2) {
    Json c = Json::object();
    c["rope_type"] = type;
    c["factor"] = factor;
    return c;
  };
  EXPECT_EQ(refused("llama", "hidden_act", "tanh"), Code::unsupported);
  EXPECT_EQ(refused("llama", "rope_scaling", scaling("proportional")), Code::unsupported);
  EXPECT_EQ(refused("llama", "rope_scaling", scaling("dynamic", 0.5)), Code::unsupported);
  EXPECT_EQ(refused("llama", "rope_scaling", scaling("dynamic")), Code::value);  // heads of 2
  EXPECT_EQ(refused("llama", "rope_scaling", scaling("longrope")), Code::value);
  Json factors = scaling("longrope");
  factors["short_factor"] = factors["long_factor"] = Json::parse("[0]");
  EXPECT_EQ(refused("llama", "rope_scaling", factors), Code::value);
  factors["short_factor"] = Json::parse("[\"1\"]");
  EXPECT_EQ(refused("llama", "rope_scaling", factors), Code::parse);
  EXPECT_EQ(refused("llama", "rope_scaling", "twice"), Code::parse);
  EXPECT_EQ(refused("llama", "hidden_size", "8"), Code::parse);
  EXPECT_EQ(refused("llama", "hidden_size", nullptr), Code::value);
  EXPECT_EQ(refused("llama", "num_key_value_heads", 3), Code::value);
  EXPECT_EQ(refused("llama", "num_hidden_layers", 2), Code::value);
  EXPECT_EQ(refused("smollm3", "num_hidden_layers", int64_t{1} << 50), Code::value);
  EXPECT_EQ(refused("llama", "num_attention_heads", 0), Code::value);
  for (const int64_t vocab : {10, 12})
    EXPECT_EQ(refused("llama", "vocab_size", vocab), Code::value);
  EXPECT_EQ(refused("llama", "partial_rotary_factor", 1.5), Code::value);
  EXPECT_EQ(refused("gemma2", "use_bidirectional_attention", true), Code::unsupported);
  EXPECT_EQ(refused("gemma2", "layer_types", Json::parse("[\"chunked_attention\"]")),
            Code::unsupported);
  EXPECT_EQ(refused("gemma2", "layer_types", Json::parse("[\"full_attention\"]")),
            Code::unsupported);
  EXPECT_EQ(refused("llama", "quantization_config", Json::parse("{\"quant_method\": \"gptq\"}")),
            Code::unsupported);
  EXPECT_EQ(refused("llama", "model_type", "mixtral"), Code::unsupported);
}

TEST_F(LlamaFolder, RefusesOtherTypesByThoseThatAreRead) {
  Json config = config_of("llama");
  config["model_type"] = "mamba";
  create_directories(folder_);
  write(config);
  const std::string message =
      message_of(Code::unsupported, [&] { (void)load_language_model(folder_); });
  EXPECT_TRUE(contains(message, "model_type is \"mamba\", expected gpt2, llama, "));
  for (const Architecture* a : architectures()) EXPECT_TRUE(contains(message, a->model_type));
  EXPECT_TRUE(contains(message, ", gemma3"));
}

TEST_F(LlamaFolder, EndTokensAreTokens) {
  const auto loaded = [&](const Json& end) {
    made(config_of("llama"));
    Json config = Json::read(folder_ + "/config.json");
    config["eos_token_id"] = end;
    write(config);
    return load_language_model(folder_);
  };
  EXPECT_TRUE(loaded(-1)->end_tokens().empty());
  EXPECT_EQ(loaded(Json::parse("[3, -1]"))->end_tokens().size(), 1u);
  EXPECT_TRUE(contains(message_of(Code::value, [&] { (void)loaded(int64_t{1} << 40); }),
                       folder_ + "/config.json: eos_token_id is 1099511627776"));
  EXPECT_EQ(code_of([&] { (void)loaded(2.0); }), Code::parse);
}

TEST_F(LlamaFolder, RefusesFactorsThatAreNoNumbers) {
  made(config_of("phi3"));
  const auto refused = [&](const char* value) {
    Json config = Json::read(folder_ + "/config.json"), scaling = Json::object();
    scaling["rope_type"] = "longrope";
    scaling["short_factor"] = Json::parse("[1]");
    scaling["long_factor"] = Json::parse(value);
    config["rope_scaling"] = scaling;
    write(config);
    return message_of(Code::parse, [&] { (void)load_language_model(folder_); });
  };
  const std::string path = folder_ + "/config.json";
  EXPECT_TRUE(contains(refused("[\"1\"]"), path + ": long_factor: expected a number"));
  EXPECT_TRUE(contains(refused("\"1\""), path + ": long_factor: expected an array"));
  EXPECT_TRUE(contains(refused("[null]"), path + ": long_factor: expected a number"));
}

TEST_F(LlamaFolder, RefusesTensorsThatDoNotFit) {
  const auto refused = [&](const std::string& name, const Tensor& value) {
    made(config_of("llama"));
    std::vector<NamedTensor> state = SafetensorsFile(folder_ + "/model.safetensors").load_all();
    std::erase_if(state, [&](const NamedTensor& t) { return t.name == name; });
    if (value.defined()) state.push_back({name, value});
    write_safetensors(folder_ + "/model.safetensors", state);
    return error_of([&] { (void)load_language_model(folder_); }).code;
  };
  EXPECT_EQ(refused("model.embed_tokens.weight", {}), Code::value);
  EXPECT_EQ(refused("model.embed_tokens.weight", zeros({11, 6})), Code::shape);
  EXPECT_EQ(refused("model.layers.1.mlp.up_proj.weight", {}), Code::value);
  EXPECT_EQ(refused("model.layers.1.mlp.up_proj.weight", zeros({8, 12})), Code::shape);
  EXPECT_EQ(refused("model.layers.1.mlp.expert.weight", zeros({2})), Code::value);
}

class Shards : public LlamaFolder {
 protected:
  // Splits the model of the folder in two files.
  void SetUp() override {
    model_ = made(config_of("llama"));
    std::vector<NamedTensor> state = SafetensorsFile(folder_ + "/model.safetensors").load_all();
    remove_tree(folder_ + "/model.safetensors");
    std::vector<NamedTensor> halves[2];
    map_ = Json::object();
    for (size_t i = 0; i < state.size(); ++i) {
      halves[i % 2].push_back(state[i]);
      map_[state[i].name] = kNames[i % 2];
    }
    for (int i : {0, 1}) write_safetensors(folder_ + "/" + kNames[i], halves[i]);
    first_ = halves[0][0].name;
    write_index();
  }
  void write_index() {
    Json index = Json::object();
    index["weight_map"] = map_;
    write_file_atomic(folder_ + "/model.safetensors.index.json", index.dump());
  }
  Code refused() {
    write_index();
    return error_of([&] { (void)load_language_model(folder_); }).code;
  }
  static constexpr const char* kNames[] = {"model-00001-of-00002.safetensors",
                                           "model-00002-of-00002.safetensors"};
  std::unique_ptr<Decoder> model_;
  Json map_;
  std::string first_;
};

TEST_F(Shards, AreRead) {
  for (FileAccess access : {FileAccess::read, FileAccess::map}) {
    const auto loaded = load_language_model(folder_, access);
    EXPECT_EQ(largest_difference((*model_)(tokens_), (*loaded)(tokens_)), 0);
  }
}

TEST_F(Shards, ErrorsNameTheShardAndItsTensor) {
  const std::string index = folder_ + "/model.safetensors.index.json: ";
  const auto message = [&](Code code) {
    write_index();
    return message_of(code, [&] { (void)load_language_model(folder_); });
  };
  const auto with = [&](const std::string& name, const Tensor& value) {
    const std::string shard = folder_ + "/" + map_.at(name).as_string();
    std::vector<NamedTensor> state = SafetensorsFile(shard).load_all();
    std::erase_if(state, [&](const NamedTensor& t) { return t.name == name; });
    if (value.defined()) state.push_back({name, value});
    write_safetensors(shard, state);
    return shard + ": ";
  };
  const std::string name = "model.layers.1.self_attn.k_proj.weight";
  const std::string shard = with(name, zeros({4, 9}));
  EXPECT_TRUE(contains(message(Code::shape),
                       shard + "tensor " + name + " has shape [4, 9], expected [4, 8]"));
  (void)with(name, {});
  Json::Object others;
  for (const Json::Member& member : map_.as_object()) {
    if (member.key != name) others.push_back(member);
  }
  map_ = Json(std::move(others));
  EXPECT_TRUE(contains(message(Code::value), index + "missing tensor " + name));
}

TEST_F(LlamaFolder, ErrorsHaveTheNamesOfTheFile) {
  const std::string path = folder_ + "/model.safetensors";
  const auto refused = [&](const char* type, const std::string& name, const Tensor& value,
                           std::string_view without = {}) {
    made(config_of(type));
    std::vector<NamedTensor> state = SafetensorsFile(path).load_all();
    std::erase_if(state, [&](const NamedTensor& t) { return t.name == name; });
    if (value.defined()) state.push_back({name, value});
    for (NamedTensor& t : state) {
      if (t.name.starts_with(without)) t.name.erase(0, without.size());
    }
    write_safetensors(path, state);
    return error_of([&] { (void)load_language_model(folder_); }).message();
  };
  const std::string gate_up = "model.layers.1.mlp.gate_up_proj.weight";
  EXPECT_EQ(refused("phi3", gate_up, zeros({22, 8})),
            path + ": tensor " + gate_up + " has shape [22, 8], expected [24, 8]");
  EXPECT_EQ(refused("phi3", gate_up, {}), path + ": missing tensor " + gate_up);
  EXPECT_EQ(refused("llama", "model.embed_tokens.weight", {}),
            path + ": missing tensor model.embed_tokens.weight");
  EXPECT_EQ(refused("llama", "model.embed_tokens.weight", {}, "model."),
            path + ": missing tensor embed_tokens.weight");
  EXPECT_EQ(refused("llama", "model.layers.2.mlp.up_proj.weight", zeros({3}), "model."),
            path + ": tensor layers.2.mlp.up_proj.weight has shape [3], expected [12, 8]");
  EXPECT_EQ(refused("gemma2", "model.layers.0.pre_feedforward_layernorm.weight", {}),
            path + ": missing tensor model.layers.0.pre_feedforward_layernorm.weight");
  EXPECT_EQ(refused("llama", "model.layers.0.self_attn.q_proj.bias", zeros({8})),
            path + ": unknown tensor model.layers.0.self_attn.q_proj.bias");
}

TEST_F(Shards, AreRefusedWhenTheIndexDiffers) {
  const Json right = map_;
  map_[first_] = "../" + std::string(kNames[0]);
  EXPECT_EQ(refused(), Code::value);
  map_[first_] = "";
  EXPECT_EQ(refused(), Code::value);
  map_[first_] = 3;
  EXPECT_EQ(refused(), Code::parse);
  map_[first_] = "model-00003-of-00002.safetensors";
  EXPECT_EQ(refused(), Code::value);
  map_[first_] = kNames[1];
  EXPECT_EQ(refused(), Code::value);
  map_ = right;
  map_["model.layers.7.mlp.up_proj.weight"] = kNames[0];
  EXPECT_EQ(refused(), Code::value);
  map_ = right;
  remove_tree(folder_ + "/" + kNames[1]);
  EXPECT_EQ(refused(), Code::value);
}

TEST(TokenCache, GrowsWithItsContent) {
  const Decoder model({.vocab = 5, .block_size = 3000, .layers = 1, .heads = 1, .width = 2});
  NoGrad off;
  TokenCache cache = model.cache(2), large = model.cache(2);
  large.reserve(3000, 3000);
  const int64_t first = cache.layers[0].capacity();
  EXPECT_LT(first, 3000);
  const Tensor tokens = zeros({2, 1500}, {.dtype = DType::i64});
  for (int part : {0, 1}) {
    EXPECT_EQ(largest_difference(model.next(tokens, cache), model.next(tokens, large)), 0) << part;
  }
  EXPECT_EQ(cache.layers[0].capacity(), 3000);
  EXPECT_EQ(code_of([&] { (void)model.next(tokens, cache); }), Code::value);
}

}  // namespace
}  // namespace gyre
