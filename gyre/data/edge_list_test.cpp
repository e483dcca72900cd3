#include "gyre/data/edge_list.h"

#include <gtest/gtest.h>

#include "gyre/base/system/file.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

// "dog<mammal cat<mammal"
std::string edges_of(const EdgeList& list) {
  std::string text;
  for (const TaxonomyEdge& e : list.edges) {
    text += (text.empty() ? "" : " ") + std::string(list.names[e.below]) + "<" +
            std::string(list.names[e.above]);
  }
  return text;
}

std::string read(std::string_view text, const EdgeListOptions& options = {}) {
  return edges_of(parse_edges(text, "file", options));
}

TEST(EdgeListOf, FilesWithTabsAndCommas) {
  EXPECT_EQ(read("dog\tmammal\ncat\tmammal\n"), "dog<mammal cat<mammal");
  EXPECT_EQ(read("dog,mammal\r\n\n\"c,at\",mammal"), "dog<mammal c,at<mammal");
  EXPECT_EQ(read("1;2\n2;3\n"), "1<2 2<3");
}

TEST(EdgeListOf, Headers) {
  EXPECT_EQ(read("id1,id2,weight\na,b,1\n"), "a<b");
  EXPECT_EQ(read("Child\tParent\na\tb\n"), "a<b");
  EXPECT_EQ(read("x,y,strength\na,b,1\n"), "a<b");
  EXPECT_EQ(read("x,y,2\na,b,1\n"), "x<y a<b");
  EXPECT_EQ(read("x,y\na,b\n"), "x<y a<b");
  EXPECT_EQ(read("x,y\na,b\n", {.header = CsvHeader::present}), "a<b");
  EXPECT_EQ(read("id1,id2\na,b\n", {.header = CsvHeader::absent}), "id1<id2 a<b");
  EXPECT_EQ(read("n,up,kind,down\n1,a,k,b\n2,c,k,d\n", {.columns = "down,up"}), "b<a d<c");
}

TEST(EdgeListOf, NotesDroppedEdgesAndWeights) {
  const EdgeList list = parse_edges("a,b,1\nc,c,1\nd,d,2\n", "file");
  EXPECT_EQ(edges_of(list), "a<b");
  EXPECT_EQ(list.names.size(), 4);  // c and d are nodes
  ASSERT_EQ(list.notes.size(), 2U);
  EXPECT_TRUE(contains(list.notes[0], "2 self-loops dropped, the first in line 2"))
      << list.notes[0];
  EXPECT_TRUE(contains(list.notes[1], "edge weights are ignored"));
  EXPECT_TRUE(parse_edges("a,b\n", "file").notes.empty());
}

TEST(EdgeListOf, RejectsInvalidFiles) {
  auto expect = [](Code code, std::string_view text, std::string_view part,
                   const EdgeListOptions& options = {}) {
    const std::string said = message_of(code, [&] { (void)read(text, options); });
    EXPECT_TRUE(contains(said, "file") || contains(said, "columns")) << said;
    EXPECT_TRUE(contains(said, part)) << said;
  };
  expect(Code::parse, "", "file is empty");
  expect(Code::parse, "\n\n", "file is empty");
  expect(Code::parse, "id1,id2\n", "contains only a header");
  expect(Code::parse, "\n dog\n", "line 2: expected two columns");
  expect(Code::parse, "a,b,c,d\n", "line 1: expected 2 or 3 columns, got 4; select");
  expect(Code::parse, "a,b\nc,d,e\n", "line 2: got 3 columns, the first line has 2");
  expect(Code::parse, "a,b\nc\n", "line 2: got 1 column, the first line has 2");
  expect(Code::parse, "a,b\n,d\n", "line 2: column 1: the name of the node is missing");
  expect(Code::parse, "a,b\nc,\n", "line 2: column 2: the name of the node is missing");
  expect(Code::parse, "a,\"b\tc\"\n", "line 1: column 2: the name of the node contains a tab");
  expect(Code::parse, "a,b\nc,\xFF\n", "line 2: column 2: the name of the node is not UTF-8");
  expect(Code::parse, "a,\"b\n", "line 1: a quoted field");
  expect(Code::value, "parent,child\na,b\n",
         "line 1: no column parnt; the columns are parent, "
         "child; did you mean parent?",
         {.columns = "child,parnt"});
  expect(Code::value, "a,b\n", "expected CHILD,PARENT", {.columns = "a"});
  expect(Code::value, "a,b\n", "needs a header", {.columns = "a,b", .header = CsvHeader::absent});
}

TEST(EdgeListOf, ReadsAFile) {
  const std::string path = testing::TempDir() + "gyre_edges_test.tsv";
  write_file_atomic(path, "a\tb\n");
  EXPECT_EQ(edges_of(read_edges(path)), "a<b");
  remove_tree(path);
  (void)message_of(Code::io, [&] { (void)read_edges(path); });
}

}  // namespace
}  // namespace gyre
