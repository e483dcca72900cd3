#include <gtest/gtest.h>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/io/json.h"
#include "gyre/text/bpe/bpe_trainer.h"
#include "gyre/text/tokenizer.h"
#include "gyre/text/tokenizer_files.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

std::unique_ptr<ByteBpe> small_bpe() {
  BpeTrainer trainer({.vocab_size = 270, .special = {"<|end|>"}});
  trainer.add("the cat and the dog and the \xC3\xA9t\xC3\xA9");
  return trainer.train();
}

/// The error message for a valid file modified by `change`.
template <class Change>
std::string refusal(Code code, Change change) {
  Json json = small_bpe()->to_json();
  change(json);
  return message_of(code, [&] { (void)tokenizer_from_json(json); });
}

TEST(TokenizerReader, ReadsWhatWasWritten) {
  const auto bpe = small_bpe();
  const auto again = tokenizer_from_json(bpe->to_json());
  EXPECT_EQ(again->to_json(), bpe->to_json());
  const std::string text = "the dog\xFF and<|end|>";
  EXPECT_EQ(again->encode(text, Specials::as_tokens), bpe->encode(text, Specials::as_tokens));
}

TEST(TokenizerReader, MergesAsPairs) {
  const auto bpe = small_bpe();
  Json json = bpe->to_json();
  Json pairs = Json::array();
  for (const Json& merge : json.at("model").at("merges").as_array()) {
    const std::string& text = merge.as_string();
    const size_t space = text.find(' ');
    pairs.push_back(Json::Array{text.substr(0, space), text.substr(space + 1)});
  }
  json["model"]["merges"] = pairs;
  EXPECT_EQ(tokenizer_from_json(json)->to_json(), bpe->to_json());
}

TEST(TokenizerReader, IgnoresTruncationAndPadding) {
  Json json = small_bpe()->to_json();
  json["truncation"]["max_length"] = 2;
  json["padding"]["length"] = 50;
  EXPECT_GT(tokenizer_from_json(json)->encode("a b c d e f g").size(), 6u);
}

TEST(TokenizerReader, AddedTokensOutsideTheVocabulary) {
  Json json = small_bpe()->to_json();
  Json token = json.at("added_tokens").as_array()[0];
  token["id"] = 275;  // 270 to 274 are not used
  token["content"] = "<new>";
  json["added_tokens"].push_back(token);
  const auto tokenizer = tokenizer_from_json(json);
  EXPECT_EQ(tokenizer->vocab_size(), 276);
  EXPECT_EQ(tokenizer->encode("<new>", Specials::as_tokens), (std::vector<int32_t>{275}));
  EXPECT_THROW((void)tokenizer->token(272), Error);
}

TEST(TokenizerReader, NamesUnsupportedFields) {
  const auto field = [](std::vector<const char*> keys, Json value) {
    return refusal(Code::unsupported, [&](Json& json) {
      Json* at = &json;
      for (const char* key : keys) at = &(*at)[key];
      *at = std::move(value);
    });
  };
  Json other;
  other["type"] = "Spaces";
  for (const char* part : {"pre_tokenizer", "decoder", "normalizer", "post_processor"})
    EXPECT_TRUE(contains(field({part}, other), std::string(part) + ".type: Spaces"));
  EXPECT_TRUE(contains(field({"model", "type"}, "Trigram"), "model.type: Trigram"));
  EXPECT_TRUE(contains(field({"model", "dropout"}, 0.1), "model.dropout: 0.1"));
  EXPECT_TRUE(contains(field({"model", "scores"}, 1), "unknown key \"model.scores\""));
  EXPECT_TRUE(contains(field({"pre_tokenizer", "x"}, 1), "unknown key \"pre_tokenizer.x\""));
  EXPECT_TRUE(contains(field({"extra"}, 1), "unknown key \"extra\""));
  const auto added = [](const char* key, Json value) {
    return refusal(Code::unsupported, [&](Json& json) {
      Json token = json.at("added_tokens").as_array()[0];
      token[key] = std::move(value);
      json["added_tokens"] = Json::Array{token};
    });
  };
  EXPECT_TRUE(contains(added("color", 1), "unknown key \"added_tokens[0].color\""));
}

TEST(TokenizerReader, NamesInvalidFields) {
  const auto model = [](const char* key, Json value) {
    return refusal(Code::parse, [&](Json& json) { json["model"][key] = std::move(value); });
  };
  EXPECT_TRUE(contains(model("merges", Json::Array{"a"}), "not a pair"));
  EXPECT_TRUE(contains(model("merges", Json::Array{"a b c"}), "not a pair"));
  EXPECT_TRUE(contains(model("merges", Json::Array{Json::Array{"a"}}), "not a pair"));
  EXPECT_TRUE(contains(model("merges", Json::Array{3}), "model.merges"));
  EXPECT_TRUE(contains(model("merges", Json::Array{"z z"}), "not in the vocabulary"));
  EXPECT_TRUE(contains(model("merges", "x"), "model.merges: expected an array"));
  EXPECT_TRUE(contains(model("vocab", 3), "model.vocab: expected an object"));
  EXPECT_TRUE(contains(model("fuse_unk", 3), "model.fuse_unk: expected a boolean"));
  const auto vocab = [](const char* token, Json id) {
    return refusal(Code::parse, [&](Json& json) { json["model"]["vocab"][token] = std::move(id); });
  };
  EXPECT_TRUE(contains(vocab("x", -1), "id -1 is out of range"));
  EXPECT_TRUE(contains(vocab("x", 2147483647), "out of range"));
  EXPECT_TRUE(contains(vocab("x", 1.5), "expected an integer"));
  EXPECT_TRUE(contains(vocab("new", 5), "id 5 belongs to"));
  EXPECT_TRUE(contains(vocab("", 300), "empty"));
  refusal(Code::parse, [](Json& json) { json = 3; });
  refusal(Code::parse, [](Json& json) { json = Json::object(); });
  refusal(Code::parse, [](Json& json) { json["pre_tokenizer"] = Json::object(); });
}

TEST(TokenizerReader, LoadNamesTheFile) {
  const std::string path = testing::TempDir() + "/gyre_tokenizer_reader.json";
  write_file_atomic(path, "{}");
  EXPECT_TRUE(contains(message_of(Code::parse, [&] { (void)load_tokenizer(path); }), path));
  remove_tree(path);
  EXPECT_THROW((void)load_tokenizer(path), Error);
}

/// Truncation at every percent and flipped bits: either rejected, or read and then usable.
TEST(TokenizerReader, DamagedFilesAreReadOrRejected) {
  const std::string good = small_bpe()->to_json().dump();
  const std::string text = "the cat \xC3\xA9\xFF";
  const auto check = [&](const std::string& file) {
    try {
      const auto tokenizer = tokenizer_from_json(Json::parse(file));
      (void)tokenizer->decode(tokenizer->encode(text, Specials::as_tokens));
      return true;
    } catch (const Error& error) {
      EXPECT_NE(error.code, Code::internal) << error.what();
      return false;
    }
  };
  ASSERT_TRUE(check(good));
  for (size_t percent = 0; percent < 100; ++percent) {
    EXPECT_FALSE(check(good.substr(0, good.size() * percent / 100))) << percent;
  }
  for (size_t bit = 0; bit < 8 * good.size(); bit += 17) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
    check(bad);
  }
}

TEST(ModelInput, KeepsAddedTokensOfTextsThatAreCut) {
  const auto t = tokenizer_of_word_pieces({.tokens = {"[UNK]", "[CLS]", "[SEP]", "a", "b", "c"}});
  using Ids = std::vector<int32_t>;
  EXPECT_EQ(t->model_input("a b c"), (Ids{1, 3, 4, 5, 2}));
  EXPECT_EQ(t->model_input("a b c", 5), (Ids{1, 3, 4, 5, 2}));
  EXPECT_EQ(t->model_input("a b c", 4), (Ids{1, 3, 4, 2}));
  EXPECT_EQ(t->model_input("a b c", 2), (Ids{1, 2}));
  EXPECT_EQ(code_of([&] { (void)t->model_input("a b c", 1); }), Code::value);
}

// Pieces of one letter, each half as long as the next, so that the longest has one cut.
TEST(TokenizerOfPieces, LongPiecesAreMerged) {
  ScoredPieces parts{.prefix_space = false};
  parts.add("<unk>", 0, PieceType::unknown);
  for (size_t length = 1; length <= 1024; length *= 2)
    parts.add(std::string(length, 'a'), -static_cast<double>(length), PieceType::normal);
  parts.add(std::string(100, 'a') + "b", -2000, PieceType::normal);  // of no two pieces
  parts.add("b", -1, PieceType::normal);
  const auto t = tokenizer_of_pieces(parts);
  EXPECT_EQ(t->encode(std::string(1024 + 64, 'a')), (std::vector<int32_t>{11, 7}));
  EXPECT_EQ(t->encode(std::string(100, 'a') + "b"), (std::vector<int32_t>{7, 6, 3, 13}));
}

TEST(TokenizerOfPieces, RefusesIdsThatAreNoPieces) {
  const ScoredPieces pieces{.pieces = {"<unk>", "a", "b"}, .scores = {0, -1, -2}, .unknown = 0};
  EXPECT_EQ(tokenizer_of_pieces(pieces)->vocab_size(), 3);
  const auto refused = [&](std::vector<int32_t> ScoredPieces::*ids, int32_t id) {
    ScoredPieces changed = pieces;
    (changed.*ids).push_back(id);
    return code_of([&] { (void)tokenizer_of_pieces(changed); });
  };
  for (const auto ids : {&ScoredPieces::specials, &ScoredPieces::atoms, &ScoredPieces::unmatched}) {
    EXPECT_EQ(refused(ids, 3), Code::value);
    EXPECT_EQ(refused(ids, -1), Code::value);
  }
}

}  // namespace
}  // namespace gyre
