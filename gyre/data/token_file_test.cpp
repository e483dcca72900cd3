#include "gyre/data/token_file.h"

#include <gtest/gtest.h>

#include <numeric>

#include "gyre/base/error.h"
#include "gyre/data/token_batches.h"
#include "gyre/io/npy.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

class Tokens : public testing::Test {
 protected:
  void TearDown() override { remove_tree(path_); }
  std::vector<int32_t> all(const TokenFile& file) const {
    std::vector<int32_t> tokens(static_cast<size_t>(file.size()));
    file.read(0, tokens);
    return tokens;
  }
  std::string path_ = testing::TempDir() + "gyre_token_file";
};

TEST_F(Tokens, RoundTripThroughAFile) {
  std::vector<int32_t> tokens(40000);
  for (size_t i = 0; i < tokens.size(); ++i) tokens[i] = static_cast<int32_t>(i * 7919 % 65536);
  for (TokenWidth width : {TokenWidth::u16, TokenWidth::u32}) {
    write_token_file(path_, tokens, width);
    EXPECT_EQ(file_size(path_), tokens.size() * static_cast<size_t>(width));
    EXPECT_EQ(all(TokenFile(path_, width)), tokens);
  }
  write_token_file(path_, std::vector<int32_t>{258, 65535}, TokenWidth::u16);
  EXPECT_EQ(read_file(path_), "\x02\x01\xff\xff") << "as numpy.array([...], '<u2').tofile";
  write_token_file(path_, std::vector<int32_t>{INT32_MAX - 1}, TokenWidth::u32);
  EXPECT_EQ(all(TokenFile(path_, TokenWidth::u32)), (std::vector<int32_t>{INT32_MAX - 1}));
}

TEST_F(Tokens, ReadFromIntegerArrays) {
  const std::vector<int32_t> tokens{5, 0, 127, 3};
  for (int d = 0; d < kDTypes; ++d) {
    const auto dtype = static_cast<DType>(d);
    if (is_floating(dtype) || dtype == DType::boolean) continue;
    write_npy(path_, to(tensor(tokens, {2, 2}), dtype));
    EXPECT_EQ(all(TokenFile(path_)), tokens);
  }
  EXPECT_EQ(all(TokenFile("tests/fuzz/corpus/npy/u2.npy")),
            (std::vector<int32_t>{0, 13107, 26214, 39321, 52428, 65535}));
  const TokenFile large("tests/fuzz/corpus/npy/u8_big.npy");
  std::vector<int32_t> two(2);
  EXPECT_TRUE(contains(message_of(Code::index, [&] { large.read(0, two); }),
                       "token 1 is 1000000000000000000"));
  write_npy(path_, ones({3}));
  EXPECT_EQ(code_of([&] { TokenFile{path_}; }), Code::dtype);
  EXPECT_EQ(code_of([] { TokenFile("tests/fuzz/corpus/npy/i2_big_fortran.npy"); }), Code::parse);
}

TEST_F(Tokens, RejectInvalidFiles) {
  EXPECT_EQ(code_of([&] { TokenFile{path_}; }), Code::io);
  write_file_atomic(path_, "abc");
  EXPECT_TRUE(contains(message_of(Code::parse, [&] { TokenFile{path_}; }),
                       "its size of 3 bytes is not a multiple of the token size 2"));
  EXPECT_TRUE(contains(
      message_of(Code::index,
                 [&] {
                   write_token_file(path_, std::vector<int32_t>{1, 65536}, TokenWidth::u16);
                 }),
      "token 1 is 65536, which does not fit in 16 bits"));
  EXPECT_EQ(code_of([&] { write_token_file(path_, std::vector<int32_t>{-1}, TokenWidth::u32); }),
            Code::index);
  write_token_file(path_, std::vector<int32_t>{1, 2, 30}, TokenWidth::u16);
  const TokenFile file(path_);
  std::vector<int32_t> two(2);
  for (int64_t begin : {int64_t{-1}, int64_t{2}, INT64_MAX}) {
    EXPECT_EQ(code_of([&] { file.read(begin, two); }), Code::index);
  }
  EXPECT_TRUE(contains(message_of(Code::index, [&] { file.read(1, two, 30); }),
                       "token 2 is 30; the vocabulary size is 30"));
  file.read(1, two, 31);
  EXPECT_EQ(two[1], 30);
  write_npy(path_, tensor(std::vector<int32_t>{-3, 1}, {2}));
  EXPECT_TRUE(
      contains(message_of(Code::index, [&] { TokenFile(path_).read(0, two); }), "token 0 is -3"));
}

TEST_F(Tokens, KeepAPartOfAFile) {
  std::vector<int32_t> tokens(100);
  std::iota(tokens.begin(), tokens.end(), 0);
  write_token_file(path_, tokens, TokenWidth::u16);
  TokenFile file(path_);
  file.keep(10, 90);
  EXPECT_EQ(all(file), std::vector<int32_t>(tokens.begin() + 10, tokens.begin() + 90));
  file.keep(5, 20);
  EXPECT_EQ(all(file), std::vector<int32_t>(tokens.begin() + 15, tokens.begin() + 30));
  std::vector<int32_t> one(1);
  EXPECT_EQ(code_of([&] { file.read(15, one); }), Code::index) << "in the file, but not kept";
  EXPECT_TRUE(contains(message_of(Code::index, [&] { file.read(2, one, 17); }), "token 17 is 17"))
      << "its position in the file";
  EXPECT_EQ(code_of([&] { file.keep(-1, 3); }), Code::index);
  EXPECT_EQ(code_of([&] { file.keep(4, 3); }), Code::index);
  EXPECT_EQ(code_of([&] { file.keep(0, 16); }), Code::index);
  file.keep(15, 15);
  EXPECT_EQ(file.size(), 0);
}

TEST_F(Tokens, BatchesFromFileEqualBatchesFromMemory) {
  std::vector<int32_t> tokens(1000);
  std::iota(tokens.begin(), tokens.end(), 0);
  write_token_file(path_, tokens, TokenWidth::u16);
  const auto file = std::make_shared<TokenFile>(path_);
  const TokenBatches mapped(file, 1000, 3, 8, 5), held(tokens, 3, 8, 5);
  EXPECT_EQ(mapped.tokens(), 1000);
  for (int64_t number : {0, 1, 77}) {
    const TokenBatch a = mapped.at(number), b = held.at(number);
    EXPECT_EQ(to_vector<int32_t>(a.inputs), to_vector<int32_t>(b.inputs));
    EXPECT_EQ(to_vector<int32_t>(a.targets), to_vector<int32_t>(b.targets));
  }
  const TokenBatches small(file, 10, 3, 8, 5);
  EXPECT_EQ(code_of([&] { (void)small.at(0); }), Code::index);
  EXPECT_EQ(code_of([&] { TokenBatches(file, 0, 3, 8, 5); }), Code::value);
  EXPECT_EQ(code_of([&] { TokenBatches(file, 10, 3, 1000, 5); }), Code::value);
}

}  // namespace
}  // namespace gyre
