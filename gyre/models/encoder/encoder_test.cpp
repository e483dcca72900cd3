#include <gtest/gtest.h>

#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/io/safetensors.h"
#include "gyre/models/encoder/encoder_config.h"
#include "gyre/models/encoder/encoder_folder.h"
#include "gyre/models/encoder/sentence_encoder.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/norm/norm.h"
#include "gyre/ops/shape/shape.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

EncoderOptions small_encoder() {
  return {.vocab = 11, .block_size = 9, .layers = 2, .heads = 2, .width = 8, .inner = 6};
}

// Encoders of each kind of positions, norms and projections.
std::vector<EncoderOptions> kinds_of_encoder() {
  EncoderOptions bert = small_encoder(), roberta = bert, modern = bert;
  roberta.padding = 1;
  modern.token_types = 0;
  modern.gated = modern.norm_first = true;
  modern.separate = modern.norm_bias = modern.mlp_bias = modern.attention_bias = false;
  modern.positions = Positions::rotary;
  modern.window = 3;
  modern.window_rope_base = 50;
  modern.layer_types = {"full", "window"};
  return {bert, roberta, modern};
}

const std::vector<std::vector<int32_t>> kTexts = {{3, 4}, {5, 6, 7, 8, 9}, {2}, {10, 2, 3}};

TEST(TextEncoder, PaddingChangesNothing) {
  NoGrad off;
  for (const EncoderOptions& o : kinds_of_encoder()) {
    const TextEncoder encoder(o);
    const Tensor alone = encoder(tensor<int64_t>({3, 4, 5}, {1, 3}));
    const Tensor padded = encoder(tensor<int64_t>({3, 4, 5, 1, 1, 1, 9, 8, 7, 6, 5, 4}, {2, 6}),
                                  tensor<int64_t>({3, 6}, {2}));
    EXPECT_EQ(padded.shape(), (Shape{2, 6, 8}));
    const Tensor row = slice(slice(padded, {0, 0, 1, 1}), {1, 0, 3, 1});
    EXPECT_LE(largest_difference(row, alone), 1e-5);
    const Tensor other = slice(slice(padded, {0, 1, 2, 1}), {1, 0, 3, 1});
    EXPECT_GT(largest_difference(other, alone), 1e-2);
  }
}

TEST(TextEncoder, LaterTokensCount) {
  NoGrad off;
  for (const EncoderOptions& o : kinds_of_encoder()) {
    const TextEncoder encoder(o);
    const auto first = [&](int64_t last) {
      return select(encoder(tensor<int64_t>({3, 4, last}, {1, 3})), {1, 0});
    };
    EXPECT_GT(largest_difference(first(5), first(6)), 1e-5);
  }
}

TEST(TextEncoder, TypesCount) {
  const TextEncoder encoder(small_encoder());
  const Tensor tokens = tensor<int64_t>({3, 4}, {1, 2});
  const auto with = [&](int64_t first, int64_t second) {
    return encoder(tokens, {}, tensor<int64_t>({first, second}, {1, 2}));
  };
  EXPECT_EQ(largest_difference(with(0, 0), encoder(tokens)), 0);
  EXPECT_GT(largest_difference(with(0, 1), encoder(tokens)), 1e-3);
  EXPECT_EQ(code_of([&] { (void)with(0, 2); }), Code::index);
}

TEST(TextEncoder, RefusesInputsThatDoNotFit) {
  EncoderOptions o = small_encoder();
  o.token_types = 0;
  o.padding = 1;  // which leaves 7 of 9 positions
  const TextEncoder encoder(o);
  const auto refused = [&](const Tensor& tokens, const Tensor& lengths = {},
                           const Tensor& types = {}) {
    return code_of([&] { (void)encoder(tokens, lengths, types); });
  };
  const auto zero = [](const Shape& shape) { return zeros(shape, {.dtype = DType::i64}); };
  EXPECT_EQ(refused(zero({3})), Code::shape);
  EXPECT_EQ(refused(zero({1, 8})), Code::value);
  EXPECT_EQ(refused(zero({1, 3}), zero({2})), Code::shape);
  EXPECT_EQ(refused(zero({1, 3}), zero({1})), Code::value);
  EXPECT_EQ(refused(zero({1, 3}), tensor<int64_t>({4}, {1})), Code::value);
  EXPECT_EQ(refused(zero({1, 3}), {}, zero({1, 3})), Code::value);
  EXPECT_EQ(refused(tensor<int64_t>({11}, {1, 1})), Code::index);
  EXPECT_EQ(code_of([&] {
              (void)TextEncoder(small_encoder())(zero({1, 3}), {}, zero({1, 2}));
            }),
            Code::shape);
}

TEST(TextEncoder, RefusesOptionsThatDoNotFit) {
  const auto refused = [](auto change) {
    EncoderOptions o = small_encoder();
    change(o);
    return code_of([&] { (void)TextEncoder(o); });
  };
  EXPECT_EQ(refused([](EncoderOptions& o) { o.vocab = 0; }), Code::value);
  EXPECT_EQ(refused([](EncoderOptions& o) { o.heads = 3; }), Code::value);
  EXPECT_EQ(refused([](EncoderOptions& o) { o.padding = 8; }), Code::value);
  EXPECT_EQ(refused([](EncoderOptions& o) { o.layer_types = {"full"}; }), Code::value);
}

TEST(TextEncoder, IsWrittenOnlyAsItWasRead) {
  TextEncoder encoder(small_encoder());
  EXPECT_EQ(code_of([&] { encoder.save(::testing::TempDir() + "gyre_no_encoder"); }),
            Code::unsupported);
  EXPECT_EQ(code_of([&] { (void)encoder.saved_bytes(); }), Code::unsupported);
  EXPECT_FALSE(file_exists(::testing::TempDir() + "gyre_no_encoder"));
}

// A folder of a small BERT.
class EncoderFolder : public ::testing::Test {
 protected:
  static Json config() {
    return Json::parse(
        R"({"model_type": "bert", "vocab_size": 11, "hidden_size": 8, "num_hidden_layers": 2,
            "num_attention_heads": 2, "intermediate_size": 6, "max_position_embeddings": 9,
            "strange": 1, "torch_dtype": "float32"})");
  }
  static std::string theirs(std::string name) {
    constexpr std::pair<const char*, const char*> kNames[] = {
        {"wte.", "embeddings.word_embeddings."},
        {"wpe.", "embeddings.position_embeddings."},
        {"wtt.", "embeddings.token_type_embeddings."},
        {"ln_0.", "embeddings.LayerNorm."},
        {"h.", "encoder.layer."},
        {"attn.c_q.", "attention.self.query."},
        {"attn.c_k.", "attention.self.key."},
        {"attn.c_v.", "attention.self.value."},
        {"attn.c_proj.", "attention.output.dense."},
        {"ln_1.", "attention.output.LayerNorm."},
        {"mlp.c_fc.", "intermediate.dense."},
        {"mlp.c_proj.", "output.dense."},
        {"ln_2.", "output.LayerNorm."}};
    for (const auto& [ours, own] : kNames) {
      const size_t at = name.find(ours);
      if (at != std::string::npos && (at == 0 || name[at - 1] == '.'))
        name.replace(at, std::string(ours).size(), own);
    }
    return "bert." + name;
  }
  void SetUp() override {
    create_directories(folder_);
    write_file_atomic(folder_ + "/config.json", config().dump(2) + "\n");
    std::vector<NamedTensor> state = TextEncoder(small_encoder()).state_dict();
    for (NamedTensor& t : state) t = {theirs(t.name), t.tensor.detach()};
    state.push_back({"bert.pooler.dense.weight", full({8, 8}, 0.5)});
    write(state);
  }
  void TearDown() override { remove_tree(folder_); }
  void write(const std::vector<NamedTensor>& state) {
    write_safetensors(folder_ + "/model.safetensors", state, {{{"format", "pt"}}});
  }
  [[nodiscard]] std::vector<NamedTensor> state() const {
    return SafetensorsFile(folder_ + "/model.safetensors").load_all();
  }
  const std::string folder_ = ::testing::TempDir() + "gyre_encoder_folder";
};

TEST_F(EncoderFolder, ComesBackAsItWas) {
  const auto encoder = load_text_encoder(folder_);
  const std::string back = folder_ + "/back";
  encoder->save(back);
  EXPECT_EQ(read_file(back + "/config.json"), read_file(folder_ + "/config.json"));
  const std::string weights = read_file(folder_ + "/model.safetensors");
  EXPECT_EQ(read_file(back + "/model.safetensors"), weights);
  EXPECT_EQ(encoder->saved_bytes(), weights.size());
  encoder->to(DType::bf16);
  encoder->save(back);
  EXPECT_EQ(Json::read(back + "/config.json").at("torch_dtype").dump(), "\"bfloat16\"");
}

TEST_F(EncoderFolder, RefusesTensorsThatDoNotFit) {
  const std::vector<NamedTensor> good = state();
  const auto refused = [&](const std::string& name, const Tensor& value) {
    std::vector<NamedTensor> bad;
    for (const NamedTensor& t : good) {
      if (t.name != name) bad.push_back(t);
    }
    if (value.defined()) bad.push_back({name, value});
    write(bad);
    const Error e = error_of([&] { (void)load_text_encoder(folder_); });
    if (!contains(e.what(), "the number of layers is 2")) {
      EXPECT_TRUE(contains(e.what(), folder_ + "/model.safetensors: ")) << e.what();
      EXPECT_TRUE(contains(e.what(), "tensor " + name)) << e.what();
    }
    return e.code;
  };
  EXPECT_EQ(refused(theirs("wte.weight"), {}), Code::value);
  EXPECT_EQ(refused(theirs("wte.weight"), zeros({11, 7})), Code::shape);
  EXPECT_EQ(refused(theirs("wpe.weight"), {}), Code::value);
  EXPECT_EQ(refused(theirs("wpe.weight"), zeros({8})), Code::shape);
  EXPECT_EQ(refused(theirs("h.1.ln_2.bias"), {}), Code::value);
  EXPECT_EQ(refused(theirs("h.1.ln_2.bias"), zeros({7})), Code::shape);
  EXPECT_EQ(refused("bert.encoder.layer.2.output.dense.bias", zeros({8})), Code::value);
  EXPECT_EQ(refused("bert.strange", zeros({8})), Code::value);
  EXPECT_EQ(refused("bert.layers.0.mlp.Wi.weight", zeros({3, 8})), Code::shape);
}

TEST_F(EncoderFolder, TableMayHaveOtherRowsThanTheConfigSays) {
  std::vector<NamedTensor> all = state();
  for (NamedTensor& t : all) {
    if (t.name == theirs("wte.weight")) t.tensor = zeros({13, 8});
  }
  write(all);
  EXPECT_EQ(load_text_encoder(folder_)->options().vocab, 13);
}

TEST_F(EncoderFolder, SaysWhatIsThereInstead) {
  const auto message = [&](Code code, const std::string& folder) {
    return message_of(code, [&] { (void)load_text_encoder(folder); });
  };
  EXPECT_TRUE(contains(message(Code::io, folder_ + "/none"), "no such folder"));
  EXPECT_TRUE(contains(message(Code::io, folder_ + "/config.json"), "is a file"));
  create_directories(folder_ + "/empty");
  EXPECT_TRUE(contains(message(Code::io, folder_ + "/empty"), "no config.json"));
  write_file_atomic(folder_ + "/config.json", "[]");
  EXPECT_TRUE(contains(message(Code::parse, folder_), "JSON object"));
  write_file_atomic(folder_ + "/config.json", R"({"model_type": "llama"})");
  EXPECT_TRUE(contains(message(Code::unsupported, folder_), "a language model"));
  EXPECT_FALSE(is_encoder_folder(folder_));
  write_file_atomic(folder_ + "/config.json", R"({"model_type": "t5"})");
  EXPECT_TRUE(contains(message(Code::unsupported, folder_), "model_type is t5"));
  write_file_atomic(folder_ + "/config.json", config().dump());
  EXPECT_TRUE(is_encoder_folder(folder_));
  EXPECT_TRUE(contains(message_of(Code::unsupported, [&] { (void)load_language_model(folder_); }),
                       "use gyre encode"));
}

TEST_F(EncoderFolder, VectorsDoNotDependOnBatches) {
  const SentenceEncoder encoder(folder_);
  EXPECT_FALSE(encoder.has_tokenizer());
  for (const Pooling pooling : {Pooling::mean, Pooling::cls, Pooling::last, Pooling::max}) {
    const Tensor whole = encoder.vectors(kTexts, {.pooling = pooling});
    std::vector<int64_t> seen;
    const Tensor pairs = encoder.vectors(kTexts, {.pooling = pooling, .batch = 2},
                                         [&](int64_t done) { seen.push_back(done); });
    EXPECT_EQ(seen, (std::vector<int64_t>{2, 4}));
    EXPECT_LE(largest_difference(whole, pairs), 1e-6);
    for (size_t i = 0; i < kTexts.size(); ++i) {
      const Tensor one = encoder.vectors({&kTexts[i], 1}, {.pooling = pooling});
      const auto row = static_cast<int64_t>(i);
      EXPECT_LE(largest_difference(slice(whole, {0, row, row + 1, 1}), one), 1e-6);
    }
    const Tensor unit = encoder.vectors(kTexts, {.pooling = pooling, .normalize = true});
    EXPECT_LE(largest_difference(unit, normalize(whole)), 1e-6);
  }
}

TEST_F(EncoderFolder, RefusesTextsByLine) {
  const SentenceEncoder encoder(folder_);
  const auto message = [&](Code code, std::vector<int32_t> ids, int64_t max_tokens = 0) {
    const std::vector<std::vector<int32_t>> texts{{3}, std::move(ids)};
    return message_of(code, [&] { (void)encoder.vectors(texts, {.max_tokens = max_tokens}); });
  };
  EXPECT_TRUE(contains(message(Code::value, {}), "line 2 has no tokens"));
  EXPECT_TRUE(contains(message(Code::value, std::vector<int32_t>(10, 3)), "line 2 has 10 tokens"));
  const char* most = "`max_tokens` must be at most the encoder's positions";
  EXPECT_TRUE(contains(message(Code::value, {3}, 10), most));
  EXPECT_TRUE(contains(message(Code::index, {3, 11}), "line 2 has the token id 11"));
  EXPECT_TRUE(contains(message(Code::index, {-1}), "line 2 has the token id -1"));
  const std::vector<std::string> texts{"a"};
  EXPECT_TRUE(
      contains(message_of(Code::value, [&] { (void)encoder.ids_of(texts); }), "no tokenizer.json"));
  EXPECT_TRUE(contains(message_of(Code::value, [&] { (void)encoder.ids_of(texts, 10); }), most));
  EXPECT_EQ(code_of([&] { (void)encoder.vectors(kTexts, {.batch = 0}); }), Code::value);
}

TEST_F(EncoderFolder, TextsAreNoLongerThanTheFolderStates) {
  create_directories(folder_ + "/1_Pooling");
  write_file_atomic(folder_ + "/1_Pooling/config.json", R"({"pooling_mode_cls_token": true})");
  write_file_atomic(folder_ + "/modules.json",
                    R"([{"path": "", "type": "sentence_transformers.models.Transformer"},
                        {"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}])");
  const std::string path = folder_ + "/sentence_bert_config.json";
  const std::vector<std::vector<int32_t>> texts{{3}, std::vector<int32_t>(8, 3)};
  write_file_atomic(path, R"({"max_seq_length": 7})");
  const SentenceEncoder encoder(folder_);
  EXPECT_TRUE(contains(message_of(Code::value, [&] { (void)encoder.vectors(texts); }),
                       "line 2 has 8 tokens, but max_seq_length of the folder is 7"));
  EXPECT_EQ(encoder.vectors(texts, {.max_tokens = 8}).shape(), (Shape{2, 8}));
  for (const char* config : {R"({"max_seq_length": 100})", R"({"max_seq_length": null})"}) {
    write_file_atomic(path, config);
    EXPECT_EQ(SentenceEncoder(folder_).vectors(texts).shape(), (Shape{2, 8})) << config;
  }
  write_file_atomic(path, R"({"max_seq_length": 0})");
  EXPECT_TRUE(contains(message_of(Code::value, [&] { (void)SentenceEncoder(folder_); }),
                       "max_seq_length is 0"));
}

TEST_F(EncoderFolder, RefusesToNormalizeWithoutPooling) {
  const SentenceEncoder encoder(folder_);
  EXPECT_EQ(code_of([&] {
              (void)encoder.vectors(kTexts, {.pooling = Pooling::none, .normalize = true});
            }),
            Code::value);
}

TEST_F(EncoderFolder, RefusesTwoNamesOfOneTensor) {
  std::vector<NamedTensor> all = state();
  all.push_back({"bert.encoder.layer.0.output.LayerNorm.gamma", zeros({8})});
  write(all);
  const std::string message = message_of(Code::value, [&] { (void)load_text_encoder(folder_); });
  EXPECT_TRUE(contains(message, "output.LayerNorm.weight")) << message;
  EXPECT_TRUE(contains(message, "output.LayerNorm.gamma")) << message;
}

TEST_F(EncoderFolder, TextsAreTokenized) {
  write_file_atomic(folder_ + "/tokenizer.json", R"({"version": "1.0", "truncation": null,
      "padding": null, "added_tokens": [], "normalizer": null,
      "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true,
                        "use_regex": true},
      "post_processor": null, "decoder": {"type": "ByteLevel"},
      "model": {"type": "BPE", "dropout": null, "unk_token": null,
                "continuing_subword_prefix": null, "end_of_word_suffix": null, "fuse_unk": false,
                "byte_fallback": false, "vocab": {"a": 0, "b": 1, "ab": 2},
                "merges": ["a b"]}})");
  const SentenceEncoder encoder(folder_);
  const std::vector<std::string> texts{"abb", "a"}, bad{"a", "c"};
  EXPECT_EQ(encoder.ids_of(texts), (std::vector<std::vector<int32_t>>{{2, 1}, {0}}));
  EXPECT_TRUE(contains(message_of(Code::value, [&] { (void)encoder.ids_of(bad); }), "line 2"));
}

TEST_F(EncoderFolder, CopiesWhatItStatesOfVectors) {
  const std::string to = folder_ + "/to";
  create_directories(folder_ + "/1_Pooling");
  write_file_atomic(folder_ + "/1_Pooling/config.json", R"({"pooling_mode_cls_token": true})");
  write_file_atomic(folder_ + "/modules.json",
                    R"([{"path": "", "type": "sentence_transformers.models.Transformer"},
                        {"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
                        {"path": "2_Normalize", "type": "sentence_transformers.models.Normalize"}])");
  copy_stated_vectors(folder_, to);
  const StatedVectors stated = stated_vectors(to);
  EXPECT_EQ(stated.pooling, Pooling::cls);
  EXPECT_TRUE(stated.normalize);
  EXPECT_EQ(stated.encoder, to);
}

TEST(EncoderConfig, RefusesByFieldAndValue) {
  const auto message = [](const char* config) {
    return message_of(Code::unsupported,
                      [&] { (void)read_encoder_config(Json::parse(config), "config.json"); });
  };
  EXPECT_TRUE(contains(message(R"({})"), "model_type is missing"));
  EXPECT_TRUE(contains(message(R"({"model_type": "modernbert", "vocab_size": 9, "hidden_size": 8,
      "num_hidden_layers": 3, "num_attention_heads": 2, "intermediate_size": 6,
      "global_attn_every_n_layers": 0})"),
                       "global_attn_every_n_layers is 0"));
}

TEST(EncoderConfig, OlderModernBertHasOneBaseWhereTheLocalIsNull) {
  const EncoderOptions o = read_encoder_config(
      Json::parse(R"({"model_type": "modernbert", "vocab_size": 9, "hidden_size": 8,
      "num_hidden_layers": 4, "num_attention_heads": 2, "intermediate_size": 6,
      "global_attn_every_n_layers": 2, "global_rope_theta": 70, "local_rope_theta": null})"),
      "config.json");
  EXPECT_EQ(o.rope_base, 70);
  EXPECT_EQ(o.window_rope_base, 70);
  EXPECT_EQ(o.window, 65);
  EXPECT_EQ(o.layer_types, (std::vector<std::string>{"full", "window", "full", "window"}));
}

}  // namespace
}  // namespace gyre
