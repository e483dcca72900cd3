#include "gyre/packed/packed_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/packed.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

class PackedFile : public testing::Test {
 protected:
  void TearDown() override { remove_tree(path_); }

  // A file with packed w [20, 30] and plain b, changed before it is written.
  void write(auto change) const {
    Generator g{1, 0};
    const Tensor w = packed_encode(randn({20, 30}, {.generator = &g}), ring_format("D4"));
    write_state(path_, std::vector<NamedTensor>{{"w", w}, {"b", ones({3})}});
    const SafetensorsFile file(path_);
    std::vector<NamedTensor> parts = file.load_all();
    SafetensorsMetadata metadata = file.metadata();
    change(parts, metadata);
    write_safetensors(path_, parts, metadata);
  }
  std::string refusal(auto change) const {
    write(change);
    return message_of(Code::parse, [&] { load_state(SafetensorsFile(path_)); });
  }
  static Tensor& part(std::vector<NamedTensor>& parts, const char* name) {
    return std::ranges::find(parts, name, &NamedTensor::name)->tensor;
  }
  const std::string path_ = testing::TempDir() + "packed_file.safetensors";
};

TEST_F(PackedFile, GivesBackWordsAndHeaders) {
  for (const RingFormat& format : ring_formats()) {
    Generator g{1, 0};
    const Tensor w = packed_encode(randn({7, 5, 60}, {.generator = &g}), format);
    write_state(path_, std::vector<NamedTensor>{{"w", w}, {"b", ones({3})}}, {{"made", "here"}});
    const SafetensorsFile file(path_);
    EXPECT_EQ(file.metadata("made"), "here");
    const std::vector<NamedTensor> state = load_state(file);
    ASSERT_EQ(state.size(), 2u);
    EXPECT_EQ(state[0].name, "b");
    EXPECT_EQ(state[1].tensor.shape(), w.shape());
    EXPECT_EQ(to_vector<float>(packed_decode(state[1].tensor)), to_vector<float>(packed_decode(w)));
    ASSERT_EQ(packed_entries(file).size(), 1u);
    EXPECT_EQ(packed_entries(file)[0].format, format.name);
  }
}

TEST_F(PackedFile, RefusesWhatDoesNotFit) {
  using Parts = std::vector<NamedTensor>;
  const auto metadata = [&](const char* from, const char* to) {
    return refusal([&](Parts&, SafetensorsMetadata& all) {
      for (auto& [key, value] : all) {
        if (key == "gyre.packed") value.replace(value.find(from), std::strlen(from), to);
      }
    });
  };
  EXPECT_TRUE(contains(metadata("\"version\":1", "\"version\":2"), "version 2 is unknown"));
  EXPECT_TRUE(contains(metadata("D4", "D7"), "unknown format D7"));
  EXPECT_TRUE(contains(metadata("[20,30]", "[20,34]"), "expected"));
  EXPECT_TRUE(contains(metadata("[20,30]", "[600]"), "two or more axes"));
  EXPECT_TRUE(contains(metadata("[20,30]", "[4000000000000,4000000000000]"), "too large"));
  EXPECT_FALSE(metadata("[20,30]", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,20,30]").empty());
  EXPECT_FALSE(metadata("{\"version\"", "[\"version\"").empty());
  const auto without = [&](const char* name) {
    return refusal([&](Parts& parts, SafetensorsMetadata&) {
      std::erase_if(parts, [&](const NamedTensor& t) { return t.name == name; });
    });
  };
  EXPECT_TRUE(contains(without("w.words"), "w.words is missing"));
  EXPECT_TRUE(contains(without("w.headers"), "w.headers is missing"));
  EXPECT_TRUE(contains(refusal([&](Parts& parts, SafetensorsMetadata&) {
                         Tensor& headers = part(parts, "w.headers");
                         headers = slice(headers, {0, 0, 1, 1});
                       }),
                       "w.headers is I64 [1, 2]"));
  const auto header = [&](int64_t at, int64_t bits) {
    return refusal([&](Parts& parts, SafetensorsMetadata&) {
      part(parts, "w.headers").data<int64_t>()[at] = bits;
    });
  };
  EXPECT_TRUE(contains(header(2, 4), "format"));
  EXPECT_TRUE(contains(header(6, 5 << 6), "another seed"));
  EXPECT_TRUE(contains(header(3, 0x3f800000), "r outside")) << "r = 1";
  EXPECT_TRUE(contains(header(3, 0x7fc00000), "r outside")) << "NaN";
  EXPECT_TRUE(contains(header(3, int64_t{1} << 40), "angle"));
}

TEST_F(PackedFile, RefusesUnusedBitsAndNamesThatAreThereTwice) {
  Generator g{1, 0};
  const Tensor w = packed_encode(randn({16, 42}, {.generator = &g}), ring_format("D3"));
  packed_storage(w).words()[3].hi |= uint64_t{1} << 62;
  write_state(path_, std::vector<NamedTensor>{{"w", w}});
  EXPECT_TRUE(contains(message_of(Code::parse, [&] { load_state(SafetensorsFile(path_)); }),
                       "does not use"));
  EXPECT_TRUE(contains(refusal([](std::vector<NamedTensor>& parts, SafetensorsMetadata&) {
                         parts.push_back({"w", ones({2})});
                       }),
                       "plain one"));
}

TEST_F(PackedFile, PlainTensorsForgetMetadataOfPackedOnes) {
  const std::vector<NamedTensor> plain{{"w", ones({20, 30})}};
  write_state(path_, plain, {{"gyre.packed", "of another file"}, {"made", "here"}});
  const SafetensorsFile file(path_);
  EXPECT_TRUE(packed_entries(file).empty());
  EXPECT_EQ(file.metadata("made"), "here");
}

TEST_F(PackedFile, PartsMakeATensor) {
  Generator g{1, 0};
  const RingFormat& d4 = ring_format("D4");
  const Tensor w = packed_encode(randn({20, 30}, {.generator = &g}), d4);
  const auto made = [&](const Tensor& words, const Tensor& headers) {
    return packed_of_parts(d4, {20, 30}, words, headers, "w");
  };
  const Tensor words = packed_words(w), headers = packed_headers(w);
  EXPECT_EQ(to_vector<float>(packed_decode(made(words, headers))),
            to_vector<float>(packed_decode(w)));
  EXPECT_EQ(code_of([&] { made(headers, headers); }), Code::shape);
  EXPECT_EQ(code_of([&] { made(to(words, DType::i32), headers); }), Code::dtype);
  EXPECT_EQ(code_of([&] { made(words, ones(headers.shape(), {.dtype = DType::i64})); }),
            Code::parse);
  EXPECT_EQ(code_of([&] { packed_words(ones({2, 2})); }), Code::unsupported);
  EXPECT_EQ(code_of([&] { packed_headers(ones({2, 2})); }), Code::unsupported);
}

TEST_F(PackedFile, SizeIsThatOfTheWrittenFile) {
  for (const RingFormat& format : ring_formats()) {
    Generator g{1, 0};
    const Tensor w = packed_encode(randn({70, 65}, {.generator = &g}), format);
    const std::vector<NamedTensor> state{{"w", w}, {"b", ones({3})}};
    for (const SafetensorsMetadata& metadata : {SafetensorsMetadata{}, {{"made", "here \""}}}) {
      write_state(path_, state, metadata);
      EXPECT_EQ(state_size(state, metadata), file_size(path_)) << format.name;
    }
  }
}

}  // namespace
}  // namespace gyre
