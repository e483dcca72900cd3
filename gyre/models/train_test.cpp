#include "gyre/models/train.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/base/system/file_lock.h"
#include "gyre/base/thread_pool.h"
#include "gyre/io/json.h"
#include "gyre/models/generation/generate.h"
#include "gyre/models/text/text_model.h"
#include "gyre/models/text/text_task.h"
#include "gyre/ops/create/create.h"
#include "gyre/registry/layer_table.h"
#include "gyre/registry/optimizer_table.h"
#include "gyre/text/tokenizer.h"
#include "gyre/train/report/baselines.h"
#include "tests/recorded.h"
#include "tests/sentences.h"
#include "tests/thrown.h"
#include "tests/train_state.h"

namespace gyre {
namespace {

class TrainText : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = ::testing::TempDir() + "gyre_train_text";
    remove_tree(root_);
    create_directories(root_);
    write_file_atomic(root_ + "/text", sentences());
  }
  void TearDown() override {
    remove_tree(root_);
    set_num_threads(0);
  }
  TrainOptions options(const std::string& name) const {
    TrainOptions o;
    o.data.sources = {root_ + "/text"};
    o.trainer.run.out = root_ + "/" + name;
    o.text.tokenizer = "char";
    o.decoder.layers = 1;
    o.decoder.heads = 2;
    o.decoder.width = 16;
    o.decoder.block_size = 16;
    o.trainer.batch.size = 4;
    o.trainer.schedule.steps = 50;
    o.trainer.schedule.warmup = 5;
    o.trainer.schedule.lr = 1e-2;
    o.decoder.dropout = 0.1;
    o.trainer.evaluation.every = o.trainer.checkpoints.every = 0;
    o.text.eval_batches = 4;
    return o;
  }
  TrainReport run(const TrainOptions& o) {
    return train(o, layer_table(), optimizer_table(), sink_);
  }
  TrainReport resume(TrainOptions o, std::vector<std::string> given = {}) {
    o.trainer.checkpoints.resume = true;
    return train(o, given, layer_table(), optimizer_table(), sink_);
  }
  template <class F>
  Error refusal(F change) {
    TrainOptions o = options("refused");
    change(o);
    return error_of([&] { run(o); });
  }
  std::string model_of(const std::string& name) {
    return read_file(root_ + "/" + name + "/model.safetensors");
  }
  std::string root_;
  Recorded<TrainSink> sink_;
};

TEST_F(TrainText, TrainsAndGenerates) {
  TrainOptions o = options("learns");
  o.text.tokenizer = "bpe:300";
  o.trainer.schedule.steps = 150;
  TrainReport report = run(o);
  EXPECT_EQ(report.steps, 150);
  std::string text = read_file(o.data.sources[0]);
  size_t cut = text.size() * 9 / 10;
  double unigram = unigram_bits_per_byte(text.substr(0, cut), text.substr(cut));
  EXPECT_LT(report.val.bits_per_byte, 0.6 * unigram);
  auto tokenizer = load_tokenizer(o.trainer.run.out + "/tokenizer.json");
  double share = static_cast<double>(tokenizer->encode(text.substr(cut)).size()) /
                 static_cast<double>(text.size() - cut);
  EXPECT_NEAR(report.val.bits_per_byte, report.val.loss / std::log(2.0) * share, 1e-3);
  Generated made =
      generate(o.trainer.run.out, {.prompt = "the ", .max_tokens = 20, .sampling = {.seed = 1}});
  EXPECT_EQ(made.new_tokens, 20);
  EXPECT_TRUE(made.text.starts_with("the "));
  for (const char* file : {"config.json", "log.jsonl", "loss.svg"}) {
    EXPECT_TRUE(file_exists(o.trainer.run.out + "/" + file)) << file;
  }
}

TEST_F(TrainText, FiftyStepsAreIndependentOfThreadsAndResume) {
  run(options("whole"));
  for (int64_t threads : {1, 2, 3, 7}) {
    std::string name = "threads" + std::to_string(threads);
    TrainOptions o = options(name);
    o.trainer.run.threads = threads;
    run(o);
    EXPECT_EQ(model_of(name), model_of("whole")) << threads << " threads";
  }
  TrainOptions o = options("parts");
  o.trainer.checkpoints.stop_at = 20;
  EXPECT_EQ(run(o).steps, 20);
  EXPECT_NE(model_of("parts"), model_of("whole"));
  TrainOptions rest;
  rest.trainer.run.out = o.trainer.run.out;
  EXPECT_EQ(resume(rest).steps, 50) << "options and data come from the checkpoint";
  EXPECT_EQ(model_of("parts"), model_of("whole"));
  EXPECT_EQ(read_file(o.trainer.run.out + "/checkpoints/step-50/training.json"),
            read_file(root_ + "/whole/checkpoints/step-50/training.json"));
  EXPECT_EQ(resume(rest).steps, 50) << "no steps left";
}

TEST_F(TrainText, FallsBackWhenTheNewestCheckpointIsDamaged) {
  run(options("whole"));
  TrainOptions o = options("damaged");
  o.trainer.checkpoints.every = 10;
  o.trainer.checkpoints.stop_at = 30;
  run(o);
  std::string path = o.trainer.run.out + "/checkpoints/step-30/optimizer.safetensors";
  std::string bytes = read_file(path);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 8);
  write_file_atomic(path, bytes);
  TrainOptions rest;
  rest.trainer.run.out = o.trainer.run.out;
  EXPECT_EQ(resume(rest).steps, 50);
  ASSERT_EQ(sink_.warnings.size(), 1u);
  EXPECT_NE(sink_.warnings[0].find("step-30"), std::string::npos) << sink_.warnings[0];
  EXPECT_NE(sink_.warnings[0].find("falling back to step 20"), std::string::npos)
      << sink_.warnings[0];
  EXPECT_EQ(model_of("damaged"), model_of("whole"));
}

TEST_F(TrainText, SkipsOnlyDamagedCheckpointsAndRemovesNothingBeforeSaving) {
  TrainOptions o = options("kept");
  o.trainer.checkpoints.every = 10;
  o.trainer.checkpoints.stop_at = 30;
  run(o);
  const CheckpointStore store(o.trainer.run.out + "/checkpoints");
  const std::vector<int64_t> all{10, 20, 30};
  const std::string state = store.path(30) + "/training.json", text = read_file(state);
  change_train_state(state, "format", int64_t{9});
  TrainOptions rest;
  rest.trainer.run.out = o.trainer.run.out;
  EXPECT_EQ(error_of([&] { resume(rest); }).code, Code::unsupported);
  EXPECT_EQ(store.steps(), all);
  remove_tree(state);
  EXPECT_EQ(error_of([&] { resume(rest); }).code, Code::io);
  EXPECT_EQ(store.steps(), all);
  write_file_atomic(state, text.substr(1));
  rest.trainer.schedule.lr = 0.5;
  EXPECT_EQ(error_of([&] { resume(rest, {"lr"}); }).code, Code::value);
  EXPECT_EQ(store.steps(), all) << "the run was refused";
  rest.trainer.checkpoints.stop_at = 25;
  EXPECT_EQ(resume(rest).new_steps, 5);
  EXPECT_EQ(store.steps(), (std::vector<int64_t>{10, 20, 25}));
}

TEST_F(TrainText, RecoversACheckpointBeingReplaced) {
  TrainOptions o = options("replaced");
  o.trainer.checkpoints.stop_at = 10;
  run(o);
  rename_path(o.trainer.run.out + "/checkpoints/step-10",
              o.trainer.run.out + "/checkpoints/.replaced-10");
  EXPECT_EQ(error_of([&] { run(o); }).code, Code::value) << "it holds a run";
  rename_path(o.trainer.run.out + "/checkpoints/step-10",
              o.trainer.run.out + "/checkpoints/.replaced-10");
  TrainOptions rest;
  rest.trainer.run.out = o.trainer.run.out;
  TrainReport report = resume(rest);
  EXPECT_EQ(report.new_steps, 40);
  EXPECT_EQ(report.steps, 50);
}

TEST_F(TrainText, FailsWithoutAnIntactCheckpoint) {
  TrainOptions o = options("lost");
  EXPECT_TRUE(contains(error_of([&] { resume(o); }).what(), "no checkpoint"));
  o.trainer.checkpoints.stop_at = 10;
  run(o);
  write_file_atomic(o.trainer.run.out + "/checkpoints/step-10/training.json", "{}");
  EXPECT_EQ(error_of([&] { resume(o); }).code, Code::parse);
}

TEST_F(TrainText, ResumeTakesOptionsOfTheStoredSchedule) {
  TrainOptions o = options("steps");
  o.trainer.schedule.kind = Schedule::step;
  o.trainer.schedule.gamma = 0.5;
  o.trainer.checkpoints.stop_at = 10;
  run(o);
  TrainOptions rest;
  rest.data.sources = o.data.sources;
  rest.trainer.run.out = o.trainer.run.out;
  rest.trainer.schedule.gamma = 0.5;
  rest.trainer.checkpoints.stop_at = 12;
  EXPECT_EQ(resume(rest, {"lr_gamma", "stop_at"}).steps, 12);
  EXPECT_TRUE(contains(error_of([&] { resume(rest, {"lr_decay"}); }).what(), "schedule step"));
}

TEST_F(TrainText, ResumeRejectsOtherOptionsAndData) {
  TrainOptions o = options("contradicts");
  o.trainer.checkpoints.stop_at = 10;
  run(o);
  TrainOptions other;
  other.trainer.run.out = o.trainer.run.out;
  other.trainer.schedule.lr = 0.5;
  Error lr = error_of([&] { resume(other, {"lr"}); });
  EXPECT_EQ(lr.code, Code::value);
  EXPECT_TRUE(contains(lr.what(), "`lr` 0.01") && contains(lr.what(), "0.5")) << lr.what();
  other.data.sources = {root_ + "/other"};
  write_file_atomic(other.data.sources[0], std::string(500, 'x'));
  EXPECT_TRUE(contains(error_of([&] { resume(other); }).what(), "data differ"));
  TrainOptions rest;
  rest.trainer.run.out = o.trainer.run.out;
  rest.trainer.checkpoints.stop_at = 12;
  EXPECT_EQ(resume(rest).steps, 12) << "options of one process are not stored";
  other = options("contradicts");
  other.trainer.checkpoints.stop_at = 15;
  EXPECT_EQ(resume(other, {"lr", "stop_at", "threads"}).steps, 15) << "equal values are accepted";
  EXPECT_TRUE(contains(error_of([&] { run(other); }).what(), "already holds a training"));
}

TEST_F(TrainText, TrainsWithoutValidation) {
  TrainOptions o = options("plain");
  o.data.val_fraction = 0;
  o.trainer.schedule.steps = 5;
  TrainReport report = run(o);
  EXPECT_TRUE(std::isnan(report.val.loss));
  EXPECT_EQ(report.steps, 5);
}

TEST_F(TrainText, OneRunPerFolder) {
  create_directories(root_ + "/locked");
  FileLock lock(root_ + "/locked/.lock");
  Error f = error_of([&] { run(options("locked")); });
  EXPECT_TRUE(f.code == Code::resource && contains(f.what(), "in use by another training run: "))
      << f.what();
}

TEST_F(TrainText, AFailedStartLeavesNothing) {
  EXPECT_EQ(refusal([](TrainOptions& o) { o.data.sources = {"/no/such/file"}; }).code, Code::io);
  EXPECT_FALSE(file_exists(root_ + "/refused"));
  create_directories(root_ + "/refused");
  EXPECT_EQ(refusal([](TrainOptions& o) { o.data.sources = {"/no/such/file"}; }).code, Code::io);
  EXPECT_TRUE(list_directory(root_ + "/refused").empty()) << "the folder existed before";
  const Error momentum = refusal([](TrainOptions& o) {
    o.trainer.optimizer.name = "sgd";
    o.trainer.optimizer.more = "momentum=-1";
  });
  EXPECT_TRUE(contains(momentum.what(), "momentum")) << momentum.what();
  const Error before_data = refusal([](TrainOptions& o) {
    o.data.sources = {"/no/such/file"};
    o.trainer.optimizer.name = "SGD";
    o.trainer.optimizer.more = "nesterov=true";
  });
  EXPECT_TRUE(contains(before_data.what(), "`optimizer_options`: nesterov requires"))
      << before_data.what();
  EXPECT_TRUE(list_directory(root_ + "/refused").empty());
  EXPECT_EQ(refusal([this](TrainOptions& o) { o.trainer.log.trace = root_; }).code, Code::io);
  EXPECT_TRUE(list_directory(root_ + "/refused").empty());
}

TEST_F(TrainText, NeverOverwritesForeignFiles) {
  for (const char* file :
       {"model.safetensors", "config.json", "model.json", "tokenizer.json", "log.jsonl"}) {
    remove_tree(root_ + "/refused");
    create_directories(root_ + "/refused");
    write_file_atomic(root_ + "/refused/" + file, "of somebody");
    const Error f = refusal([](TrainOptions&) {});
    EXPECT_TRUE(f.code == Code::value &&
                contains(f.what(), std::string("its ") + file + " would be overwritten") &&
                contains(f.what(), "choose another `out`"))
        << f.what();
    EXPECT_EQ(read_file(root_ + "/refused/" + file), "of somebody");
  }
  TrainOptions o = options("finished");
  o.trainer.schedule.steps = o.trainer.schedule.warmup = 1;
  run(o);
  remove_tree(o.trainer.run.out + "/checkpoints");
  EXPECT_EQ(error_of([&] { run(o); }).code, Code::value);
  create_directories(root_ + "/begun");
  for (const char* log : {"", "{\"step\":5,\"loss\":1.5}\n{\"st"}) {
    write_file_atomic(root_ + "/begun/log.jsonl", log);
    o.trainer.run.out = root_ + "/begun";
    EXPECT_EQ(run(o).steps, 1) << "the log of a run without a checkpoint: " << log;
    remove_tree(o.trainer.run.out);
    create_directories(o.trainer.run.out);
  }
  o.text.tokenizer = o.trainer.run.out + "/tokenizer.json";
  write_file_atomic(o.text.tokenizer, read_file(root_ + "/finished/tokenizer.json"));
  EXPECT_EQ(run(o).steps, 1) << "a given tokenizer may be in the output folder";
}

TEST_F(TrainText, RejectsModelsThatExceedMemory) {
  Error f = refusal([](TrainOptions& o) { o.decoder.width = 1'000'000'000'000; });
  EXPECT_TRUE(f.code == Code::resource && contains(f.what(), "parameters") &&
              contains(f.what(), "memory"))
      << f.what();
}

TEST_F(TrainText, MemoryEstimateIsATightLowerBound) {
  TrainOptions layers = options("layers"), vocabulary = options("vocabulary");
  layers.decoder.layers = 4;
  layers.decoder.width = layers.decoder.block_size = 64;
  layers.trainer.batch.size = 8;
  TrainOptions relu = layers, weights = layers;
  relu.trainer.run.out += "_relu";
  relu.decoder.activation = Activation::relu;
  relu.decoder.bias = false;
  relu.decoder.dropout = 0;
  TrainOptions checkpointed = layers;
  checkpointed.trainer.run.out += "_checkpointed";
  checkpointed.trainer.batch.gradient_checkpointing = 2;
  weights.trainer.run.out += "_weights";
  weights.decoder.width = 256;
  weights.trainer.batch.size = 1;
  vocabulary.text.tokenizer = "bpe:400";
  vocabulary.trainer.batch.size = 64;
  for (TrainOptions o : {layers, relu, checkpointed, weights, vocabulary}) {
    o.trainer.schedule.steps = std::min<int64_t>(o.trainer.schedule.steps, 3);
    o.trainer.schedule.warmup = 1;
    o.text.eval_batches = 1;
    auto peak = static_cast<double>(run(o).peak_bytes);
    double estimate = training_bytes(o, text_model_options(o, o.trainer.run.out));
    EXPECT_LE(estimate, peak) << o.trainer.run.out;
    EXPECT_GE(estimate, 0.4 * peak) << o.trainer.run.out;
  }
}

TEST_F(TrainText, GradientCheckpointingTakesLessMemoryForTheSameModel) {
  TrainOptions o = options("kept");
  o.decoder.layers = 6;
  o.decoder.width = o.decoder.block_size = 64;
  o.trainer.batch.size = 8;
  o.trainer.schedule.steps = 3;
  o.trainer.schedule.warmup = 1;
  const TrainReport kept = run(o);
  o.trainer.run.out += "_checkpointed";
  o.trainer.batch.gradient_checkpointing = 1;
  const TrainReport less = run(o);
  EXPECT_EQ(less.train_loss, kept.train_loss);
  EXPECT_EQ(less.val.loss, kept.val.loss);
  EXPECT_LT(static_cast<double>(less.peak_bytes), 0.8 * static_cast<double>(kept.peak_bytes));
}

TEST_F(TrainText, RejectsBatchesThatExceedMemory) {
  Error f = refusal([](TrainOptions& o) { o.trainer.batch.size = 1'000'000'000'000; });
  EXPECT_TRUE(f.code == Code::resource && contains(f.what(), "tokens") &&
              contains(f.what(), "memory"))
      << f.what();
}

TEST_F(TrainText, ReadsOptionsStoredUnderEarlierNames) {
  const Json stored = Json::parse(
      R"({"tokenizer": "char", "layers": 2, "heads": 2, "width": 16, "block": 16, "bias": true,
          "activation": "gelu", "tied": false, "dropout": 0.1, "batch": 4, "accumulate": 2,
          "steps": 20, "lr": 0.01, "min_lr": -1, "warmup": 3, "schedule": "step", "lr_gamma": 0.5,
          "lr_every": 7, "clip": 0.5, "ema": 0.9, "eval_batches": 3, "data": ["a.txt"]})");
  ResolvedOptions resumed;
  resumed.options.trainer.checkpoints.resume = true;
  const TrainOptions o = continued_options(resumed, stored, optimizer_table());
  EXPECT_EQ(o.data.sources, std::vector<std::string>{"a.txt"});
  EXPECT_EQ(o.decoder.block_size, 16);
  EXPECT_FALSE(o.decoder.tie_embeddings);
  EXPECT_EQ(o.trainer.batch.size, 4);
  EXPECT_EQ(o.trainer.batch.accumulate, 2);
  EXPECT_EQ(o.trainer.schedule.warmup, 3);
  EXPECT_EQ(o.trainer.schedule.gamma, 0.5);
  EXPECT_EQ(o.trainer.schedule.every, 7);
  EXPECT_EQ(o.trainer.optimizer.clip, 0.5);
  EXPECT_EQ(o.trainer.optimizer.ema, 0.9);
  const Json table = Json::parse(R"({"without": "a,b", "workers": 2, "data": ["a.csv"]})");
  const TrainOptions of_table = continued_options(resumed, table, optimizer_table());
  EXPECT_EQ(of_table.table.exclude, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(of_table.data.num_workers, 2);
  resumed.given = {"batch_size"};
  resumed.options.trainer.batch.size = 8;
  EXPECT_TRUE(contains(
      message_of(Code::value, [&] { continued_options(resumed, stored, optimizer_table()); }),
      "has `batch_size` 4 and cannot be resumed with 8"));
}

TEST_F(TrainText, ResumesWithoutDataAsGiven) {
  TrainOptions o = options("out");
  o.trainer.checkpoints.stop_at = o.trainer.schedule.steps / 2;
  run(o);
  TrainOptions rest;
  rest.trainer.run.out = o.trainer.run.out;
  rest.trainer.checkpoints.resume = true;
  EXPECT_EQ(all_applicable(rest, optimizer_table()).front(), "val_fraction") << "not data";
  rest.model = "gyre";
  EXPECT_EQ(resume(rest, {"model"}).steps, o.trainer.schedule.steps);
}

TEST_F(TrainText, StepsMayChangeOnResume) {
  TrainOptions whole = options("whole"), o = options("longer");
  whole.trainer.schedule.kind = o.trainer.schedule.kind = Schedule::constant;
  run(whole);
  o.trainer.schedule.steps = 20;
  EXPECT_EQ(run(o).steps, 20);
  TrainOptions rest;
  rest.trainer.run.out = o.trainer.run.out;
  rest.trainer.schedule.steps = 50;
  TrainReport report = resume(rest, {"steps"});
  EXPECT_EQ(report.steps, 50);
  EXPECT_EQ(report.new_steps, 30);
  EXPECT_EQ(model_of("longer"), model_of("whole"));
  rest.trainer.schedule.steps = 49;
  EXPECT_TRUE(contains(error_of([&] { resume(rest, {"steps"}); }).what(), "has done 50 steps"));
}

TEST_F(TrainText, ResumesBeforeTheFirstStep) {
  TrainOptions whole = options("whole"), o = options("none");
  whole.trainer.schedule.kind = o.trainer.schedule.kind = Schedule::constant;
  whole.trainer.schedule.steps = 10;
  run(whole);
  o.trainer.schedule.steps = 0;
  EXPECT_EQ(run(o).steps, 0);
  TrainOptions rest;
  rest.trainer.run.out = o.trainer.run.out;
  rest.trainer.schedule.steps = 10;
  EXPECT_EQ(resume(rest, {"steps"}).new_steps, 10);
  EXPECT_EQ(model_of("none"), model_of("whole"));
}

TEST_F(TrainText, ExplicitOptionsOverridePresets) {
  TrainOptions o = options("preset");
  o.preset = "chargpt";
  o.trainer.schedule.steps = 2;
  o.trainer.schedule.warmup = 1;
  const std::vector<std::string> given{"preset", "steps", "warmup", "eval_batches"};
  train(o, given, layer_table(), optimizer_table(), sink_);
  Json config = Json::read(o.trainer.run.out + "/config.json");
  EXPECT_EQ(config.at("n_layer").as_integer(), 4);
  EXPECT_EQ(config.at("n_embd").as_integer(), 128);
  EXPECT_EQ(config.at("activation_function").as_string(), "gelu");
  EXPECT_FALSE(config.at("bias").as_boolean());
  TrainOptions unknown = options("unknown");
  unknown.preset = "huge";
  Error f = error_of([&] {
    train(unknown, std::vector<std::string>{"preset"}, layer_table(), optimizer_table(), sink_);
  });
  EXPECT_TRUE(f.code == Code::value && contains(f.what(), "chargpt") && contains(f.what(), "huge"))
      << f.what();
  EXPECT_EQ(error_of([&] { run(unknown); }).code, Code::value)
      << "needs the names of the given options";
  EXPECT_EQ(error_of([&] {
              train(o, std::vector<std::string>{"pace"}, layer_table(), optimizer_table(), sink_);
            }).code,
            Code::value);
  EXPECT_GE(train_presets().size(), 2u);
}

TEST_F(TrainText, AnotherOptimizerTakesNoFurtherOptionsOfThePreset) {
  TrainOptions o = options("optimizer");
  o.preset = "glosses";
  const auto more = [&](const std::vector<std::string>& given) {
    return resolve(o, given, optimizer_table()).options.trainer.optimizer.more;
  };
  EXPECT_TRUE(contains(more({"preset"}), "momentum="));
  o.trainer.optimizer.name = "Muon";
  EXPECT_TRUE(contains(more({"preset", "optimizer"}), "momentum="));
  o.trainer.optimizer.name = "adamw";
  EXPECT_EQ(more({"preset", "optimizer"}), "");
}

TEST_F(TrainText, ErrorsNameTheOption) {
  EXPECT_TRUE(contains(refusal([](TrainOptions& o) { o.trainer.run.out = ""; }).what(), "out"));
  EXPECT_TRUE(
      contains(refusal([](TrainOptions& o) { o.text.tokenizer = "words"; }).what(), "tokenizer"));
  EXPECT_TRUE(
      contains(refusal([](TrainOptions& o) { o.text.tokenizer = "bpe:many"; }).what(), "bpe:N"));
  EXPECT_EQ(refusal([](TrainOptions& o) { o.text.tokenizer = "bpe:12"; }).code, Code::value);
  EXPECT_TRUE(contains(refusal([](TrainOptions& o) { o.decoder.width = 15; }).what(), "width"));
  EXPECT_TRUE(contains(refusal([](TrainOptions& o) { o.model = "phi3"; }).what(), "gpt2 or llama"));
  EXPECT_TRUE(contains(refusal([](TrainOptions& o) {
                         o.model = "llama";
                         o.decoder.norm_embeddings = true;
                       }).what(),
                       "the model llama"));
  EXPECT_EQ(refusal([](TrainOptions& o) { o.data.sources.clear(); }).code, Code::value);
  EXPECT_EQ(refusal([](TrainOptions& o) { o.data.sources = {"/no/such/file"}; }).code, Code::io);
  EXPECT_EQ(refusal([](TrainOptions& o) { o.decoder.block_size = 100000; }).code, Code::value);
  EXPECT_EQ(refusal([this](TrainOptions& o) { o.trainer.run.out = root_ + "/text"; }).code,
            Code::io);
  write_file_atomic(root_ + "/two", "ab");
  EXPECT_EQ(refusal([this](TrainOptions& o) { o.data.sources = {root_ + "/two"}; }).code,
            Code::value);
  write_file_atomic(root_ + "/short", std::string(100, 'a'));
  Error part = refusal([this](TrainOptions& o) { o.data.sources = {root_ + "/short"}; });
  EXPECT_TRUE(part.code == Code::value && contains(part.what(), "validation part") &&
              contains(part.what(), "or a larger `val_fraction` (0: no validation)"))
      << part.what();
  const auto compared = [&](std::vector<std::string> folders) {
    return refusal([&](TrainOptions& o) { o.trainer.log.compare = std::move(folders); });
  };
  create_directories(root_ + "/untested");
  EXPECT_TRUE(
      contains(compared({root_ + "/untested"}).what(), "`compare`: " + root_ + "/untested"));
  write_file_atomic(root_ + "/untested/log.jsonl", "{\"step\":1,\"loss\":4}\n");
  EXPECT_TRUE(contains(compared({root_ + "/untested"}).what(), "has no validation losses"));
  EXPECT_TRUE(contains(compared(std::vector<std::string>(5)).what(), "at most 4 folders, got 5"));
  TrainOptions passes = options("refused");
  passes.data.epochs = 2;
  const Error epochs = error_of([&] {
    train(passes, std::vector<std::string>{"epochs"}, layer_table(), optimizer_table(), sink_);
  });
  EXPECT_TRUE(contains(epochs.what(), "`epochs` is not an option of texts")) << epochs.what();
  write_file_atomic(root_ + "/tokens.bin", std::string(400, '\0'));
  Error tokens = refusal([this](TrainOptions& o) {
    o.data.sources = {root_ + "/tokens.bin"};
    o.text.tokenizer = root_ + "/none.json";
  });
  EXPECT_TRUE(contains(tokens.what(), "no such file: '" + root_ + "/none.json'")) << tokens.what();
  tokens = refusal([this](TrainOptions& o) {
    o.data.sources = {root_ + "/tokens.bin"};
    o.text.split = SplitBy::records;
  });
  EXPECT_TRUE(contains(tokens.what(), "token files have no records to `split`")) << tokens.what();
  part = refusal([](TrainOptions& o) { o.data.val_fraction = 0.999; });
  EXPECT_TRUE(part.code == Code::value && contains(part.what(), "training part") &&
              contains(part.what(), "or a smaller `val_fraction`"))
      << part.what();
}

TEST_F(TrainText, PeakMemoryIsWeightsMomentsGradientsAndActivations) {
  TrainOptions o = options("memory");
  o.trainer.schedule.steps = 3;
  o.trainer.schedule.warmup = 0;
  o.decoder.dropout = 0;
  o.decoder.width = 64;
  o.decoder.heads = 4;
  o.decoder.layers = 3;
  o.decoder.block_size = 32;
  o.trainer.batch.size = 16;
  o.data.val_fraction = 0;
  TrainReport report = run(o);
  DecoderOptions model = o.decoder;
  model.vocab = 28;
  double numbers = 4 * parameter_count(model) + activation_count(model, o.trainer.batch.size);
  EXPECT_NEAR(static_cast<double>(report.peak_bytes), sizeof(float) * numbers,
              0.15 * sizeof(float) * numbers);
}

TEST_F(TrainText, RejectsAnUnencodableSamplePromptAtTheStart) {
  TrainOptions o = options("prompt");
  o.trainer.sample.every = 40;
  o.trainer.sample.prompt = "\xC3\xA9";
  struct Steps : TrainSink {
    void stepped(const StepProgress&) override { ADD_FAILURE() << "a step was done"; }
  } sink;
  EXPECT_EQ(code_of([&] { train(o, layer_table(), optimizer_table(), sink); }), Code::value);
}

}  // namespace
}  // namespace gyre
