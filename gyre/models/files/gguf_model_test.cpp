#include "gyre/models/files/gguf_model.h"

#include <gtest/gtest.h>

#include "gyre/base/thread_pool.h"
#include "gyre/io/record_json.h"
#include "gyre/models/decoder/decoder.h"
#include "gyre/models/language_model.h"
#include "gyre/models/measure/compress_folder.h"
#include "gyre/models/packing.h"
#include "gyre/models/text/start_model.h"
#include "gyre/nn/replace_tensors.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/packed.h"
#include "tests/gguf_bytes.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

// A llama of one block, width 4, two heads of two features, in a folder and in GGUF.
class GgufModelTest : public testing::Test {
 protected:
  GgufModelTest() { create_directories(folder_); }
  ~GgufModelTest() override { remove_tree(folder_); }

  static GgufBytes metadata(const std::string& architecture = "llama") {
    const std::string of = architecture + ".";
    GgufBytes b;
    b.text("general.architecture", architecture).u32(of + "block_count", 1);
    b.u32(of + "context_length", 16).u32(of + "embedding_length", 4);
    b.u32(of + "feed_forward_length", 6).u32(of + "attention.head_count", 1);
    b.u32(of + "attention.head_count_kv", 1).f32(of + "attention.layer_norm_rms_epsilon", 1e-5F);
    b.u32("tokenizer.ggml.bos_token_id", 1).u32("tokenizer.ggml.eos_token_id", 2);
    return b.u32("tokenizer.ggml.eot_token_id", 3);
  }
  static std::string random(size_t n, float scale = 1) {
    std::vector<float> all;
    for (size_t i = 0; i < n; ++i) {
      static uint32_t state = 1;
      state = state * 1664525 + 1013904223;
      all.push_back(scale * (static_cast<float>(state >> 8) / static_cast<float>(1 << 23) - 1));
    }
    return floats(all);
  }
  static GgufBytes& tensors(GgufBytes& b) {
    b.tensor("token_embd.weight", 0, {4, 7}, random(28))
        .tensor("output_norm.weight", 0, {4}, random(4));
    b.tensor("blk.0.attn_norm.weight", 0, {4}, random(4))
        .tensor("blk.0.ffn_norm.weight", 0, {4}, random(4));
    for (const char* name : {"q", "k", "v", "output"})
      b.tensor("blk.0.attn_" + std::string(name) + ".weight", 0, {4, 4}, random(16));
    b.tensor("blk.0.ffn_gate.weight", 0, {4, 6}, random(24))
        .tensor("blk.0.ffn_up.weight", 0, {4, 6}, random(24));
    return b.tensor("blk.0.ffn_down.weight", 0, {6, 4}, random(24));
  }
  std::string write(const GgufBytes& b) const {
    write_file_atomic(folder_ + "/x.gguf", b.bytes());
    return folder_ + "/x.gguf";
  }
  std::string refused(Code code, const GgufBytes& b) const {
    const std::string path = write(b);
    const std::string message = message_of(code, [&] { (void)load_language_model(path); });
    EXPECT_TRUE(contains(message, path)) << message;
    return message;
  }
  const Tensor tokens_ = tensor<int64_t>({1, 5, 2, 6, 3, 3}, {1, 6});
  std::string folder_ = testing::TempDir() + "gyre_gguf_model_test";
};

TEST_F(GgufModelTest, MappedAndCopiedWeightsGiveTheSameLogits) {
  GgufBytes b = metadata();
  const std::string path = write(tensors(b));
  NoGrad off;
  const auto mapped = load_language_model(path, FileAccess::map),
             copied = load_language_model(path);
  EXPECT_LE(largest_difference((*mapped)(tokens_), (*copied)(tokens_)), 1e-6);
  const auto options = [](const LanguageModel& m) {
    return dynamic_cast<const Decoder&>(m).options();
  };
  EXPECT_TRUE(options(*mapped).details.rope_interleaved);
  EXPECT_FALSE(options(*copied).details.rope_interleaved);
  EXPECT_TRUE(options(*copied).tie_embeddings);
  const std::vector<int32_t> ends(copied->end_tokens().begin(), copied->end_tokens().end());
  EXPECT_EQ(ends, (std::vector<int32_t>{2, 3}));

  // saved as a folder of the kind llama, that gives the same
  copied->save(folder_ + "/hf", nullptr);
  const Json config = Json::read(folder_ + "/hf/config.json");
  EXPECT_EQ(config.at("model_type").as_string(), "llama");
  EXPECT_EQ(config.at("bos_token_id").as_integer(), 1);
  const auto again = load_language_model(folder_ + "/hf");
  EXPECT_EQ(largest_difference((*again)(tokens_), (*copied)(tokens_)), 0);
  // one with rows as they lie has a format that can say so, and keeps the ids of tokens
  mapped->save(folder_ + "/own", nullptr);
  EXPECT_EQ(
      largest_difference((*load_language_model(folder_ + "/own"))(tokens_), (*mapped)(tokens_)), 0);

  // options of copies are those of a model with the weights of a copy
  EXPECT_EQ(record_to_json(copied_options(path)), record_to_json(options(*copied)));
  EXPECT_TRUE(copied_options(folder_ + "/own").details.rope_interleaved);
  for (const std::string& from : {path, folder_ + "/hf", folder_ + "/own"}) {
    Decoder copy(copied_options(from), nn::Unfilled());
    copy.load(from);
    EXPECT_LE(largest_difference(copy(tokens_), (*copied)(tokens_)), 1e-6) << from;
  }
}

TEST_F(GgufModelTest, PlainTensorsStayInTheFile) {
  GgufBytes b = metadata();
  const std::string path = write(tensors(b));
  const GgufModel model(path);
  for (const NamedTensor& t : model.tensors(FileAccess::map))
    EXPECT_TRUE(t.tensor.impl()->storage->borrowed) << t.name;
  EXPECT_EQ(model.weights().count, 28 + 4 * 3 + 16 * 4 + 24 * 3);
  EXPECT_EQ(model.weights().bytes, 4 * model.weights().count);
}

// A llama whose matrices are blocks of random bytes with small scales: width 32, two blocks a row.
class GgufBlocksTest : public GgufModelTest {
 protected:
  // `type` of GGUF, of blocks of so many bytes.
  static std::string blocks(uint64_t rows, uint64_t cols, size_t bytes) {
    std::string all;
    for (uint64_t i = 0; i < rows * cols / 32; ++i) {
      std::string block = random(bytes).substr(0, bytes);
      block[0] = static_cast<char>(block[0] & 0x7f);
      block[1] = 0x18;  // about 2^-9
      all += block;
    }
    return all;
  }
  std::string write_blocks(uint32_t type, size_t bytes, bool half_table = false) const {
    GgufBytes b;
    b.text("general.architecture", "llama").u32("llama.block_count", 1);
    b.u32("llama.context_length", 16).u32("llama.embedding_length", 64);
    b.u32("llama.feed_forward_length", 96).u32("llama.attention.head_count", 4);
    b.u32("llama.attention.head_count_kv", 2);
    b.f32("llama.attention.layer_norm_rms_epsilon", 1e-5F);
    const auto add = [&](const std::string& name, uint64_t rows, uint64_t cols) {
      b.tensor(name + ".weight", type, {cols, rows}, blocks(rows, cols, bytes));
    };
    if (half_table)
      b.tensor("token_embd.weight", 1, {64, 7}, std::string(2 * 7 * 64, '\x24'));  // f16: 0.016
    else
      add("token_embd", 7, 64);
    for (const char* name : {"output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"})
      b.tensor(std::string(name) + ".weight", 0, {64}, random(64));
    add("blk.0.attn_q", 64, 64);
    add("blk.0.attn_k", 32, 64);
    add("blk.0.attn_v", 32, 64);
    add("blk.0.attn_output", 64, 64);
    add("blk.0.ffn_gate", 96, 64);
    add("blk.0.ffn_up", 96, 64);
    add("blk.0.ffn_down", 64, 96);
    return write(b);
  }
  // The numbers of a file in a folder of plain f32 weights, with rows for rope by halves.
  std::string decoded(const std::string& path) const {
    const auto model = load_language_model(path);
    std::vector<NamedTensor> state = model->state_dict();
    for (NamedTensor& t : state) {
      if (is_packed(t.tensor)) t.tensor = packed_decode(t.tensor);
    }
    nn::replace_tensors(*model, state);
    model->save(folder_ + "/decoded", nullptr);
    return folder_ + "/decoded";
  }
  static constexpr std::pair<uint32_t, size_t> kTypes[] = {{8, 34}, {2, 18}};
  static const char* name_of_type(uint32_t type) { return type == 8 ? "q8_0" : "q4_0"; }
};

TEST_F(GgufBlocksTest, MatricesArePackedAndStayInTheFile) {
  for (const auto& [type, bytes] : kTypes) {
    const std::string path = write_blocks(type, bytes);
    for (const FileAccess access : {FileAccess::map, FileAccess::read}) {
      const auto model = load_language_model(path, access);
      int64_t packed = 0;
      for (const NamedTensor& t : model->state_dict()) {
        if (t.tensor.rank() < 2) continue;
        ASSERT_TRUE(is_packed(t.tensor)) << t.name;
        const PackedStorage& storage = packed_storage(t.tensor);
        EXPECT_STREQ(storage.layout.format->name, name_of_type(type));
        EXPECT_EQ(storage.memory->borrowed, access == FileAccess::map) << t.name;
        ++packed;
      }
      EXPECT_EQ(packed, 8);
    }
  }
}

TEST_F(GgufBlocksTest, StayInTheFileOfAModelInF16) {
  const auto model = load_language_model(write_blocks(8, 34, true), FileAccess::map);
  int64_t packed = 0;
  for (const NamedTensor& t : model->state_dict()) {
    if (!is_packed(t.tensor)) {
      EXPECT_EQ(t.tensor.dtype(), DType::f16) << t.name;
      continue;
    }
    EXPECT_TRUE(packed_storage(t.tensor).memory->borrowed) << t.name;
    ++packed;
  }
  EXPECT_EQ(packed, 7);
  const Tensor logits = (*model)(tokens_);
  EXPECT_EQ(logits.dtype(), DType::f16);
  EXPECT_TRUE(all(isfinite(logits)).item() != 0);
}

TEST_F(GgufBlocksTest, LogitsAreThoseOfTheDecodedWeights) {
  NoGrad off;
  for (const auto& [type, bytes] : kTypes) {
    const std::string path = write_blocks(type, bytes);
    const Tensor wanted = (*load_language_model(decoded(path)))(tokens_);
    const double most = max(abs(wanted)).item();
    EXPECT_GT(most, 0.01);
    for (const FileAccess access : {FileAccess::map, FileAccess::read}) {
      const auto model = load_language_model(path, access);
      set_num_threads(1);
      const Tensor logits = (*model)(tokens_);
      set_num_threads(2);
      EXPECT_EQ(largest_difference((*model)(tokens_), logits), 0);
      set_num_threads(0);
      EXPECT_LE(largest_difference(logits, wanted), 1e-5 * most);
      // saved, it stays packed
      const std::string folder = folder_ + (access == FileAccess::map ? "/own" : "/llama");
      model->save(folder, nullptr);
      const auto again = load_language_model(folder);
      EXPECT_EQ(largest_difference((*again)(tokens_), logits), 0);
      EXPECT_EQ(packing_of(*again).packed_tensors, 8);
    }
    EXPECT_EQ(Json::read(folder_ + "/llama/config.json").at("model_type").as_string(),
              "gyre_packed_llama");
    EXPECT_TRUE(contains(message_of(Code::unsupported,
                                    [&] {
                                      (void)compress_folder(path, {.out = folder_ + "/packed"},
                                                            [](auto&) {});
                                    }),
                         "is packed already"));
  }
}

TEST_F(GgufModelTest, GemmasNormsAreStoredWithOne) {
  GgufBytes b = metadata("gemma2");
  b.u32("gemma2.attention.sliding_window", 3).tensor("output_norm.weight", 0, {2}, floats({1, 3}));
  b.tensor("blk.0.ffn_norm.weight", 0, {1}, floats({1}))
      .tensor("token_embd.weight", 0, {1, 1}, floats({1}));
  const std::vector<NamedTensor> all = GgufModel(write(b)).tensors(FileAccess::map);
  EXPECT_EQ(to_vector<double>(all.at(0).tensor), (std::vector<double>{0, 2}));
  EXPECT_EQ(all.at(1).name, "model.layers.0.pre_feedforward_layernorm.weight");
  EXPECT_EQ(all.at(2).tensor.item(), 1);
}

TEST_F(GgufModelTest, MistralHasAWindow) {
  GgufBytes b = metadata();
  b.u32("llama.attention.sliding_window", 3);
  const auto model = load_language_model(write(tensors(b)));
  EXPECT_STREQ(dynamic_cast<const Decoder&>(*model).architecture().model_type, "mistral");
  EXPECT_EQ(dynamic_cast<const Decoder&>(*model).options().window, 3);
}

TEST_F(GgufModelTest, RefusesWhatItCannotCompute) {
  const auto with = [&](auto add) {
    GgufBytes b = metadata();
    add(b);
    return tensors(b);
  };
  EXPECT_TRUE(
      contains(refused(Code::unsupported, metadata("mamba")), "general.architecture is mamba"));
  EXPECT_TRUE(contains(refused(Code::value, GgufBytes()), "`general.architecture` is missing"));
  EXPECT_TRUE(contains(
      refused(Code::unsupported, with([](GgufBytes& b) { b.u32("llama.expert_count", 8); })),
      "llama.expert_count is 8"));
  const std::tuple<const char*, Code, const char*> kTexts[] = {
      {"llama.rope.scaling.type", Code::unsupported, "is longrope, expected none, linear or yarn"}};
  for (const auto& [key, code, words] : kTexts)
    EXPECT_TRUE(
        contains(refused(code, with([&](GgufBytes& b) { b.text(key, "longrope"); })), words));
  EXPECT_TRUE(contains(refused(Code::unsupported, with([](GgufBytes& b) {
                                 b.u32("llama.attention.value_length", 8);
                               })),
                       "llama.attention.value_length is 8"));
  EXPECT_TRUE(contains(refused(Code::unsupported,
                               with([](GgufBytes& b) { b.u32("llama.rope.dimension_count", 2); })),
                       "llama.rope.dimension_count is 2"));
  EXPECT_TRUE(contains(refused(Code::unsupported, with([](GgufBytes& b) {
                                 b.tensor("rope_freqs.weight", 0, {2}, floats({3, 1}));
                               })),
                       "rope_freqs.weight has factors"));
  EXPECT_TRUE(contains(refused(Code::unsupported, with([](GgufBytes& b) {
                                 b.tensor("blk.0.ffn_gate_inp.weight", 0, {2}, floats({1, 2}));
                               })),
                       "tensor blk.0.ffn_gate_inp.weight is not one of the architecture llama"));
  const auto factors = [](GgufBytes& b) {
    b.tensor("rope_factors_long.weight", 0, {2}, floats({1, 2}));
  };
  EXPECT_TRUE(
      contains(refused(Code::value, with(factors)), "missing tensor rope_factors_short.weight"));
  EXPECT_TRUE(contains(
      refused(Code::parse, with([](GgufBytes& b) { b.text("llama.rope.freq_base", "a"); })),
      "llama.rope.freq_base: expected a real number"));
  GgufBytes no_blocks = metadata();
  no_blocks.tensor("token_embd.weight", 0, {4, 7}, random(28));
  EXPECT_TRUE(contains(refused(Code::value, no_blocks),
                       "block_count is 1, but its tensors are of 0 blocks"));
}

TEST_F(GgufModelTest, RefusesFieldsThatDoNotFit) {
  GgufBytes none;
  none.text("general.architecture", "llama");
  EXPECT_TRUE(contains(refused(Code::value, none), "`llama.attention.head_count` is missing"));
  GgufBytes heads = metadata("phi3");
  heads.tensor("rope_factors_short.weight", 0, {1}, floats({1}));
  heads.tensor("token_embd.weight", 0, {4, 7}, random(28))
      .tensor("blk.0.attn_norm.weight", 0, {4}, random(4));
  EXPECT_TRUE(contains(refused(Code::value, heads), "missing tensor rope_factors_long.weight"));
  GgufBytes b = metadata("qwen2");
  EXPECT_TRUE(contains(refused(Code::value, b), "missing tensor token_embd.weight"));
  b.tensor("token_embd.weight", 0, {4}, random(4));
  EXPECT_TRUE(
      contains(refused(Code::shape, b), "token_embd.weight has shape [4], expected two axes"));
  GgufBytes narrow = metadata();
  tensors(narrow).tensor("blk.0.attn_q.bias", 0, {3}, floats({1, 2, 3}));
  EXPECT_TRUE(contains(refused(Code::value, narrow), ": missing tensors blk.0.attn_k.bias, "));
  GgufBytes flat = metadata();
  flat.tensor("token_embd.weight", 0, {4, 7}, random(28))
      .tensor("blk.0.ffn_norm.weight", 0, {5}, random(5));
  const std::string lacks = refused(Code::value, flat);
  EXPECT_TRUE(contains(lacks, ": missing tensors blk.0.attn_norm.weight, blk.0.attn_q.weight"));
  GgufBytes short_norm = metadata();
  tensors(short_norm).tensor("output.weight", 0, {4, 6}, random(24));
  EXPECT_TRUE(contains(refused(Code::shape, short_norm),
                       "tensor output.weight has shape [6, 4], expected [7, 4]"));
  GgufBytes mixed;
  mixed.text("general.architecture", "llama").i32s("llama.attention.head_count", {4, 8});
  EXPECT_TRUE(contains(refused(Code::unsupported, mixed), "the same number for all layers"));
  GgufBytes pattern = metadata("gemma3");
  pattern.i32s("gemma3.attention.sliding_window_pattern", {1, 0});
  EXPECT_TRUE(contains(refused(Code::unsupported, tensors(pattern)), "one for each layer"));
  GgufBytes wide = metadata();
  tensors(wide).tensor("blk.0.attn_q.bias", 0, {3}, floats({1, 2, 3}));
  EXPECT_EQ(code_of([&] { (void)load_language_model(write(wide)); }), Code::value);
  EXPECT_EQ(code_of([&] { (void)load_language_model(folder_ + "/none.gguf"); }), Code::io);
}

}  // namespace
}  // namespace gyre
