#include "gyre/io/deflate.h"

#include <gtest/gtest.h>

#include "gyre/base/error.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

// "gyre gyre gyre\n" by gzip -n.
constexpr std::string_view kFile{
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b\xaf\x2c\x4a\x55\x48\x87\x11\x5c\x00\x8c\x4c\x73"
    "\x6b\x0f\x00\x00\x00",
    28};

TEST(Gzip, ReadsAMemberAndSeveral) {
  const std::string file(kFile);
  EXPECT_TRUE(is_gzip(file));
  EXPECT_FALSE(is_gzip("gyre"));
  EXPECT_EQ(gunzip(file, "f"), "gyre gyre gyre\n");
  EXPECT_EQ(gunzip(file + file, "f"), "gyre gyre gyre\ngyre gyre gyre\n");
}

TEST(Gzip, RejectsDamagedTruncatedOrTooLongData) {
  const std::string file(kFile);
  for (size_t n = 0; n < file.size(); ++n) {
    EXPECT_EQ(code_of([&] { gunzip(file.substr(0, n), "f"); }), Code::parse) << n;
  }
  std::string damaged = file;
  damaged[20] ^= 1;  // of the checksum
  EXPECT_EQ(code_of([&] { gunzip(damaged, "f"); }), Code::parse);
  EXPECT_EQ(code_of([&] { gunzip(file + "more", "f"); }), Code::parse);
  EXPECT_EQ(code_of([&] { gunzip("gyre gyre", "f"); }), Code::parse);
  EXPECT_EQ(code_of([&] { gunzip(file, "f", 14); }), Code::parse);
  EXPECT_EQ(gunzip(file, "f", 15).size(), 15u);
}

}  // namespace
}  // namespace gyre
