#include "gyre/embed/embed.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "gyre/base/system/file.h"
#include "gyre/base/system/file_lock.h"
#include "gyre/embed/embed_progress.h"
#include "gyre/embed/embedding.h"
#include "gyre/io/record_json.h"
#include "gyre/io/safetensors.h"
#include "gyre/ops/create/create.h"
#include "gyre/train/log/training_log.h"
#include "tests/recorded.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

struct Evaluations : Recorded<EmbedSink> {
  std::vector<int64_t> epochs;
  void advanced(const EmbedProgress&) override {}
  void evaluated(int64_t epoch, const Reconstruction&, bool) override { epochs.push_back(epoch); }
};

class Embed : public testing::Test {
 protected:
  void SetUp() override {
    remove_tree(folder_);
    create_directories(folder_);
    std::string text = "child\tparent\n";
    for (int i = 1; i < 40; ++i) {
      text += "n" + std::to_string(i) + "\tn" + std::to_string((i - 1) / 3) + "\n";
    }
    write("edges.tsv", text);
  }
  void TearDown() override { remove_tree(folder_); }
  void write(const std::string& name, std::string_view text) const {
    write_file_atomic(folder_ + "/" + name, text);
  }
  [[nodiscard]] EmbedOptions options(const std::string& out) const {
    EmbedOptions o;
    o.data = folder_ + "/edges.tsv";
    o.run.out = folder_ + "/" + out;
    o.dim = 2;
    o.closure = true;
    o.epochs = 60;
    o.negatives = 8;
    o.batch_size = 8;
    o.burn_in = 5;
    o.lr = 0.1;
    o.evaluation.every = 20;
    o.checkpoints.every = 10;
    o.baseline = false;
    o.picture = false;
    return o;
  }
  EmbedReport run(const EmbedOptions& o, const std::vector<std::string>& given = {}) {
    return embed(o, given, sink_);
  }
  [[nodiscard]] std::string file(const std::string& name) const {
    return read_file(folder_ + "/" + name);
  }
  [[nodiscard]] std::vector<int64_t> epochs_logged(const std::string& out) const {
    std::vector<int64_t> epochs;
    for (const Json& entry : read_training_log(folder_ + "/" + out + "/log.jsonl", "epoch"))
      epochs.push_back(entry.at("epoch").as_integer());
    return epochs;
  }
  std::string refusal(Code code, const EmbedOptions& o,
                      const std::vector<std::string>& given = {}) {
    return message_of(code, [&] { run(o, given); });
  }

  std::string folder_ = testing::TempDir() + "gyre_embed_test";
  Evaluations sink_;
};

TEST_F(Embed, WritesAllFiles) {
  EmbedOptions o = options("out");
  o.baseline = o.picture = true;
  const EmbedReport report = run(o);
  EXPECT_EQ(report.nodes, 40);
  EXPECT_EQ(report.pairs,
            transitive_closure(EmbeddingFolder(o.run.out).read_taxonomy()).taxonomy.pairs());
  EXPECT_EQ(report.epochs, 60);
  EXPECT_EQ(sink_.epochs, (std::vector<int64_t>{20, 40, 60, 300}));  // the last: the baseline
  EXPECT_LT(report.rank.mean_rank, 4);
  EXPECT_GT(report.rank.map, 0.5);
  EXPECT_GT(report.baseline.mean_rank, 1);
  const Reconstruction again = reconstruct(EmbeddingFolder(o.run.out).read_taxonomy(),
                                           EmbeddingFolder(o.run.out).read_embedding());
  EXPECT_EQ(again.mean_rank, report.rank.mean_rank);
  const Json metrics = Json::read(o.run.out + "/metrics.json");
  EXPECT_EQ(metrics.at("map").as_real(), report.rank.map);
  EXPECT_TRUE(contains(file("out/disk.svg"), "the embedding itself"));
  EXPECT_TRUE(file("out/embedding.tsv").starts_with("n1\t"));
  EXPECT_FALSE(file_exists(o.run.out + "/.lock"));
  const SafetensorsFile tensors(o.run.out + "/embedding.safetensors", Verify::required);
  const std::vector<double> x = to_vector<double>(tensors.load("embedding"));
  ASSERT_EQ(x.size(), 80U);
  EXPECT_TRUE(contains(file("out/embedding.tsv"), fmt::format("n1\t{}\t{}\n", x[0], x[1])));
}

TEST_F(Embed, ResumedRunWritesTheSameBytes) {
  for (Geometry g : {Geometry::poincare, Geometry::lorentz, Geometry::euclidean}) {
    const std::string name = kGeometryNames[static_cast<size_t>(g)];
    EmbedOptions whole = options(name + "whole"), parts = options(name + "parts");
    whole.model = parts.model = g;
    run(whole);
    parts.checkpoints.stop_at = 17;
    EXPECT_EQ(run(parts).epochs, 17);
    sink_.asks_before_stop = 30;  // within an epoch
    parts.checkpoints.stop_at = 0;
    parts.checkpoints.resume = true;
    EXPECT_TRUE(run(parts).interrupted);
    sink_.asks_before_stop = INT64_MAX;
    const std::string log = name + "parts/log.jsonl";  // as if killed after the checkpoint
    write(log, file(log) + "{\"epoch\":60,\"loss\":0}\n{\"epo");
    const EmbedReport rest = run(parts);
    EXPECT_EQ(rest.epochs, 60);
    EXPECT_LT(rest.new_epochs, 43);
    for (const char* each :
         {"/embedding.safetensors", "/embedding.tsv", "/checkpoint.safetensors"}) {
      EXPECT_TRUE(file(name + "parts" + each) == file(name + "whole" + each)) << each;
    }
    EXPECT_EQ(epochs_logged(name + "parts"), epochs_logged(name + "whole"));
    const EmbedReport none = run(parts);
    EXPECT_EQ(none.new_epochs, 0);
    EXPECT_EQ(none.rank.mean_rank, rest.rank.mean_rank);
  }
}

TEST_F(Embed, EpochsCannotChangeOnResume) {
  EmbedOptions o = options("out");
  o.checkpoints.stop_at = 10;
  run(o);
  o.checkpoints.stop_at = 0;
  o.checkpoints.resume = true;
  o.evaluation.every = 5;
  o.lr = 0.2;
  const std::string said = refusal(Code::value, o, {"eval_every", "lr"});
  EXPECT_TRUE(contains(said, "has `lr` 0.1 and cannot be resumed with 0.2")) << said;
  o.lr = 0.1;
  sink_.epochs.clear();
  run(o, {"eval_every", "lr"});
  EXPECT_EQ(sink_.epochs.front(), 15);
}

TEST_F(Embed, ConfigReproducesTheEmbedding) {
  const EmbedOptions o = options("one");
  run(o);
  write("config.json", stored_embed_options(o).dump());
  EmbedOptions other;
  other.run.out = folder_ + "/two";
  other.run.config = folder_ + "/config.json";
  run(other);
  EXPECT_EQ(file("one/embedding.tsv"), file("two/embedding.tsv"));
  other.run.out = folder_ + "/three";
  other.epochs = 3;
  EXPECT_EQ(run(other, {"epochs"}).epochs, 3);
}

TEST_F(Embed, ConfigErrorsNameFileAndKey) {
  EmbedOptions o;
  o.run.out = folder_ + "/out";
  o.run.config = folder_ + "/config.json";
  const auto refused = [&](Code code, const char* text) {
    write("config.json", text);
    const std::string message = refusal(code, o);
    EXPECT_TRUE(contains(message, o.run.config)) << message;
    EXPECT_FALSE(file_exists(o.run.out));
    return message;
  };
  EXPECT_TRUE(contains(refused(Code::value, R"({"epohcs": 3})"), "did you mean epochs?"));
  EXPECT_TRUE(contains(refused(Code::value, R"({"epochs": "3"})"), "epochs: expected an integer"));
  EXPECT_TRUE(contains(refused(Code::value, R"({"data": ["edges.tsv"]})"), "data: expected a str"));
  EXPECT_TRUE(contains(refused(Code::parse, R"({"dim": 2, "dim": 3})"), "\"dim\" appears twice"));
  refused(Code::parse, "[]");
}

TEST_F(Embed, PictureAndBaselineCanBeInterrupted) {
  for (const bool baseline : {true, false}) {
    EmbedOptions o = options(baseline ? "baseline" : "picture");
    o.dim = 3;
    o.baseline = baseline;
    o.picture = true;
    o.epochs = 1;
    sink_.asks_before_stop = 20;  // polled twice per epoch
    EXPECT_TRUE(run(o).interrupted);
    EXPECT_FALSE(file_exists(o.run.out + "/disk.svg"));
    sink_.asks_before_stop = INT64_MAX;
    o.checkpoints.resume = true;
    const EmbedReport report = run(o);
    EXPECT_FALSE(report.interrupted);
    EXPECT_EQ(report.new_epochs, 0);
    EXPECT_EQ(std::isnan(report.baseline.map), !baseline);
    EXPECT_TRUE(contains(file((baseline ? "baseline" : "picture") + std::string("/disk.svg")),
                         "a separate two-dimensional embedding"));
  }
}

TEST_F(Embed, StopsEarly) {
  EmbedOptions o = options("out");
  o.until_rank = 1000;
  const EmbedReport first = run(o);
  EXPECT_TRUE(first.stopped_early);
  EXPECT_EQ(first.epochs, 20);
  o = options("patient");
  o.epochs = 100000;
  o.evaluation.every = 1;
  o.evaluation.patience = 3;
  const EmbedReport report = run(o);
  EXPECT_TRUE(report.stopped_early);
  EXPECT_EQ(report.epochs, report.best_epoch + 3);
  // the best embedding is restored and reported
  const EmbeddingFolder folder(o.run.out);
  const auto expect_best = [&](const EmbedReport& told) {
    const Reconstruction left = reconstruct(folder.read_taxonomy(), folder.read_embedding());
    EXPECT_EQ(left.mean_rank, told.best_mean_rank);
    EXPECT_EQ(left.mean_rank, told.rank.mean_rank);
    EXPECT_EQ(left.map, told.rank.map);
    EXPECT_EQ(Json::read(o.run.out + "/metrics.json").at("map").as_real(), left.map);
  };
  expect_best(report);
  o.checkpoints.resume = true;
  const EmbedReport again = run(o);
  EXPECT_EQ(again.new_epochs, 0);
  EXPECT_EQ(again.best_mean_rank, report.best_mean_rank);
  expect_best(again);
}

TEST_F(Embed, PatienceAddedOnResumeCountsFromThere) {
  EmbedOptions o = options("out");
  o.epochs = 100000;
  o.evaluation.every = 1;
  o.evaluation.patience = 2;
  const int64_t best = run(o).best_epoch;
  o.run.out += "-later";
  o.evaluation.patience = 0;
  o.checkpoints.stop_at = best + 1;  // its evaluation is not the best
  run(o);
  o.checkpoints.resume = true;
  o.checkpoints.stop_at = 0;
  o.evaluation.patience = 1;
  const EmbedReport report = run(o, {"patience"});
  EXPECT_TRUE(report.stopped_early);
  EXPECT_GT(report.best_epoch, best) << "its points are not stored";
  EXPECT_EQ(report.rank.mean_rank, report.best_mean_rank);
  // and without it the stored best points are no longer the best
  const int64_t end = report.epochs;
  o.evaluation.patience = 0;
  o.checkpoints.stop_at = end + 200;
  const int64_t later = run(o, {"patience"}).best_epoch;
  ASSERT_GT(later, report.best_epoch);
  EXPECT_FALSE(EmbeddingFolder(o.run.out).read_checkpoint().best);
}

TEST_F(Embed, PatienceAddedOnResumeMayHaveNoEvaluation) {
  EmbedOptions o = options("out");
  o.evaluation.every = 1;
  const EmbedReport before = run(o);
  o.checkpoints.resume = true;
  o.evaluation.patience = 3;
  const EmbedReport report = run(o, {"patience"});
  EXPECT_EQ(report.new_epochs, 0);
  EXPECT_EQ(report.best_epoch, o.epochs);
  EXPECT_EQ(report.best_mean_rank, before.rank.mean_rank);
  EXPECT_EQ(report.rank.mean_rank, before.rank.mean_rank);
  o.until_rank = before.rank.mean_rank;
  const EmbedReport ended = run(o, {"until_rank"});
  EXPECT_EQ(ended.best_mean_rank, before.rank.mean_rank);
  EXPECT_EQ(ended.rank.map, before.rank.map);
}

TEST_F(Embed, WarnsAboutLoopsDuplicatesAndCycles) {
  write("edges.tsv", "a\tb\nb\tc\nc\ta\na\tb\nd\td\nd\ta\n");
  run(options("out"));
  ASSERT_EQ(sink_.warnings.size(), 3U);
  EXPECT_TRUE(contains(sink_.warnings[0], "1 self-loop dropped"));
  EXPECT_TRUE(contains(sink_.warnings[1], "1 duplicate edge ignored"));
  EXPECT_TRUE(contains(sink_.warnings[2], "3 nodes on cycles") &&
              contains(sink_.warnings[2], "a -> b -> c -> a"))
      << sink_.warnings[2];
}

TEST_F(Embed, RejectsInvalidOptions) {
  EmbedOptions o = options("out");
  auto expect = [&](void (*set)(EmbedOptions&), std::string_view part) {
    EmbedOptions bad = options("out");
    set(bad);
    const std::string said = refusal(Code::value, bad);
    EXPECT_TRUE(contains(said, part)) << said;
    EXPECT_FALSE(file_exists(folder_ + "/out"));
  };
  expect([](EmbedOptions& e) { e.dim = 0; }, "`dim` must be from 1 to 65536, got 0");
  expect([](EmbedOptions& e) { e.negatives = 0; }, "`negatives`");
  expect([](EmbedOptions& e) { e.batch_size = -1; }, "`batch_size`");
  expect([](EmbedOptions& e) { e.epochs = -1; }, "`epochs`");
  expect([](EmbedOptions& e) { e.lr = -0.5; }, "`lr`");
  expect([](EmbedOptions& e) { e.lr = NAN; }, "`lr`");
  expect([](EmbedOptions& e) { e.until_rank = NAN; }, "`until_rank`");
  expect([](EmbedOptions& e) { e.run.seed = -1; }, "`seed`");
  expect([](EmbedOptions& e) { e.run.out = ""; }, "`out` is missing");
  expect([](EmbedOptions& e) { e.data = ""; }, "no data");
  expect([](EmbedOptions& e) { e.checkpoints.resume = true; }, "no checkpoint");
  o.evaluation.patience = 1;
  o.evaluation.every = 0;
  EXPECT_TRUE(contains(refusal(Code::value, o), "`eval_every`"));
  o.evaluation.patience = 0;
  o.epochs = 1;
  o.run.out += "-stored";
  run(o);
  o.checkpoints.resume = true;
  o.evaluation.patience = 1;
  EXPECT_TRUE(contains(refusal(Code::value, o, {"patience"}), "`eval_every` must be above 0"));
  write("edges.tsv", "a\ta\n");
  EXPECT_TRUE(
      contains(refusal(Code::value, options("out")), "no edge between two different nodes"));
  o = options("out");
  o.data = folder_ + "/none.tsv";
  (void)refusal(Code::io, o);
  EXPECT_FALSE(file_exists(folder_ + "/out"));
}

TEST_F(Embed, ResumesWithTheSameDataOnly) {
  EmbedOptions o = options("out");
  o.epochs = 2;
  o.checkpoints.stop_at = 1;
  run(o);
  o.checkpoints.resume = true;
  o.checkpoints.stop_at = 0;
  EmbedOptions other = o;
  other.data = folder_ + "/other.tsv";
  EXPECT_TRUE(contains(refusal(Code::value, other), "`data`"));
  EXPECT_EQ(run(o).epochs, 2);
}

TEST_F(Embed, RejectsAFolderInUse) {
  EmbedOptions o = options("out");
  o.epochs = 1;
  run(o);
  EXPECT_TRUE(contains(refusal(Code::value, o), "already holds a training"));
  const FileLock lock(o.run.out + "/.lock");
  o.checkpoints.resume = true;
  EXPECT_TRUE(contains(refusal(Code::resource, o), "in use by another training run"));
}

TEST_F(Embed, NeverOverwritesForeignFiles) {
  for (const char* name : {"embedding.safetensors", "embedding.tsv", "log.jsonl"}) {
    remove_tree(folder_ + "/out");
    create_directories(folder_ + "/out");
    write(std::string("out/") + name, "of somebody");
    const std::string said = refusal(Code::value, options("out"));
    EXPECT_TRUE(contains(said, std::string("its ") + name + " would be overwritten")) << said;
    EXPECT_EQ(list_directory(folder_ + "/out"), std::vector<std::string>{name});
  }
}

TEST_F(Embed, NoPictureWithoutPairs) {
  std::string text;
  for (int i = 0; i < 1600; ++i) text += fmt::format("below{0}\tabove{0}\n", i);
  write("edges.tsv", text);
  EmbedOptions o = options("out");
  o.epochs = 1;
  o.picture = true;
  run(o);
  EXPECT_FALSE(file_exists(o.run.out + "/disk.svg"));
  ASSERT_EQ(sink_.warnings.size(), 1U);
  EXPECT_TRUE(contains(sink_.warnings[0], "no disk.svg: the 1,500 nodes")) << sink_.warnings[0];
}

TEST_F(Embed, RejectsDamagedFiles) {
  EmbedOptions o = options("out");
  o.epochs = 2;
  run(o);
  o.checkpoints.resume = true;
  const EmbeddingFolder folder(o.run.out);
  for (const char* name : {"out/checkpoint.safetensors", "out/taxonomy.safetensors"}) {
    std::string bytes = file(name);
    const std::string whole = bytes;
    bytes[bytes.size() - 3] = static_cast<char>(bytes[bytes.size() - 3] ^ 1);
    write(name, bytes);
    EXPECT_TRUE(contains(refusal(Code::value, o), "checksum"));
    write(name, whole);
  }
  // valid files with other contents
  const auto numbers = [](std::vector<int32_t> v) {
    return tensor(v, {static_cast<int64_t>(v.size())});
  };
  write_safetensors(o.run.out + "/embedding.safetensors",
                    std::vector<NamedTensor>{{"x", numbers({1})}});
  EXPECT_TRUE(contains(message_of(Code::value, [&] { (void)folder.read_embedding(); }),
                       "embedding.safetensors was not written by"));
  const std::vector<uint8_t> names{'a', '\n', 'b', '\n'};
  auto taxonomy = [&](const std::vector<int64_t>& begins, std::vector<int32_t> above) {
    write_safetensors(
        o.run.out + "/taxonomy.safetensors",
        std::vector<NamedTensor>{{"names", tensor(names, {4})},
                                 {"begins", tensor(begins, {static_cast<int64_t>(begins.size())})},
                                 {"above", numbers(std::move(above))}});
  };
  taxonomy({0, 0, 1}, {0});
  EXPECT_EQ(folder.read_taxonomy().pairs(), 1);
  const std::string said = message_of(Code::value, [&] { (void)run(o); });
  EXPECT_TRUE(contains(said, "40 points, but the taxonomy 2 nodes")) << said;
  for (const auto& [begins, above] :
       std::vector<std::pair<std::vector<int64_t>, std::vector<int32_t>>>{{{0, 1}, {0}},
                                                                          {{0, 2, 1}, {0}},
                                                                          {{0, 0, 1}, {2}},
                                                                          {{0, 0, 1}, {-1}},
                                                                          {{1, 1, 1}, {0}}}) {
    taxonomy(begins, above);
    EXPECT_TRUE(contains(message_of(Code::value, [&] { (void)folder.read_taxonomy(); }),
                         "taxonomy.safetensors was not written by"));
  }
}

TEST_F(Embed, MissingEmbeddingNamesTheFolder) {
  const auto said = [&] {
    return message_of(Code::io, [&] { (void)Embedding(EmbeddingFolder(folder_ + "/out")); });
  };
  EXPECT_TRUE(contains(said(), "/out: no such folder"));
  EmbedOptions o = options("out");
  o.epochs = 1;
  run(o);
  remove_tree(o.run.out + "/embedding.safetensors");
  EXPECT_TRUE(contains(said(), "/out is not an embedding folder: it has no embedding.safetensors"));
}

TEST_F(Embed, RejectsNonFiniteLoss) {
  EmbedOptions o = options("out");
  o.model = Geometry::euclidean;
  o.lr = 1e308;
  o.burn_in = 0;
  const std::string said = refusal(Code::numeric, o);
  EXPECT_TRUE(contains(said, "epoch 1") || contains(said, "epoch 2")) << said;
}

TEST_F(Embed, Query) {
  EmbedOptions o = options("out");
  write("edges.tsv",
        "dog.n.02\tanimal.n.01\ndog.n.01\tanimal.n.01\nanimal.n.01\tthing.n.01\n"
        "cat.n.01\tanimal.n.01\nstone.n.01\tthing.n.01\n");
  run(o);
  const EmbeddingFolder folder(o.run.out);
  const Embedding embedding(folder);
  const EmbeddingAnswer answer = embedding.query("dog", 3);
  EXPECT_EQ(answer.name, "dog.n.01");
  ASSERT_EQ(answer.neighbours.size(), 3U);
  EXPECT_LE(answer.neighbours[0].distance, answer.neighbours[1].distance);
  ASSERT_EQ(answer.ancestors.size(), 2U);
  EXPECT_EQ(answer.ancestors[0].name, "animal.n.01");
  EXPECT_EQ(answer.ancestors[1].name, "thing.n.01");
  const NameTable& names = embedding.taxonomy().names;
  EXPECT_EQ(answer.ancestors[0].distance, embedding.points().read().distance(
                                              *names.find("dog.n.01"), *names.find("animal.n.01")));
  EXPECT_EQ(answer.ancestors[0].distance, embedding.distance("animal", "dog"));
  EXPECT_EQ(embedding.query("dog.n.02", 100).neighbours.size(), 5U);
  const std::string said = message_of(Code::value, [&] { (void)embedding.query("cta", 1); });
  EXPECT_TRUE(contains(said, "has no node cta")) << said;
  const std::string few = message_of(Code::value, [&] { (void)embedding.query("cat", -1); });
  EXPECT_TRUE(contains(few, "`neighbours` must be 0 or more, got -1")) << few;
  o.run.out += "2";
  o.data = folder_ + "/edges.tsv";
  write("edges.tsv", "a\tb\n");
  run(o);
  write_file_atomic(o.run.out + "/embedding.safetensors", file("out/embedding.safetensors"));
  const std::string other =
      message_of(Code::value, [&] { (void)Embedding(EmbeddingFolder(o.run.out)); });
  EXPECT_TRUE(contains(other, "6 points, but the taxonomy 2 nodes")) << other;
}

TEST(EmbedText, PrintsEpochsPeriodicallyAndEvaluations) {
  std::FILE* out = std::tmpfile();
  {
    EmbedText text(out, false);
    text.started("a taxonomy");
    EmbedProgress p;
    p.total = 10;
    for (p.epoch = 1; p.epoch <= p.total; ++p.epoch) {
      p.elapsed = static_cast<double>(p.epoch);
      text.advanced(p);
    }
    Reconstruction figures;
    figures.mean_rank = 1.5;
    text.evaluated(10, figures, true);
    text.warned("careful");
    p.epoch = 1;  // the baseline's first epoch
    p.elapsed = 0.5;
    text.advanced(p);
  }
  std::string written(static_cast<size_t>(std::ftell(out)), ' ');
  std::rewind(out);
  ASSERT_EQ(std::fread(written.data(), 1, written.size(), out), written.size());
  std::fclose(out);
  std::vector<std::string> begun;
  for (size_t at = 0, end; at < written.size(); at = end + 1) {
    end = written.find('\n', at);
    begun.push_back(written.substr(at, std::min(written.find("  ", at), end) - at));
  }
  EXPECT_EQ(begun, (std::vector<std::string>{"a taxonomy", "1/10", "6/10", "10/10", "epoch 10",
                                             "warning: careful", "1/10"}));
}

TEST(EmbedProgressLine, OmitsUnknownValues) {
  EmbedProgress p;
  p.epoch = 5;
  p.total = 100;
  p.loss = 1.25;
  p.mean_rank = p.map = NAN;
  p.pairs_per_second = 12345;
  p.elapsed = 2;
  EXPECT_EQ(progress_line(p), "5/100  loss 1.2500  12,345 pairs/s  2.0 s");
  p.mean_rank = 3.456;
  p.map = 0.5;
  p.remaining = 38;
  EXPECT_EQ(progress_line(p),
            "5/100  loss 1.2500  MR 3.46  MAP 0.500  12,345 pairs/s  2.0 s  ETA 38 s");
}

}  // namespace
}  // namespace gyre
