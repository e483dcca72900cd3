#include <gtest/gtest.h>

#include <cmath>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/models/decoder/decoder.h"
#include "gyre/models/generation/generate.h"
#include "gyre/models/measure/compress_folder.h"
#include "gyre/models/measure/perplexity.h"
#include "gyre/nn/tensor_walk.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/loss/loss.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/packed.h"
#include "gyre/text/char_tokenizer.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

const std::string kText = "the cat sat on the mat and the cat ate the rat that sat on the mat";

class Measure : public testing::Test {
 protected:
  void SetUp() override {
    remove_tree(folder_);
    create_directories(folder_);
    write_file_atomic(text_, kText);
  }
  void TearDown() override { remove_tree(folder_); }

  // A model of each architecture, larger than its initial weights so that answers differ.
  std::string make(const char* name, DecoderOptions o) const {
    const auto tokenizer = CharTokenizer::train(kText);
    o.vocab = tokenizer->vocab_size();
    o.block_size = 16;
    o.layers = 2;
    o.heads = 2;
    o.width = 64;
    Generator g{1, 0};
    Decoder model(o, &g);
    nn::for_each_tensor(model, [](const std::string&, Tensor& t, bool) {
      NoGrad off;
      if (t.rank() > 1) t = t * Tensor(5.0);
    });
    model.save(folder_ + "/" + name, tokenizer.get());
    return folder_ + "/" + name;
  }
  std::string gpt2() const { return make("gpt2", {}); }
  std::string own() const {
    return make("own", {.bias = false,
                        .activation = Activation::relu_squared,
                        .positions = Positions::rotary,
                        .norm = NormKind::rms,
                        .norm_embeddings = true,
                        .head_norm = HeadNorm::plain});
  }
  Perplexity measure(const std::string& folder, PerplexityOptions o = {}) const {
    o.file = text_;
    return perplexity(folder, o);
  }

  const std::string folder_ = testing::TempDir() + "measure", text_ = folder_ + "/text.txt";
};

TEST_F(Measure, PerplexityIsThatOfTheLoss) {
  const std::string folder = gpt2();
  const auto model = load_language_model(folder);
  const auto tokenizer = load_tokenizer(folder + "/tokenizer.json");
  const std::vector<int32_t> ids = tokenizer->encode(kText);
  NoGrad off;
  double sum = 0;
  const auto count = static_cast<int64_t>(ids.size()) - 1;
  for (int64_t first = 0; first < count; first += 16) {
    const int64_t n = std::min<int64_t>(16, count - first);
    const auto part = [&](int64_t from) {
      return tensor(std::span(ids).subspan(static_cast<size_t>(from), static_cast<size_t>(n)),
                    {1, n});
    };
    sum += model->loss(part(first), part(first + 1)).item() * static_cast<double>(n);
  }
  const Perplexity p = measure(folder);
  EXPECT_EQ(p.tokens, count);
  EXPECT_EQ(p.bytes, count);
  EXPECT_NEAR(p.loss, sum / static_cast<double>(count), 1e-6);
  EXPECT_NEAR(p.perplexity, std::exp(p.loss), 1e-9);
  EXPECT_NEAR(p.bits_per_byte, p.loss / std::log(2.0), 1e-12);
}

TEST_F(Measure, EveryTokenCountsOnceForEveryStride) {
  const std::string folder = own();
  const auto count = static_cast<int64_t>(kText.size()) - 1;
  for (int64_t stride : {1, 3, 16}) {
    int64_t seen = 0;
    PerplexityOptions o{.file = text_, .stride = stride};
    const Perplexity p = perplexity(folder, o, [&](int64_t tokens, int64_t all) {
      EXPECT_EQ(all, count);
      EXPECT_GT(tokens, seen);
      seen = tokens;
    });
    EXPECT_EQ(p.tokens, count) << stride;
    EXPECT_EQ(seen, count) << stride;
  }
  EXPECT_EQ(measure(folder, {.max_tokens = 20}).tokens, 19);
  EXPECT_EQ(measure(folder, {.stride = 4, .context = 4}).loss,
            measure(folder, {.context = 4}).loss);
}

TEST_F(Measure, PerplexityRefusesWhatItCannotMeasure) {
  const std::string folder = gpt2();
  const auto refusal = [&](const PerplexityOptions& o) {
    return code_of([&] { measure(folder, o); });
  };
  EXPECT_EQ(refusal({.stride = 17}), Code::value);
  EXPECT_EQ(refusal({.context = 17}), Code::value);
  EXPECT_EQ(refusal({.max_tokens = 1}), Code::value);
  EXPECT_EQ(refusal({.stride = -1}), Code::value);
  const auto model = load_language_model(folder);
  const std::vector<int32_t> tokens(40), bytes(2);
  EXPECT_EQ(code_of([&] { perplexity(*model, tokens, bytes, {}); }), Code::value);
  remove_tree(folder + "/tokenizer.json");
  EXPECT_EQ(refusal({}), Code::value);
  CharTokenizer::train("abc")->save(folder + "/tokenizer.json");
  EXPECT_EQ(refusal({}), Code::value) << "characters that the tokenizer does not have";
}

TEST_F(Measure, CompressedModelsAnswerAsTheirDecodedWeights) {
  for (const std::string& folder : {gpt2(), own()}) {
    for (const char* format : kPackedFormatNames) {
      const std::string out = folder + "-" + format;
      const auto number = static_cast<PackedFormat>(&ring_format(format) - ring_formats().data());
      const CompressReport report = compress_folder(folder, {.format = number, .out = out});
      EXPECT_LT(report.bytes * 2, report.bytes_before);
      const auto packed = load_language_model(out), dense = load_language_model(folder);
      NoGrad off;
      std::vector<NamedTensor> state = packed->state_dict();
      size_t count = 0;
      for (NamedTensor& t : state) {
        count += is_packed(t.tensor);
        t.tensor = is_packed(t.tensor) ? packed_decode(t.tensor) : t.tensor.detach();
      }
      EXPECT_GE(count, 8u);
      dense->lend_state(state);
      const Tensor tokens = tensor<int64_t>({1, 5, 3, 0, 2, 7, 4, 6}, {2, 4});
      const auto a = to_vector<float>((*packed)(tokens)), b = to_vector<float>((*dense)(tokens));
      for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-5) << out;
      const GenerateOptions greedy{.prompt = "the ", .max_tokens = 30, .greedy = true};
      EXPECT_EQ(generate(out, greedy).new_tokens, 30);
      EXPECT_GT(measure(out).perplexity, 1);
    }
    EXPECT_EQ(code_of([&] { compress_folder(folder + "-D4", {.out = folder + "-again"}); }),
              Code::unsupported);
    EXPECT_FALSE(file_exists(folder + "-again"));
  }
}

TEST_F(Measure, CompressLeavesOtherFoldersAlone) {
  const std::string folder = own(), out = folder_ + "/out";
  const auto refusal = [&](const std::string& to) {
    return code_of([&] { compress_folder(folder, {.out = to}); });
  };
  EXPECT_EQ(refusal(""), Code::value);
  EXPECT_EQ(refusal(folder), Code::value);
  EXPECT_EQ(refusal(text_), Code::value);
  EXPECT_EQ(refusal(text_ + "/below"), Code::io);
  EXPECT_EQ(code_of([&] { compress_folder(folder, {.out = out, .least_weights = 1 << 30}); }),
            Code::value);
  EXPECT_FALSE(file_exists(out));
  create_directories(out);
  compress_folder(folder, {.out = out + "/"});
  EXPECT_EQ(list_directory(out),
            (std::vector<std::string>{"config.json", "model.safetensors", "tokenizer.json"}));
  EXPECT_EQ(read_file(out + "/tokenizer.json"), read_file(folder + "/tokenizer.json"));
  const std::string beside = folder_ + "/b";
  rename_path(folder, beside + ".partial");
  compress_folder(beside + ".partial", {.out = beside});
  EXPECT_EQ(list_directory(beside), list_directory(beside + ".partial"));
}

TEST_F(Measure, OtherQuantisationIsRefused) {
  for (const std::string& folder : {gpt2(), own()}) {
    std::string config = read_file(folder + "/config.json");
    config.insert(1, "\"quantization_config\": {\"quant_method\": \"gptq\"},");
    write_file_atomic(folder + "/config.json", config);
    EXPECT_TRUE(
        contains(message_of(Code::unsupported, [&] { load_language_model(folder); }), "gptq"));
  }
}

}  // namespace
}  // namespace gyre
