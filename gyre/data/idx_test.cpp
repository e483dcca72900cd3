#include "gyre/data/idx.h"

#include <gtest/gtest.h>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/ops/create/create.h"
#include "tests/test_data.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

class Idx : public testing::Test {
 protected:
  Idx() { create_directories(folder_); }
  ~Idx() override { remove_tree(folder_); }

  Tensor read(const std::string& content) const {
    const std::string path = folder_ + "/file";
    write_file_atomic(path, content);
    return read_idx(path);
  }
  std::string folder_ = testing::TempDir() + "gyre_idx_test";
};

std::string bytes(std::initializer_list<int> values) {
  std::string s;
  for (int v : values) s += static_cast<char>(v);
  return s;
}

TEST_F(Idx, ReadsElementsOfAllTypes) {
  Tensor t = read(bytes({0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3, 1, 2, 3, 4, 5, 255}));
  EXPECT_EQ(t.shape(), (Shape{2, 3}));
  EXPECT_EQ(to_vector<uint8_t>(t), (std::vector<uint8_t>{1, 2, 3, 4, 5, 255}));
  EXPECT_EQ(to_vector<int8_t>(read(bytes({0, 0, 9, 1, 0, 0, 0, 1, 255}))), std::vector<int8_t>{-1});
  EXPECT_EQ(to_vector<int16_t>(read(bytes({0, 0, 0x0B, 1, 0, 0, 0, 1, 1, 2}))),
            std::vector<int16_t>{258});
  EXPECT_EQ(to_vector<int32_t>(read(bytes({0, 0, 0x0C, 1, 0, 0, 0, 1, 255, 255, 255, 254}))),
            std::vector<int32_t>{-2});
  EXPECT_EQ(to_vector<float>(read(bytes({0, 0, 0x0D, 1, 0, 0, 0, 1, 0x3F, 0xC0, 0, 0}))),
            std::vector<float>{1.5});
  EXPECT_EQ(to_vector<double>(read(bytes({0, 0, 0x0E, 1, 0, 0, 0, 1, 0xC0, 0, 0, 0, 0, 0, 0, 0}))),
            std::vector<double>{-2});
  EXPECT_EQ(read(bytes({0, 0, 8, 0, 7})).item(), 7);
  EXPECT_EQ(read(bytes({0, 0, 8, 1, 0, 0, 0, 0})).numel(), 0);
}

TEST_F(Idx, RejectsInvalidFiles) {
  for (const std::string& content :
       {std::string(), bytes({0, 0, 8}), bytes({1, 0, 8, 1, 0, 0, 0, 1, 1}),
        bytes({0, 0, 7, 1, 0, 0, 0, 1, 1}), bytes({0, 0, 8, 2, 0, 0, 0, 1, 1}),
        bytes({0, 0, 8, 17, 0, 0, 0, 1}), bytes({0, 0, 8, 1, 0, 0, 0, 2, 1}),
        bytes({0, 0, 8, 1, 0, 0, 0, 1, 1, 1}), bytes({0x1F, 0x8B, 8, 0})}) {
    EXPECT_EQ(code_of([&] { read(content); }), Code::parse) << content.size();
  }
  EXPECT_EQ(code_of([&] { read_idx(folder_ + "/none"); }), Code::io);
}

TEST(IdxData, ReadsCompressedImages) {
  const std::string path = test_data("images/t10k-images-idx3-ubyte.gz");
  if (!file_exists(path)) GTEST_SKIP() << no_test_data(path);
  EXPECT_EQ(read_idx(path).shape(), (Shape{10000, 28, 28}));
}

}  // namespace
}  // namespace gyre
