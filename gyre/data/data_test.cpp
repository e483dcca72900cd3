#include <gtest/gtest.h>

#include <set>

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/data/draw.h"
#include "gyre/data/text_source.h"
#include "gyre/data/token_batches.h"
#include "gyre/ops/create/create.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

// draw() is splitmix64: published values for seed 0 and 1234567.
static_assert(draw(0, 0) == 0xE220A8397B1DCDAF);
static_assert(draw(0, 1) == 0x6E789E6AA1B965F4);
static_assert(draw(1234567, 0) == 6457827717110365317u);
static_assert(draw(1234567, 4) == 16408922859458223821u);

TEST(TokenBatches, RowsStartAtDrawnPositions) {
  std::vector<int32_t> text;
  for (int32_t i = 0; i < 100; ++i) text.push_back(i);
  TokenBatches batches(text, 3, 8, 5);
  EXPECT_EQ(batches.tokens(), 100);
  for (int64_t number : {0, 1, 1000}) {
    TokenBatch batch = batches.at(number);
    ASSERT_EQ(batch.inputs.shape(), (Shape{3, 8}));
    std::vector<int32_t> in = to_vector<int32_t>(batch.inputs);
    std::vector<int32_t> out = to_vector<int32_t>(batch.targets);
    for (int64_t r = 0; r < 3; ++r) {
      auto begin = static_cast<int32_t>(draw(5, static_cast<uint64_t>(3 * number + r)) % 92);
      for (int32_t i = 0; i < 8; ++i) {
        EXPECT_EQ(in[static_cast<size_t>(8 * r + i)], begin + i);
        EXPECT_EQ(out[static_cast<size_t>(8 * r + i)], begin + i + 1);
      }
    }
  }
}

TEST(TokenBatches, RejectsATextThatIsTooShort) {
  std::string message = message_of(Code::value, [] { TokenBatches({1, 2, 3}, 1, 3, 0); });
  EXPECT_EQ(message,
            "batches: the text has 3 tokens, too few for a block of 3; use more text or a smaller "
            "`sequence_length`");
  message = message_of(Code::value, [] {
    TokenBatches({1}, 1, 3, 0, "validation part", "train", ", or less of that");
  });
  EXPECT_EQ(message,
            "train: the validation part has 1 token, too few for a block of 3; use more text or a "
            "smaller `sequence_length`, or less of that");
  EXPECT_EQ(code_of([] { TokenBatches({1, 2, 3, 4}, 0, 3, 0); }), Code::value);
  EXPECT_EQ(code_of([] { TokenBatches({1, 2, 3, 4}, 1, 0, 0); }), Code::value);
  EXPECT_EQ(to_vector<int32_t>(TokenBatches({1, 2, 3, 4}, 1, 3, 0).at(7).targets),
            (std::vector<int32_t>{2, 3, 4}));
}

class Text : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "gyre_text_source";
    remove_tree(folder_);
    create_directories(folder_);
  }
  void TearDown() override { remove_tree(folder_); }
  std::string file(const std::string& name, std::string_view content) {
    write_file_atomic(folder_ + "/" + name, content);
    return folder_ + "/" + name;
  }
  std::string folder_;
};

TEST_F(Text, JoinsFilesInOrder) {
  std::vector<std::string> names{file("a", "one\n"), file("b", "two")};
  EXPECT_EQ(read_text(names), "one\ntwo");
}

TEST_F(Text, CanonicalSourceIsAbsolute) {
  EXPECT_EQ(canonical_source("wordnet:glosses"), "wordnet:glosses");
  EXPECT_EQ(canonical_source(folder_ + "/a"), folder_ + "/a");
  EXPECT_EQ(canonical_source("a"), absolute_path("a"));
}

TEST_F(Text, RejectsInvalidSources) {
  auto read = [&](const std::string& name) {
    return code_of([&] { return read_text(std::vector<std::string>{name}); });
  };
  EXPECT_EQ(code_of([] { return read_text({}); }), Code::value);
  EXPECT_EQ(read("wordnet:verbs"), Code::value);
  EXPECT_EQ(read(folder_ + "/missing"), Code::io);
  EXPECT_EQ(read(folder_), Code::io);
  EXPECT_EQ(read(file("empty", "")), Code::parse);
  std::string message = message_of(
      Code::parse, [&] { read_text(std::vector<std::string>{file("binary", "abc\xff\xfe")}); });
  EXPECT_TRUE(contains(message, "binary is not UTF-8 at byte 3")) << message;
}

TEST_F(Text, ReadsGlosses) {
  file("data.noun", "  1 licence | not a gloss\n00 n 01 thing 0 | a  thing; \"an example\"  \n");
  file("data.verb", "00 v 01 go 0 | move | on \n00 v no bar\n");
  file("data.adj", "");
  EXPECT_EQ(code_of([&] { return wordnet_glosses(folder_); }), Code::io) << "data.adv is missing";
  file("data.adv", "00 r 01 fast 0 | quickly");
  EXPECT_EQ(wordnet_glosses(folder_), "a  thing; \"an example\"\nmove | on\nquickly\n");
}

TEST_F(Text, GlossesOfDebianHaveTheirKnownSize) {
  if (!file_exists("/usr/share/wordnet/data.noun")) {
    GTEST_SKIP() << "wordnet-base is not installed";
  }
  std::string glosses = read_text(std::vector<std::string>{"wordnet:glosses"});
  size_t lines = static_cast<size_t>(std::count(glosses.begin(), glosses.end(), '\n'));
  EXPECT_EQ(lines, 117659u);
  EXPECT_EQ(glosses.size() - lines, 8845632u);
}

TEST_F(Text, SplitsBetweenCharacters) {
  TextSplit parts = split_text("0123456789", 0.3);
  EXPECT_EQ(parts.training, "0123456");
  EXPECT_EQ(parts.validation, "789");
  parts = split_text("ab\xC3\xA9", 0.25);  // byte 3 lies within the last character
  EXPECT_EQ(parts.training, "ab\xC3\xA9");
  EXPECT_EQ(split_text("abc", 0).validation, "");
  EXPECT_EQ(code_of([] { split_text("abc", 1); }), Code::value);
  EXPECT_EQ(code_of([] { split_text("abc", -0.1); }), Code::value);
}

TEST(TextSource, SplitsByRecord) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += "record " + std::to_string(i % 450) + "\n";
  text += "without a newline";
  const std::vector<size_t> ends = line_ends(text);
  ASSERT_EQ(ends.size(), 501u);
  EXPECT_EQ(ends.back(), text.size());
  const auto records_of = [](const std::string& part) {
    std::set<std::string> all;
    size_t begin = 0;
    for (size_t end : line_ends(part)) {
      all.insert(part.substr(begin, end - begin));
      begin = end;
    }
    return all;
  };
  const RecordSplit parts = split_records(text, ends, 0.2);
  EXPECT_EQ(parts.training.size() + parts.validation.size(), text.size());
  EXPECT_NEAR(static_cast<double>(parts.validation.size()), 0.2 * static_cast<double>(text.size()),
              0.05 * static_cast<double>(text.size()));
  for (const std::string& record : records_of(parts.validation))
    EXPECT_FALSE(records_of(parts.training).contains(record)) << "equal records are on one side";
  EXPECT_NE(text.substr(text.size() - parts.validation.size()), parts.validation) << "not the end";
  EXPECT_EQ(split_records(text, ends, 0.2).validation, parts.validation);
  EXPECT_NE(split_records(text, ends, 0.2, 1).validation, parts.validation);
  EXPECT_EQ(split_records(text, ends, 0).validation, "");
  EXPECT_EQ(code_of([&] { split_records(text, ends, 1); }), Code::value);
}

TEST(TextSource, KnowsTheRecordsOfJsonl) {
  const std::string folder = ::testing::TempDir() + "gyre_records";
  create_directories(folder);
  write_file_atomic(folder + "/a.jsonl", "{\"text\": \"two\\nlines\"}\n{\"text\": \"one\"}\n");
  write_file_atomic(folder + "/b.txt", "x\ny\n");
  const std::string a = folder + "/a.jsonl", b = folder + "/b.txt";
  EXPECT_EQ(read_records(std::vector{a, a}).ends, (std::vector<size_t>{10, 14, 24, 28}));
  EXPECT_TRUE(read_records(std::vector{a, b}).ends.empty());
  EXPECT_EQ(read_records(std::vector{a, b}).text, read_text(std::vector{a, b}));
  remove_tree(folder);
}

}  // namespace
}  // namespace gyre
