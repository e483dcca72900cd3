#include "gyre/models/supervised/predictor.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gyre/base/system/file.h"
#include "gyre/io/npy.h"
#include "gyre/models/train.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/registry/layer_table.h"
#include "gyre/registry/optimizer_table.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

class Predict : public testing::Test {
 protected:
  void SetUp() override {
    root_ = testing::TempDir() + "gyre_predict";
    remove_tree(root_);
    create_directories(root_);
  }
  void TearDown() override { remove_tree(root_); }

  std::string written(const std::string& name, const std::string& text) {
    write_file_atomic(root_ + "/" + name, text);
    return root_ + "/" + name;
  }
  std::string arrays(const std::string& name, const std::vector<NamedTensor>& fields) {
    write_npz(root_ + "/" + name, fields);
    return root_ + "/" + name;
  }
  std::string trained(const std::string& data, TrainedDType dtype = TrainedDType::f32) {
    TrainOptions o;
    o.data.sources = {data};
    o.trainer.run.out = root_ + "/model";
    o.data.epochs = 40;
    o.trainer.schedule.lr = 0.01;
    o.trainer.precision.dtype = dtype;
    remove_tree(o.trainer.run.out);
    train(o, std::vector<std::string>{"epochs", "lr", "dtype"}, layer_table(), optimizer_table(),
          sink_);
    return o.trainer.run.out;
  }
  Predictions predicted(const std::string& model, const std::string& data) {
    return Predictor(model, layer_table()).of(data);
  }

  std::string root_;
  TrainSink sink_;
};

TEST_F(Predict, PredictsATable) {
  std::string text = "size,colour,price\n";
  for (int i = 0; i < 200; ++i) {
    text += std::to_string(i % 20) + (i % 2 ? ",red," : ",blue,") +
            std::to_string(100000 + 3000 * (i % 20) + (i % 2 ? 20000 : 0)) + "\n";
  }
  const std::string model = trained(written("houses.csv", text));
  const std::string others = written("others.csv", "colour,more,size\nred,x,10\nblue,y,3\n");
  const Predictions p = predicted(model, others);
  EXPECT_EQ(p.values.shape(), Shape({2, 1}));
  const auto values = to_vector<double>(p.values);
  EXPECT_NEAR(values[0], 150000, 5000);
  EXPECT_NEAR(values[1], 109000, 5000);
  EXPECT_TRUE(std::isnan(p.figures.mae)) << "no targets";
  EXPECT_FALSE(p.probabilities.defined());
  EXPECT_GT(predicted(model, root_ + "/houses.csv").figures.r2, 0.98);
  EXPECT_TRUE(
      contains(message_of(Code::value,
                          [&] { predicted(model, written("w.csv", "size,colour\n1,green\n")); }),
               "green"));
  EXPECT_TRUE(contains(message_of(Code::value, [&] { predicted(model, "x.npz"); }),
                       "trained on tables, but x.npz holds arrays"));
}

TEST_F(Predict, ClassesOfArraysInEveryDType) {
  Generator g{2, 0};
  const Tensor x = randn({300, 2}, {.generator = &g});
  const Tensor y =
      to(gt(sum(x, 1), Tensor(0.0)), DType::i64) * Tensor(int64_t{2}) - Tensor(int64_t{1});
  const std::string data = arrays("signs.npz", {{"x", x}, {"y", y}});
  for (TrainedDType dtype : {TrainedDType::f32, TrainedDType::bf16}) {
    const std::string model = trained(data, dtype);
    const Predictions p = predicted(model, data);
    EXPECT_GT(p.figures.accuracy, 0.95);
    EXPECT_EQ(p.probabilities.shape(), Shape({300, 2}));
    EXPECT_NEAR(sum(p.probabilities).item(), 300, 1e-3);
    EXPECT_EQ(Predictor(model, layer_table()).target().classes,
              (std::vector<std::string>{"-1", "1"}));
  }
  const std::string model = root_ + "/model";
  EXPECT_EQ(predicted(model, arrays("none.npz", std::vector<NamedTensor>{{"x", zeros({0, 2})}}))
                .values.shape(),
            Shape({0}));
  const std::string test = arrays("test.npz", {{"x", x}, {"x_test", zeros({3, 2})}});
  EXPECT_EQ(predicted(model, test).values.shape(), Shape({3})) << "the test part";
  EXPECT_TRUE(
      contains(message_of(Code::value,
                          [&] {
                            predicted(model, arrays("y.npz", std::vector<NamedTensor>{{"y", y}}));
                          }),
               "no array x_test or x"));
  const std::string pixels =
      arrays("u8.npz", std::vector<NamedTensor>{{"x", to(zeros({3, 2}), DType::u8)}});
  EXPECT_TRUE(contains(message_of(Code::value, [&] { predicted(model, pixels); }), "pixels"));
}

TEST_F(Predict, ReadsArraysLikeFiles) {
  Generator g{3, 0};
  const Tensor x = randint(0, 256, {200, 4}, {.dtype = DType::u8, .generator = &g});
  const Tensor y = to(gt(select(to(x, DType::f32), {1, 0}), 127.0), DType::i64) * 2 - 1;
  const std::string model = trained(arrays("pixels.npz", {{"x", x}, {"y", y}}));
  Predictor predictor(model, layer_table());
  const Predictions whole = predictor.of(root_ + "/pixels.npz"), same = predictor.of(x, y);
  EXPECT_EQ(to_vector<float>(whole.probabilities), to_vector<float>(same.probabilities));
  EXPECT_EQ(whole.figures.accuracy, same.figures.accuracy);
  EXPECT_EQ(code_of([&] { (void)predictor.of(x, slice(y, {0, 0, 10, 1})); }), Code::shape);
  EXPECT_EQ(code_of([&] { (void)predictor.of(to(x, DType::f32)); }), Code::value);
  const Generator before = default_generator();
  Predictor again(model, layer_table());
  EXPECT_EQ(default_generator().offset, before.offset) << "the caller's generator is unchanged";
}

TEST_F(Predict, ReadsRowsLikeTableFiles) {
  std::string text = "a,b,y\n";
  for (int i = 0; i < 60; ++i) {
    text += fmt::format("{},{},{}\n", 1000 + i, i % 7, 3 * i + 10 * (i % 7));
  }
  Predictor predictor(trained(written("rows.csv", text)), layer_table());
  const Tensor rows = tensor<double>({1003., 3., 1050., 1.}, {2, 2});
  const std::string same = written("same.csv", "b,a\n3,1003\n1,1050\n");
  EXPECT_EQ(to_vector<double>(predictor.of(rows).values),
            to_vector<double>(predictor.of(same).values));
}

TEST_F(Predict, TablesWithoutHeader) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += std::to_string(i) + "," + (i % 2 ? "a" : "b") + "\n";
  const std::string path = written("bare.csv", text);
  const std::string model = trained(path);
  EXPECT_EQ(predicted(model, path).values.shape(), Shape({60}));
  EXPECT_EQ(predicted(model, written("rows.csv", "3\n4\n")).values.shape(), Shape({2}));
}

TEST_F(Predict, RejectsOtherFolders) {
  EXPECT_EQ(code_of([&] { predicted(root_, "x.csv"); }), Code::io);
  written("config.json", "{}");
  EXPECT_TRUE(
      contains(message_of(Code::value, [&] { predicted(root_, "x.csv"); }), "gyre generate"));
  written("model.json", R"({"reading": {"kind": "smells"}})");
  EXPECT_EQ(code_of([&] { predicted(root_, "x.csv"); }), Code::parse);
  const std::string table =
      R"({"reading": {"kind": "tables", "target": "y", "classes": [], "columns": [%], "header": 1}})";
  const auto damaged = [&](const std::string& column) {
    written("model.json", std::string(table).replace(table.find('%'), 1, column));
    return message_of(Code::parse, [&] { Predictor(root_, layer_table()); });
  };
  EXPECT_TRUE(contains(damaged(R"({"name": "x", "mean": 0})"), "deviation")) << "when it is opened";
  EXPECT_TRUE(contains(damaged(""), "header: expected a boolean"));
  written("model.json", R"({"reading": {"kind": "arrays", "pixels": 0}})");
  EXPECT_TRUE(
      contains(message_of(Code::parse, [&] { Predictor(root_, layer_table()); }), "pixels"));
}

}  // namespace
}  // namespace gyre
