#include "gyre/models/files/text_part.h"

#include <gtest/gtest.h>

#include "gyre/base/system/file.h"
#include "gyre/models/files/model_files.h"
#include "gyre/ops/create/create.h"
#include "gyre/packed/packed.h"
#include "gyre/packed/packed_file.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

TEST(TextPart, NamesOfBothSpellings) {
  const std::pair<const char*, const char*> kNames[] = {
      {"language_model.model.layers.0.mlp.up_proj.weight", "model.layers.0.mlp.up_proj.weight"},
      {"model.language_model.embed_tokens.weight", "model.embed_tokens.weight"},
      {"language_model.lm_head.weight", "lm_head.weight"},
      {"lm_head.weight", "lm_head.weight"},
      {"vision_tower.vision_model.embeddings.patch_embedding.bias", ""},
      {"model.vision_tower.vision_model.embeddings.patch_embedding.bias", ""},
      {"model.multi_modal_projector.mm_soft_emb_norm.weight", ""},
      {"audio_tower.weight", "audio_tower.weight"}};
  for (const auto& [theirs, wanted] : kNames) EXPECT_EQ(text_part_name(theirs), wanted);
}

TEST(TextPart, ConfigIsThatOfAFolderOfItsOwn) {
  const Json whole = Json::parse(R"({"model_type": "gemma3", "eos_token_id": [1, 106],
      "text_config": {"model_type": "gemma3_text", "hidden_size": 64, "eos_token_id": 7,
                      "bos_token_id": 2, "num_attention_heads": null}})");
  ASSERT_TRUE(has_text_part(whole));
  const Json own = text_part_config(whole, "config.json");
  EXPECT_EQ(own.at("model_type").as_string(), "gemma3_text");
  EXPECT_EQ(own.at("hidden_size").as_integer(), 64);
  EXPECT_EQ(own.at("num_attention_heads").as_integer(), 8);
  EXPECT_EQ(own.at("num_hidden_layers").as_integer(), 26);
  EXPECT_EQ(own.at("eos_token_id").dump(), "[1,106]");
  EXPECT_EQ(own.at("bos_token_id").as_integer(), 2);
  EXPECT_EQ(
      text_part_config(Json::parse(R"({"model_type": "gemma3"})"), "").at("vocab_size").dump(),
      "262208");
}

TEST(TextPart, RefusesOtherParts) {
  const auto code = [](const char* text) {
    return code_of([&] { (void)text_part_config(Json::parse(text), "config.json"); });
  };
  EXPECT_EQ(code(R"({"text_config": {"model_type": "llama"}})"), Code::unsupported);
  EXPECT_EQ(code(R"({"text_config": 3})"), Code::parse);
  EXPECT_FALSE(has_text_part(Json::parse(R"({"model_type": "gemma3_text"})")));
  EXPECT_FALSE(has_text_part(Json::parse("[]")));
}

TEST(TextPart, WeightsAreThoseOfTheTextPart) {
  const std::string folder = testing::TempDir() + "gyre_text_part_test";
  create_directories(folder);
  write_file_atomic(folder + "/config.json", R"({"model_type": "gemma3"})");
  const Tensor packed = packed_encode(ones({64, 32}), ring_format("D4"));
  const NamedTensor state[] = {{"language_model.model.embed_tokens.weight", ones({5, 4})},
                               {"language_model.model.layers.0.mlp.up_proj.weight", packed},
                               {"multi_modal_projector.mm_soft_emb_norm.weight", ones({7})},
                               {"vision_tower.vision_model.head.weight", packed}};
  write_state(folder + "/model.safetensors", state);
  const ModelFiles::Weights part = open_model_files(folder)->weights();
  EXPECT_EQ(part.count, 5 * 4 + 64 * 32);
  write_file_atomic(folder + "/config.json", R"({"model_type": "gemma3_text"})");
  EXPECT_EQ(open_model_files(folder)->weights().count, 5 * 4 + 7 + 2 * 64 * 32);
  const auto stored = static_cast<int64_t>(packed_storage(packed).bytes);
  EXPECT_EQ(part.bytes, 4 * 5 * 4 + stored);
  remove_tree(folder);
}

}  // namespace
}  // namespace gyre
