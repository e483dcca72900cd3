#include "gyre/text/bpe/byte_bpe.h"

#include <gtest/gtest.h>

#include <thread>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/base/text/utf8.h"
#include "gyre/io/json.h"
#include "gyre/text/bpe/byte_letters.h"
#include "tests/fewer.h"
#include "tests/test_data.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

using Ids = std::vector<int32_t>;

/// The 256 bytes as ids 0..255, then the products of the given merges.
ByteBpeParts small_parts(const std::vector<std::pair<std::string, std::string>>& merges = {}) {
  ByteBpeParts parts;
  for (int byte = 0; byte < 256; ++byte) {
    const char bytes[] = {static_cast<char>(byte)};
    parts.tokens.push_back(letters_of_bytes(std::string_view(bytes, 1)));
  }
  const auto id = [&](const std::string& token) {
    const auto found = std::find(parts.tokens.begin(), parts.tokens.end(), token);
    if (found == parts.tokens.end()) parts.tokens.push_back(token);
    return static_cast<int32_t>(std::find(parts.tokens.begin(), parts.tokens.end(), token) -
                                parts.tokens.begin());
  };
  for (const auto& [left, right] : merges) {
    parts.merges.push_back({id(left), id(right), id(left + right)});
  }
  return parts;
}

std::vector<std::string> texts(const Tokenizer& tokenizer, std::string_view text) {
  std::vector<std::string> found;
  for (const int32_t id : tokenizer.encode(text)) found.push_back(tokenizer.token(id));
  return found;
}

TEST(ByteBpe, MergesByRank) {
  const ByteBpe bpe(small_parts({{"b", "c"}, {"a", "b"}, {"a", "bc"}, {"\xC4\xA0", "a"}}));
  EXPECT_EQ(texts(bpe, "abc"), (std::vector<std::string>{"abc"}));
  EXPECT_EQ(texts(bpe, "abab"), (std::vector<std::string>{"ab", "ab"}));
  EXPECT_EQ(texts(bpe, "x a"), (std::vector<std::string>{"x",
                                                         "\xC4\xA0"
                                                         "a"}));
  EXPECT_EQ(bpe.encode(""), Ids());
}

TEST(ByteBpe, EveryPairOfBytesRoundTrips) {
  const ByteBpe bpe(small_parts({{"a", "b"}, {"\xC3\x83", "\xC2\xA9"}}));
  std::string all;
  for (int i = 0; i < 256; ++i) {
    for (int j = 0; j < 256; ++j) {
      const std::string text = {static_cast<char>(i), static_cast<char>(j)};
      ASSERT_EQ(bpe.decode(bpe.encode(text)), text);
      all += text;
    }
  }
  EXPECT_EQ(bpe.decode(bpe.encode(all)), all);
}

TEST(ByteBpe, EveryCodePointRoundTrips) {
  const ByteBpe bpe(small_parts({{"a", "b"}}));
  for (char32_t plane = 0; plane <= 16; plane += kSanitized ? 4 : 1) {
    std::string text;
    for (char32_t code = 0; code < 0x10000; ++code) append_utf8(text, plane << 16 | code);
    ASSERT_EQ(bpe.decode(bpe.encode(text)), text) << "plane " << static_cast<int>(plane);
  }
}

TEST(ByteBpe, LossyDecoding) {
  const ByteBpe bpe(small_parts());
  const Ids ids = {'a', 0xE2, 0x82, 'b', 0xFF};
  EXPECT_EQ(bpe.decode(ids),
            "a\xE2\x82"
            "b\xFF");
  EXPECT_EQ(bpe.decode(ids, {.lossy = true}),
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD");
}

TEST(ByteBpe, SpecialTokens) {
  ByteBpeParts parts = small_parts();
  parts.tokens.push_back("<|end|>");
  parts.added.push_back({.content = "<|end|>", .id = 256, .special = true});
  const ByteBpe bpe(std::move(parts));
  EXPECT_EQ(bpe.encode("a<|end|>", Specials::as_tokens), (Ids{'a', 256}));
  EXPECT_EQ(bpe.encode("a<|end|>").size(), 8u);
  EXPECT_EQ(bpe.decode(Ids{'a', 256}), "a<|end|>");
  EXPECT_EQ(bpe.decode(Ids{'a', 256}, {.skip_special = true}), "a");
  EXPECT_TRUE(bpe.is_special(256));
  EXPECT_EQ(bpe.id("<|end|>"), 256);
}

TEST(ByteBpe, Options) {
  ByteBpeParts parts = small_parts({{"a", "b"}});
  parts.tokens.push_back("xyz");
  parts.ignore_merges = true;
  parts.add_prefix_space = true;
  const ByteBpe whole(std::move(parts));
  EXPECT_EQ(texts(whole, " xyz"), (std::vector<std::string>{"\xC4\xA0", "x", "y", "z"}));
  EXPECT_EQ(texts(whole, "!xyz"), (std::vector<std::string>{"\xC4\xA0", "!", "xyz"}));
  EXPECT_EQ(whole.encode("a"), whole.encode(" a"));
  EXPECT_EQ(whole.encode(""), Ids());
  parts = small_parts({{"1", "a"}});
  parts.use_regex = false;
  EXPECT_EQ(ByteBpe(std::move(parts)).encode("1a").size(), 1u);
  EXPECT_EQ(ByteBpe(small_parts({{"1", "a"}})).encode("1a").size(), 2u);
}

TEST(ByteBpe, BytesWithoutToken) {
  ByteBpeParts parts;
  parts.tokens = {"a", "b", "?"};
  EXPECT_TRUE(
      contains(message_of(Code::value, [&] { (void)ByteBpe(parts).encode("axb"); }), "0x78"));
  parts.unk_token = "?";
  EXPECT_EQ(ByteBpe(parts).encode("axyb"), (Ids{0, 2, 2, 1}));
  parts.fuse_unk = true;
  EXPECT_EQ(ByteBpe(parts).encode("axyb"), (Ids{0, 2, 1}));
}

TEST(ByteBpe, RejectsInvalidParts) {
  const auto refused = [](const ByteBpeParts& parts, Code code) {
    EXPECT_EQ(code_of([&] { ByteBpe bpe(parts); }), code);
  };
  ByteBpeParts parts = small_parts();
  parts.unk_token = "<unk>";
  refused(parts, Code::value);
  parts = small_parts();
  parts.tokens.push_back("a");
  refused(parts, Code::value);
  parts = small_parts();
  parts.merges.push_back({0, 1, 256});
  refused(parts, Code::value);
  parts.merges[0] = {-1, 1, 2};
  refused(parts, Code::value);
  const ByteBpe bpe(small_parts());
  for (const int32_t id : {-1, 256, INT32_MAX}) {
    EXPECT_THROW((void)bpe.decode(Ids{id}), Error);
    EXPECT_THROW((void)bpe.token(id), Error);
    EXPECT_THROW((void)bpe.bytes(id), Error);
  }
  EXPECT_EQ(bpe.id("none"), -1);
}

TEST(ByteBpe, EncodesAMillionLettersInLinearTime) {
  std::vector<std::pair<std::string, std::string>> merges;
  for (std::string run = "a"; run.size() < 64; run += run) merges.push_back({run, run});
  const ByteBpe bpe(small_parts(merges));
  const std::string text(fewer(1024000), 'a');
  // Quadratic time would exceed the time limit of the test.
  const Ids ids = bpe.encode(text);
  EXPECT_EQ(ids.size(), text.size() / 64);
  EXPECT_EQ(bpe.decode(ids), text);
}

TEST(ByteBpe, SeveralThreadsAtOnce) {
  const ByteBpe bpe(small_parts({{"t", "h"}, {"th", "e"}, {"\xC4\xA0", "the"}}));
  std::string text;
  for (int i = 0; i < 2000; ++i) text += " the word" + std::to_string(i);
  const Ids expected =
      ByteBpe(small_parts({{"t", "h"}, {"th", "e"}, {"\xC4\xA0", "the"}})).encode(text);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] { EXPECT_EQ(bpe.encode(text), expected); });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(StreamDecoder, HoldsBackIncompleteCharacters) {
  ByteBpeParts parts = small_parts();
  parts.tokens.push_back("<|end|>");
  parts.added.push_back({.content = "<|end|>", .id = 256, .special = true});
  const ByteBpe bpe(std::move(parts));
  StreamDecoder stream(bpe, true);
  EXPECT_EQ(stream.push('a'), "a");
  EXPECT_EQ(stream.push(0xF0), "");
  EXPECT_EQ(stream.push(0x9F), "");
  EXPECT_EQ(stream.push(256), "");  // skipped; the incomplete character stays buffered
  EXPECT_EQ(stream.push(0xA6), "");
  EXPECT_EQ(stream.push(0x99), "\xF0\x9F\xA6\x99");
  EXPECT_EQ(stream.push(0xC3), "");
  EXPECT_EQ(stream.push('b'),
            "\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(stream.push(0xE2), "");
  EXPECT_EQ(stream.flush(), "\xEF\xBF\xBD");
  EXPECT_EQ(stream.flush(), "");
  EXPECT_THROW((void)stream.push(300), Error);
  StreamDecoder all(bpe);
  EXPECT_EQ(all.push(256), "<|end|>");
}

/// Streaming gives the same text as decode, wherever characters are split.
TEST(StreamDecoder, AgreesWithDecode) {
  const ByteBpe bpe(small_parts());
  uint64_t state = 5;
  for (int round = 0; round < 500; ++round) {
    Ids ids;
    for (int i = 0; i < 30; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const auto draw = static_cast<unsigned>(state >> 40);
      ids.push_back(static_cast<int32_t>(draw % 2 ? 0x80 + draw / 2 % 128 : draw / 2 % 128));
    }
    StreamDecoder stream(bpe);
    std::string text;
    for (const int32_t id : ids) text += stream.push(id);
    text += stream.flush();
    ASSERT_EQ(text, bpe.decode(ids, {.lossy = true}));
  }
}

class Gpt2Data : public testing::Test {
 protected:
  void SetUp() override {
    const std::string folder = test_data("tokenizers/gpt2");
    if (!file_exists(folder + "/cases.json")) GTEST_SKIP() << no_test_data(folder);
    tokenizer_ = load_tokenizer(folder + "/tokenizer.json");
    cases_ = Json::read(folder + "/cases.json");
  }
  static Ids ids_in(const Json& list) {
    Ids ids;
    for (const Json& id : list.as_array()) ids.push_back(static_cast<int32_t>(id.as_integer()));
    return ids;
  }
  std::unique_ptr<Tokenizer> tokenizer_;
  Json cases_;
};

TEST_F(Gpt2Data, Cases) {
  EXPECT_EQ(tokenizer_->vocab_size(), 50257);
  for (const Json& one : cases_.at("cases").as_array()) {
    const std::string& text = one.at("text").as_string();
    EXPECT_EQ(tokenizer_->encode(text), ids_in(one.at("ids"))) << text;
    EXPECT_EQ(tokenizer_->decode(ids_in(one.at("ids"))), text);
  }
  const Json& special = cases_.at("special");
  EXPECT_EQ(tokenizer_->encode(special.at("text").as_string(), Specials::as_tokens),
            ids_in(special.at("ids_with_specials")));
}

TEST_F(Gpt2Data, TinyShakespeareIsNotTruncated) {
  const std::string path = test_data("text/tinyshakespeare.txt");
  if (!file_exists(path)) GTEST_SKIP() << no_test_data(path);
  const std::string text = read_file(path);
  const Json& known = cases_.at("tinyshakespeare");
  const Ids ids = tokenizer_->encode(text);
  ASSERT_EQ(static_cast<int64_t>(ids.size()), known.at("n_tokens").as_integer());
  EXPECT_EQ(Ids(ids.begin(), ids.begin() + 32), ids_in(known.at("first32")));
  EXPECT_EQ(Ids(ids.end() - 32, ids.end()), ids_in(known.at("last32")));
  EXPECT_EQ(tokenizer_->decode(ids), text);
}

TEST_F(Gpt2Data, WrittenAndReadAgain) {
  const std::unique_ptr<Tokenizer> again = tokenizer_from_json(tokenizer_->to_json());
  EXPECT_EQ(again->to_json(), tokenizer_->to_json());
  EXPECT_EQ(again->encode("Hello world, it's 12 o'clock"),
            tokenizer_->encode("Hello world, it's 12 o'clock"));
}

}  // namespace
}  // namespace gyre
