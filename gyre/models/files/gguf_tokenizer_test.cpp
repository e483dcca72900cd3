#include "gyre/models/files/gguf_tokenizer.h"

#include <gtest/gtest.h>

#include "gyre/base/system/file.h"
#include "gyre/text/tokenizer.h"
#include "tests/gguf_bytes.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

using Ids = std::vector<int32_t>;

class GgufTokenizerTest : public ::testing::Test {
 protected:
  void TearDown() override { remove_tree(path_); }
  std::unique_ptr<Tokenizer> tokenizer(const GgufBytes& b) {
    write_file_atomic(path_, b.bytes());
    return tokenizer_of(GgufFile(path_));
  }
  static GgufBytes with(const char* model, const std::vector<std::string>& tokens,
                        const std::vector<int32_t>& types) {
    GgufBytes b;
    b.text("tokenizer.ggml.model", model).texts("tokenizer.ggml.tokens", tokens);
    return b.i32s("tokenizer.ggml.token_type", types);
  }
  const std::string path_ = ::testing::TempDir() + "gyre_gguf_tokenizer_test.gguf";
};

TEST_F(GgufTokenizerTest, WordPieces) {
  const auto t = tokenizer(with(
      "bert", {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "\u2581un", "able", "\u2581,", "\u2581able"},
      {3, 2, 3, 3, 1, 1, 1, 1}));
  EXPECT_EQ(t->encode("Unable, able xy"), (Ids{4, 5, 6, 7, 1}));
  EXPECT_EQ(t->model_input("able"), (Ids{2, 7, 3}));
  EXPECT_EQ(t->decode(Ids{4, 5, 6, 7}), "unable, able");
}

TEST_F(GgufTokenizerTest, Unigram) {
  GgufBytes b =
      with("t5", {"<pad>", "</s>", "<unk>", "\u2581", "a", "b", "ab", "\u2581ab", "<x>", "zz"},
           {3, 3, 2, 1, 1, 1, 1, 1, 4, 5});
  std::string scores = GgufBytes::number(6, 4) + GgufBytes::number(10, 8);
  b.field("tokenizer.ggml.scores", 9, scores + floats({0, 0, 0, -2, -3, -3, -4, -5, 0, -1}));
  b.u32("tokenizer.ggml.unknown_token_id", 2).u32("tokenizer.ggml.eos_token_id", 1);
  const auto t = tokenizer(b);
  EXPECT_EQ(t->encode("  ab   aab "), (Ids{7, 3, 4, 6}));
  EXPECT_EQ(t->encode("ab<x>bzz"), (Ids{7, 8, 5, 2}));
  EXPECT_EQ(t->model_input("ab"), (Ids{7, 1}));
  EXPECT_EQ(t->decode(Ids{7, 3, 4, 6}), "ab aab");
  b.boolean("tokenizer.ggml.remove_extra_whitespaces", false);
  EXPECT_EQ(tokenizer(b)->encode(" ab"), (Ids{3, 7}));
  EXPECT_EQ(code_of([&] { (void)tokenizer(with("t5", {"a"}, {1})); }), Code::value);
}

TEST_F(GgufTokenizerTest, ScoredPiecesWithSymbolsOfTheUser) {
  GgufBytes b = with(
      "llama", {"<unk>", "<s>", "</s>", "\u2581", "a", "b", "ab", "\u2581ab", "<x>", "a<", "   "},
      {2, 3, 3, 1, 1, 1, 1, 1, 4, 4, 4});
  std::string scores = GgufBytes::number(6, 4) + GgufBytes::number(11, 8);
  b.field("tokenizer.ggml.scores", 9, scores + floats({0, 0, 0, -3, -4, -5, -1, -2, 0, 0, 0}));
  b.u32("tokenizer.ggml.bos_token_id", 1).u32("tokenizer.ggml.eos_token_id", 2);
  const auto t = tokenizer(b);
  EXPECT_EQ(t->encode("ab<x>ab"), (Ids{7, 8, 6}));
  EXPECT_EQ(t->encode("<x>a<x>"), (Ids{3, 8, 9, 0}));  // the longest from the left
  EXPECT_EQ(t->encode("ab   ab"), (Ids{7, 10, 6}));
  EXPECT_EQ(t->decode(Ids{7, 8, 10, 6}), "ab<x>   ab");
  EXPECT_EQ(t->model_input("ab"), (Ids{1, 7}));
  b.boolean("tokenizer.ggml.add_eos_token", true).boolean("tokenizer.ggml.add_bos_token", false);
  EXPECT_EQ(tokenizer(b)->model_input("ab"), (Ids{7, 2}));
}

TEST_F(GgufTokenizerTest, RefusesPiecesWithoutScoresOrTypes) {
  const auto code = [&](const std::vector<int32_t>& types, uint64_t scores) {
    GgufBytes b = with("llama", {"<unk>", "a"}, types);
    b.field("tokenizer.ggml.scores", 9,
            GgufBytes::number(6, 4) + GgufBytes::number(scores, 8) +
                floats(std::vector<float>(scores)));
    return code_of([&] { (void)tokenizer(b); });
  };
  EXPECT_EQ(code({2, 1}, 1), Code::value);
  EXPECT_EQ(code({2, 1, 1}, 2), Code::value);
  EXPECT_EQ(code({2, 9}, 2), Code::parse);
}

TEST_F(GgufTokenizerTest, ByteLevelMergesAddTheMarksThatTheFileAsksFor) {
  const auto ids = [&](const char* pre, int begin = -1, int end = -1) {
    GgufBytes b = with("gpt2", {"a", "b", "ab", "<s>", "</s>"}, {1, 1, 1, 3, 3});
    b.texts("tokenizer.ggml.merges", {"a b"}).text("tokenizer.ggml.pre", pre);
    b.u32("tokenizer.ggml.bos_token_id", 3).u32("tokenizer.ggml.eos_token_id", 4);
    if (begin >= 0) b.boolean("tokenizer.ggml.add_bos_token", begin != 0);
    if (end >= 0) b.boolean("tokenizer.ggml.add_eos_token", end != 0);
    return tokenizer(b)->model_input("ab");
  };
  EXPECT_EQ(ids("gpt-2"), Ids{2});
  EXPECT_EQ(ids("gpt-2", 1), (Ids{3, 2}));
  EXPECT_EQ(ids("gpt-2", 0, 1), (Ids{2, 4}));
  EXPECT_EQ(ids("qwen2", 1, 1), (Ids{3, 2, 4}));
  EXPECT_EQ(ids("llama-bpe"), (Ids{3, 2}));
  EXPECT_EQ(ids("llama-bpe", 0, 0), Ids{2});
  GgufBytes b = with("gpt2", {"a", "b"}, {1, 1});
  b.texts("tokenizer.ggml.merges", {}).u32("tokenizer.ggml.eos_token_id", 7);
  b.boolean("tokenizer.ggml.add_eos_token", true);
  EXPECT_EQ(code_of([&] { (void)tokenizer(b); }), Code::value);
}

TEST_F(GgufTokenizerTest, RefusesIdsThatAreNone) {
  const auto with_begin = [&](uint32_t id) {
    GgufBytes b = with("gpt2", {"a", "b"}, {1, 1});
    b.texts("tokenizer.ggml.merges", {}).u32("tokenizer.ggml.bos_token_id", id);
    return tokenizer(b.boolean("tokenizer.ggml.add_bos_token", true));
  };
  EXPECT_EQ(with_begin(0xFFFFFFFF)->model_input("ab"), (Ids{0, 1}));
  EXPECT_TRUE(contains(message_of(Code::value, [&] { (void)with_begin(0x80000001); }),
                       "tokenizer.ggml.bos_token_id is 2147483649"));
}

TEST_F(GgufTokenizerTest, RefusesOtherKinds) {
  EXPECT_EQ(code_of([&] { (void)tokenizer(with("rwkv", {"a"}, {1})); }), Code::unsupported);
}

}  // namespace
}  // namespace gyre
