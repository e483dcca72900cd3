#include "gyre/data/dataset.h"

#include <gtest/gtest.h>

#include <numeric>

#include "gyre/base/error.h"
#include "gyre/ops/create/create.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

std::shared_ptr<TensorDataset> numbered(int64_t rows) {
  return std::make_shared<TensorDataset>(std::vector<NamedTensor>{
      {"x", tensor(to_vector<float>(arange(0, static_cast<double>(3 * rows))), {rows, 3})},
      {"label", arange(0, static_cast<double>(rows), 1, {.dtype = DType::i64})}});
}

/// Squares, without its own batch(); from index `changes` on the field has another name.
class Squares final : public Dataset {
 public:
  explicit Squares(int64_t changes = INT64_MAX) : changes_(changes) {}
  int64_t size() const override { return 100; }
  Example get(int64_t i) const override {
    return Example({{i < changes_ ? "square" : "other", full({2}, static_cast<double>(i * i))}});
  }

 private:
  int64_t changes_;
};

TEST(Batch, FindsFieldsByName) {
  const Batch batch({{"inputs", ones({2})}, {"targets", zeros({2})}});
  EXPECT_EQ(to_vector<float>(batch["inputs"]), (std::vector<float>{1, 1}));
  EXPECT_EQ(batch.fields().size(), 2u);
  const std::string message = message_of(Code::value, [&] { (void)batch["input"]; });
  EXPECT_TRUE(contains(message, "no field \"input\"; the fields are inputs, targets")) << message;
  EXPECT_TRUE(contains(message, "did you mean inputs?")) << message;
  EXPECT_TRUE(contains(message_of(Code::value, [] { (void)Batch()["x"]; }), "the fields are none"));
}

TEST(Batch, RejectsDuplicateAndEmptyFields) {
  EXPECT_EQ(code_of([] { Batch({{"x", ones({1})}, {"x", ones({1})}}); }), Code::value);
  EXPECT_EQ(code_of([] { Batch({{"x", Tensor()}}); }), Code::value);
}

TEST(TensorDataset, ReturnsRowsAndBatches) {
  const auto data = numbered(5);
  EXPECT_EQ(data->size(), 5);
  EXPECT_EQ(to_vector<float>(data->get(4)["x"]), (std::vector<float>{12, 13, 14}));
  EXPECT_EQ(data->get(4)["label"].item(), 4);
  const std::vector<int64_t> rows{4, 0, 4};
  const Batch batch = data->batch(rows);
  EXPECT_EQ(batch["x"].shape(), (Shape{3, 3}));
  EXPECT_EQ(to_vector<float>(batch["x"]), (std::vector<float>{12, 13, 14, 0, 1, 2, 12, 13, 14}));
  EXPECT_EQ(to_vector<int64_t>(batch["label"]), rows);
  EXPECT_EQ((*data)["x"].shape(), (Shape{5, 3}));
  EXPECT_EQ(data->fields()[1].name, "label");
}

TEST(TensorDataset, AgreesWithStackedExamples) {
  const auto data = numbered(7);
  const std::vector<int64_t> rows{6, 2, 3};
  const Batch gathered = data->batch(rows), stacked = data->Dataset::batch(rows);
  for (const char* field : {"x", "label"}) {
    EXPECT_EQ(gathered[field].dtype(), stacked[field].dtype());
    EXPECT_EQ(to_vector<double>(gathered[field]), to_vector<double>(stacked[field]));
  }
}

TEST(TensorDataset, RejectsMismatchedFields) {
  EXPECT_EQ(code_of([] { TensorDataset({}); }), Code::value);
  EXPECT_EQ(code_of([] { TensorDataset({{"x", ones({})}}); }), Code::shape);
  const std::string message = message_of(Code::shape, [] {
    TensorDataset({{"x", ones({2, 3})}, {"y", ones({3})}});
  });
  EXPECT_TRUE(contains(message, "x is [2, 3], y is [3]")) << message;
  const auto data = numbered(5);
  EXPECT_EQ(code_of([&] { (void)data->get(5); }), Code::index);
  EXPECT_EQ(code_of([&] { (void)data->get(-1); }), Code::index);
  EXPECT_EQ(code_of([&] { (void)data->batch(std::vector<int64_t>{0, 5}); }), Code::index);
}

TEST(Dataset, StacksExamples) {
  const Batch batch = Squares().batch(std::vector<int64_t>{3, 1});
  EXPECT_EQ(batch["square"].shape(), (Shape{2, 2}));
  EXPECT_EQ(to_vector<float>(batch["square"]), (std::vector<float>{9, 9, 1, 1}));
  EXPECT_EQ(code_of([] { (void)Squares().batch({}); }), Code::value);
  const std::string message = message_of(Code::value, [] {
    (void)Squares(2).batch(std::vector<int64_t>{0, 2});
  });
  EXPECT_TRUE(contains(message, "example 2 has the fields other, example 0 has square")) << message;
}

TEST(Subset, CountsItsOwnRows) {
  const Subset part(numbered(5), {4, 2});
  EXPECT_EQ(part.size(), 2);
  EXPECT_EQ(part.get(1)["label"].item(), 2);
  EXPECT_EQ(to_vector<int64_t>(part.batch(std::vector<int64_t>{1, 0, 1})["label"]),
            (std::vector<int64_t>{2, 4, 2}));
  EXPECT_EQ(code_of([] { Subset(numbered(5), {5}); }), Code::index);
  EXPECT_EQ(code_of([&] { (void)part.get(2); }), Code::index);
  EXPECT_EQ(code_of([&] { (void)part.batch(std::vector<int64_t>{-1}); }), Code::index);
}

TEST(Split, PartitionsTheExamples) {
  const auto data = numbered(101);
  const DatasetSplit parts = split(data, 0.3, 5);
  EXPECT_EQ(parts.validation->size(), 30);
  EXPECT_EQ(parts.training->size(), 71);
  std::vector<int> seen(101);
  for (const auto& part : {parts.training, parts.validation}) {
    EXPECT_TRUE(std::is_sorted(part->rows().begin(), part->rows().end()));
    for (int64_t row : part->rows()) ++seen[static_cast<size_t>(row)];
  }
  EXPECT_EQ(seen, std::vector<int>(101, 1));
  const auto rows = [&](uint64_t seed) {
    const auto part = split(data, 0.3, seed).validation;
    return std::vector<int64_t>(part->rows().begin(), part->rows().end());
  };
  EXPECT_EQ(rows(5), rows(5));
  EXPECT_NE(rows(5), rows(6));
  EXPECT_EQ(split(data, 0, 1).validation->size(), 0);
  for (double wrong : {-0.1, 1.0, 0.0 / 0.0}) {
    EXPECT_EQ(code_of([&] { split(data, wrong, 0); }), Code::value);
  }
}

}  // namespace
}  // namespace gyre
