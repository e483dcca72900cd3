#include "gyre/data/images.h"

#include <gtest/gtest.h>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/io/npy.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"
#include "tests/test_data.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

class Mnist : public testing::Test {
 protected:
  Mnist() { create_directories(folder_); }
  ~Mnist() override { remove_tree(folder_); }

  void idx(const std::string& name, std::vector<char> sizes, const std::string& data) const {
    std::string file{0, 0, 8, static_cast<char>(sizes.size())};
    for (char size : sizes) file += std::string(3, '\0') + size;
    write_file_atomic(folder_ + "/" + name, file + data);
  }
  Code refusal(const std::vector<NamedTensor>& arrays) const {
    write_npz(folder_ + "/a.npz", arrays);
    return code_of([&] { mnist(folder_ + "/a.npz"); });
  }
  std::string folder_ = testing::TempDir() + "gyre_images";
};

float normalised(int pixel) {
  return static_cast<float>((pixel / 255.0 - kMnistMean) / kMnistDeviation);
}

TEST_F(Mnist, ReadsAFolderOfIdxFiles) {
  idx("train-images-idx3-ubyte", {2, 1, 2}, std::string("\0\xff\x10\x80", 4));
  idx("train-labels-idx1-ubyte", {2}, "\7\3");
  const auto data = mnist(folder_);
  EXPECT_EQ((*data)["x"].shape(), (Shape{2, 1, 1, 2}));
  EXPECT_EQ((*data)["x"].dtype(), DType::f32);
  const std::vector<float> found = to_vector<float>((*data)["x"]);
  const int pixels[] = {0, 255, 16, 128};
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(found[i], normalised(pixels[i]), 1e-6);
  EXPECT_EQ((*data)["y"].dtype(), DType::i64);
  EXPECT_EQ(to_vector<int64_t>((*data)["y"]), (std::vector<int64_t>{7, 3}));
  const std::string message = message_of(Code::io, [&] { mnist(folder_, ImagePart::test); });
  EXPECT_TRUE(contains(message, "neither t10k-images-idx3-ubyte nor")) << message;
}

TEST_F(Mnist, ReadsArraysOfNumPy) {
  const Tensor x = full({3, 2, 2}, 255, {.dtype = DType::u8});
  const Tensor y = tensor(std::vector<uint8_t>{1, 2, 3}, {3});
  const std::string path = folder_ + "/a.npz";
  write_npz(path, std::vector<NamedTensor>{
                      {"x_train", x}, {"y_train", y}, {"x_test", x}, {"y_test", flip(y, {0})}});
  EXPECT_EQ(to_vector<int64_t>((*mnist(path))["y"]), (std::vector<int64_t>{1, 2, 3}));
  EXPECT_EQ(to_vector<int64_t>((*mnist(path, ImagePart::test))["y"]),
            (std::vector<int64_t>{3, 2, 1}));
  write_npz(path, std::vector<NamedTensor>{{"x", x}, {"y", y}});
  EXPECT_EQ((*mnist(path))["x"].shape(), (Shape{3, 1, 2, 2}));
  EXPECT_EQ(code_of([&] { mnist(path, ImagePart::test); }), Code::io);
}

TEST_F(Mnist, RejectsInvalidArrays) {
  const Tensor x = zeros({3, 2, 2}, {.dtype = DType::u8}), y = zeros({3}, {.dtype = DType::i32});
  EXPECT_EQ(refusal({{"x", to(x, DType::f32)}, {"y", y}}), Code::parse);
  EXPECT_EQ(refusal({{"x", y}, {"y", y}}), Code::parse);
  EXPECT_EQ(refusal({{"x", x}, {"y", x}}), Code::parse);
  EXPECT_EQ(refusal({{"x", x}, {"y", to(y, DType::f32)}}), Code::parse);
  EXPECT_EQ(refusal({{"x", x}, {"y", to(y, DType::boolean)}}), Code::parse);
  EXPECT_EQ(refusal({{"x", x}, {"y", zeros({4}, {.dtype = DType::i32})}}), Code::parse);
  EXPECT_EQ(refusal({{"x", x}}), Code::io);
}

TEST(MnistData, ReadsTheTestImages) {
  const std::string path = test_data("images");
  if (!file_exists(path)) GTEST_SKIP() << no_test_data(path);
  const auto data = mnist(path, ImagePart::test);
  EXPECT_EQ((*data)["x"].shape(), (Shape{10000, 1, 28, 28}));
  std::vector<int64_t> counts(10);
  for (int64_t label : to_vector<int64_t>((*data)["y"])) ++counts[static_cast<size_t>(label)];
  // The published values.
  EXPECT_EQ(counts, (std::vector<int64_t>{980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009}));
}

}  // namespace
}  // namespace gyre
