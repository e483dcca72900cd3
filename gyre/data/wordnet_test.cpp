#include "gyre/data/wordnet.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "gyre/base/system/file.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

class Wordnet : public testing::Test {
 protected:
  void SetUp() override {
    create_directories(folder_);
    write("index.noun", kIndex);
    write("data.noun", kData);
  }
  void TearDown() override { remove_tree(folder_); }
  void write(const std::string& name, std::string_view text) const {
    write_file_atomic(folder_ + "/" + name, text);
  }
  std::string refusal(Code code) const {
    return message_of(code, [&] { (void)wordnet_nouns(folder_); });
  }

  static constexpr std::string_view kIndex =
      "  1 licence\n"
      "thing n 1 1 ~ 1 0 00000001  \n"
      "animal n 2 2 @ ~ 2 0 00000009 00000002  \n"
      "fido n 1 1 @i 1 0 00000003  \n";
  static constexpr std::string_view kData =
      "  1 licence\n"
      "00000001 03 n 01 thing 0 001 ~ 00000002 n 0000 | what is  \n"
      "00000002 03 n 02 animal 0 beast 0 002 @ 00000001 n 0000 + 00000005 v 0101 | it lives  \n"
      "00000003 03 n 01 Fido 0 001 @i 00000002 n 0000 | a dog | or so  \n";
  std::string folder_ = testing::TempDir() + "gyre_wordnet_test";
};

TEST_F(Wordnet, NamesAndHypernyms) {
  const Taxonomy t = wordnet_nouns(folder_);
  ASSERT_EQ(t.nodes(), 3);
  EXPECT_EQ(t.names[0], "thing.n.01");
  EXPECT_EQ(t.names[1], "animal.n.02");
  EXPECT_EQ(t.names[2], "fido.n.01");
  EXPECT_EQ(t.begins, (std::vector<int64_t>{0, 0, 1, 2}));
  EXPECT_EQ(t.above, (std::vector<uint32_t>{0, 1}));
}

TEST_F(Wordnet, Subtrees) {
  EXPECT_EQ(wordnet_taxonomy("nouns", folder_).pairs(), 3);
  const Taxonomy part = wordnet_taxonomy("animal.n.02", folder_);
  EXPECT_EQ(part.nodes(), 2);
  EXPECT_EQ(part.pairs(), 1);
  const std::string said =
      message_of(Code::value, [&] { (void)wordnet_taxonomy("animal.n.01", folder_); });
  EXPECT_TRUE(contains(said, "animal.n.01") && contains(said, "did you mean animal.n.02?")) << said;
  (void)message_of(Code::value, [&] { (void)wordnet_taxonomy("mammals", folder_); });
}

TEST_F(Wordnet, RejectsInvalidFiles) {
  auto changed = [&](std::string_view from, std::string_view to) {
    std::string data(kData);
    data.replace(data.find(from), from.size(), to);
    write("data.noun", data);
  };
  auto expect = [&](std::string_view part) {
    const std::string said = refusal(Code::parse);
    EXPECT_TRUE(contains(said, "data.noun") && contains(said, part)) << said;
  };
  changed("01 Fido", "xx Fido");
  expect("line 4: 'xx' is not a number");
  changed("001 @i 00000002 n 0000 | a dog | or so", "001 @i 00000002 n");
  expect("line 4: unexpected end of line");
  changed("00000003 03", "00000007 03");
  expect("line 4: index.noun has no sense of fido at 00000007");
  changed("@i 00000002", "@i 00000008");
  expect("fido.n.01 has a hypernym at 00000008");
  changed("Fido", "Felix");
  expect("no sense of felix");
  write("data.noun", std::string(kData) + "00000001 03 n 01 thing 0 000 | again  \n");
  expect("line 5: duplicate synset offset 00000001");
  remove_tree(folder_ + "/data.noun");
  EXPECT_TRUE(contains(refusal(Code::io), "wordnet-base"));
  remove_tree(folder_ + "/index.noun");
  EXPECT_TRUE(contains(refusal(Code::io), "index.noun"));
}

TEST(WordnetOfThisMachine, HasTheKnownSizes) {
  if (!file_exists("/usr/share/wordnet/data.noun")) GTEST_SKIP() << "wordnet-base is not installed";
  const Taxonomy mammals = wordnet_taxonomy("mammals"), nouns = wordnet_taxonomy("nouns");
  EXPECT_EQ(mammals.nodes(), 1182);
  EXPECT_EQ(mammals.pairs(), 6542);
  EXPECT_EQ(nouns.nodes(), 82115);
  EXPECT_EQ(nouns.pairs(), 743241);
  const auto above = mammals.above_of(*mammals.names.find("dog.n.01"));
  EXPECT_TRUE(std::binary_search(above.begin(), above.end(), *mammals.names.find("canine.n.02")));
}

}  // namespace
}  // namespace gyre
