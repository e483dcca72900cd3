#include <gtest/gtest.h>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/io/json.h"
#include "gyre/models/decoder/decoder.h"
#include "gyre/models/files/model_tokenizer.h"
#include "gyre/models/files/packed_config.h"
#include "gyre/models/language_model.h"
#include "gyre/models/measure/compress_folder.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/text/char_tokenizer.h"
#include "gyre/text/tokenizer.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

// What `gyre compress` writes besides the weights.

namespace gyre {
namespace {

class PackedFolder : public testing::Test {
 protected:
  void SetUp() override {
    remove_tree(folder_);
    create_directories(folder_);
  }
  void TearDown() override { remove_tree(folder_); }

  std::string made(DecoderOptions o, const Tokenizer* tokenizer) const {
    o.vocab = 20;
    o.block_size = 16;
    o.layers = 1;
    o.heads = 2;
    o.width = 64;
    Generator g{1, 0};
    Decoder model(o, &g);
    model.save(folder_ + "/model", tokenizer);
    return folder_ + "/model";
  }
  std::string packed(const std::string& model) const {
    const std::string out = folder_ + "/packed";
    remove_tree(out);
    compress_folder(model, {.out = out});
    return out;
  }
  static Tensor logits(const std::string& folder) {
    NoGrad off;
    return (*load_language_model(folder))(tensor<int64_t>({1, 7, 3, 19}, {1, 4}));
  }
  static void change_config(const std::string& folder, FunctionRef<void(Json&)> change) {
    Json config = Json::read(folder + "/config.json");
    change(config);
    write_file_atomic(folder + "/config.json", config.dump());
  }

  const std::string folder_ = testing::TempDir() + "gyre_packed_folder_test";
};

TEST_F(PackedFolder, ItsConfigIsThatOfNoOtherProgram) {
  const std::string out = packed(made({}, nullptr));
  const Json config = Json::read(out + "/config.json");
  EXPECT_EQ(config.at("model_type").as_string(), "gyre_packed_gpt2");
  const Json& how = config.at("quantization_config");
  EXPECT_EQ(how.at("packed_by").as_string(), "gyre");
  EXPECT_EQ(how.find("quant_method"), nullptr) << "one that transformers does not know it skips";
  EXPECT_EQ(read_model_config(out + "/config.json").at("model_type").as_string(), "gpt2");
  const std::string own = packed(made({.norm = NormKind::rms, .norm_embeddings = true}, nullptr));
  EXPECT_EQ(Json::read(own + "/config.json").at("model_type").as_string(), "gyre");
  EXPECT_EQ(logits(own).size(2), 20);
}

TEST_F(PackedFolder, ThoseWrittenBeforeOpenAsWell) {
  const std::string out = packed(made({}, nullptr));
  const Tensor before = logits(out);
  change_config(out, [](Json& config) {
    config["model_type"] = "gpt2";
    config["quantization_config"] = Json::parse("{\"quant_method\": \"gyre\"}");
  });
  EXPECT_EQ(largest_difference(logits(out), before), 0);
  change_config(out, [](Json& config) { config["quantization_config"] = "gyre"; });
  EXPECT_TRUE(contains(message_of(Code::unsupported, [&] { load_language_model(out); }),
                       "quantization_config is \"gyre\", expected weights packed by gyre or none"));
}

TEST_F(PackedFolder, HasTheFilesOfTheTokenizer) {
  const auto tokenizer = CharTokenizer::train("the cat sat");
  const std::string model = made({}, tokenizer.get());
  create_directories(model + "/additional_chat_templates");
  const std::pair<const char*, const char*> files[] = {
      {"tokenizer_config.json", "{\"eos_token\": \"t\"}"},
      {"special_tokens_map.json", "{}"},
      {"chat_template.jinja", "{{ messages }}"},
      {"additional_chat_templates/tools.jinja", "{{ tools }}"}};
  for (const auto& [name, content] : files) write_file_atomic(model + "/" + name, content);
  write_file_atomic(model + "/notes.txt", "of somebody");
  create_directories(model + "/merges.txt");  // no file
  const std::string out = packed(model);
  for (const auto& [name, content] : files) EXPECT_EQ(read_file(out + "/" + name), content);
  EXPECT_EQ(read_file(out + "/tokenizer.json"), read_file(model + "/tokenizer.json"));
  EXPECT_FALSE(file_exists(out + "/notes.txt"));
  EXPECT_FALSE(file_exists(out + "/merges.txt"));
}

TEST_F(PackedFolder, ATokenizerThatCannotBeReadIsCopiedAndNamed) {
  const std::string model = made({}, nullptr), out = folder_ + "/packed";
  EXPECT_EQ(compress_folder(model, {.out = out}).unread_tokenizer, "");
  EXPECT_TRUE(tokenizer_files(out).empty());
  const auto unread = [&](const char* name, const std::string& content) {
    write_file_atomic(model + "/" + name, content);
    remove_tree(out);
    const std::string why = compress_folder(model, {.out = out}).unread_tokenizer;
    EXPECT_EQ(read_file(out + "/" + name), content);
    return why;
  };
  EXPECT_TRUE(contains(unread("tekken.json", "{}"), "tekken.json"));
  const std::string other = R"({"model": {"type": "Other", "vocab": {}}})";
  EXPECT_TRUE(contains(unread("tokenizer.json", other), "Other"));
  EXPECT_TRUE(contains(unread("tokenizer.json", "{"), "tokenizer.json"));
}

TEST_F(PackedFolder, ANeededTokenizerIsAskedFor) {
  const std::string model = made({}, nullptr), file = folder_ + "/t.json";
  const auto message = [&](const std::string& of) {
    return message_of(Code::value, [&] { (void)needed_tokenizer("perplexity", of, ""); });
  };
  EXPECT_TRUE(contains(message(model), model + ": no tokenizer.json, "));
  EXPECT_TRUE(contains(message(model), "; give `tokenizer`"));
  CharTokenizer::train("abc")->save(file);
  EXPECT_EQ(needed_tokenizer("perplexity", model, file)->vocab_size(), 3);
}

}  // namespace
}  // namespace gyre
