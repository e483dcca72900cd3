#include "gyre/logic/server/text_positions.h"

#include <gtest/gtest.h>

#include <string>

namespace gyre::logic {
namespace {

// "LINE:COLUMN" of each offset.
std::string positions(std::string_view text, PositionEncoding encoding,
                      std::initializer_list<size_t> offsets) {
  const TextPositions p(text, encoding);
  std::string all;
  for (const size_t offset : offsets) {
    const TextPosition at = p.position(offset);
    all += std::to_string(at.line) + ":" + std::to_string(at.character) + " ";
  }
  return all;
}

TEST(LogicTextPositions, ColumnsAreUnitsOfTheEncoding) {
  const std::string text = "a\xC3\xA9\xF0\x9F\x98\x80z\nb";  // a, é, a smiling face, z
  EXPECT_EQ(positions(text, PositionEncoding::utf16, {0, 1, 3, 7, 8, 9, 10, 99}),
            "0:0 0:1 0:2 0:4 0:5 1:0 1:1 1:1 ");
  EXPECT_EQ(positions(text, PositionEncoding::utf8, {0, 1, 3, 7, 8, 9}),
            "0:0 0:1 0:3 0:7 0:8 1:0 ");
}

TEST(LogicTextPositions, LinesEndAtEachKindOfNewline) {
  EXPECT_EQ(positions("a\r\nb\rc\nd", PositionEncoding::utf16, {0, 3, 5, 7}), "0:0 1:0 2:0 3:0 ");
  EXPECT_EQ(positions("", PositionEncoding::utf16, {0, 1}), "0:0 0:0 ");
  EXPECT_EQ(positions("a\n", PositionEncoding::utf16, {2}), "1:0 ");
}

TEST(LogicTextPositions, OffsetsInvertPositions) {
  const std::string text = "x\xC3\xA9\r\n\xF0\x9F\x98\x80y\n\n\xE2\x86\x90";
  for (const PositionEncoding encoding : {PositionEncoding::utf16, PositionEncoding::utf8}) {
    const TextPositions p(text, encoding);
    for (const size_t offset : {0, 1, 3, 5, 9, 10, 11, 12, 15})
      EXPECT_EQ(p.offset(p.position(offset)), offset);
  }
}

TEST(LogicTextPositions, PositionsOutsideGoToTheNearest) {
  const TextPositions p("ab\ncd\r\n", PositionEncoding::utf16);
  EXPECT_EQ(p.offset({0, 99}), 2);
  EXPECT_EQ(p.offset({1, 99}), 5);
  EXPECT_EQ(p.offset({99, 0}), 7);
  EXPECT_EQ(p.offset({-1, 5}), 0);
  EXPECT_EQ(p.offset({1, -1}), 3);
  const TextPositions wide("\xF0\x9F\x98\x80z", PositionEncoding::utf16);
  EXPECT_EQ(wide.offset({0, 1}), 0);  // between surrogates
  EXPECT_EQ(wide.offset({0, 2}), 4);
}

}  // namespace
}  // namespace gyre::logic
