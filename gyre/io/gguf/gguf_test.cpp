#include "gyre/io/gguf/gguf.h"

#include <gtest/gtest.h>

#include <cstring>

#include "gyre/base/half.h"
#include "gyre/base/xxhash64.h"
#include "gyre/io/json.h"
#include "gyre/ops/create/create.h"
#include "tests/gguf_bytes.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

class Gguf : public testing::Test {
 protected:
  Gguf() { create_directories(folder_); }
  ~Gguf() override { remove_tree(folder_); }

  std::string write(const std::string& bytes, const std::string& name = "x.gguf") const {
    write_file_atomic(folder_ + "/" + name, bytes);
    return folder_ + "/" + name;
  }
  std::string refused(Code code, const std::string& bytes) const {
    const std::string path = write(bytes);
    const std::string message = message_of(code, [&] { const GgufFile file(path); });
    EXPECT_TRUE(contains(message, path)) << message;
    return message;
  }
  // One of each kind of value, two tensors.
  static GgufBytes usual() {
    GgufBytes b;
    b.text("general.architecture", "llama").u32("llama.block_count", 2).f32("llama.eps", 1e-5F);
    b.boolean("flag", true).texts("tokens", {"a", "bc"}).i32s("types", {1, -2});
    b.u64("large", UINT64_MAX);
    b.tensor("first", 0, {3, 2}, floats({1, 2, 3, 4, 5, 6}));
    b.tensor("second", 24, {2}, "\x07\xF9");
    return b;
  }
  std::string folder_ = testing::TempDir() + "gyre_gguf_test";
};

TEST_F(Gguf, HoldsMetadataAndTensors) {
  for (const uint32_t version : {2, 3}) {
    const GgufFile file(write(usual().bytes(version)));
    EXPECT_EQ(file.version(), version);
    EXPECT_EQ(file.metadata("general.architecture")->as_text(), "llama");
    EXPECT_EQ(file.metadata("llama.block_count")->as_integer(), 2);
    EXPECT_EQ(file.metadata("llama.eps")->as_real(), 1e-5);
    EXPECT_TRUE(file.metadata("flag")->as_boolean());
    EXPECT_EQ(file.metadata("tokens")->texts(), (std::vector<std::string_view>{"a", "bc"}));
    EXPECT_EQ(file.metadata("types")->integers(), (std::vector<int64_t>{1, -2}));
    EXPECT_EQ(file.metadata("none"), nullptr);
    EXPECT_EQ(file.metadata("tokens")->to_json(1).dump(), "[\"a\"]");
    EXPECT_EQ(file.metadata("large")->to_json(1).dump(), "\"18446744073709551615\"");
    for (const FileAccess access : {FileAccess::read, FileAccess::map}) {
      const std::vector<NamedTensor> all = file.load_all(access);
      ASSERT_EQ(all.size(), 2U);
      EXPECT_EQ(all[0].name, "first");
      EXPECT_EQ(all[0].tensor.shape(), (Shape{2, 3}));  // the axes of the file are reversed
      EXPECT_EQ(to_vector<double>(all[0].tensor), (std::vector<double>{1, 2, 3, 4, 5, 6}));
      EXPECT_EQ(all[1].tensor.dtype(), DType::i8);
      EXPECT_EQ(to_vector<double>(all[1].tensor), (std::vector<double>{7, -7}));
    }
    EXPECT_EQ(file.find("second"), &file.entries()[1]);
    EXPECT_EQ(file.find("third"), nullptr);
  }
}

TEST_F(Gguf, ValuesOfAnotherTypeAreRefusedByKey) {
  const GgufFile file(write(usual().bytes()));
  const auto refused = [&](auto call) { return message_of(Code::parse, call); };
  const auto at = [&](const char* key) -> const GgufValue& { return *file.metadata(key); };
  EXPECT_TRUE(
      contains(refused([&] { (void)at("flag").as_integer(); }), "flag: expected an integer"));
  EXPECT_TRUE(contains(refused([&] { (void)at("large").as_integer(); }), "below 2^63"));
  EXPECT_TRUE(contains(refused([&] { (void)at("large").as_real(); }), "a real number"));
  EXPECT_TRUE(contains(refused([&] { (void)at("large").as_boolean(); }), "a boolean"));
  EXPECT_TRUE(contains(refused([&] { (void)at("large").as_text(); }), "a text"));
  EXPECT_TRUE(contains(refused([&] { (void)at("large").texts(); }), "an array of texts"));
  EXPECT_TRUE(contains(refused([&] { (void)at("tokens").integers(); }), "an integer"));
  EXPECT_TRUE(contains(refused([&] { (void)at("types").reals(); }), "a real number"));
}

// Blocks of bytes that a linear congruential generator gives, with the scales' bit 6 cleared so
// that all numbers are finite; the hashes are those of what the `gguf` package (0.19.0) decodes.
struct DecodedType {
  uint32_t id;
  std::vector<size_t> cleared;
  uint64_t hash;
};
const DecodedType kDecoded[] = {
    {2, {1}, 0x0E5618718E3A7C1D},        // Q4_0
    {3, {1, 3}, 0x30FF5CE43AA87945},     // Q4_1
    {6, {1}, 0xD7DE32AD18C97F70},        // Q5_0
    {7, {1, 3}, 0x50284C8B0FBDBFD6},     // Q5_1
    {8, {1}, 0x5269A76348343CDD},        // Q8_0
    {10, {81, 83}, 0xA17AE25B8EB6AFF1},  // Q2_K
    {11, {109}, 0xCC0B8CB4B011EB24},     // Q3_K
    {12, {1, 3}, 0x3CD5E84727FB0B0A},    // Q4_K
    {13, {1, 3}, 0x1A5CFD0ED31BFF9E},    // Q5_K
    {14, {209}, 0x63210E27BCEBAE43},     // Q6_K
    {20, {1}, 0x546A670751F0F412},       // IQ4_NL
    {23, {1}, 0xBD7D9AF088131427},       // IQ4_XS
    {39, {0}, 0xEFA5A9115397F822},       // MXFP4
};

TEST_F(Gguf, BlocksAreDecodedBitForBit) {
  for (const DecodedType& wanted : kDecoded) {
    const GgufType& type = *find_gguf_type(wanted.id);
    const auto blocks = static_cast<size_t>(100 * 256 / type.block);
    uint32_t state = 1;
    std::string bytes;
    for (size_t i = 0; i < blocks * type.bytes; ++i) {
      state = state * 1664525 + 1013904223;
      bytes += static_cast<char>(state >> 24);
    }
    for (size_t block = 0; block < blocks; ++block) {
      for (const size_t at : wanted.cleared) bytes[block * type.bytes + at] &= '\xBF';
    }
    GgufBytes b;
    b.tensor("x", type.id, {256, 100}, bytes);
    const GgufFile file(write(b.bytes()));
    const Tensor x = file.load(file.entries()[0], FileAccess::map);
    ASSERT_EQ(x.shape(), (Shape{100, 256}));
    Xxhash64 hash;
    hash.update(std::span(x.bytes(), 4 * 25600));
    EXPECT_EQ(hash.digest(), wanted.hash) << type.name;
    const Tensor narrow = file.load(file.entries()[0], FileAccess::map, DType::f16);
    ASSERT_EQ(narrow.dtype(), DType::f16);
    const std::vector<float> exact = to_vector<float>(x), rounded = to_vector<float>(narrow);
    for (size_t i = 0; i < exact.size(); ++i)
      ASSERT_EQ(rounded[i], to_float(to_f16(exact[i]))) << type.name << " " << i;
    EXPECT_EQ(code_of([&] { (void)file.load(file.entries()[0], FileAccess::map, DType::f64); }),
              Code::internal);
  }
}

TEST_F(Gguf, PlainTypes) {
  const std::string word = std::string("\x00\x3C\x00\x00", 4);
  const std::pair<uint32_t, double> all_types[] = {{24, 0}, {25, 15360}, {26, 15360}, {1, 1}};
  for (const auto& [id, value] : all_types) {
    GgufBytes b;
    b.tensor("x", id, {1}, word.substr(0, find_gguf_type(id)->bytes));
    const GgufFile file(write(b.bytes()));
    EXPECT_EQ(file.load(file.entries()[0], FileAccess::map).item(), value) << id;
  }
  GgufBytes b;
  b.tensor("bf16", 30, {1}, std::string("\x80\x3F", 2))
      .tensor("i64", 27, {1}, std::string(8, '\xFF'));
  b.tensor("f64", 28, {1}, std::string("\0\0\0\0\0\0\x08\x40", 8));
  b.tensor("empty", 0, {0}, "").tensor("scalar", 0, {}, floats({7}));
  const GgufFile file(write(b.bytes()));
  const std::vector<NamedTensor> all = file.load_all(FileAccess::map);
  EXPECT_EQ(all[0].tensor.item(), 1);
  EXPECT_EQ(all[1].tensor.item(), -1);
  EXPECT_EQ(all[2].tensor.item(), 3);
  EXPECT_EQ(all[3].tensor.numel(), 0);
  EXPECT_EQ(all[4].tensor.item(), 7);
}

TEST_F(Gguf, OtherTypesAreRefusedByName) {
  GgufBytes b;
  b.tensor("x", 19, {256}, std::string(50, 'a'));
  const GgufFile file(write(b.bytes()));
  EXPECT_TRUE(contains(
      message_of(Code::unsupported, [&] { (void)file.load(file.entries()[0], FileAccess::map); }),
      "tensor \"x\" has type IQ1_S"));
  GgufBytes unknown;
  unknown.tensor("x", 99, {1}, "a");
  EXPECT_TRUE(contains(refused(Code::unsupported, unknown.bytes()), "\"x\" has type 99"));
}

TEST_F(Gguf, RefusesOtherFilesAndVersions) {
  const std::string good = usual().bytes();
  EXPECT_TRUE(contains(refused(Code::parse, "GGML" + good.substr(4)), "not a GGUF file"));
  EXPECT_TRUE(contains(refused(Code::parse, "GG"), "not a GGUF file"));
  for (const uint32_t version : {0, 1, 4})
    EXPECT_TRUE(contains(refused(Code::unsupported, usual().bytes(version)),
                         "got version " + std::to_string(version)));
  EXPECT_TRUE(contains(refused(Code::unsupported, usual().bytes(3 << 24)), "big-endian"));
  EXPECT_EQ(code_of([&] { const GgufFile file(folder_ + "/none.gguf"); }), Code::io);
}

TEST_F(Gguf, RefusesCutFiles) {
  const std::string good = usual().bytes();
  for (size_t part = 0; part < 16; ++part)
    refused(Code::parse, good.substr(0, good.size() * part / 16));
  for (size_t length = 0; length < good.size(); ++length)
    refused(Code::parse, good.substr(0, length));
}

TEST_F(Gguf, RefusesCountsAndLengthsThatDoNotFit) {
  for (const uint64_t count :
       {uint64_t{1} << 63, UINT64_MAX, (uint64_t{1} << 63) - 1, uint64_t{1000}}) {
    GgufBytes b = usual();
    b.tensors = count;
    EXPECT_TRUE(contains(refused(Code::parse, b.bytes()), "the number of tensors is"));
    b = usual();
    b.fields = count;
    EXPECT_TRUE(contains(refused(Code::parse, b.bytes()), "the number of metadata fields is"));
    GgufBytes key;
    key.raw(GgufBytes::number(count, 8) + "abc");
    EXPECT_TRUE(contains(refused(Code::parse, key.bytes()), "a metadata key of"));
    GgufBytes text;
    text.field("a", 8, GgufBytes::number(count, 8) + "abc");
    EXPECT_TRUE(contains(refused(Code::parse, text.bytes()), "ends after the file"));
    for (const uint32_t type : {0, 4, 8, 12}) {
      GgufBytes array;
      array.field("a", 9, GgufBytes::number(type, 4) + GgufBytes::number(count, 8));
      EXPECT_TRUE(contains(refused(Code::parse, array.bytes()), "metadata a has"));
    }
    GgufBytes axis;
    axis.tensor("x", 0, {count}, "");
    refused(Code::parse, axis.bytes());
    GgufBytes axes;
    axes.tensor("x", 0, {count, count, count}, "");
    refused(Code::parse, axes.bytes());
  }
}

TEST_F(Gguf, RefusesOddMetadata) {
  GgufBytes type;
  type.field("a", 13, "");
  EXPECT_TRUE(contains(refused(Code::parse, type.bytes()), "metadata a has type 13"));
  GgufBytes nested;
  nested.field("a", 9, GgufBytes::number(9, 4) + GgufBytes::number(0, 8));
  EXPECT_TRUE(contains(refused(Code::unsupported, nested.bytes()), "an array of arrays"));
  EXPECT_TRUE(
      contains(refused(Code::parse, usual().u32("flag", 1).bytes()), "\"flag\" is a duplicate"));
  EXPECT_TRUE(contains(refused(Code::parse, usual().u32("\xFF", 1).bytes()), "not UTF-8"));
  for (const uint32_t alignment : {0U, 3U, 0x80000000U}) {
    EXPECT_TRUE(contains(refused(Code::parse, usual().u32("general.alignment", alignment).bytes()),
                         "expected a power of two"));
  }
  EXPECT_TRUE(contains(refused(Code::parse, usual().text("general.alignment", "a").bytes()),
                       "expected an integer"));
}

TEST_F(Gguf, RefusesOddTensors) {
  const std::string one = floats({1});
  EXPECT_TRUE(contains(refused(Code::parse, usual().tensor("first", 0, {1}, one).bytes()),
                       "tensor \"first\" is a duplicate"));
  EXPECT_TRUE(
      contains(refused(Code::parse, usual().tensor("\xFF", 0, {1}, one).bytes()), "not UTF-8"));
  EXPECT_TRUE(contains(refused(Code::parse, usual().tensor("x", 0, {1, 1, 1, 1, 1}, one).bytes()),
                       "has 5 axes"));
  EXPECT_TRUE(contains(refused(Code::parse, usual().tensor("x", 2, {31}, one).bytes()),
                       "a multiple of 32 for Q4_0"));
  EXPECT_TRUE(contains(refused(Code::parse, usual().tensor("x", 0, {1}, one, 4).bytes()),
                       "expected a multiple of 32"));
  EXPECT_TRUE(
      contains(refused(Code::parse, usual().tensor("x", 0, {1}, one, 0).bytes()), "overlap"));
  EXPECT_TRUE(contains(refused(Code::parse, usual().tensor("x", 0, {1}, one, 3200).bytes()),
                       "ends outside the file"));
  EXPECT_TRUE(
      contains(refused(Code::parse, usual().tensor("x", 0, {1}, one, ~uint64_t{31}).bytes()),
               "ends outside the file"));
}

TEST_F(Gguf, AlignmentIsByTheMetadata) {
  GgufBytes b = usual();
  b.alignment = 1;
  const GgufFile file(write(b.u32("general.alignment", 1).bytes()));
  EXPECT_EQ(to_vector<double>(file.load(file.entries()[0], FileAccess::map)),
            (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

// A model in three files.
class SplitGguf : public Gguf {
 protected:
  SplitGguf() {
    for (uint32_t i = 0; i < 3; ++i) {
      parts_[i].u16("split.no", i).u16("split.count", 3).i32("split.tensors.count", 3);
      parts_[i].tensor("t" + std::to_string(i), 0, {1}, floats({static_cast<float>(i)}));
    }
  }
  static std::string name(int i) { return "m-0000" + std::to_string(i + 1) + "-of-00003.gguf"; }
  std::string write_parts() const {
    for (int i = 2; i > 0; --i) write(parts_[i].bytes(), name(i));
    return write(parts_[0].bytes(), name(0));
  }
  std::string refused_parts(Code code) const {
    const std::string path = write_parts();
    return message_of(code, [&] { const GgufFile file(path); });
  }
  GgufBytes parts_[3];
};

TEST_F(SplitGguf, IsOpenedByItsFirstFile) {
  const GgufFile file(write_parts());
  EXPECT_EQ(file.parts(), 3U);
  ASSERT_EQ(file.entries().size(), 3U);
  for (int i : {0, 1, 2})
    EXPECT_EQ(file.load(*file.find("t" + std::to_string(i)), FileAccess::map).item(), i);
}

TEST_F(SplitGguf, RefusesPartsThatDoNotFit) {
  write_parts();
  EXPECT_TRUE(
      contains(message_of(Code::value, [&] { const GgufFile file(folder_ + "/" + name(1)); }),
               "it is part 2 of 3; give the first, whose name ends in -00001-of-00003.gguf"));
  rename_path(folder_ + "/" + name(0), folder_ + "/other.gguf");
  EXPECT_TRUE(
      contains(message_of(Code::value, [&] { const GgufFile file(folder_ + "/other.gguf"); }),
               "expected a name that ends in -00001-of-00003.gguf"));
  write_parts();
  remove_tree(folder_ + "/" + name(2));
  EXPECT_TRUE(
      contains(message_of(Code::value, [&] { const GgufFile file(folder_ + "/" + name(0)); }),
               "no such part: " + folder_ + "/" + name(2)));
  const GgufBytes first = parts_[0], second = parts_[1];
  parts_[1].tensor("t2", 0, {1}, floats({1}));
  parts_[0] = GgufBytes();
  parts_[0].u16("split.no", 0).u16("split.count", 3);
  EXPECT_TRUE(contains(refused_parts(Code::parse), "tensor \"t2\" is in two files"));
  parts_[0] = first;
  EXPECT_TRUE(
      contains(refused_parts(Code::parse), "split.tensors.count is 3, but its parts have 4"));
  parts_[1] = parts_[2];
  EXPECT_TRUE(contains(refused_parts(Code::parse), "expected part 2 of 3, got part 3 of 3"));
  parts_[1] = second;
  parts_[0] = GgufBytes();
  parts_[0].u16("split.count", 0);
  EXPECT_TRUE(contains(refused_parts(Code::parse), "split.count is 0"));
}

}  // namespace
}  // namespace gyre
