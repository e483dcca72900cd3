#include "gyre/io/tensor_file.h"

#include <gtest/gtest.h>

#include "gyre/base/system/file.h"
#include "gyre/ops/create/create.h"
#include "tests/gguf_bytes.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

class TensorFile : public testing::Test {
 protected:
  TensorFile() { create_directories(folder_); }
  ~TensorFile() override { remove_tree(folder_); }

  std::string refused(const std::string& name, std::span<const NamedTensor> tensors,
                      const TensorFileOptions& options = {}) const {
    const std::string message =
        message_of(Code::value, [&] { write_tensors(folder_ + "/" + name, tensors, options); });
    EXPECT_FALSE(file_exists(folder_ + "/" + name)) << message;
    return message;
  }

  std::string folder_ = testing::TempDir() + "gyre_tensor_file_test";
  std::vector<NamedTensor> two_{{"b", tensor({1.F, 2.F, 3.F})}, {"a", tensor({7, 8})}};
};

TEST_F(TensorFile, TheEndingSelectsTheFormat) {
  // The first bytes are those of each format: zip, NumPy, a header length.
  for (const auto& [name, begin] : {std::pair{"x.npz", "PK"}, {"x.npy", "\x93NUMPY"}}) {
    write_tensors(folder_ + "/" + name, std::span(two_).first(1));
    EXPECT_TRUE(read_file(folder_ + "/" + name).starts_with(begin)) << name;
    EXPECT_EQ(to_vector<float>(read_tensors(folder_ + "/" + name).at(0).tensor),
              (std::vector<float>{1, 2, 3}));
  }
  EXPECT_EQ(read_tensors(folder_ + "/x.npy").at(0).name, "");
  write_tensors(folder_ + "/x.npz.safetensors", two_, {.metadata = {{{"key", "value"}}}});
  EXPECT_EQ(SafetensorsFile(folder_ + "/x.npz.safetensors").metadata("key"), "value");
}

TEST_F(TensorFile, SeveralTensorsKeepTheirNames) {
  for (const char* name : {"/x.npz", "/x.safetensors"}) {
    write_tensors(folder_ + name, two_);
    const std::vector<NamedTensor> got = read_tensors(folder_ + name);
    ASSERT_EQ(got.size(), 2U);
    for (const NamedTensor& t : got) {
      const NamedTensor& given = two_[t.name == "a"];
      EXPECT_EQ(t.name, given.name);
      EXPECT_EQ(t.tensor.dtype(), given.tensor.dtype());
      EXPECT_EQ(to_vector<double>(t.tensor), to_vector<double>(given.tensor));
    }
  }
}

TEST_F(TensorFile, CompressionMakesTheFileSmaller) {
  const std::vector<NamedTensor> zero{{"x", zeros({1000})}};
  write_tensors(folder_ + "/small.npz", zero, {.compressed = true});
  EXPECT_LT(read_file(folder_ + "/small.npz").size(), 1000U);
  EXPECT_EQ(read_tensors(folder_ + "/small.npz").at(0).tensor.numel(), 1000);
}

TEST_F(TensorFile, RefusesUnknownEndings) {
  for (const char* name : {"x", "x.ckpt", "x.npz.gz", "npy", "x.NPY"}) {
    EXPECT_TRUE(contains(refused(name, two_), "ends in .safetensors, .npz or .npy")) << name;
    EXPECT_EQ(code_of([&] { (void)read_tensors(folder_ + "/" + name); }), Code::value) << name;
  }
}

TEST_F(TensorFile, SomeFormatsAreReadOnly) {
  for (const char* name : {"x.pt", "x.pth", "x.gguf"}) {
    EXPECT_TRUE(contains(refused(name, two_), "ends in .safetensors, .npz or .npy")) << name;
    EXPECT_EQ(code_of([&] { (void)read_tensors(folder_ + "/" + name); }), Code::io) << name;
  }
  GgufBytes b;
  b.tensor("a", 8, {32}, std::string("\x00\x3C", 2) + std::string(32, '\2'));
  write_file_atomic(folder_ + "/x.gguf", b.bytes());
  const std::vector<NamedTensor> all = read_tensors(folder_ + "/x.gguf");
  EXPECT_EQ(all.at(0).name, "a");
  EXPECT_EQ(to_vector<float>(all[0].tensor), std::vector<float>(32, 2));
}

TEST_F(TensorFile, RefusesWhatAFormatDoesNotHold) {
  EXPECT_TRUE(contains(refused("x.npy", two_), "expected one tensor for an .npy file, got 2"));
  EXPECT_TRUE(contains(refused("x.npy", {}), "got 0"));
  const std::span one(two_.data(), 1);
  for (const char* name : {"x.npz", "x.npy"}) {
    EXPECT_TRUE(contains(refused(name, one, {.metadata = SafetensorsMetadata()}),
                         "expected a .safetensors file for metadata"));
  }
  for (const char* name : {"x.safetensors", "x.npy"}) {
    EXPECT_TRUE(contains(refused(name, one, {.compressed = true}),
                         "expected an .npz file for compression"));
  }
}

TEST_F(TensorFile, ContentMustFitTheEnding) {
  const char* const names[] = {"/x.npy", "/x.npz", "/x.safetensors"};
  for (const char* from : names) {
    write_tensors(folder_ + from, std::span(two_).first(1));
    const std::string content = read_file(folder_ + from);
    for (const std::string to : {"/y.npy", "/y.npz", "/y.safetensors"}) {
      if (to.substr(2) == std::string(from).substr(2)) continue;
      write_file_atomic(folder_ + to, content);
      EXPECT_EQ(code_of([&] { (void)read_tensors(folder_ + to); }), Code::parse) << from << to;
    }
  }
  EXPECT_EQ(code_of([&] { (void)read_tensors(folder_ + "/none.npz"); }), Code::io);
}

}  // namespace
}  // namespace gyre
