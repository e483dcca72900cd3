#include "gyre/data/jsonl.h"

#include <gtest/gtest.h>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/data/text_source.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

const char* const kLines =
    "{\"text\": \"one\\ntwo\", \"id\": 1}\r\n\n  \n{\"id\": 2, \"text\": \"\\u00e9\\u2028\"}";

TEST(Jsonl, JoinsTheTextsOfAllLines) {
  EXPECT_EQ(jsonl_text(kLines, "f"), "one\ntwo\n\xC3\xA9\xE2\x80\xA8\n");
  EXPECT_EQ(jsonl_text("{\"a\":\"x\"}\n{\"a\":\"y\"}\n", "f",
                       {.field = "a", .separator = "<|endoftext|>"}),
            "x<|endoftext|>y<|endoftext|>");
  EXPECT_EQ(jsonl_text("", "f"), "");
  // U+2028, a line separator in other formats, does not end a line here.
  EXPECT_EQ(jsonl_text("{\"text\": \"a\xE2\x80\xA8"
                       "b\"}",
                       "f"),
            "a\xE2\x80\xA8"
            "b\n");
}

TEST(Jsonl, ErrorsNameTheLine) {
  const auto message = [](const char* line) {
    return message_of(Code::parse,
                      [&] { jsonl_text(std::string("{\"text\": \"a\"}\n\n") + line, "f"); });
  };
  EXPECT_TRUE(contains(message("{\"text\": 1}"), "f: line 3: text: expected a string"));
  EXPECT_TRUE(contains(message("{\"tex\": \"a\"}"), "f: line 3: missing key \"text\""));
  EXPECT_TRUE(contains(message("[1]"), "f: line 3: text: expected an object"));
  EXPECT_TRUE(contains(message("{\"text\": "), "f: line 3: column "));
  EXPECT_TRUE(contains(message("{\"text\": \"\xff\"}"), "f: line 3: column"));
}

TEST(Jsonl, ReadByFileExtension) {
  const std::string folder = testing::TempDir() + "gyre_jsonl";
  create_directories(folder);
  const std::vector<std::string> sources{folder + "/a.jsonl", folder + "/b.txt"};
  write_file_atomic(sources[0], kLines);
  write_file_atomic(sources[1], "{\"text\": 1}");
  EXPECT_EQ(read_text(sources), "one\ntwo\n\xC3\xA9\xE2\x80\xA8\n{\"text\": 1}");
  EXPECT_EQ(read_text(std::vector<std::string>{sources[0]}, {.separator = ""}),
            "one\ntwo\xC3\xA9\xE2\x80\xA8");
  EXPECT_EQ(code_of([&] { read_jsonl(folder + "/none.jsonl"); }), Code::io);
  write_file_atomic(sources[0], "\n");
  EXPECT_EQ(code_of([&] { read_text(sources); }), Code::parse) << "no text in the file";
  remove_tree(folder);
}

TEST(Jsonl, SurvivesDamage) {
  const std::string whole = kLines;
  for (size_t i = 0; i < whole.size(); ++i) {
    for (int flip : {1, 16, 128}) {
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ flip);
      for (const std::string& text : {damaged, whole.substr(0, i)}) {
        try {
          EXPECT_LE(jsonl_text(text, "f").size(), whole.size());
        } catch (const Error& error) {
          EXPECT_EQ(error.code, Code::parse);
        }
      }
    }
  }
}

}  // namespace
}  // namespace gyre
