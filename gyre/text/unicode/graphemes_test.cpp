#include "gyre/text/unicode/graphemes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gyre {
namespace {

// The clusters of a text, with | between them.
std::string clusters(std::string_view text) {
  std::string all;
  for (size_t at = 0; at < text.size();) {
    const size_t end = grapheme_end(text, at);
    all += all.empty() ? "" : "|";
    all += text.substr(at, end - at);
    at = end;
  }
  return all;
}

// A text given with its breaks.
void expect_breaks(const std::string& wanted) {
  std::string text;
  for (const char c : wanted) {
    if (c != '|') text += c;
  }
  EXPECT_EQ(clusters(text), wanted);
}

TEST(Graphemes, FollowAnnex29) {
  expect_breaks("a|b|\r\n|\n|\r|a");
  expect_breaks("e\u0301\u0323|x\u0301|\u00AD|\u0301");  // a mark after a control
  expect_breaks("\u0600a\u0301|\u0600|\n");              // a prefix of numbers
  expect_breaks("\u0BA8\u0BBF|\u0E01\u0E33");            // spacing marks of Tamil and Thai
  expect_breaks("\u1100\u1100\u1161\u11A8|\u1161|\uAC00\u11A8|\uAC01\u11A8|\u1161");
  expect_breaks("\U0001F1EB\U0001F1F7|\U0001F1E9|a|\U0001F1E9\u0301|\U0001F1EA");
  expect_breaks("\U0001F469\u200D\U0001F469|\U0001F44D\U0001F3FD|\u00A9\u0301\u200D\u00AE");
  expect_breaks("a\u200D|\u00A9\u200D\u200D|\u00A9");
  expect_breaks("\u0915\u094D\u0937|\u0915\u094D\u200D\u0301\u0937|\u0915\u094D\u200C|\u0937");
  expect_breaks("\u0915|\u0937\u0301|\u0937|a\u094D|\u0937");
}

}  // namespace
}  // namespace gyre
