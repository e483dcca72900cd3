#include "gyre/io/deflate.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "gyre/base/error.h"
#include "tests/thrown.h"

// Overrides zlib's init functions, which fail for lack of memory on request.
namespace {
bool no_memory = false;
template <class F>
F next(const char* name) {
  return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}
}  // namespace

extern "C" int inflateInit2_(z_streamp stream, int bits, const char* version, int size) {
  if (no_memory) return Z_MEM_ERROR;
  return next<decltype(&inflateInit2_)>("inflateInit2_")(stream, bits, version, size);
}
extern "C" int deflateInit2_(z_streamp stream, int level, int method, int bits, int memory,
                             int strategy, const char* version, int size) {
  if (no_memory) return Z_MEM_ERROR;
  return next<decltype(&deflateInit2_)>("deflateInit2_")(stream, level, method, bits, memory,
                                                         strategy, version, size);
}

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

TEST(Deflate, RejectsDamagedDataAndWrongLengths) {
  const std::string packed = deflate_bytes("gyre gyre gyre");
  const auto code = [](const std::string& bytes, size_t size) {
    return code_of([&] { inflate_bytes(bytes, size, "f"); });
  };
  for (size_t n = 0; n < packed.size(); ++n) EXPECT_EQ(code(packed.substr(0, n), 14), Code::parse);
  EXPECT_EQ(code(packed, 13), Code::parse);
  EXPECT_EQ(code(packed, 15), Code::parse);
  EXPECT_EQ(code(packed + "x", 14), Code::parse);
  EXPECT_EQ(code("\xff\xff\xff", 14), Code::parse);
  EXPECT_EQ(code(packed, size_t{1} << 62), Code::parse) << "before allocating";
}

TEST(Deflate, OutOfMemoryIsAnError) {
  no_memory = true;
  Code packing = code_of([] { deflate_bytes("gyre"); });
  Code unpacking = code_of([] { inflate_bytes("gyre", 4, "f"); });
  Code reading = code_of([] { gunzip("gyre", "f"); });
  no_memory = false;
  EXPECT_EQ(packing, Code::resource);
  EXPECT_EQ(unpacking, Code::resource);
  EXPECT_EQ(reading, Code::resource);
}

}  // namespace
}  // namespace gyre
