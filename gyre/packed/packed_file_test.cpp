#include "gyre/packed/packed_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "gyre/autograd/vmap.h"
#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/nn/linear.h"
#include "gyre/nn/sequential.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/compress.h"
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

TEST(Compress, KeepsWhatIsLearned) {
  Generator g{3, 0};
  nn::Linear layer({64, 100}, &g);
  layer.set_requires_grad(true);
  const Tensor before = clone(layer.weight.detach()), bias = layer.bias.detach();
  compress(layer, {});
  EXPECT_TRUE(layer.weight.requires_grad() && layer.bias.requires_grad());
  layer.lend_state(std::vector<NamedTensor>{{"weight", before}, {"bias", bias}});
  EXPECT_TRUE(layer.weight.plain() && layer.weight.requires_grad());
  vmap(
      [&](Inputs in) -> Tensors {
        EXPECT_EQ(code_of([&] {
                    layer.lend_state(std::vector<NamedTensor>{{"weight", in[0]}, {"bias", bias}});
                  }),
                  Code::unsupported);
        return {in[0]};
      },
      std::vector<Tensor>{ones({2, 100, 64})}, {});
}

TEST(Compress, StatesOfPackedModulesAreCopied) {
  Generator g{3, 0};
  nn::Linear layer({64, 100}, &g), other({64, 100}, &g), fine({64, 100}, &g);
  compress(layer, {&ring_format("D2")});
  other.load_state_dict(layer.state_dict());
  EXPECT_TRUE(is_packed(other.weight));
  EXPECT_NE(other.weight.impl(), layer.weight.impl());
  const Tensor held = other.weight;
  other.load_state_dict(layer.state_dict());
  EXPECT_EQ(other.weight.impl(), held.impl()) << "in place";
  EXPECT_NE(packed_storage(held).data, packed_storage(layer.weight).data);
  EXPECT_EQ(to_vector<float>(packed_decode(held.detach())),
            to_vector<float>(packed_decode(layer.weight.detach())));
  const std::vector<NamedTensor> plain = fine.state_dict();
  EXPECT_EQ(code_of([&] { layer.load_state_dict(plain); }), Code::unsupported);
  compress(fine, {});
  EXPECT_EQ(code_of([&] { fine.load_state_dict(layer.state_dict()); }), Code::value);
}

TEST(Compress, PacksLargeWeightsInPlace) {
  Generator g{3, 0};
  nn::Sequential model;
  model.add(std::make_unique<nn::Linear>(LinearOptions{64, 100}, &g));
  model.add(std::make_unique<nn::Linear>(LinearOptions{100, 5}, &g));
  const Tensor x = randn({2, 64}, {.generator = &g});
  NoGrad off;
  const auto answer = [&] { return to_vector<float>(model.forward({&x, 1})[0]); };
  const std::vector<float> before = answer();
  int64_t seen = 0;
  const auto report = compress(model, {&ring_format("D4")},
                               [&](int64_t packed, int64_t all) { seen = packed * 1000 / all; });
  EXPECT_EQ(seen, 1000);
  ASSERT_EQ(report.size(), 4u);
  EXPECT_EQ(report[0].format, "D4");
  EXPECT_NEAR(report[0].error, 0.075, 0.01);
  EXPECT_EQ(report[2].format, "f32");
  const std::vector<float> after = answer();
  double error = 0;
  for (size_t i = 0; i < after.size(); ++i) error += std::abs(after[i] - before[i]);
  EXPECT_GT(error, 0);
  EXPECT_LT(error, 0.5);
  EXPECT_TRUE(contains(
      message_of(Code::unsupported, [&] { compress(model, {&ring_format("D4")}); }), "0.weight"));
}

TEST(Compress, ChangesNothingOnAnError) {
  Generator g{3, 0};
  nn::Linear layer({64, 100}, &g);
  layer.weight.data<float>()[77] = INFINITY;
  EXPECT_TRUE(contains(message_of(Code::numeric, [&] { compress(layer, {&ring_format("D2")}); }),
                       "weight: "));
  EXPECT_TRUE(layer.weight.plain());
  layer.to(DType::bf16);
  EXPECT_EQ(code_of([&] { compress(layer, {&ring_format("D2")}); }), Code::dtype);
}

}  // namespace
}  // namespace gyre
