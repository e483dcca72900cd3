#include "gyre/io/safetensors.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/io/json.h"
#include "tests/test_data.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

class SafetensorsTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "/gyre-safetensors-" +
              testing::UnitTest::GetInstance()->current_test_info()->name();
    remove_tree(folder_);
    create_directories(folder_);
    path_ = folder_ + "/x.safetensors";
  }
  void TearDown() override { remove_tree(folder_); }

  /// Writes a file of this header and `data`.
  void write(std::string_view header, std::string_view data = "") const {
    std::string file;
    for (int i = 0; i < 8; ++i) file += static_cast<char>(header.size() >> (8 * i));
    write_file_atomic(path_, file + std::string(header) + std::string(data));
  }

  std::string folder_, path_;
};

/// Bytes 1, 2, 3, ... (0 and 1 alternating for boolean).
Tensor counting(const Shape& shape, DType dtype) {
  Tensor tensor = empty(shape, dtype);
  const auto bytes = static_cast<size_t>(tensor.numel()) * size_of(dtype);
  for (size_t i = 0; i < bytes; ++i) {
    tensor.bytes()[i] = static_cast<std::byte>(dtype == DType::boolean ? i % 2 : i + 1);
  }
  return tensor;
}

std::vector<NamedTensor> every_dtype() {
  std::vector<NamedTensor> tensors;
  for (int d = 0; d < kDTypes; ++d) {
    const auto dtype = static_cast<DType>(d);
    tensors.push_back({std::string("t.") + name_of(dtype), counting({3, 5}, dtype)});
  }
  tensors.push_back({"scalar", counting({}, DType::f32)});
  tensors.push_back({"none", counting({2, 0, 3}, DType::f64)});
  tensors.push_back({"name with \"quotes\", / and \xC3\xA9", counting({1}, DType::u8)});
  return tensors;
}

TEST_F(SafetensorsTest, RefusesAHeaderAboveTheLimit) {
  constexpr uint64_t kHeader = 100'000'001;
  write("");
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  for (int i = 0; i < 8; ++i) file.put(static_cast<char>(kHeader >> (8 * i)));
  file.close();
  std::filesystem::resize_file(path_, 8 + kHeader);  // holes
  EXPECT_TRUE(
      contains(message_of(Code::parse, [&] { SafetensorsFile header(path_); }), "above the limit"));
}

TEST_F(SafetensorsTest, EveryDTypeRoundTrips) {
  const std::vector<NamedTensor> tensors = every_dtype();
  const SafetensorsMetadata notes{{"step", "20"}, {"note", "a\n\"b\""}};
  write_safetensors(path_, tensors, notes);
  EXPECT_EQ(safetensors_size(tensors, notes), file_size(path_));
  const SafetensorsFile file(path_, Verify::required);
  EXPECT_EQ(file.entries().size(), tensors.size());
  EXPECT_EQ(file.metadata("step"), "20");
  EXPECT_EQ(file.metadata("note"), "a\n\"b\"");
  EXPECT_EQ(file.metadata("missing"), "");
  for (const NamedTensor& named : tensors) {
    const Tensor back = file.load(named.name);
    EXPECT_EQ(back.dtype(), named.tensor.dtype());
    EXPECT_EQ(back.shape(), named.tensor.shape());
    EXPECT_TRUE(back.is_contiguous());
    const auto bytes = static_cast<size_t>(back.numel()) * size_of(back.dtype());
    EXPECT_EQ(std::memcmp(back.bytes(), named.tensor.bytes(), bytes), 0) << named.name;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(back.bytes()) % size_of(back.dtype()), 0u);
  }
}

TEST_F(SafetensorsTest, BytesDoNotDependOnTheOrder) {
  std::vector<NamedTensor> tensors = every_dtype();
  write_safetensors(path_, tensors);
  const std::string first = read_file(path_);
  std::reverse(tensors.begin(), tensors.end());
  write_safetensors(path_, tensors);
  EXPECT_EQ(read_file(path_), first);
  uint64_t header = 0;
  std::memcpy(&header, first.data(), 8);
  EXPECT_EQ(header % 8, 0u);
  uint64_t reached = 0;
  const SafetensorsFile file(path_);
  for (const SafetensorsEntry& entry : file.entries()) {
    EXPECT_EQ(entry.begin, reached);
    EXPECT_EQ(entry.begin % size_of(entry.dtype()), 0u) << entry.name;
    reached = entry.end;
  }
}

TEST_F(SafetensorsTest, StridedTensorsAreWrittenInRowOrder) {
  const Tensor base = counting({40, 50, 7}, DType::f32);
  const Tensor turned = make_view(base, {7, 40, 25}, {1, 350, 14}, 7);
  const Tensor spread = make_view(base, {3, 4}, {0, 1}, 0);
  const Tensor lone = make_view(base, {1, 1}, {99, 98}, 5);
  write_safetensors(path_, std::vector<NamedTensor>{{"t", turned}, {"s", spread}, {"l", lone}});
  const SafetensorsFile file(path_);
  const Tensor t = file.load("t"), s = file.load("s");
  const auto* source = reinterpret_cast<const uint32_t*>(base.bytes());
  const auto* out = reinterpret_cast<const uint32_t*>(t.bytes());
  for (int64_t i = 0; i < 7; ++i) {
    for (int64_t j = 0; j < 40; ++j) {
      for (int64_t k = 0; k < 25; ++k) ASSERT_EQ(*out++, source[7 + i + 350 * j + 14 * k]);
    }
  }
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(reinterpret_cast<const uint32_t*>(s.bytes())[i], source[i % 4]);
  }
  EXPECT_EQ(*reinterpret_cast<const uint32_t*>(file.load("l").bytes()), source[5]);
}

TEST_F(SafetensorsTest, TensorsOutliveTheFileAndWritesStayPrivate) {
  write_safetensors(path_, std::vector<NamedTensor>{{"a", counting({4}, DType::i32)},
                                                    {"b", counting({4}, DType::i32)}});
  Tensor a, b;
  {
    const SafetensorsFile file(path_, Verify::checksum, FileAccess::map);
    a = file.load("a");
    b = file.load("b");
    EXPECT_EQ(a.bytes() + 16, b.bytes());  // mapped, not copied
  }
  const int32_t old = a.data<int32_t>()[0];
  a.data<int32_t>()[0] = 77;
  EXPECT_EQ(SafetensorsFile(path_).load("a").data<int32_t>()[0], old);
  EXPECT_EQ(b.data<int32_t>()[3], 0x100F0E0D);
}

TEST_F(SafetensorsTest, MisalignedTensorsAreCopied) {
  std::string data("\1\2\3", 3);
  const double value = 1.25;
  data.append(reinterpret_cast<const char*>(&value), 8);
  write(R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},)"
        R"("b":{"dtype":"F64","shape":[1],"data_offsets":[3,11]}})",
        data);
  for (const FileAccess access : {FileAccess::read, FileAccess::map}) {
    const SafetensorsFile file(path_, Verify::checksum, access);
    EXPECT_EQ(file.load("b").item(), 1.25);
    EXPECT_EQ(file.load("a").data<uint8_t>()[2], 3);
  }
}

TEST_F(SafetensorsTest, RefusesMalformedHeaders) {
  const auto refused = [&](std::string_view header, std::string_view data, const char* words) {
    write(header, data);
    const std::string message = message_of(Code::parse, [&] { SafetensorsFile file(path_); });
    EXPECT_TRUE(contains(message, path_)) << message;
    EXPECT_TRUE(contains(message, words)) << message;
  };
  refused("", "", "line 1, column 1");
  refused("[]", "", "not a JSON object");
  refused("\xEF\xBB\xBF{}", "", "byte order mark");
  refused("{} x", "", "column 4");
  refused(R"({"a":1})", "", "not an object");
  refused(R"({"a":{}})", "", "no dtype");
  refused(R"({"a":{"dtype":3}})", "", "dtype is not a string");
  refused(R"({"a":{"dtype":"U8"}})", "", "no shape");
  refused(R"({"a":{"dtype":"U8","shape":2}})", "", "shape is not an array");
  refused(R"({"a":{"dtype":"U8","shape":[1.0],"data_offsets":[0,1]}})", "x", "holds 1.0");
  refused(R"({"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}})", "x", "holds -1");
  refused(R"({"a":{"dtype":"U8","shape":[-0],"data_offsets":[0,0]}})", "", "holds -0");
  refused(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[-0,1]}})", "x", "holds -0");
  refused(R"({"a":{"dtype":"U8","shape":[18446744073709551615],"data_offsets":[0,1]}})", "x",
          "expected an integer");
  refused(R"({"a":{"dtype":"U8","shape":["1"],"data_offsets":[0,1]}})", "x", "holds \"1\"");
  refused(R"({"a":{"dtype":"U8","shape":[1]}})", "x", "no data_offsets");
  refused(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0]}})", "x", "two numbers");
  refused(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[1,0]}})", "x", "descending order");
  refused(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,1]}})", "x", "takes 2 bytes");
  refused(R"({"a":{"dtype":"F4","shape":[1],"data_offsets":[0,0]}})", "", "takes 0 bytes");
  refused(R"({"a":{"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0]}})", "",
          "overflows");
  refused(
      R"({"a":{"dtype":"U8","shape":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1],"data_offsets":[0,1]}})",
      "x", "rank 17 is above 16");
  refused(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})", "xx", "hole");
  refused(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", "", "truncated");
  refused(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", "xy", "1 extra bytes");
  refused(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
          R"("b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})",
          "xyz", "overlap");
  refused(R"({"__metadata__":3})", "", "__metadata__ is not an object");
  refused(R"({"__metadata__":{"a":3}})", "", "is not a string");
  refused(R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0],"shape":[0]}})", "", "twice");
  write_file_atomic(path_, "");
  message_of(Code::parse, [&] { SafetensorsFile file(path_); });
  write_file_atomic(path_, "ab");
  message_of(Code::parse, [&] { SafetensorsFile file(path_); });
  for (const char* other : {"no tensors at all", "\x10\0\0\0\0\0\0\0{}"}) {
    write_file_atomic(path_, std::string(other, 10));
    const std::string text = message_of(Code::parse, [&] { SafetensorsFile file(path_); });
    EXPECT_TRUE(contains(text, "this is not a safetensors file")) << text;
  }
  message_of(Code::io, [&] { SafetensorsFile file(folder_); });
  message_of(Code::io, [&] { SafetensorsFile file(folder_ + "/none"); });
}

TEST_F(SafetensorsTest, AcceptsUnusualHeaders) {
  write(" \n{} \t", "");
  EXPECT_TRUE(SafetensorsFile(path_).entries().empty());
  write(R"({"__metadata__":null})");
  EXPECT_TRUE(SafetensorsFile(path_).metadata().empty());
  write(R"({"a":{"extra":1,"dtype":"U8","shape":[],"data_offsets":[0,1]},)"
        R"("b":{"dtype":"F64","shape":[0,9223372036854775807],"data_offsets":[1,1]}})",
        "x");
  const SafetensorsFile file(path_);
  EXPECT_EQ(file.load("a").item(), 'x');
  EXPECT_EQ(file.load("b").numel(), 0);
}

TEST_F(SafetensorsTest, UnsupportedDTypesAreListedButNotLoaded) {
  write(R"({"w":{"dtype":"F8_E4M3","shape":[2],"data_offsets":[0,2]}})", "xy");
  const SafetensorsFile file(path_);
  EXPECT_EQ(file.entries()[0].stored_dtype, "F8_E4M3");
  const std::string message = message_of(Code::dtype, [&] { (void)file.load("w"); });
  EXPECT_TRUE(contains(message, "F8_E4M3")) << message;
  write(R"({"w":{"dtype":"X32","shape":[2],"data_offsets":[0,2]}})", "xy");
  message_of(Code::dtype, [&] { SafetensorsFile unknown(path_); });
}

TEST_F(SafetensorsTest, BooleansMustBeZeroOrOne) {
  write(R"({"w":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]}})", std::string("\1\2", 2));
  const SafetensorsFile file(path_);
  message_of(Code::value, [&] { (void)file.load("w"); });
}

TEST_F(SafetensorsTest, MissingTensorIsNamed) {
  write("{}");
  const SafetensorsFile file(path_);
  EXPECT_EQ(file.find("wte"), nullptr);
  EXPECT_TRUE(contains(message_of(Code::index, [&] { (void)file.load("wte"); }), "\"wte\""));
}

TEST_F(SafetensorsTest, ManyOverlapsFailFast) {
  std::string header = "{";
  for (int i = 0; i < 100000; ++i) {
    header += (i ? ",\"" : "\"") + std::to_string(i) +
              R"(":{"dtype":"U8","shape":[8],"data_offsets":[0,8]})";
  }
  write(header + "}", "12345678");
  // Comparing all pairs would take 5e9 comparisons and exceed the time limit of the test.
  EXPECT_TRUE(contains(message_of(Code::parse, [&] { SafetensorsFile file(path_); }),
                       "(overlap); expected 8"));
}

TEST_F(SafetensorsTest, WriterRefuses) {
  const Tensor x = counting({2}, DType::f32);
  const auto refused = [&](const std::vector<NamedTensor>& tensors, Code code) {
    const std::string why = message_of(code, [&] { write_safetensors(path_, tensors); });
    if (code == Code::value) {
      EXPECT_EQ(message_of(code, [&] { safetensors_size(tensors); }), why);
    }
    EXPECT_FALSE(file_exists(path_));
  };
  refused({{"a", x}, {"b", x}, {"a", x}}, Code::value);
  refused({{"__metadata__", x}}, Code::value);
  refused({{"\xFF", x}}, Code::value);
  refused({{"a", Tensor()}}, Code::value);
  Tensor far = x.detach();
  far.impl()->meta.device.kind = Device::cuda;
  refused({{"a", far}}, Code::unavailable);
  message_of(Code::value, [&] { write_safetensors(path_, {}, {{"k", "\xFF"}}); });
  const std::string too_large(100'000'000, 'x');
  message_of(Code::value, [&] {
    write_safetensors(path_, {}, {{"k", too_large}}, {.checksum = false});
  });
  message_of(Code::io, [&] { write_safetensors(folder_ + "/none/x", {}); });
}

TEST_F(SafetensorsTest, ChecksumIsOptional) {
  const std::vector<NamedTensor> tensors = every_dtype();
  write_safetensors(path_, tensors, {}, {.checksum = false});
  EXPECT_EQ(safetensors_size(tensors, {}, {.checksum = false}), file_size(path_));
  EXPECT_TRUE(SafetensorsFile(path_).metadata().empty());
  EXPECT_TRUE(contains(
      message_of(Code::value, [&] { SafetensorsFile file(path_, Verify::required); }), "checksum"));
  // Metadata read from one file may be passed to the next: its checksum is recomputed.
  write_safetensors(path_, tensors);
  const SafetensorsMetadata old = SafetensorsFile(path_).metadata();
  write_safetensors(path_, std::vector<NamedTensor>{tensors[0]}, old);
  EXPECT_NO_THROW(SafetensorsFile(path_, Verify::required));
}

/// A small file, of which every bit can be flipped.
std::vector<NamedTensor> two_tensors() {
  return {{"a", counting({2, 3}, DType::f32)}, {"b", counting({3}, DType::boolean)}};
}

/// In place: truncating and rewriting would flush the file to disk each time.
void flip(const std::string& path, size_t bit) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(static_cast<std::streamoff>(bit / 8));
  const int byte = file.get() ^ (1 << (bit % 8));
  file.seekp(static_cast<std::streamoff>(bit / 8));
  file.put(static_cast<char>(byte));
}

TEST_F(SafetensorsTest, DamageIsAlwaysNoticed) {
  write_safetensors(path_, two_tensors(), {{"step", "20"}});
  const std::string good = read_file(path_);
  for (size_t bit = 0; bit < 8 * good.size(); ++bit) {
    flip(path_, bit);
    EXPECT_THROW(SafetensorsFile file(path_, Verify::required), Error) << "bit " << bit;
    flip(path_, bit);
  }
  EXPECT_EQ(read_file(path_), good);
  EXPECT_NO_THROW(SafetensorsFile file(path_, Verify::required));
  for (size_t percent = 0; percent < 100; ++percent) {
    write_file_atomic(path_, good.substr(0, good.size() * percent / 100));
    message_of(Code::parse, [&] { SafetensorsFile file(path_); });
  }
}

/// Without a checksum only names, metadata and data may differ unnoticed, and nothing crashes.
TEST_F(SafetensorsTest, DamageWithoutChecksum) {
  write_safetensors(path_, two_tensors(), {}, {.checksum = false});
  const std::string good = read_file(path_);
  for (size_t bit = 0; bit < 8 * good.size(); ++bit) {
    flip(path_, bit);
    try {
      const SafetensorsFile file(path_);
      EXPECT_EQ(file.entries().size(), 2u);
      for (const SafetensorsEntry& entry : file.entries()) (void)file.load(entry);
    } catch (const Error& error) {
      EXPECT_NE(error.code, Code::internal) << error.what();
    }
    flip(path_, bit);
  }
}

TEST(SafetensorsData, ManifestOfReferenceFiles) {
  const std::string folder = test_data("safetensors/");
  if (!file_exists(folder + "manifest.json")) GTEST_SKIP() << no_test_data(folder);
  int files = 0;
  const Json manifest = Json::read(folder + "manifest.json");
  for (const Json& row : manifest.as_array()) {
    const std::string name = row.at("file").as_string();
    bool accepted = true;
    std::string message;
    try {
      const SafetensorsFile file(folder + name);
      for (const SafetensorsEntry& entry : file.entries()) (void)file.load(entry);
    } catch (const Error& error) {
      accepted = false;
      message = error.what();
    }
    EXPECT_EQ(accepted, row.at("accept").as_boolean()) << name << ": " << message;
    ++files;
  }
  EXPECT_GE(files, 20);
}

}  // namespace
}  // namespace gyre
