#include "gyre/text/sentence_piece.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "gyre/base/system/file.h"
#include "gyre/io/json.h"
#include "gyre/text/protobuf.h"
#include "gyre/text/tokenizer_files.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

using PieceIds = std::vector<int32_t>;
constexpr char kNormal = 1, kUnknown = 2, kControl = 3, kUser = 4, kUnused = 5;

std::string proto_bytes(char number, const std::string& content) {
  return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(content.size())} +
         content;
}
std::string proto_varint(std::string key, char value) { return key + value; }

std::string proto_piece(const std::string& text, float score, char type) {
  const auto bits = std::bit_cast<uint32_t>(score);
  std::string fields = proto_bytes(1, text) + "\x15";
  for (int i = 0; i < 4; ++i) fields += static_cast<char>(bits >> (8 * i));
  return proto_bytes(1, fields + "\x18" + type);
}

std::string small_model(char kind) {
  return proto_piece("<unk>", 0, kUnknown) + proto_piece("<s>", 0, kControl) +
         proto_piece("</s>", 0, kControl) + proto_piece("<x>", 0, kUser) +
         proto_piece("ab", -1, kNormal) + proto_piece("\u2581ab", -2, kNormal) +
         proto_piece("\u2581", -3, kNormal) + proto_piece("a", -4, kNormal) +
         proto_piece("b", -5, kNormal) + proto_bytes(2, proto_varint("\x18", kind));
}

class SentencePieceFolder : public ::testing::Test {
 protected:
  void SetUp() override { create_directories(folder_); }
  void TearDown() override { remove_tree(folder_); }
  std::unique_ptr<Tokenizer> loaded(const std::string& model, const char* config = nullptr) {
    write_file_atomic(folder_ + "/tokenizer.model", model);
    if (config) write_file_atomic(folder_ + "/tokenizer_config.json", config);
    return tokenizer_of_folder(folder_);
  }
  const std::string folder_ = ::testing::TempDir() + "gyre_sentence_piece";
};

TEST_F(SentencePieceFolder, ReadsBothKinds) {
  for (const char kind : {1, 2}) {
    const auto t = loaded(small_model(kind));
    EXPECT_EQ(t->encode("ab  ab a<x>b"), (PieceIds{5, 5, 6, 7, 3, 8})) << int{kind};
    EXPECT_EQ(t->encode("zz ab"), (PieceIds{6, 0, 5}));
    EXPECT_EQ(t->encode("   "), PieceIds());
    EXPECT_EQ(t->decode(PieceIds{5, 5, 6, 7, 3, 8}), "ab ab a<x>b");
    EXPECT_EQ(t->model_input("ab"), kind == 1 ? PieceIds{5} : (PieceIds{1, 5}));
    const auto again = tokenizer_from_json(t->to_json());
    EXPECT_EQ(again->encode("ab  ab a<x>b"), (PieceIds{5, 5, 6, 7, 3, 8}));
  }
}

TEST_F(SentencePieceFolder, SymbolsOfTheUserCostLittle) {
  const auto t =
      loaded(small_model(1) + proto_piece("abca", 0, kUser) + proto_piece("ca", -1.5F, kNormal));
  EXPECT_EQ(t->encode("abca"), (PieceIds{6, 9}));  // -3.1, where 5, 10 is -3.5
  EXPECT_EQ(t->encode("abab"), (PieceIds{5, 4}));
}

TEST_F(SentencePieceFolder, FollowsItsConfig) {
  const auto t = loaded(small_model(1), R"({"tokenizer_class": "T5TokenizerFast"})");
  EXPECT_EQ(t->model_input("ab"), (PieceIds{5, 2}));
  EXPECT_EQ(loaded(small_model(2), R"({"add_bos_token": false, "add_eos_token": true})")
                ->model_input("ab"),
            (PieceIds{5, 2}));
  write_file_atomic(folder_ + "/added_tokens.json", R"({"<end>": 9, "ab": 4})");
  EXPECT_EQ(loaded(small_model(2))->encode("ab<end>"), (PieceIds{5, 9}));
}

TEST_F(SentencePieceFolder, ClassesAddTheirPieces) {
  const std::string marked =
      small_model(1) + proto_piece("[CLS]", 0, kControl) + proto_piece("[SEP]", 0, kControl);
  EXPECT_EQ(loaded(marked, R"({"tokenizer_class": "BigBirdTokenizer"})")->model_input("ab"),
            (PieceIds{9, 5, 10}));
  EXPECT_EQ(loaded(marked, "{}")->model_input("ab"), PieceIds{5});
  write_file_atomic(folder_ + "/config.json", R"({"model_type": "big_bird"})");
  EXPECT_EQ(loaded(marked, "{}")->model_input("ab"), (PieceIds{9, 5, 10}));
  EXPECT_EQ(code_of([&] { (void)loaded(small_model(1), "{}"); }), Code::parse);  // no [CLS]
  write_file_atomic(folder_ + "/config.json", R"({"model_type": "xlnet"})");
  EXPECT_TRUE(contains(message_of(Code::unsupported, [&] { (void)loaded(marked, "{}"); }),
                       "config.json: model_type is xlnet: its tokenizer removes accents"));
  for (const char* name : {"AlbertTokenizer", "XLNetTokenizerFast", "SiglipTokenizer"}) {
    const std::string config = std::string(R"({"tokenizer_class": ")") + name + "\"}";
    EXPECT_TRUE(contains(
        message_of(Code::unsupported, [&] { (void)loaded(marked, config.c_str()); }), name));
  }
}

TEST_F(SentencePieceFolder, T5HasMarksAfterItsPieces) {
  const auto with = [&](const char* config) { return loaded(small_model(1), config); };
  const auto t = with(R"({"tokenizer_class": "T5Tokenizer"})");
  EXPECT_EQ(t->vocab_size(), 109);
  EXPECT_EQ(t->id("<extra_id_99>"), 9);
  EXPECT_EQ(t->id("<extra_id_0>"), 108);
  EXPECT_TRUE(t->is_special(108));
  EXPECT_EQ(t->model_input("ab<extra_id_0> ab"), (PieceIds{5, 108, 5, 2}));
  const auto two = with(R"({"tokenizer_class": "MT5Tokenizer", "extra_ids": 2})");
  EXPECT_EQ(two->id("<extra_id_0>"), 10);
  write_file_atomic(folder_ + "/added_tokens.json", R"({"<extra_id_0>": 108, "<more>": 109})");
  EXPECT_EQ(with(R"({"tokenizer_class": "T5Tokenizer"})")->model_input("<more><extra_id_0>"),
            (PieceIds{109, 108, 2}));
  remove_tree(folder_ + "/added_tokens.json");
  EXPECT_EQ(with(R"({"tokenizer_class": "T5Tokenizer", "extra_ids": 0})")->vocab_size(), 9);
  for (const auto& [value, code] :
       {std::pair("-1", Code::value), {"1000000000000", Code::value}, {"\"2\"", Code::parse}}) {
    const std::string config =
        std::string(R"({"tokenizer_class": "T5Tokenizer", "extra_ids": )") + value + "}";
    EXPECT_TRUE(contains(message_of(code, [&] { (void)with(config.c_str()); }), "extra_ids"));
  }
}

TEST_F(SentencePieceFolder, UnknownTypesAreRefused) {
  for (const char* type : {"pegasus", "fnet", "umt5", "rembert"}) {
    write_file_atomic(folder_ + "/config.json", std::string(R"({"model_type": ")") + type + "\"}");
    EXPECT_TRUE(contains(message_of(Code::unsupported, [&] { (void)loaded(small_model(1), "{}"); }),
                         std::string("config.json: model_type is ") + type + ": ids may differ"));
    // the class of the tokenizer counts first
    EXPECT_EQ(loaded(small_model(1), R"({"tokenizer_class": "T5Tokenizer"})")->model_input("ab"),
              (PieceIds{5, 2}));
  }
  write_file_atomic(folder_ + "/config.json", R"({"model_type": "mt5"})");
  EXPECT_EQ(loaded(small_model(1), "{}")->id("<extra_id_0>"), 108);
  write_file_atomic(folder_ + "/config.json", "{}");
  EXPECT_EQ(loaded(small_model(1), "{}")->vocab_size(), 9);
}

TEST_F(SentencePieceFolder, OpensTheNameThatT5Has) {
  write_file_atomic(folder_ + "/spiece.model", small_model(1));
  write_file_atomic(folder_ + "/config.json", R"({"model_type": "t5"})");
  EXPECT_EQ(tokenizer_of_folder(folder_)->model_input("ab"), (PieceIds{5, 2}));
}

TEST_F(SentencePieceFolder, RefusesWhatItDoesNotRead) {
  const auto code = [&](const std::string& model, const char* config = "{}") {
    return code_of([&] { (void)loaded(model, config); });
  };
  EXPECT_EQ(code(small_model(3)), Code::unsupported);
  EXPECT_EQ(code(small_model(2) + proto_piece("q", 0, kUnused)), Code::unsupported);
  EXPECT_EQ(code(small_model(1) + proto_bytes(5, proto_bytes(2, "x"))), Code::unsupported);
  EXPECT_EQ(code(small_model(1), R"({"tokenizer_class": "XLMRobertaTokenizer"})"),
            Code::unsupported);
  EXPECT_EQ(code(small_model(1) + proto_piece("", 0, kNormal)), Code::parse);
  EXPECT_EQ(code(small_model(1) + proto_piece("\xff", 0, kNormal)), Code::parse);
  EXPECT_EQ(code(small_model(1) + proto_piece("q", NAN, kNormal)), Code::parse);
  EXPECT_EQ(code(small_model(1) + proto_piece("q", 0, 9)), Code::parse);
  EXPECT_EQ(code(small_model(1) + proto_piece("<u>", 0, kUnknown)), Code::parse);
  EXPECT_EQ(code(proto_piece("a", 0, kNormal)), Code::parse);
  EXPECT_EQ(code(small_model(1) + proto_bytes(3, proto_bytes(2, "x"))), Code::parse);
  EXPECT_EQ(code(small_model(1), "[]"), Code::parse);
}

TEST_F(SentencePieceFolder, RefusesIdsThatAreNone) {
  const auto code = [&](char kind, const char* key) {
    Json json = loaded(small_model(kind))->to_json();
    json["model"][key] = Json::parse("[99]");
    return code_of([&] { (void)tokenizer_from_json(json); });
  };
  EXPECT_EQ(code(2, "atoms"), Code::value);
  EXPECT_EQ(code(1, "unmatched"), Code::value);
}

TEST(Protobuf, RefusesWhatIsNoMessage) {
  const auto code = [](std::string_view bytes) {
    return code_of([&] {
      ProtobufReader reader(bytes);
      while (reader.next()) {
      }
    });
  };
  EXPECT_EQ(code("\x08"), Code::parse);                                              // no value
  EXPECT_EQ(code("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), Code::parse);  // too long
  EXPECT_EQ(code("\x0a\x05"
                 "ab"),
            Code::parse);                        // past the end
  EXPECT_EQ(code("\x0d\x01\x02"), Code::parse);  // half a number
  EXPECT_EQ(code("\x09\x01\x02"), Code::parse);
  EXPECT_EQ(code("\x0b"), Code::parse);  // a group
  ProtobufReader reader(std::string_view("\x08\x96\x01\x11\x01\0\0\0\0\0\0\0", 12));
  EXPECT_EQ(reader.next()->value, 150u);
  EXPECT_EQ(reader.next()->value, 1u);
  EXPECT_FALSE(reader.next().has_value());
}

}  // namespace
}  // namespace gyre
