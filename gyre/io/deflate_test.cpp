#include "gyre/io/deflate.h"

#include <gtest/gtest.h>

#include "gyre/base/error.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

TEST(Deflate, HasTheChecksumOfTheStandard) {
  EXPECT_EQ(crc32_of("123456789"), 0xCBF43926u);
  EXPECT_EQ(crc32_of(""), 0u);
}

TEST(Deflate, GivesBackWhatItTook) {
  std::string text;
  for (uint32_t i = 0; i < 200000; ++i) text += static_cast<char>(i * i >> 3);
  for (const std::string& bytes :
       {std::string(), std::string("a"), std::string(1 << 20, 'x'), text}) {
    EXPECT_EQ(inflate_bytes(deflate_bytes(bytes), bytes.size(), "f"), bytes);
  }
  EXPECT_LT(deflate_bytes(std::string(1 << 20, 'x')).size(), 2000u);
  // by zlib.compressobj(wbits=-15) of Python
  EXPECT_EQ(inflate_bytes(std::string("\x4b\xaf\x2c\x4a\x55\x48\x07\x12\x00", 9), 9, "f"),
            "gyre gyre");
}

TEST(Deflate, RefusesWhatIsDamagedOrOfAnotherLength) {
  const std::string packed = deflate_bytes("gyre gyre gyre");
  const auto code = [](const std::string& bytes, size_t size) {
    return code_of([&] { inflate_bytes(bytes, size, "f"); });
  };
  for (size_t n = 0; n < packed.size(); ++n) EXPECT_EQ(code(packed.substr(0, n), 14), Code::parse);
  EXPECT_EQ(code(packed, 13), Code::parse);
  EXPECT_EQ(code(packed, 15), Code::parse);
  EXPECT_EQ(code(packed + "x", 14), Code::parse);
  EXPECT_EQ(code("\xff\xff\xff", 14), Code::parse);
  EXPECT_EQ(code(packed, size_t{1} << 62), Code::parse) << "before memory is asked for";
}

}  // namespace
}  // namespace gyre
