#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
#include <utility>

#include "gyre/base/system/file.h"
#include "gyre/base/thread_pool.h"
#include "gyre/io/npy.h"
#include "gyre/models/data_kind.h"
#include "gyre/models/train.h"
#include "gyre/models/train_config.h"
#include "gyre/nn/make_layer.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/registry/layer_table.h"
#include "gyre/registry/optimizer_table.h"
#include "tests/recorded.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

using Names = std::vector<std::string>;

class Supervised : public testing::Test {
 protected:
  void SetUp() override {
    root_ = testing::TempDir() + "gyre_supervised";
    remove_tree(root_);
    create_directories(root_);
  }
  void TearDown() override {
    remove_tree(root_);
    set_num_threads(0);
  }

  // Three clusters of points, with an uninformative colour column.
  std::string flowers() {
    Generator g{3, 0};
    Tensor noise = randn({300, 2}, {.generator = &g});
    std::string text = "length,width,colour,kind\n";
    for (int64_t i = 0; i < 300; ++i) {
      int64_t kind = i % 3;
      const float* n = noise.data<float>() + 2 * i;
      text += std::to_string(5 + static_cast<double>(kind) + 0.2 * n[0]) + "," +
              std::to_string(2 + 2 * static_cast<double>(kind) + 0.3 * n[1]) + "," +
              (i % 2 ? "red" : "blue") + ",kind " + std::to_string(kind) + "\n";
    }
    return written("flowers.csv", text);
  }
  std::string written(const std::string& name, const std::string& text) {
    write_file_atomic(root_ + "/" + name, text);
    return root_ + "/" + name;
  }
  // The class of an image is its brighter half.
  std::string halves() {
    Generator g{4, 0};
    Tensor x = rand({200, 1, 8, 8}, {.generator = &g}),
           y = randint(0, 2, {200}, {.dtype = DType::i64, .generator = &g});
    float* p = x.data<float>();
    for (int64_t i = 0; i < 200; ++i) {
      for (int64_t k = 0; k < 32; ++k) p[i * 64 + (y.data<int64_t>()[i] ? 32 : 0) + k] += 0.5f;
    }
    std::string path = root_ + "/halves.npz";
    write_npz(path, std::vector<NamedTensor>{{"x", x}, {"y", y}});
    return path;
  }

  TrainOptions options(const std::string& data, const std::string& name) const {
    TrainOptions o;
    o.data.sources = {data};
    o.trainer.run.out = root_ + "/" + name;
    return o;
  }
  TrainReport run(const TrainOptions& o, const Names& given) {
    return train(o, given, layer_table(), optimizer_table(), sink_);
  }
  std::string model_of(const TrainOptions& o) {
    return read_file(o.trainer.run.out + "/model.safetensors");
  }

  std::string root_;
  Recorded<TrainSink> sink_;
};

TEST_F(Supervised, ClassifiesATable) {
  TrainOptions o = options(flowers(), "table");
  o.data.epochs = 30;
  TrainReport report = run(o, Names{"epochs"});
  EXPECT_GT(report.val.accuracy, 0.95);
  EXPECT_EQ(report.unit, "samples");
  EXPECT_EQ(report.steps, 30 * 5) << "270 rows in batches of 64";
  for (const char* file : {"/model.json", "/model.safetensors", "/report.html", "/loss.svg"}) {
    EXPECT_TRUE(file_exists(o.trainer.run.out + file)) << file;
  }
  const Json model = Json::read(o.trainer.run.out + "/model.json");
  EXPECT_EQ(model.at("target").at("classes").dump(), R"(["kind 0","kind 1","kind 2"])");
  auto again = nn::make_model(layer_table(), model.at("model"));
  again->load_state_dict(SafetensorsFile(o.trainer.run.out + "/model.safetensors"));
}

TEST_F(Supervised, TablesAreTrainedLongerThanImages) {
  const auto defaults = [&](const std::string& data) {
    const TrainOptions o = resolve(options(data, "defaults"), {}, optimizer_table()).options;
    return std::tuple(o.data.epochs, o.trainer.schedule.lr, o.trainer.optimizer.weight_decay,
                      o.trainer.optimizer.ema);
  };
  EXPECT_EQ(defaults(flowers()), std::tuple(100.0, 3e-3, 1.0, 0.99));
  EXPECT_EQ(defaults(halves()), std::tuple(10.0, 1e-3, 0.01, 0.0));
}

TEST_F(Supervised, IsEvaluatedEveryEpochOrAtMostFiftyTimes) {
  struct Counted : TrainSink {
    void validated(const Validation&) override { ++count; }
    int64_t count = 0;
  };
  const auto evaluations = [&](double epochs, int64_t steps) {
    Counted counted;
    TrainOptions o = options(flowers(), "run" + std::to_string(steps) + std::to_string(epochs));
    o.data.epochs = epochs;
    o.trainer.schedule.steps = steps;
    train(o, Names{steps ? "steps" : "epochs"}, layer_table(), optimizer_table(), counted);
    return counted.count;
  };
  EXPECT_EQ(evaluations(1, 0), 1);
  EXPECT_EQ(evaluations(50, 0), 50);
  EXPECT_EQ(evaluations(51, 0), 26);
  EXPECT_EQ(evaluations(0, 5 * 100), 50) << "100 epochs of 5 steps";
}

TEST_F(Supervised, NumbersAreClassesOnRequest) {
  std::string text = "x,y\n";
  for (int i = 0; i < 40; ++i)
    text +=
        std::to_string(i % 2) + "." + std::to_string(i) + "," + std::to_string(i % 2 * 7) + "\n";
  TrainOptions o = options(written("digits.csv", text), "digits");
  o.trainer.schedule.steps = 3;
  EXPECT_TRUE(std::isnan(run(o, Names{"steps"}).val.accuracy));
  o.trainer.run.out += "-classes";
  o.table.task = TableTask::classes;
  EXPECT_FALSE(std::isnan(run(o, Names{"steps", "task"}).val.accuracy));
  EXPECT_EQ(Json::read(o.trainer.run.out + "/model.json").at("target").at("classes").dump(),
            R"(["0","7"])");
}

TEST_F(Supervised, ClassifiesImages) {
  TrainOptions o = options(halves(), "images");
  o.data.epochs = 12;
  EXPECT_GT(run(o, Names{"epochs"}).val.accuracy, 0.9);
  EXPECT_TRUE(contains(read_file(o.trainer.run.out + "/model.json"), "Conv2d"));
}

TEST_F(Supervised, ImageLabelsAreArbitraryIntegers) {
  std::vector<int64_t> labels;
  for (int i = 0; i < 40; ++i) labels.push_back(i % 2 ? 1 : -1);
  std::vector<NamedTensor> arrays;
  for (const std::string part : {"_train", "_test"}) {
    arrays.push_back({"x" + part, full({40, 4, 4}, 7, {.dtype = DType::u8})});
    arrays.push_back({"y" + part, tensor(labels, {40})});
  }
  write_npz(root_ + "/signs.npz", arrays);
  TrainOptions o = options("mnist:" + root_ + "/signs.npz", "signs");
  o.model = "linear";
  o.trainer.schedule.steps = 2;
  EXPECT_FALSE(std::isnan(run(o, Names{"model", "steps"}).val.accuracy));
  EXPECT_EQ(Json::read(o.trainer.run.out + "/model.json").at("target").at("classes").dump(),
            R"(["-1","1"])");
}

TEST_F(Supervised, WarnsWhenTestImagesAreTrainedOn) {
  const auto idx = [&](const std::string& name, std::vector<char> sizes, char value) {
    std::string file{0, 0, 8, static_cast<char>(sizes.size())};
    size_t count = 1;
    for (char size : sizes) {
      file += std::string(3, '\0') + size;
      count *= static_cast<size_t>(size);
    }
    written(name, file + std::string(count, value));
  };
  const auto warnings = [&](const std::string& part) {
    idx(part + "-images-idx3-ubyte", {20, 4, 4}, 'x');
    idx(part + "-labels-idx1-ubyte", {20}, 1);
    TrainOptions o = options("mnist:" + root_, part);
    o.model = "linear";
    o.trainer.schedule.steps = 1;
    run(o, Names{"model", "steps"});
    return std::exchange(sink_.warnings, {});
  };
  const std::vector<std::string> said = warnings("t10k");
  ASSERT_EQ(said.size(), 1u);
  EXPECT_TRUE(contains(said[0], "no file is called train-*") && contains(said[0], "t10k-*"))
      << said[0];
  EXPECT_TRUE(warnings("train").empty()) << "both parts exist";
}

TEST_F(Supervised, Regression) {
  Generator g{5, 0};
  Tensor x = randn({256, 3}, {.generator = &g});
  Tensor y = sum(x * tensor({1.0, -2.0, 0.5}), {.axes = {1}});
  std::string path = root_ + "/line.npz";
  write_npz(path, std::vector<NamedTensor>{{"x", x}, {"y", y}});
  TrainOptions o = options(path, "numbers");
  o.model = "linear";
  o.data.epochs = 60;
  o.trainer.schedule.lr = 0.03;
  TrainReport report = run(o, Names{"model", "epochs", "lr"});
  EXPECT_LT(report.val.loss, 0.01);
  EXPECT_TRUE(std::isnan(report.val.accuracy));
}

TEST_F(Supervised, RegressionIsIndependentOfUnits) {
  std::string text = "x,y\n";
  for (int i = 0; i < 200; ++i) {
    text += std::to_string(i) + "," + std::to_string(1'600'000'000 + 1000 * i) + "\n";
  }
  TrainOptions o = options(written("large.csv", text), "large");
  o.data.epochs = 60;
  o.trainer.schedule.lr = 0.01;
  TrainReport report = run(o, Names{"epochs", "lr"});
  EXPECT_GT(report.val.r2, 0.99);
  EXPECT_LT(report.val.mae, 5000) << "of 200,000";
  EXPECT_TRUE(std::isnan(report.val.accuracy));
}

TEST_F(Supervised, InapplicableOptionsAreRejected) {
  auto refused = [&](TrainOptions o, const char* given) {
    return message_of(Code::value, [&] { run(o, Names{given}); });
  };
  TrainOptions table = options(flowers(), "none");
  TrainOptions text = options(written("text.txt", std::string(2000, 'a') + "b"), "none");
  EXPECT_TRUE(contains(refused(table, "block_size"),
                       "`block_size` is not an option of tables (options: `epochs`"));
  EXPECT_TRUE(contains(refused(table, "preset"), "`preset` is not an option of tables"));
  EXPECT_TRUE(contains(refused(options(halves(), "none"), "target"),
                       "`target` is not an option of arrays (options: `epochs`, `num_workers`)"));
  text.model = "mlp";
  EXPECT_TRUE(contains(refused(text, "model"), "`model` mlp does not take texts"));
  table.trainer.optimizer.name = "sgd";
  EXPECT_TRUE(contains(message_of(Code::value,
                                  [&] {
                                    run(table, Names{"optimizer", "beta1"});
                                  }),
                       "`beta1` is not an option of sgd (options: `weight_decay`, `lr`)"));
  table = options(flowers(), "none");
  table.trainer.evaluation.patience = 2;
  table.trainer.evaluation.every = 0;
  EXPECT_TRUE(contains(message_of(Code::value,
                                  [&] {
                                    run(table, Names{"patience", "eval_every"});
                                  }),
                       "patience"));
  table = options(flowers(), "none");
  table.trainer.evaluation.patience = 2;
  table.data.val_fraction = 0;
  EXPECT_TRUE(contains(message_of(Code::value,
                                  [&] {
                                    run(table, Names{"patience", "val_fraction"});
                                  }),
                       "`patience` needs validation data"));
  table = options(flowers(), "none");
  table.data.val_fraction = 0.999;
  EXPECT_TRUE(contains(refused(table, "val_fraction"),
                       "`val_fraction` 0.999 leaves none of 300 examples for training; set a "
                       "smaller `val_fraction`"));
  table = options(flowers(), "none");
  table.trainer.precision.loss_scale = 4;
  EXPECT_TRUE(contains(refused(table, "loss_scale"), "f16"));
  table.trainer.log.trace = root_ + "/no/trace.json";
  EXPECT_TRUE(contains(refused(table, "trace"), "`trace`: no such folder"));
  EXPECT_FALSE(file_exists(table.trainer.run.out)) << "a run that fails to start leaves nothing";
  table = options(flowers(), "none");
  table.trainer.schedule.steps = 6;
  run(table, Names{"steps"});
  TrainOptions rest;
  rest.trainer.run.out = table.trainer.run.out;
  rest.trainer.checkpoints.resume = true;
  rest.trainer.checkpoints.stop_at = 5;
  EXPECT_TRUE(contains(message_of(Code::value,
                                  [&] {
                                    run(rest, Names{"resume", "stop_at"});
                                  }),
                       "has done 6 steps, more than `stop_at` 5"));
  rest.decoder.block_size = 3;
  EXPECT_TRUE(contains(message_of(Code::value,
                                  [&] {
                                    run(rest, Names{"resume", "block"});
                                  }),
                       "`block_size`"));
}

TEST_F(Supervised, IsIndependentOfWorkersThreadsAndStops) {
  TrainOptions whole = options(flowers(), "whole");
  whole.data.epochs = 3;
  whole.trainer.precision.dtype = TrainedDType::bf16;
  whole.trainer.batch.accumulate = 2;
  Names given{"epochs", "dtype", "accumulate"};
  run(whole, given);
  TrainOptions busy = whole;
  busy.trainer.run.out = root_ + "/busy";
  busy.data.num_workers = 3;
  busy.trainer.run.threads = 3;
  run(busy, Names{"epochs", "dtype", "accumulate", "workers", "threads"});
  EXPECT_EQ(model_of(whole), model_of(busy));
  TrainOptions cut = whole;
  cut.trainer.run.out = root_ + "/cut";
  cut.trainer.checkpoints.stop_at = 4;
  run(cut, Names{"epochs", "dtype", "accumulate", "stop_at"});
  TrainOptions rest;
  rest.trainer.run.out = cut.trainer.run.out;
  rest.trainer.checkpoints.resume = true;
  rest.trainer.checkpoints.stop_at = 0;
  rest.data.num_workers = 2;
  run(rest, Names{"resume", "stop_at", "workers"});
  EXPECT_EQ(model_of(whole), model_of(cut));
  rest.data.epochs = 4;
  EXPECT_EQ(run(rest, Names{"resume", "epochs"}).steps, 4 * 5 / 2) << "one more epoch";
  rest.data.epochs = 1;
  EXPECT_TRUE(contains(message_of(Code::value,
                                  [&] {
                                    run(rest, Names{"resume", "epochs"});
                                  }),
                       "more"));
  written("flowers.csv", read_file(root_ + "/flowers.csv") + "5,2,red,kind 0\n");
  EXPECT_TRUE(contains(message_of(Code::value, [&] { run(rest, Names{"resume"}); }), "differ"));
}

TEST_F(Supervised, ConfigReproducesTheRun) {
  TrainOptions o = options(flowers(), "first");
  o.data.epochs = 2;
  Names given{"epochs"};
  run(o, given);
  TrainOptions again;
  again.trainer.run.config = written(
      "config.json", config_of(resolve(o, given, optimizer_table()), optimizer_table()).dump());
  again.trainer.run.out = root_ + "/second";
  EXPECT_EQ(run(again, Names{"config", "out"}).steps, 2 * 5);
  EXPECT_EQ(read_file(root_ + "/first/model.safetensors"), model_of(again));
  o.trainer.run.out = root_ + "/third";
  o.trainer.batch.size = 64;
  EXPECT_EQ(train(o, layer_table(), optimizer_table(), sink_).steps, 2 * 5)
      << "if every option counts as given";
}

TEST_F(Supervised, EpochsExcludeSteps) {
  TrainOptions o = options(flowers(), "epochs");
  o.data.epochs = 3;
  o.trainer.schedule.steps = 7;
  EXPECT_TRUE(contains(message_of(Code::value,
                                  [&] {
                                    run(o, Names{"epochs", "steps"});
                                  }),
                       "either"));
  o.trainer.checkpoints.stop_at = 12;
  EXPECT_EQ(run(o, Names{"epochs", "stop_at"}).steps, 12) << "of 15, not of the default";
  TrainOptions text = options(written("text.txt", std::string(2000, 'a') + "b"), "text");
  text.text.tokenizer = "char";
  text.data.epochs = 1;
  EXPECT_TRUE(contains(message_of(Code::value,
                                  [&] {
                                    run(text, Names{"epochs", "tokenizer"});
                                  }),
                       "`epochs` is not an option of texts (options: "));
}

TEST_F(Supervised, BatchNormDropsALastBatchOfOne) {
  std::string text = "a,b,kind\n";
  for (int i = 0; i < 73; ++i)
    text += std::to_string(i % 7) + "," + std::to_string(i % 5) + (i % 2 ? ",x\n" : ",y\n");
  TrainOptions o = options(written("odd.csv", text), "odd");
  o.trainer.batch.size = 32;  // 73 - 8 = 65 training examples
  o.data.val_fraction = 8.0 / 73;
  o.data.epochs = 2;
  o.model = written("norm.json", R"([{"layer": "Linear", "in": 2, "out": 4}, {"layer": "BatchNorm",
    "channels": 4}, {"layer": "ReLU"}, {"layer": "Linear", "in": 4, "out": 2}])");
  EXPECT_EQ(run(o, Names{"batch", "val_fraction", "epochs", "model"}).steps, 2 * 2);
  // the description comes from the checkpoint, not from the file
  write_file_atomic(o.model, "[]");
  TrainOptions rest;
  rest.trainer.run.out = o.trainer.run.out;
  rest.trainer.checkpoints.resume = true;
  rest.data.epochs = 3;
  EXPECT_EQ(run(rest, Names{"resume", "epochs"}).steps, 3 * 2);
}

TEST_F(Supervised, TrainingAndValidationMustMatch) {
  auto refused = [&](const Tensor& x_test, const Tensor& y_test) {
    std::string path = root_ + "/parts.npz";
    write_npz(path,
              std::vector<NamedTensor>{{"x_train", zeros({4, 2})},
                                       {"y_train", tensor(std::vector<int64_t>{0, 1, 1, 0}, {4})},
                                       {"x_test", x_test},
                                       {"y_test", y_test}});
    return message_of(Code::value, [&] { run(options(path, "parts"), {}); });
  };
  Tensor y = tensor(std::vector<int64_t>{0, 1}, {2});
  EXPECT_TRUE(contains(refused(zeros({2, 3}), y), "[3]"));
  EXPECT_TRUE(contains(refused(zeros({2, 2}), zeros({2})), "f32"));
  EXPECT_TRUE(contains(refused(zeros({2, 2}), y + Tensor(int64_t{1})), "y is 2 in example 1"));
  EXPECT_TRUE(contains(refused(zeros({0, 2}), empty({0}, DType::i64)), "is empty"));
  std::string path = root_ + "/half.npz";
  write_npz(path, std::vector<NamedTensor>{
                      {"x", zeros({4, 2})}, {"y", zeros({4})}, {"x_test", zeros({1, 2})}});
  EXPECT_TRUE(contains(message_of(Code::value, [&] { run(options(path, "half"), {}); }), "both"));
}

TEST_F(Supervised, ModelFilesAndMismatches) {
  TrainOptions o = options(flowers(), "file");
  o.trainer.schedule.steps = 2;
  o.model = written("net.json", R"([{"layer": "Linear", "in": 4, "out": 3}])");
  EXPECT_EQ(run(o, Names{"steps", "model"}).steps, 2);
  auto refused = [&](Code code, const std::string& model) {
    TrainOptions wrong = options(flowers(), "wrong");
    wrong.model = model;
    std::string message = message_of(code, [&] { run(wrong, Names{"model"}); });
    EXPECT_FALSE(file_exists(wrong.trainer.run.out)) << "a run that fails to start leaves nothing";
    return message;
  };
  EXPECT_TRUE(contains(refused(Code::value, "cnn"), "images"));
  EXPECT_TRUE(contains(refused(Code::value, "resnet"), "no such file"));
  EXPECT_TRUE(contains(refused(Code::parse, written("no.json", R"({"in": 4, "out": 3})")),
                       root_ + "/no.json: json: missing key \"layer\""));
  EXPECT_TRUE(contains(
      refused(Code::value, written("two.json", R"([{"layer": "Linear", "in": 4, "out": 2}])")),
      "for one example is [1, 2], expected [1, 3]"));
  EXPECT_TRUE(contains(
      refused(Code::shape, written("in.json", R"([{"layer": "Linear", "in": 5, "out": 3}])")),
      "does not accept"));
}

TEST_F(Supervised, RejectsMixedDataKinds) {
  EXPECT_EQ(data_kind(Names{"a.txt", "b.jsonl"}), DataKind::text);
  EXPECT_EQ(data_kind(Names{"a.bin", "b.bin"}), DataKind::tokens);
  EXPECT_EQ(data_kind(Names{"mnist:x"}), DataKind::images);
  EXPECT_EQ(data_kind(Names{"x.tsv"}), DataKind::table);
  for (const Names& mixed :
       {Names{"a.txt", "b.csv"}, Names{"a.csv", "b.csv"}, Names{"a.bin", "b.bin", "c.bin"}}) {
    EXPECT_EQ(code_of([&] { data_kind(mixed); }), Code::value) << mixed[1];
  }
  std::string path = root_ + "/z.npz";
  write_npz(path, std::vector<NamedTensor>{{"z", zeros({2})}});
  EXPECT_TRUE(contains(message_of(Code::value, [&] { run(options(path, "z"), {}); }), "x_train"));
}

TEST_F(Supervised, ExplicitOptionsOverrideConfig) {
  TrainOptions o = options(flowers(), "config");
  o.trainer.run.config = written("config.json", R"({"steps": 7, "lr": 0.5, "optimizer": "sgd"})");
  o.trainer.schedule.lr = 0.25;
  auto [all, given] = resolve(o, Names{"config", "lr"}, optimizer_table());
  EXPECT_EQ(all.trainer.schedule.steps, 7);
  EXPECT_EQ(all.trainer.schedule.lr, 0.25);
  EXPECT_EQ(all.trainer.optimizer.weight_decay, 0) << "SGD's default";
  EXPECT_EQ(all.trainer.batch.size, 64) << "the default for tables";
  TrainOptions again;
  again.trainer.run.config = written("all.json", config_of({all, given}, optimizer_table()).dump());
  auto [same, all_given] = resolve(again, Names{"config"}, optimizer_table());
  EXPECT_EQ(config_of({same, all_given}, optimizer_table()),
            config_of({all, given}, optimizer_table()));
  auto refused = [&](Code code, const std::string& text) {
    TrainOptions wrong;
    wrong.trainer.run.config = written("wrong.json", text);
    const std::string message =
        message_of(code, [&] { resolve(wrong, Names{"config"}, optimizer_table()); });
    EXPECT_TRUE(contains(message, wrong.trainer.run.config)) << message;
    return message;
  };
  EXPECT_TRUE(contains(refused(Code::value, R"({"step": 3})"), "did you mean steps?"));
  EXPECT_TRUE(contains(refused(Code::value, R"({"schedule": "sine"})"), "schedule"));
  EXPECT_TRUE(contains(refused(Code::value, R"({"steps": "3"})"), "steps: expected an integer"));
  EXPECT_TRUE(contains(refused(Code::value, R"({"data": 3})"), "data: expected an array"));
  refused(Code::parse, R"({"steps": 3, "steps": 4})");
  refused(Code::parse, "{");
}

TEST_F(Supervised, OptimizerErrorsNameTheOption) {
  auto refused = [](const std::string& optimizer, const std::string& more) {
    TrainOptions wrong;
    wrong.trainer.optimizer.name = optimizer;
    wrong.trainer.optimizer.more = more;
    return message_of(Code::value, [&] {
      resolve(wrong, Names{"optimizer", "optimizer_options"}, optimizer_table());
    });
  };
  EXPECT_TRUE(contains(refused("adm", ""), "`optimizer`: "));
  EXPECT_TRUE(contains(refused("sgd", "momentum"), "`optimizer_options` "));
  EXPECT_TRUE(contains(refused("sgd", "lr=1"), "`optimizer_options` holds lr"));
  EXPECT_TRUE(contains(refused("sgd", "momentun=0.9"), "did you mean momentum"));
}

}  // namespace
}  // namespace gyre
