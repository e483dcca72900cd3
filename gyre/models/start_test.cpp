#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/models/files/model_files.h"
#include "gyre/models/language_model.h"
#include "gyre/models/measure/compress_folder.h"
#include "gyre/models/text/text_model.h"
#include "gyre/models/train.h"
#include "gyre/models/train_config.h"
#include "gyre/registry/layer_table.h"
#include "gyre/registry/optimizer_table.h"
#include "gyre/text/char_tokenizer.h"
#include "gyre/text/tokenizer.h"
#include "gyre/train/checkpoint.h"
#include "gyre/train/log/training_log.h"
#include "tests/gguf_bytes.h"
#include "tests/recorded.h"
#include "tests/sentences.h"
#include "tests/thrown.h"
#include "tests/trainer_fixture.h"

// Runs of `gyre train` that start from a model or pack their weights.

namespace gyre {
namespace {

class StartedRun : public ::testing::Test {
 protected:
  using Given = std::vector<std::string>;

  void SetUp() override {
    root_ = ::testing::TempDir() + "gyre_started_run";
    remove_tree(root_);
    create_directories(root_);
    write_file_atomic(root_ + "/text", sentences());
  }
  void TearDown() override { remove_tree(root_); }

  TrainOptions options(const std::string& name) const {
    TrainOptions o;
    o.data.sources = {root_ + "/text"};
    o.trainer.run.out = root_ + "/" + name;
    o.trainer.batch.size = 4;
    o.trainer.schedule.steps = 10;
    o.trainer.evaluation.every = 4;
    o.text.eval_batches = 2;
    return o;
  }
  // Trains with these options and those of options().
  TrainReport run(const TrainOptions& o, Given given = {}) {
    recorder_ = {};
    for (const char* name : {"batch_size", "steps", "eval_every", "eval_batches"})
      given.emplace_back(name);
    return train(o, given, layer_table(), optimizer_table(), recorder_);
  }
  TrainReport resume(const std::string& name) {
    TrainOptions o;
    o.trainer.run.out = root_ + "/" + name;
    o.trainer.checkpoints.resume = true;
    recorder_ = {};
    return train(o, {}, layer_table(), optimizer_table(), recorder_);
  }
  TrainReport start_from(const std::string& init, TrainOptions o, Given given = {}) {
    o.start.init = root_ + "/" + init;
    given.emplace_back("init");
    return run(o, given);
  }
  TrainReport train_dense(const std::string& name) {
    TrainOptions o = options(name);
    o.text.tokenizer = "char";
    o.decoder.layers = 1;
    o.decoder.heads = 2;
    o.decoder.width = 64;
    o.decoder.block_size = 16;
    return run(o, {"tokenizer", "layers", "heads", "width", "block_size"});
  }
  void pack(const std::string& name, const std::string& out) const {
    compress_folder(root_ + "/" + name, {.out = root_ + "/" + out});
  }
  std::string file(const std::string& path) const { return read_file(root_ + "/" + path); }
  // Of files of two runs.
  bool equal(const std::string& a, const std::string& b, const std::string& name) const {
    return file(a + "/" + name) == file(b + "/" + name);
  }

  std::string root_;
  Recorded<Recorder> recorder_;
};

TEST_F(StartedRun, TakesTheOptionsThatWereReadOfItsModel) {
  TrainOptions o = options("once");
  o.start.init = root_ + "/missing";  // which is not opened for them
  o.decoder.vocab = 77;               // as start_model() has read it
  EXPECT_EQ(text_model_options(o, "").vocab, 77);
}

TEST_F(StartedRun, IsEvaluatedBeforeTheFirstStep) {
  const TrainReport dense = train_dense("dense");
  EXPECT_TRUE(std::isnan(dense.initial_loss));
  EXPECT_EQ(recorder_.validations.front().step, 4) << "a run of a new model is not";
  pack("dense", "packed");
  for (const char* init : {"dense", "packed"}) {
    const std::string out = std::string(init) + "_further";
    const TrainReport report = start_from(init, options(out));
    ASSERT_EQ(recorder_.validations.size(), 4u);
    const Validation& first = recorder_.validations[0];
    EXPECT_EQ(first.step, 0);
    EXPECT_EQ(report.initial_loss, first.figures.loss);
    if (init == std::string("dense")) {
      EXPECT_EQ(report.initial_loss, dense.val.loss) << "the same validation part";
    }
    const Json entry = read_training_log(root_ + "/" + out + "/log.jsonl").front();
    EXPECT_EQ(entry.at("step").as_integer(), 0);
    EXPECT_EQ(entry.at("val_loss").as_real(), report.initial_loss);
    EXPECT_TRUE(contains(file(out + "/report.html"), "validation loss before the first step"));
  }
}

TEST_F(StartedRun, IsEvaluatedOnceAlsoIfItIsResumed) {
  train_dense("dense");
  TrainOptions o = options("whole");
  const TrainReport whole = start_from("dense", o);
  o = options("parts");
  o.trainer.checkpoints.stop_at = 3;
  start_from("dense", o);
  EXPECT_EQ(recorder_.validations.size(), 1u);
  const TrainReport rest = resume("parts");
  EXPECT_EQ(recorder_.validations.front().step, 4);
  EXPECT_EQ(rest.initial_loss, whole.initial_loss);
  for (const char* name : {"model.safetensors", "checkpoints/step-10/optimizer.safetensors",
                           "checkpoints/step-10/training.json"})
    EXPECT_TRUE(equal("parts", "whole", name)) << name;
}

TEST_F(StartedRun, AnInterruptedFirstEvaluationIsMadeOnResume) {
  train_dense("dense");
  start_from("dense", options("whole"));
  Recorded<TrainSink> sink;
  sink.asks_before_stop = 1;  // in the evaluation of two batches
  TrainOptions o = options("parts");
  o.start.init = root_ + "/dense";
  const TrainReport stopped =
      train(o, Given{"init", "batch_size", "steps", "eval_every", "eval_batches"}, layer_table(),
            optimizer_table(), sink);
  EXPECT_TRUE(stopped.interrupted);
  EXPECT_EQ(stopped.steps, 0);
  EXPECT_FALSE(resume("parts").interrupted);
  EXPECT_EQ(recorder_.validations.front().step, 0);
  EXPECT_TRUE(equal("parts", "whole", "model.safetensors"));
}

TEST_F(StartedRun, KeepsTheFirstWeightsIfNoneAreBetter) {
  train_dense("dense");
  TrainOptions o = options("worse");
  o.trainer.optimizer.name = "adamw";
  o.trainer.schedule.lr = 10;
  const TrainReport report = start_from("dense", o, {"optimizer", "lr"});
  EXPECT_GT(report.val.loss, report.initial_loss);
  EXPECT_EQ(report.best_step, 0);
  EXPECT_EQ(report.best_loss, report.initial_loss);
  EXPECT_TRUE(equal("worse", "dense", "model.safetensors"));
}

TEST_F(StartedRun, WithoutStepsOnlyEvaluates) {
  const TrainReport dense = train_dense("dense");
  TrainOptions o = options("none");
  o.trainer.schedule.steps = 0;
  const TrainReport report = start_from("dense", o);
  EXPECT_EQ(report.val.loss, dense.val.loss);
  EXPECT_TRUE(std::isnan(report.train_loss));
}

struct PackedRun : StartedRun {
  // Notes what the header says of packed weights.
  struct Notes : Recorder {
    void noted(std::string_view lines) override { text += std::string(lines) + "\n"; }
    void preparing(std::string_view stage, int64_t, int64_t) override { stages += stage; }
    std::string text, stages;
  };
  std::string header_of(const TrainOptions& o, const Given& given) {
    Notes notes;
    train(o, given, layer_table(), optimizer_table(), notes);
    return notes.text;
  }
  // Of a run that must be refused before anything is prepared.
  std::string refusal(const std::function<void(TrainOptions&)>& change, Given given) {
    TrainOptions o = options("refused");
    change(o);
    Notes notes;
    const Error error = error_of([&] { train(o, given, layer_table(), optimizer_table(), notes); });
    EXPECT_EQ(error.code, Code::value) << error.what();
    EXPECT_EQ(notes.stages, "") << error.what();
    EXPECT_FALSE(file_exists(o.trainer.run.out));
    return error.what();
  }
  static void expect_words(const std::string& text, std::initializer_list<const char*> words) {
    for (const char* word : words) EXPECT_TRUE(contains(text, word)) << word << " in: " << text;
  }
};

TEST_F(PackedRun, OfAPackedModelTakesTheModeForIt) {
  train_dense("dense");
  pack("dense", "packed");
  const auto mode = [&](const char* init, TrainOptions o, Given given) {
    o.start.init = root_ + "/" + init;
    given.emplace_back("init");
    return resolve(o, given, optimizer_table()).options.trainer.optimizer.packed_mode;
  };
  TrainOptions o = options("further");
  EXPECT_EQ(mode("packed", o, {}), "shadow_free");
  o.trainer.optimizer.packed_mode = "shadow";
  EXPECT_EQ(mode("packed", o, {"packed_mode"}), "shadow");
  o.start.packed = TrainedFormat::D4;
  EXPECT_EQ(mode("packed", o, {"packed"}), "shadow_free") << "the format that it has";
  EXPECT_EQ(mode("dense", o, {"packed"}), "shadow");
}

TEST_F(PackedRun, SaysWhatIsPacked) {
  train_dense("dense");
  EXPECT_EQ(header_of(options("plain"), {"steps", "eval_every", "batch_size", "eval_batches"}), "");
  pack("dense", "packed");
  TrainOptions o = options("further");
  o.start.init = root_ + "/packed";
  o.trainer.checkpoints.stop_at = 2;
  const Given given{"init", "steps", "stop_at"};
  const std::string said = header_of(o, given);
  expect_words(said,
               {"packed: 4 of 9 tensors, 49,152 of 50,496 weights in D4, 0.5", "shadow_free"});
  EXPECT_TRUE(contains(file("further/report.html"), "packed: 4 of 9 tensors"));
  TrainOptions rest;
  rest.trainer.run.out = o.trainer.run.out;
  rest.trainer.checkpoints.resume = true;
  EXPECT_EQ(header_of(rest, {}), said) << "also when it is resumed";
}

TEST_F(PackedRun, OfADenseModelPacksItFirst) {
  train_dense("dense");
  pack("dense", "packed");
  const auto initial_loss = [&](const char* init, const char* out, TrainedFormat packed) {
    TrainOptions o = options(out);
    o.start.packed = packed;
    return start_from(init, o, {"packed"}).initial_loss;
  };
  const double loss = initial_loss("packed", "of_packed", TrainedFormat::none);
  EXPECT_EQ(initial_loss("dense", "of_dense", TrainedFormat::D4), loss);
  EXPECT_EQ(initial_loss("packed", "again", TrainedFormat::D4), loss) << "it is packed so already";
}

TEST_F(PackedRun, RefusesToPackNothing) {
  const auto small = [](TrainOptions& o) {
    o.start.packed = TrainedFormat::D4;
    o.text.tokenizer = "bpe:256";
    o.decoder = {.block_size = 16, .layers = 1, .heads = 1, .width = 8};
  };
  const Given sizes{"packed", "tokenizer", "layers", "heads", "width", "block_size"};
  expect_words(refusal(small, sizes), {"`packed` D4 packs nothing", "4,096", "2,048", "`width`"});
  TrainOptions o = options("refused");
  small(o);
  o.text.tokenizer = "char";
  const Error late = error_of([&] { run(o, sizes); });
  expect_words(late.what(), {"`packed` D4 packs nothing", "256"});
}

TEST_F(PackedRun, RefusesAModeWithoutPackedWeights) {
  train_dense("dense");
  const auto mode = [](TrainOptions& o) { o.trainer.optimizer.packed_mode = "shadow_free"; };
  expect_words(refusal(mode, {"packed_mode"}), {"`packed_mode` needs packed weights", "`init`"});
  const auto of_dense = [&](TrainOptions& o) {
    mode(o);
    o.start.init = root_ + "/dense";
    o.trainer.optimizer.name = "hybrid";
  };
  expect_words(refusal(of_dense, {"packed_mode", "init", "optimizer"}), {"needs packed weights"});
  const auto unknown = [&](TrainOptions& o) {
    o.trainer.optimizer.packed_mode = "light";
    o.start.packed = TrainedFormat::D4;
  };
  expect_words(refusal(unknown, {"packed_mode", "packed"}),
               {"`packed_mode` must be shadow or shadow_free, got light"});
  const auto by_its_name = [&](TrainOptions& o) {
    o.trainer.optimizer.more = "mode=shadow_free";
    o.start.packed = TrainedFormat::D4;
  };
  expect_words(refusal(by_its_name, {"optimizer_options", "packed"}),
               {"`optimizer_options` holds mode, which has its own option `packed_mode`"});
}

TEST_F(PackedRun, RefusesOptionsOfAnotherModel) {
  train_dense("dense");
  pack("dense", "packed");
  const auto started = [&](const std::function<void(TrainOptions&)>& change, Given given) {
    given.emplace_back("init");
    return refusal(
        [&](TrainOptions& o) {
          o.start.init = root_ + "/packed";
          change(o);
        },
        given);
  };
  expect_words(started([](TrainOptions& o) { o.start.init += "_none"; }, {}),
               {"`init`: no such folder or model file: ", "packed_none"});
  compress_folder(root_ + "/dense", {.format = PackedFormat::q8_0, .out = root_ + "/fixed"});
  expect_words(started([&](TrainOptions& o) { o.start.init = root_ + "/fixed"; }, {}),
               {"`init`: weights packed in q8_0 cannot be trained, only in D4, D3"});
  expect_words(started([](TrainOptions& o) { o.start.packed = TrainedFormat::T4; }, {"packed"}),
               {"`packed` is T4", "packed in D4", "omit `packed`"});
  expect_words(started([](TrainOptions& o) { o.model = "gpt2"; }, {"model"}),
               {"`model` is gpt2", "gyre", "omit `model`"});
  expect_words(started([](TrainOptions& o) { o.decoder.layers = 3; }, {"layers"}),
               {"`layers` is that of the model in `init`, 1, got 3"});
  expect_words(started([](TrainOptions& o) { o.preset = "gpt2"; }, {"preset"}),
               {"`preset` gpt2 is for another model than that in `init`", "omit `preset`"});
  for (const char* name : {"char", "bpe:300"}) {
    expect_words(started([&](TrainOptions& o) { o.text.tokenizer = name; }, {"tokenizer"}),
                 {name, "makes a new vocabulary", "omit `tokenizer`"});
  }
  const std::string other = root_ + "/other.json";
  expect_words(started([&](TrainOptions& o) { o.text.tokenizer = other; }, {"tokenizer"}),
               {"`tokenizer`: no such file: ", "other.json"});
  CharTokenizer::train("0123456789ABCDEFGHIJK")->save(other);
  expect_words(started([&](TrainOptions& o) { o.text.tokenizer = other; }, {"tokenizer"}),
               {"other.json has 21 tokens", "a vocabulary of 17"});
  CharTokenizer::train("0123456789ABCDEFG")->save(other);
  expect_words(started([&](TrainOptions& o) { o.text.tokenizer = other; }, {"tokenizer"}),
               {"`tokenizer` ", "differs from that of ", "packed"});
  remove_tree(root_ + "/packed/tokenizer.json");
  expect_words(started([](TrainOptions&) {}, {}), {"no tokenizer.json, ", "; give `tokenizer`"});
  expect_words(started([](TrainOptions& o) { o.text.tokenizer = "char"; }, {"tokenizer"}),
               {"makes a new vocabulary", "give the tokenizer.json"});
  TrainOptions o = options("further");
  o.text.tokenizer = root_ + "/dense/tokenizer.json";
  EXPECT_EQ(start_from("packed", o, {"tokenizer"}).steps, 10);
}

TEST_F(PackedRun, ItsPrintedOptionsMakeTheSameRun) {
  train_dense("dense");
  pack("dense", "packed");
  for (const char* init : {"dense", "packed"}) {
    TrainOptions o = options("further");
    o.start.init = root_ + "/" + init;
    const Json config = config_of(resolve(o, Given{"init"}, optimizer_table()), optimizer_table());
    EXPECT_EQ(config.find("packed_mode") != nullptr, init == std::string("packed"));
    write_file_atomic(root_ + "/config.json", config.dump());
    TrainOptions again;
    again.trainer.run.config = root_ + "/config.json";
    const ResolvedOptions resolved = resolve(again, Given{"config"}, optimizer_table());
    EXPECT_EQ(config_of(resolved, optimizer_table()).dump(), config.dump());
  }
}

TEST_F(StartedRun, TakesALowerLearningRateThanANewModel) {
  train_dense("dense");
  const auto rate = [&](Given given, bool started, const char* optimizer = "adamw") {
    TrainOptions o;
    o.data.sources = {root_ + "/text"};
    if (started) o.start.init = root_ + "/dense";
    o.trainer.optimizer.name = optimizer;
    o.trainer.schedule.lr = 3e-3;
    given.emplace_back("optimizer");
    if (started) given.emplace_back("init");
    return resolve(o, given, optimizer_table()).options.trainer.schedule.lr;
  };
  EXPECT_DOUBLE_EQ(rate({}, false), 1e-3);
  EXPECT_DOUBLE_EQ(rate({}, true), 5e-5);
  EXPECT_DOUBLE_EQ(rate({}, false, "muon"), 0.02);
  EXPECT_DOUBLE_EQ(rate({}, true, "muon"), 1e-3);
  EXPECT_EQ(rate({"lr"}, true), 3e-3);
  TrainOptions o = options("packed");
  o.start.packed = TrainedFormat::D4;
  o.start.init = root_ + "/dense";
  const Given given{"init", "packed"};
  const double packed = resolve(o, given, optimizer_table()).options.trainer.schedule.lr;
  o.start.init.clear();
  EXPECT_EQ(packed, resolve(o, Given{"packed"}, optimizer_table()).options.trainer.schedule.lr);
  EXPECT_DOUBLE_EQ(start_from("dense", options("further")).lr, 1e-3) << "of muon";
}

// A llama of width 8 in a file: one of llama2.c, or GGUF.
struct StartedFile : StartedRun {
  static std::string numbers(int64_t n) {
    std::string bytes;
    uint32_t state = 1;
    for (int64_t i = 0; i < n; ++i) {
      state = state * 1664525 + 1013904223;
      const float value = static_cast<float>(state >> 8) / static_cast<float>(1 << 25) - 0.25F;
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    return bytes;
  }
  std::string llama2c(int32_t vocab) const {
    const int32_t sizes[] = {8, 16, 1, 2, 2, vocab, 16};
    std::string bytes(reinterpret_cast<const char*>(sizes), sizeof sizes);
    bytes += numbers(vocab * 8 + 8 + 4 * 64 + 8 + 3 * 128 + 8 + 16 * 4);
    write_file_atomic(root_ + "/model.bin", bytes);
    return "model.bin";
  }
  std::string gguf(int32_t vocab) const {
    GgufBytes b;
    b.text("general.architecture", "llama").u32("llama.block_count", 1);
    b.u32("llama.context_length", 16).u32("llama.embedding_length", 8);
    b.u32("llama.feed_forward_length", 16).u32("llama.attention.head_count", 2);
    b.u32("llama.attention.head_count_kv", 2);
    b.f32("llama.attention.layer_norm_rms_epsilon", 1e-5F);
    b.tensor("token_embd.weight", 0, {8, static_cast<uint64_t>(vocab)}, numbers(8 * vocab));
    for (const char* name : {"output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"})
      b.tensor(std::string(name) + ".weight", 0, {8}, numbers(8));
    for (const char* name : {"q", "k", "v", "output"})
      b.tensor("blk.0.attn_" + std::string(name) + ".weight", 0, {8, 8}, numbers(64));
    for (const char* name : {"gate", "up"})
      b.tensor("blk.0.ffn_" + std::string(name) + ".weight", 0, {8, 16}, numbers(128));
    b.tensor("blk.0.ffn_down.weight", 0, {16, 8}, numbers(128));
    write_file_atomic(root_ + "/model.gguf", b.bytes());
    return "model.gguf";
  }
};

TEST_F(StartedFile, IsTheModelThatItsConfigNames) {
  const auto tokenizer = CharTokenizer::train(sentences());
  const std::string tokens = root_ + "/tokens.json";
  tokenizer->save(tokens);
  for (const std::string& file :
       {llama2c(tokenizer->vocab_size()), gguf(tokenizer->vocab_size())}) {
    TrainOptions o = options("of_" + file);
    o.start.init = root_ + "/" + file;
    o.text.tokenizer = tokens;
    Given given{"init", "tokenizer"};
    const TrainOptions found = resolve(o, given, optimizer_table()).options;
    EXPECT_EQ(found.model, "llama") << file;
    EXPECT_EQ(found.trainer.optimizer.name, "adamw") << file;
    EXPECT_DOUBLE_EQ(found.trainer.schedule.lr, 5e-5) << file;
    EXPECT_EQ(found.trainer.schedule.kind, TrainOptions().trainer.schedule.kind) << file;
    given.emplace_back("model");
    o.model = "gyre";
    const Error other = error_of([&] { (void)resolve(o, given, optimizer_table()); });
    EXPECT_TRUE(contains(other.what(), "`model` is gyre, but the model in `init` is llama"));
    o.model = "llama";
    EXPECT_EQ(run(o, given).steps, 10) << file;
    const Json config = Json::read(o.trainer.run.out + "/config.json");
    EXPECT_EQ(config.at("model_type").as_string(), "llama") << file;
  }
}

TEST_F(StartedRun, CarriesTheFilesOfItsTokenizer) {
  train_dense("dense");
  const std::pair<const char*, const char*> files[] = {
      {"tokenizer_config.json", "{\"eos_token\": \".\"}"},
      {"chat_template.jinja", "{{ messages }}"},
      {"additional_chat_templates/tools.jinja", "{{ tools }}"}};
  create_directories(root_ + "/dense/additional_chat_templates");
  for (const auto& [name, content] : files) write_file_atomic(root_ + "/dense/" + name, content);
  TrainOptions o = options("further");
  o.trainer.checkpoints.stop_at = 3;
  start_from("dense", o);
  for (const auto& [name, content] : files)
    EXPECT_EQ(file("further/checkpoints/step-3/" + std::string(name)), content);
  remove_tree(root_ + "/dense");  // the checkpoint has them
  resume("further");
  for (const auto& [name, content] : files)
    EXPECT_EQ(file("further/" + std::string(name)), content);
  // damage of one is found
  write_file_atomic(root_ + "/further/checkpoints/step-10/additional_chat_templates/tools.jinja",
                    "");
  EXPECT_FALSE(resume("further").interrupted);
  EXPECT_FALSE(recorder_.warnings.empty());
}

TEST_F(StartedRun, DoesNotOverwriteTheFilesOfAnotherTokenizer) {
  train_dense("dense");
  write_file_atomic(root_ + "/dense/tokenizer_config.json", "{}");
  create_directories(root_ + "/out");
  write_file_atomic(root_ + "/out/tokenizer_config.json", "mine");
  const Error error = error_of([&] { start_from("dense", options("out")); });
  EXPECT_TRUE(contains(error.what(), "its tokenizer_config.json would be overwritten"));
  EXPECT_EQ(file("out/tokenizer_config.json"), "mine");
}

TEST_F(StartedRun, SaysThatTheTextGivesASmallerVocabulary) {
  TrainOptions o = options("small");
  o.text.tokenizer = "bpe:9999";
  o.decoder = {.block_size = 8, .layers = 1, .heads = 1, .width = 8};
  run(o, {"tokenizer", "layers", "heads", "width", "block_size"});
  ASSERT_FALSE(recorder_.warnings.empty());
  EXPECT_TRUE(contains(recorder_.warnings[0], "`tokenizer` bpe:9999: the vocabulary has "));
  EXPECT_TRUE(contains(recorder_.warnings[0], "no pair of tokens is left in the text"));
}

TEST_F(StartedRun, KeepsTheDTypeOfItsModel) {
  train_dense("dense");
  for (const DType dtype : {DType::bf16, DType::f16}) {
    const auto model = load_language_model(root_ + "/dense");
    model->to(dtype);
    const std::string name = name_of(dtype);
    model->save(root_ + "/" + name, open_model_files(root_ + "/dense")->tokenizer().get());
    start_from(name, options(name + "_further"));
    EXPECT_EQ(load_language_model(root_ + "/" + name + "_further")->parameters()[0].dtype(), dtype);
    TrainOptions o = options(name + "_f32");
    start_from(name, o, {"dtype"});
    EXPECT_EQ(load_language_model(root_ + "/" + name + "_f32")->parameters()[0].dtype(),
              DType::f32);
  }
}

}  // namespace
}  // namespace gyre
