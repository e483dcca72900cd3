#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/base/thread_pool.h"
#include "gyre/models/decoder/decoder.h"
#include "gyre/models/generation/generate.h"
#include "gyre/models/language_model.h"
#include "gyre/models/measure/calibration_text.h"
#include "gyre/models/measure/compress_folder.h"
#include "gyre/models/measure/divergence.h"
#include "gyre/models/measure/perplexity.h"
#include "gyre/models/measure/weight_costs.h"
#include "gyre/nn/tensor_walk.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/loss/loss.h"
#include "gyre/ops/norm/norm.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/packed.h"
#include "gyre/text/char_tokenizer.h"
#include "tests/fewer.h"
#include "tests/largest_difference.h"
#include "tests/test_data.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

const std::string kText = "the cat sat on the mat and the cat ate the rat that sat on the mat";

// Long enough for windows of both parts.
std::string long_text() {
  std::string text;
  for (int i = 0; i < 20; ++i) text += kText + " ";
  return text;
}

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
    for (const char* format : fewer_of(kPackedFormatNames)) {
      const std::string out = folder + "-" + format;
      const CompressReport report =
          compress_folder(folder, {.format = codec(format).format, .out = out});
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
      const GenerateOptions greedy{
          .prompt = "the ", .max_tokens = 30, .sampling = {.greedy = true}};
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

TEST_F(Measure, TargetsAreMetByTheFile) {
  for (const std::string& folder : {gpt2(), own()}) {
    const auto written = [&](const std::string& target, std::vector<std::string> policy = {}) {
      const std::string out = folder + "-" + target;
      remove_tree(out);
      CompressReport report =
          compress_folder(folder, {.target = target, .policy = std::move(policy), .out = out});
      EXPECT_EQ(report.bytes, static_cast<int64_t>(file_size(out + "/model.safetensors")));
      EXPECT_EQ(report.bytes_before,
                static_cast<int64_t>(file_size(folder + "/model.safetensors")));
      EXPECT_LE(report.bytes, report.most_bytes) << target;
      return report;
    };
    double before = 0;
    for (const char* target : {"7x", "8x", "9x", "11x"}) {
      const CompressReport report = written(target);
      EXPECT_LE(report.bytes, report.bytes_before / std::stod(target));
      EXPECT_GT(static_cast<double>(report.bytes), .95 * static_cast<double>(report.most_bytes));
      double error = 0;
      for (const CompressedTensor& t : report.tensors) error += std::pow(t.error * t.size, 2);
      EXPECT_GT(error, before) << target;
      before = error;
    }
    int64_t weights = 0;
    for (const CompressedTensor& t : written("1x").tensors) {
      weights += t.weights;
      EXPECT_EQ(t.format, t.packed ? "q8_0" : "f32") << "all that there is";
    }
    EXPECT_EQ(written("4.5").most_bytes,
              static_cast<int64_t>(4.5 * static_cast<double>(weights) / 8));
    const CompressReport ruled = written("1.7x", {"h.0.*=f32", "h.1.mlp.c_fc.weight=T2"});
    for (const CompressedTensor& t : ruled.tensors) {
      if (t.name.starts_with("h.0.")) {
        EXPECT_EQ(t.format, "f32");
      } else if (t.name == "h.1.mlp.c_fc.weight") {
        EXPECT_EQ(t.format, "T2");
      }
    }
  }
}

TEST_F(Measure, TargetsThatCannotBeMetNameTheBest) {
  const std::string folder = own(), out = folder_ + "/out";
  const auto refusal = [&](const std::string& target, std::vector<std::string> policy = {}) {
    const Error e = error_of([&] {
      compress_folder(folder, {.target = target, .policy = std::move(policy), .out = out});
    });
    EXPECT_EQ(e.code, Code::value) << target;
    EXPECT_EQ(e.op, "compress");
    EXPECT_FALSE(file_exists(out));
    return e;
  };
  for (const char* target :
       {"x", "ten", "10 x", "-3", "0", "nan", "inf", "1e999", "10xx", " 4", "10"})
    EXPECT_TRUE(contains(refusal(target).what(), "a factor such as 10x")) << target;
  for (const char* target : {"1000x", "0.01"}) {
    const Error missed = refusal(target), by_rules = refusal(target, {"h.0.*=D4"});
    EXPECT_TRUE(contains(missed.what(), "for this model, `target` can be ")) << missed.what();
    EXPECT_TRUE(contains(by_rules.what(), "for this model and `policy`, ")) << by_rules.what();
    const std::string best = missed.expected;
    EXPECT_EQ(best.ends_with('x'), std::string(target).ends_with('x'));
    const CompressReport report = compress_folder(folder, {.target = best, .out = out});
    EXPECT_LE(report.bytes, report.most_bytes);
    remove_tree(out);
  }
  EXPECT_TRUE(contains(refusal("8x", {"*=f32"}).what(), "no weights to pack"));
  EXPECT_TRUE(contains(refusal("8x", {"nothing=D4"}).what(), "matches no tensor"));
  EXPECT_TRUE(contains(refusal("8x", {"wte.weight"}).what(), "PATTERN=FORMAT"));
}

TEST_F(Measure, CalibrationLowersTheDivergence) {
  write_file_atomic(folder_ + "/long.txt", long_text());
  for (const std::string& folder : {gpt2(), own()}) {
    const auto kl = [&](CalibrationMode mode, const std::string& target = {}) {
      const std::string out = folder_ + "/out";
      const CompressReport report = compress_folder(folder, {.format = PackedFormat::D2,
                                                             .target = target,
                                                             .calibrate = folder_ + "/long.txt",
                                                             .calibration = mode,
                                                             .polish = 0,
                                                             .out = out});
      remove_tree(out);
      EXPECT_LE(report.bytes, target.empty() ? report.bytes_before : report.most_bytes);
      return report.kl.value();
    };
    const double none = kl(CalibrationMode::none), one = kl(CalibrationMode::one_sided),
                 two = kl(CalibrationMode::two_sided);
    EXPECT_GT(none, 0);
    EXPECT_LT(one, none) << folder;
    EXPECT_LT(two, one) << folder;
    EXPECT_LT(kl(CalibrationMode::two_sided, "8x"), kl(CalibrationMode::none, "8x"));
    EXPECT_GT(kl(CalibrationMode::one_sided, "8x"), 0);
    const std::string out = folder_ + "/plain";
    EXPECT_FALSE(compress_folder(folder, {.out = out}).kl);
    remove_tree(out);
  }
}

TEST_F(Measure, KlDivergenceIsThatOfDistributions) {
  const std::string folder = gpt2();
  const auto model = load_language_model(folder), other = load_language_model(own());
  const auto tokenizer = load_tokenizer(folder + "/tokenizer.json");
  const std::vector<int32_t> ids = tokenizer->encode(kText);
  NoGrad off;
  const Tensor rows = tensor(std::span(ids).first(16), {1, 16});
  const Tensor p = softmax((*model)(rows), -1), q = softmax((*other)(rows), -1);
  const double wanted = sum(p * log(p / q)).item() / 16;
  EXPECT_NEAR(kl_divergence(*model, *other, std::span(ids).first(16), 16, 1), wanted, 1e-5);
  EXPECT_NEAR(kl_divergence(*model, *model, ids, 16, 9), 0, 1e-6);
}

TEST_F(Measure, PolishingLowersTheDivergence) {
  const std::string folder = gpt2(), out = folder_ + "/out";
  write_file_atomic(folder_ + "/long.txt", long_text());
  const auto compressed = [&](int64_t steps) {
    CompressReport report = compress_folder(folder, {.format = PackedFormat::D2,
                                                     .calibrate = folder_ + "/long.txt",
                                                     .calibration = CalibrationMode::none,
                                                     .polish = steps,
                                                     .out = out,
                                                     .least_weights = 64});
    EXPECT_GT(report.tensors[0].error, 0);
    std::string file = read_file(out + "/model.safetensors");
    remove_tree(out);
    return std::pair(report.kl.value(), file);
  };
  const std::string before = read_file(folder + "/model.safetensors");
  const auto [unpolished, plain] = compressed(0);
  const auto [polished, words] = compressed(20);
  EXPECT_LT(polished, 0.95 * unpolished);
  EXPECT_EQ(words.size(), plain.size());
  EXPECT_EQ(compressed(20).second, words);
  EXPECT_EQ(read_file(folder + "/model.safetensors"), before);
}

TEST_F(Measure, CalibratedWordsDoNotDependOnThreads) {
  write_file_atomic(folder_ + "/long.txt", long_text());
  const std::string folder = gpt2(), out = folder_ + "/out";
  std::string first;
  for (const int threads : {1, 2, 7}) {
    set_num_threads(threads);
    compress_folder(folder, {.format = PackedFormat::D2,
                             .calibrate = folder_ + "/long.txt",
                             .windows = 8,
                             .polish = 3,
                             .out = out,
                             .least_weights = 64});
    const std::string file = read_file(out + "/model.safetensors");
    remove_tree(out);
    if (first.empty()) first = file;
    EXPECT_EQ(file, first) << threads;
  }
  set_num_threads(0);
}

TEST_F(Measure, TensorsThatStayAreNotPolished) {
  write_file_atomic(folder_ + "/long.txt", long_text());
  const std::string folder = gpt2(), out = folder_ + "/out";
  compress_folder(folder, {.format = PackedFormat::D2,
                           .policy = {"wte.weight=f32"},
                           .calibrate = folder_ + "/long.txt",
                           .calibration = CalibrationMode::none,
                           .polish = 5,
                           .out = out,
                           .least_weights = 64});
  const auto before = load_language_model(folder), after = load_language_model(out);
  const auto kept = before->named_parameters(), now = after->named_parameters();
  for (size_t i = 0; i < kept.size(); ++i) {
    if (is_packed(now[i].tensor)) continue;
    EXPECT_EQ(to_vector<float>(now[i].tensor), to_vector<float>(kept[i].tensor)) << kept[i].name;
  }
}

TEST_F(Measure, WindowsMustFitTheText) {
  const auto model = load_language_model(gpt2()), other = load_language_model(own());
  const std::vector<int32_t> ids(15, 1);
  for (const int64_t window : {0, 16}) {
    EXPECT_EQ(code_of([&] { kl_divergence(*model, *other, ids, window, 1); }), Code::value);
    EXPECT_EQ(code_of([&] { polish(*model, *other, ids, {.window = window}); }), Code::value);
    EXPECT_EQ(code_of([&] { weight_costs(*model, {}, ids, {.window = window}); }), Code::value);
  }
}

TEST_F(Measure, WeightCostsLeaveTheModelAlone) {
  const auto model = load_language_model(gpt2());
  const std::vector<int32_t> ids(64, 1);
  std::vector<Tensor> weights;
  for (const NamedTensor& t : model->named_parameters()) {
    if (t.tensor.rank() == 2) weights.push_back(t.tensor);
  }
  for (const CalibrationMode mode : {CalibrationMode::one_sided, CalibrationMode::two_sided}) {
    int64_t windows = 0;
    const auto costs =
        weight_costs(*model, weights, ids, {.mode = mode, .window = 16, .windows = 3},
                     [&](int64_t done, int64_t all) {
                       windows = done;
                       EXPECT_EQ(all, 3);
                     });
    EXPECT_EQ(windows, 3);
    for (size_t i = 0; i < weights.size(); ++i) {
      EXPECT_TRUE(weights[i].plain() && !weights[i].grad().defined());
      const bool two = mode == CalibrationMode::two_sided;
      EXPECT_EQ(two, costs[i].sides.outputs.defined() || costs[i].sensitivity != 1);
    }
  }
  for (const NamedTensor& t : model->named_parameters()) EXPECT_FALSE(t.tensor.grad().defined());
}

TEST_F(Measure, TextsThatCannotCalibrateAreRefused) {
  const std::string folder = gpt2(), out = folder_ + "/out";
  const auto refusal = [&](const std::string& file) {
    const Error e = error_of([&] { compress_folder(folder, {.calibrate = file, .out = out}); });
    EXPECT_FALSE(file_exists(out));
    return e;
  };
  const Error brief = refusal(text_);  // its last tenth has seven tokens
  EXPECT_EQ(brief.code, Code::value);
  EXPECT_TRUE(contains(brief.what(), text_)) << brief.what();
  EXPECT_TRUE(contains(brief.what(), "59 tokens to calibrate with and 7, ")) << brief.what();
  EXPECT_TRUE(contains(brief.what(), "a text of about 160 tokens")) << brief.what();
  EXPECT_EQ(brief.expected, ">= 16");
  EXPECT_EQ(refusal(folder_ + "/nothere").code, Code::io);
  write_file_atomic(folder_ + "/long.txt", long_text());
  const std::string tokenizer = read_file(folder + "/tokenizer.json");
  CharTokenizer::train(kText + "0123456789")->save(folder + "/tokenizer.json");
  write_file_atomic(folder_ + "/digits.txt", long_text() + "zyx9876543210");
  EXPECT_EQ(refusal(folder_ + "/digits.txt").code, Code::value);
  remove_tree(folder + "/tokenizer.json");
  EXPECT_TRUE(contains(refusal(folder_ + "/long.txt").what(), "no tokenizer.json"));
}

TEST_F(Measure, WhatTheCallbackThrowsLeavesNoFolder) {
  struct Stop {};
  const std::string folder = own(), out = folder_ + "/out", text = folder_ + "/long.txt";
  write_file_atomic(text, long_text().substr(0, 4 * kText.size()));
  const std::vector<std::string> before = list_directory(folder_);
  const auto stopped_when = [&](auto due) {
    const auto done = [&](const CompressProgress& now) {
      if (due(now)) throw Stop();
    };
    EXPECT_THROW(compress_folder(folder, {.calibrate = text, .polish = 1, .out = out}, done), Stop);
    EXPECT_EQ(list_directory(folder_), before);
  };
  using Now = const CompressProgress&;
  stopped_when([](Now) { return true; });
  stopped_when([](Now now) { return now.stage == CompressProgress::calibrating; });
  stopped_when([](Now now) { return now.stage == CompressProgress::packing && now.done > 0; });
  stopped_when([](Now now) { return now.stage == CompressProgress::polishing; });
  stopped_when([](Now now) { return now.stage == CompressProgress::measuring; });
  stopped_when([&](Now) { return file_exists(out + ".partial/tokenizer.json"); });
}

TEST_F(Measure, APackedGpt2AnswersAsItsDecodedWeights) {
  const std::string dense = test_data("models/gpt2_tiny");
  if (!file_exists(dense)) GTEST_SKIP() << no_test_data(dense);
  NoGrad off;
  const auto logits = [](const std::string& folder) {
    const auto model = load_language_model(folder, FileAccess::map);
    model->eval();
    std::vector<int32_t> ids;
    for (int64_t i = 0; i < 2 * model->context(); ++i)
      ids.push_back(static_cast<int32_t>(i * 37 % model->vocab()));
    return (*model)(tensor(ids, {2, model->context()}));
  };
  const Tensor before = logits(dense);
  for (const PackedFormat format : {PackedFormat::D4, PackedFormat::D3, PackedFormat::T2}) {
    const std::string packed = folder_ + "/packed", decoded = folder_ + "/decoded";
    compress_folder(dense, {.format = format, .out = packed, .least_weights = 512});
    const auto model = load_language_model(packed);
    std::vector<NamedTensor> state = model->state_dict();
    const auto held = [](const NamedTensor& t) { return is_packed(t.tensor); };
    EXPECT_GT(std::ranges::count_if(state, held), 8);
    for (NamedTensor& t : state)
      t.tensor = held(t) ? packed_decode(t.tensor.detach()) : t.tensor.detach();
    model->lend_state(state);
    model->save(decoded, nullptr);
    EXPECT_LT(largest_difference(logits(packed), logits(decoded)), 1e-5);
    EXPECT_GT(largest_difference(logits(packed), before), 1e-3);
    remove_tree(packed);
    remove_tree(decoded);
  }
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
