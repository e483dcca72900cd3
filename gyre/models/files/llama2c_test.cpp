#include "gyre/models/files/llama2c.h"

#include <gtest/gtest.h>

#include <cstring>

#include "gyre/models/generation/generate.h"
#include "gyre/models/language_model.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "tests/largest_difference.h"
#include "tests/test_data.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

class Llama2c : public testing::Test {
 protected:
  Llama2c() { create_directories(folder_); }
  ~Llama2c() override { remove_tree(folder_); }

  // Sizes, then a number of floats.
  std::string write(const std::vector<int32_t>& sizes, size_t count) const {
    std::string bytes(sizes.size() * 4, '\0');
    std::memcpy(bytes.data(), sizes.data(), bytes.size());
    uint32_t state = 1;
    for (size_t i = 0; i < count; ++i) {
      state = state * 1664525 + 1013904223;
      const float value = static_cast<float>(state >> 8) / static_cast<float>(1 << 23) - 1;
      bytes.append(reinterpret_cast<const char*>(&value), 4);
    }
    write_file_atomic(folder_ + "/x.bin", bytes);
    return folder_ + "/x.bin";
  }
  std::string refused(Code code, const std::vector<int32_t>& sizes, size_t count) const {
    const std::string path = write(sizes, count);
    const std::string message = message_of(code, [&] { (void)load_language_model(path); });
    EXPECT_TRUE(contains(message, path)) << message;
    return message;
  }
  // dim 4, hidden_dim 6, a layer, two heads with one for keys, 7 tokens, 8 positions
  static constexpr size_t kTied = 7 * 4 + 4 + 4 * 4 + 2 * 2 * 4 + 4 * 4 + 4 + 3 * 24 + 4 + 8 * 2;
  const Tensor tokens_ = tensor<int64_t>({1, 5, 2, 6, 3, 3}, {1, 6});
  std::string folder_ = testing::TempDir() + "gyre_llama2c_test";
};

TEST_F(Llama2c, MappedAndCopiedWeightsGiveTheSameLogits) {
  NoGrad off;
  for (const bool tied : {true, false}) {
    const std::string path = write({4, 6, 1, 2, 1, tied ? 7 : -7, 8}, kTied + (tied ? 0 : 28));
    const auto mapped = load_language_model(path, FileAccess::map),
               copied = load_language_model(path);
    EXPECT_EQ(copied->vocab(), 7);
    EXPECT_EQ(copied->context(), 8);
    EXPECT_EQ(std::vector(copied->end_tokens().begin(), copied->end_tokens().end()),
              std::vector<int32_t>{1});
    EXPECT_LE(largest_difference((*mapped)(tokens_), (*copied)(tokens_)), 1e-6);
    const Llama2cFile file(path);
    EXPECT_EQ(file.weights().count, static_cast<int64_t>(kTied) - 16 + (tied ? 0 : 28));
    for (const NamedTensor& t : file.tensors(FileAccess::map))
      EXPECT_TRUE(t.tensor.impl()->storage->borrowed) << t.name;
  }
}

TEST_F(Llama2c, RefusesOtherFiles) {
  EXPECT_TRUE(
      contains(refused(Code::parse, {4, 6, 1, 2, 1, 7, 8}, kTied - 1), "ends within its weights"));
  EXPECT_TRUE(
      contains(refused(Code::parse, {4, 6, 1, 2, 1, 7, 8}, kTied + 1), "bytes for its sizes"));
  EXPECT_TRUE(contains(refused(Code::parse, {4, 6}, 0), "has no header"));
  EXPECT_TRUE(contains(refused(Code::parse, {4, 6, 0, 2, 1, 7, 8}, kTied), "n_layers is 0"));
  EXPECT_TRUE(contains(refused(Code::parse, {4, 6, 1, 3, 1, 7, 8}, kTied), "dim is 4, n_heads 3"));
  EXPECT_TRUE(
      contains(refused(Code::parse, {4, INT32_MAX, 1, 2, 1, 7, 8}, kTied), "hidden_dim is"));
  refused(Code::parse, {1 << 28, 1 << 28, 1 << 28, 1 << 28, 1 << 28, INT32_MIN + 1, 1}, kTied);
  EXPECT_TRUE(contains(refused(Code::unsupported, {0x616B3432, 1, 4, 6, 1, 2, 1, 7, 8}, kTied),
                       "of version 1, expected version 0"));
  write_file_atomic(folder_ + "/x.bin", "PK\3\4");
  EXPECT_TRUE(
      contains(message_of(Code::unsupported, [&] { const Llama2cFile file(folder_ + "/x.bin"); }),
               "a checkpoint of PyTorch"));
}

TEST(Stories260KFile, GivesItsTwoHundredTokens) {
  const std::string folder = test_data("models/stories260K"), golden = folder + "/hf/golden.json";
  if (!file_exists(golden)) GTEST_SKIP() << no_test_data(folder);
  const Generated made = generate(folder + "/stories260K.bin",
                                  {.ids = {"1"}, .max_tokens = 200, .sampling = {.greedy = true}});
  EXPECT_EQ(made.text, read_file(folder + "/expected_greedy_200.txt"));
  const Json wanted = Json::read(golden);
  Json ids = Json::array();
  for (const int32_t id : made.ids) ids.push_back(id);
  EXPECT_EQ(ids.dump(), wanted.at("greedy_ids").dump());
}

}  // namespace
}  // namespace gyre
