// Tests of progress output and files of a run; the loop itself is tested in trainer_test.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <span>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/io/json.h"
#include "gyre/ops/create/create.h"
#include "gyre/train/checkpoint.h"
#include "gyre/train/log/training_log.h"
#include "gyre/train/plot/line_plot.h"
#include "gyre/train/progress/text_progress.h"
#include "gyre/train/report/baselines.h"
#include "tests/thrown.h"
#include "tests/train_state.h"

namespace gyre {
namespace {

StepProgress progress_at(int64_t step, double elapsed) {
  return {step, 200, 3.25, 1e-3, 0.5, 12345, 50 << 20, elapsed, 75};
}

TEST(TextProgress, WritesALine) {
  EXPECT_EQ(
      progress_line(progress_at(7, 3725)),
      "7/200  loss 3.2500  lr 1.00e-03  |g| 0.50  12345 tok/s  52 MB  1:02:05 h  ETA 1:15 min");
  StepProgress last = progress_at(200, 4);
  last.remaining = 0;
  EXPECT_TRUE(progress_line(last).ends_with("  4.0 s"));
  EXPECT_EQ(duration_text(0.25), "0.2 s");
  EXPECT_EQ(duration_text(59.2), "59 s");
  EXPECT_EQ(duration_text(-1), "?");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(12045), "12,045");
  EXPECT_EQ(grouped(1'789'000), "1.79 M");
}

class Shown : public ::testing::Test {
 protected:
  std::string write(bool terminal) {
    std::FILE* file = std::tmpfile();
    TextProgress progress(file, terminal);
    progress.preparing("reading", 0, 0);
    progress.started("a model");
    for (int64_t step = 1; step <= 200; ++step) {
      progress.stepped(progress_at(step, 0.06 * static_cast<double>(step)));
    }
    progress.validated({200, {.loss = 2.5, .bits_per_byte = 1.25}, true});
    progress.saved("step-200");
    progress.warned("careful");
    std::string text(static_cast<size_t>(std::ftell(file)), ' ');
    std::rewind(file);
    EXPECT_EQ(std::fread(text.data(), 1, text.size(), file), text.size());
    std::fclose(file);
    return text;
  }
  static int64_t count(const std::string& text, char c) {
    return std::count(text.begin(), text.end(), c);
  }
};

TEST_F(Shown, PlainLinesWhenPiped) {
  std::string text = write(false);
  EXPECT_EQ(count(text, '\r'), 0);
  EXPECT_EQ(count(text, '\n'), 2 + 4 + 3) << "steps 1, 85, 169 and 200:\n" << text;
  EXPECT_NE(text.find("step 200  validation loss 2.5000, bits per byte 1.2500  best\n"),
            std::string::npos);
  EXPECT_NE(text.find("warning: careful\n"), std::string::npos);
}

TEST_F(Shown, OneLineRedrawnOnATerminal) {
  std::string text = write(true);
  EXPECT_GT(count(text, '\r'), 50);
  EXPECT_EQ(count(text, '\n'), 5) << text;
}

TEST(TextProgress, EndsTheStatusLine) {
  std::FILE* file = std::tmpfile();
  { TextProgress(file, true).stepped(progress_at(7, 1)); }
  std::fseek(file, -1, SEEK_END);
  EXPECT_EQ(std::fgetc(file), '\n');
  std::fclose(file);
}

TEST(TextProgress, PollsTheSignalHandlersFlag) {
  static std::atomic<bool> stop = true;
  std::FILE* nowhere = std::tmpfile();
  TextProgress progress(nowhere, false,
                        []() noexcept -> const std::atomic<bool>* { return &stop; });
  EXPECT_FALSE(progress.stop_wanted()) << "not started";
  progress.started("a model");
  EXPECT_TRUE(progress.stop_wanted());
  std::fclose(nowhere);
}

TEST(LossPlot, DrawsFinitePoints) {
  std::vector<PlotPoint> training, validation{{50, 3}, {100, 2}};
  for (int i = 1; i <= 5000; ++i) training.push_back({i / 50.0, 4 - i / 2500.0});
  training[100].y = std::nan("");
  std::string svg = loss_svg(training, validation);
  EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_LT(svg.size(), 40000u) << "thinned";
  EXPECT_NE(loss_svg({}, {}).find("</svg>"), std::string::npos);
  EXPECT_EQ(loss_svg(std::vector<PlotPoint>{{1, 2}}, {}).find("nan"), std::string::npos);
}

TEST(Baselines, CountBytes) {
  std::string text(4000, 'a');
  for (size_t i = 0; i < text.size(); i += 2) text[i] = 'b';
  EXPECT_NEAR(unigram_bits_per_byte(text, "abab"), 1, 0.1);
  EXPECT_LT(ngram_bits_per_byte(text, text, 1), 0.01) << "each byte determines the next";
  // 'a' has count 2000.5 of 4128, a byte never seen 0.5
  EXPECT_NEAR(unigram_bits_per_byte(text, "a"), -std::log2(2000.5 / 4128), 1e-12);
  EXPECT_NEAR(unigram_bits_per_byte(text, "z"), -std::log2(0.5 / 4128), 1e-12);
  // 'a' is followed by 'b' 1999 times and nothing else: one count for unseen bytes
  double p_b = 2000.5 / 4128, p_z = 0.5 / 4128;
  EXPECT_NEAR(ngram_bits_per_byte(text, "ab", 1) * 2,
              -std::log2(2000.5 / 4128) - std::log2((1999 + p_b) / 2000), 1e-9);
  EXPECT_NEAR(ngram_bits_per_byte(text, "az", 1) * 2,
              -std::log2(2000.5 / 4128) - std::log2(p_z / 2000), 1e-9);
  EXPECT_TRUE(std::isnan(unigram_bits_per_byte(text, "")));
  EXPECT_TRUE(std::isnan(ngram_bits_per_byte(text, "", 5)));
}

TEST(Baselines, LongerContextsPredictMore) {
  std::string text;
  for (int i = 0; i < 4000; ++i) text += i * i % 7 == 2 ? "abcdx" : "bbcdy";
  EXPECT_GT(ngram_bits_per_byte(text, text, 1), ngram_bits_per_byte(text, text, 3) + 0.1);
  EXPECT_GT(ngram_bits_per_byte(text, text, 3), ngram_bits_per_byte(text, text, 5));
  // by hand: "ca" was followed by "t" once of once, and "a" by "t" twice of twice
  const std::string cat = "cat hat";
  const double t = 2.5 / (7 + 128), one = (2 + t) / 3, two = (1 + one) / 2;
  const double bits =
      3 * ngram_bits_per_byte(cat, "cat", 2) - 2 * ngram_bits_per_byte(cat, "ca", 2);
  EXPECT_NEAR(bits, -std::log2(two), 1e-9);
}

TEST(Baselines, AreProbabilities) {
  std::string text = "the cat sat on the mat";
  double unigrams = 0;
  for (int b = 0; b < 256; ++b)
    unigrams += std::exp2(-unigram_bits_per_byte(text, std::string(1, static_cast<char>(b))));
  EXPECT_NEAR(unigrams, 1, 1e-9);
  for (int order : {1, 2, 5, 6}) {
    for (const std::string before : {"t", "the ca", "on the rat, the", "zz"}) {
      const double bits =
          ngram_bits_per_byte(text, before, order) * static_cast<double>(before.size());
      double sum = 0;
      for (int b = 0; b < 256; ++b) {
        const std::string all = before + static_cast<char>(b);
        sum += std::exp2(bits -
                         ngram_bits_per_byte(text, all, order) * static_cast<double>(all.size()));
      }
      EXPECT_NEAR(sum, 1, 1e-9) << order << before;
    }
  }
}

class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "gyre_train_files";
    remove_tree(folder_);
    create_directories(folder_);
  }
  void TearDown() override { remove_tree(folder_); }
  std::string folder_;
};

TEST_F(Files, LogResumesFromAStep) {
  {
    TrainingLog log(folder_, 0);
    for (int64_t step = 10; step <= 50; step += 10) log.add(progress_at(step, 1));
    log.add(Validation{50, {.loss = 2.5}, true});
    log.draw();
  }
  write_file_atomic(folder_ + "/log.jsonl", read_file(folder_ + "/log.jsonl") + "{\"step\": 6");
  TrainingLog log(folder_, 30);
  log.add(Validation{40, {.loss = 2.25, .bits_per_byte = 1.5}, true});
  std::string text = read_file(folder_ + "/log.jsonl");
  std::vector<int64_t> steps;
  Json last;
  for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    last = Json::parse(text.substr(at, text.find('\n', at) - at));
    steps.push_back(last.at("step").as_integer());
  }
  EXPECT_EQ(steps, (std::vector<int64_t>{10, 20, 30, 40}));
  EXPECT_EQ(last.dump(), R"({"step":40,"val_loss":2.25,"val_bits_per_byte":1.5})");
  EXPECT_TRUE(file_exists(folder_ + "/loss.svg"));
}

class Checkpoints : public Files {
 protected:
  TrainState state_at(int64_t step) {
    TrainState s;
    s.step = step;
    s.cursor = 3 * step;
    s.seed = 0xFEDCBA9876543210;
    s.data = 0xFFFFFFFFFFFFFFFF;
    s.options["lr"] = 0.1;
    return s;
  }
  static void write_model(const std::string& folder) {
    write_safetensors(folder + "/model.safetensors", {{{"w", ones({3})}}});
    write_file_atomic(folder + "/words.txt", "what a task adds");
  }
  void write(const TrainState& state, FunctionRef<void(const std::string&)> after_model) {
    auto model = [&](const std::string& folder) {
      write_model(folder);
      after_model(folder);
    };
    store_.write(state, model, {{{"m.0", full({2}, 4)}}});
  }
  void write(const TrainState& state) {
    write(state, [](const std::string&) {});
  }
  CheckpointStore store_{::testing::TempDir() + "gyre_train_files/checkpoints"};
};

TEST_F(Checkpoints, TellsThatAnOlderVersionDrewRandomNumbers) {
  for (const bool drew : {false, true}) {
    write(state_at(12));
    change_train_state(store_.path(12) + "/training.json", "offset",
                       drew ? "000000000000004d" : "0000000000000000");
    EXPECT_EQ(store_.read(12).chained, drew);
  }
}

TEST_F(Checkpoints, RoundTrip) {
  TrainState written = state_at(12);
  written.best_loss = 1.0 / 3;
  written.best_step = 9;
  written.train_loss = 0.1;
  write(written);
  TrainState s = store_.read(12);
  EXPECT_EQ(s.step, 12);
  EXPECT_EQ(s.cursor, 36);
  EXPECT_EQ(s.best_loss, 1.0 / 3);
  EXPECT_EQ(s.best_step, 9);
  EXPECT_EQ(s.train_loss, 0.1);
  EXPECT_TRUE(std::isnan(s.val.loss));
  EXPECT_EQ(s.seed, 0xFEDCBA9876543210);
  EXPECT_FALSE(s.chained);
  EXPECT_EQ(s.data, 0xFFFFFFFFFFFFFFFF);
  EXPECT_EQ(s.options.at("lr").as_real(), 0.1);
  std::vector<NamedTensor> optimizer = store_.read_optimizer(12);
  ASSERT_EQ(optimizer.size(), 1u);
  EXPECT_EQ(to_vector<float>(optimizer[0].tensor), (std::vector<float>{4, 4}));
}

TEST_F(Checkpoints, KeepTheNewestThreeAndTheBest) {
  EXPECT_TRUE(store_.steps().empty());
  for (int64_t step : {5, 10, 15, 20, 25, 30}) {
    TrainState s = state_at(step);
    s.best_step = step < 10 ? step : 10;
    write(s);
  }
  EXPECT_EQ(store_.steps(), (std::vector<int64_t>{10, 20, 25, 30}));
  write(state_at(30));  // overwrites it
  EXPECT_EQ(std::isinf(store_.read(30).best_loss), true);
}

TEST_F(Checkpoints, LaterOnesAreRemovedAfterARollback) {
  for (int64_t step : {10, 20, 30, 40}) write(state_at(step));
  (void)store_.read(20);
  EXPECT_EQ(store_.steps(), (std::vector<int64_t>{20, 30, 40})) << "reading removes nothing";
  write(state_at(25));
  EXPECT_EQ(store_.steps(), (std::vector<int64_t>{20, 25}));
  EXPECT_EQ(list_directory(folder_ + "/checkpoints").size(), 2U);
}

TEST_F(Checkpoints, UnfinishedOnesAreInvisible) {
  write(state_at(3), [&](const std::string&) { EXPECT_TRUE(store_.steps().empty()); });
  EXPECT_EQ(store_.steps(), std::vector<int64_t>{3});
}

TEST_F(Checkpoints, AFailureLeavesTheOneToBeReplaced) {
  write(state_at(3));
  TrainState later = state_at(3);
  later.cursor = 10;
  auto fails = [](const std::string&) { throw Error(Code::io, "model", "no space left"); };
  EXPECT_EQ(code_of([&] { write(later, fails); }), Code::io);
  EXPECT_EQ(store_.read(3).cursor, 9);
  EXPECT_EQ(list_directory(folder_ + "/checkpoints"), std::vector<std::string>{"step-3"});
}

TEST_F(Checkpoints, AReplacedOneIsKeptUntilTheNewOneIsComplete) {
  const std::string folder = folder_ + "/checkpoints", aside = folder + "/.replaced-3";
  write(state_at(3));
  TrainState later = state_at(3);
  later.cursor = 10;
  write(later);
  EXPECT_EQ(store_.read(3).cursor, 10);
  EXPECT_EQ(list_directory(folder), std::vector<std::string>{"step-3"});

  // The state between the two renames, if a process is killed or the second one fails.
  auto between = [&] {
    create_directories(folder + "/.partial");
    write_file_atomic(folder + "/.partial/training.json", "{}");
    rename_path(store_.path(3), aside);
  };
  between();
  store_.recover();
  EXPECT_EQ(store_.read(3).cursor, 10);
  between();
  write(state_at(4));
  EXPECT_EQ(store_.read(3).cursor, 10);
  EXPECT_EQ(list_directory(folder), (std::vector<std::string>{"step-3", "step-4"}));

  create_directories(aside);  // as if killed after the second one
  store_.recover();
  EXPECT_EQ(store_.read(3).cursor, 10);
  EXPECT_FALSE(file_exists(aside));
}

TEST_F(Checkpoints, DamageToAnyFileIsDetected) {
  for (const char* name :
       {"model.safetensors", "optimizer.safetensors", "training.json", "words.txt"}) {
    write(state_at(3));
    std::string path = store_.path(3) + "/" + name, whole = read_file(path);
    for (size_t at : {whole.size() / 2, whole.size() - 3}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ 1);
      write_file_atomic(path, damaged);
      EXPECT_TRUE(is_damage(error_of([&] { return store_.read(3); }))) << name << " " << at;
    }
    write_file_atomic(path, whole.substr(0, whole.size() / 2));
    EXPECT_TRUE(is_damage(error_of([&] { return store_.read(3); }))) << name << " truncated";
    write_file_atomic(path, "");
    EXPECT_TRUE(is_damage(error_of([&] { return store_.read(3); }))) << name << " empty";
    remove_tree(path);
    const Error missing = error_of([&] { return store_.read(3); });
    EXPECT_EQ(missing.code, Code::io) << name << " missing";
    EXPECT_FALSE(is_damage(missing));
  }
}

TEST_F(Checkpoints, AnyChangedHeaderByteIsDetected) {
  write(state_at(3));
  const std::string path = store_.path(3) + "/optimizer.safetensors", whole = read_file(path);
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 2);
    write_file_atomic(path, damaged);
    const Error error = error_of([&] { return store_.read(3); });
    EXPECT_TRUE(is_damage(error)) << at << ": " << error.what();
  }
}

TEST_F(Checkpoints, ChangedStateIsDetected) {
  write(state_at(3));
  std::string path = store_.path(3) + "/training.json", text = read_file(path);
  auto message_with = [&](Code code, const std::string& from, const std::string& to) {
    std::string other = text;
    other.replace(other.find(from), from.size(), to);
    write_file_atomic(path, other);
    return message_of(code, [&] { return store_.read(3); });
  };
  std::string message = message_with(Code::value, "\"cursor\": 9", "\"cursor\": 8");
  EXPECT_TRUE(contains(message, "checksum mismatch")) << message;

  write_file_atomic(path, text);
  change_train_state(path, "seed", "12x");
  message = message_of(Code::parse, [&] { return store_.read(3); });
  EXPECT_TRUE(contains(message, "seed must be a hexadecimal number")) << message;
}

TEST_F(Checkpoints, OtherFormatsAreRejected) {
  write(state_at(3));
  const std::string path = store_.path(3) + "/training.json";
  change_train_state(path, "format", int64_t{9});
  const Error error = error_of([&] { return store_.read(3); });
  EXPECT_EQ(error.code, Code::unsupported);
  EXPECT_FALSE(is_damage(error)) << "another version may read it";
  std::string text = read_file(path);
  text.replace(text.find("\"format\": 9"), 11, "\"format\": 3");
  write_file_atomic(path, text);
  EXPECT_TRUE(is_damage(error_of([&] { return store_.read(3); }))) << "never written";
}

}  // namespace
}  // namespace gyre
