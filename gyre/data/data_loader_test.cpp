#include "gyre/data/data_loader.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include "gyre/base/error.h"
#include "gyre/base/philox.h"
#include "gyre/base/thread_pool.h"
#include "gyre/io/record_json.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/random/random.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

std::shared_ptr<Dataset> numbered_rows(int64_t rows) {
  return std::make_shared<TensorDataset>(std::vector<NamedTensor>{
      {"row", arange(0, static_cast<double>(rows), 1, {.dtype = DType::i64})}});
}

std::vector<int64_t> rows_of(const Batch& batch) { return to_vector<int64_t>(batch["row"]); }

/// Takes a random time, draws noise, and fails a given number of times.
class Slow final : public Dataset {
 public:
  explicit Slow(int64_t fails_at = -1, int times = 0) : fails_at_(fails_at), times_(times) {}
  int64_t size() const override { return 23; }
  Example get(int64_t i) const override {
    const auto delay = std::hash<std::thread::id>()(std::this_thread::get_id()) + calls_++ * 7919;
    std::this_thread::sleep_for(std::chrono::microseconds(delay % 300));
    if (i == fails_at_ && times_-- > 0) throw Error(Code::io, "slow", "row " + std::to_string(i));
    std::atomic<int64_t> total{0};
    parallel_for(1000, 10, [&](int64_t begin, int64_t end) { total += end - begin; });
    return Example({{"row", full({}, static_cast<double>(i), {.dtype = DType::i64})},
                    {"noise", randn({4})},
                    {"total", full({}, static_cast<double>(total.load()))}});
  }

 private:
  int64_t fails_at_;
  mutable std::atomic<int> times_;
  mutable std::atomic<size_t> calls_{0};
};

TEST(DataLoader, CountsBatchesOfAnEpoch) {
  const DataLoader all(numbered_rows(10), {.batch_size = 4});
  EXPECT_EQ(all.batches_per_epoch(), 3);
  EXPECT_EQ(rows_of(all.at(2)), (std::vector<int64_t>{8, 9}));
  EXPECT_EQ(rows_of(all.at(3)), (std::vector<int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(all.epoch_of(3), 1);
  const DataLoader whole(numbered_rows(10), {.batch_size = 4, .drop_last = true});
  EXPECT_EQ(whole.batches_per_epoch(), 2);
  EXPECT_EQ(rows_of(whole.at(2)), (std::vector<int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(DataLoader(numbered_rows(3), {.batch_size = 5}).at(7)["row"].numel(), 3);
}

TEST(DataLoader, ShufflesEachEpochDifferently) {
  const DataLoader loader(numbered_rows(100), {.batch_size = 7, .shuffle = true, .seed = 3});
  std::set<std::vector<int64_t>> orders;
  for (int64_t epoch = 0; epoch < 4; ++epoch) {
    std::vector<int64_t> order;
    for (int64_t i = 0; i < loader.batches_per_epoch(); ++i) {
      for (int64_t row : rows_of(loader.at(epoch * loader.batches_per_epoch() + i))) {
        order.push_back(row);
      }
    }
    orders.insert(order);
    std::sort(order.begin(), order.end());
    for (int64_t i = 0; i < 100; ++i) ASSERT_EQ(order[static_cast<size_t>(i)], i);
  }
  EXPECT_EQ(orders.size(), 4u);
  const DataLoader same(numbered_rows(100), {.batch_size = 7, .shuffle = true, .seed = 3});
  const DataLoader other(numbered_rows(100), {.batch_size = 7, .shuffle = true, .seed = 4});
  EXPECT_EQ(loader.rows(1000000007), same.rows(1000000007));
  EXPECT_NE(loader.rows(0), other.rows(0));
}

TEST(DataLoader, BatchesDoNotDependOnWorkers) {
  const auto data = std::make_shared<Slow>();
  const DataLoader reference(data, {.batch_size = 5, .shuffle = true, .seed = 9});
  for (int64_t workers : {0, 1, 2, 7}) {
    for (int64_t prefetch : {1, 3}) {
      DataLoader loader(data, {.batch_size = 5,
                               .shuffle = true,
                               .num_workers = workers,
                               .prefetch_factor = prefetch,
                               .seed = 9});
      for (int64_t i = 0; i < 12; ++i) {
        ASSERT_EQ(loader.cursor(), i);
        const Batch batch = loader.next(), wanted = reference.at(i);
        ASSERT_EQ(rows_of(batch), rows_of(wanted)) << workers;
        ASSERT_EQ(to_vector<float>(batch["noise"]), to_vector<float>(wanted["noise"])) << workers;
        ASSERT_EQ(batch["total"].data<float>()[0], 1000);
      }
    }
  }
}

TEST(DataLoader, SeedsEachBatchAndLeavesTheCallersGenerator) {
  const DataLoader loader(std::make_shared<Slow>(), {.batch_size = 23});
  manual_seed(4);
  const uint64_t offset = default_generator().offset;
  const Batch first = loader.at(0), second = loader.at(1);
  EXPECT_NE(to_vector<float>(first["noise"]), to_vector<float>(second["noise"]));
  EXPECT_EQ(default_generator().offset, offset);
}

TEST(DataLoader, ResumesFromASavedCursor) {
  for (int64_t workers : {0, 3}) {
    DataLoader loader(numbered_rows(50),
                      {.batch_size = 8, .shuffle = true, .num_workers = workers});
    for (int i = 0; i < 9; ++i) (void)loader.next();
    const int64_t saved = loader.cursor();
    const std::vector<int64_t> wanted = rows_of(loader.next());
    DataLoader again(numbered_rows(50), {.batch_size = 8, .shuffle = true, .num_workers = workers});
    (void)again.next();
    again.seek(saved);
    EXPECT_EQ(rows_of(again.next()), wanted);
    again.seek(0);
    EXPECT_EQ(rows_of(again.next()), loader.rows(0));
    EXPECT_EQ(code_of([&] { again.seek(-1); }), Code::index);
    EXPECT_EQ(again.cursor(), 1);
  }
}

TEST(DataLoader, RethrowsDatasetErrorsAtTheirBatch) {
  for (int64_t workers : {0, 1, 4}) {
    DataLoader loader(std::make_shared<Slow>(12, 1), {.batch_size = 5, .num_workers = workers});
    EXPECT_EQ(rows_of(loader.next())[0], 0);
    EXPECT_EQ(rows_of(loader.next())[0], 5);
    const std::string message = message_of(Code::io, [&] { (void)loader.next(); });
    EXPECT_TRUE(contains(message, "row 12")) << message;
    EXPECT_EQ(loader.cursor(), 2);
    EXPECT_EQ(rows_of(loader.next())[2], 12) << "the next call retries";
    EXPECT_EQ(rows_of(loader.next())[0], 15);
  }
}

/// Rows whose number changes.
class Resized final : public Dataset {
 public:
  explicit Resized(int64_t size) : size_(size) {}
  int64_t size() const override { return size_; }
  void resize(int64_t size) { size_ = size; }
  Example get(int64_t i) const override {
    return Example({{"row", full({}, static_cast<double>(i), {.dtype = DType::i64})}});
  }

 private:
  std::atomic<int64_t> size_;
};

TEST(DataLoader, RefusesADatasetThatShrank) {
  for (const int64_t workers : {0, 2}) {
    auto dataset = std::make_shared<Resized>(10);
    DataLoader loader(dataset, {.batch_size = 4, .num_workers = workers, .prefetch_factor = 1});
    EXPECT_EQ(rows_of(loader.next()), (std::vector<int64_t>{0, 1, 2, 3}));
    for (const int64_t fewer : {9, 4, 0}) {
      dataset->resize(fewer);
      const Error e = error_of([&] { (void)loader.at(1); });
      EXPECT_EQ(e.code, Code::value);
      EXPECT_TRUE(contains(e.what(), "shrank from 10 examples to " + std::to_string(fewer)))
          << e.what();
    }
    EXPECT_EQ(code_of([&] {
                for (int i = 0; i < 4; ++i) (void)loader.next();
              }),
              Code::value);
    dataset->resize(10);
    EXPECT_EQ(rows_of(loader.at(2)), (std::vector<int64_t>{8, 9}));
  }
}

TEST(DataLoader, KeepsItsBatchesWhenTheDatasetGrows) {
  auto dataset = std::make_shared<Resized>(10);
  const DataLoader loader(dataset, {.batch_size = 4, .shuffle = true, .seed = 3});
  std::vector<std::vector<int64_t>> before;
  for (int64_t i = 0; i < 6; ++i) before.push_back(loader.rows(i));
  dataset->resize(13);
  for (int64_t i = 0; i < 6; ++i) EXPECT_EQ(loader.rows(i), before[static_cast<size_t>(i)]) << i;
}

TEST(DataLoader, CanBeDestroyedWhileWorkersAreBusy) {
  for (int i = 0; i < 20; ++i) {
    DataLoader loader(std::make_shared<Slow>(), {.batch_size = 3, .num_workers = 4});
    if (i % 2) (void)loader.next();
  }
}

TEST(DataLoader, RestartsWorkersInAForkedChild) {
  DataLoader loader(numbered_rows(64), {.batch_size = 4, .shuffle = true, .num_workers = 2});
  (void)loader.next();
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    const bool same =
        rows_of(loader.next()) == loader.rows(1) && rows_of(loader.next()) == loader.rows(2);
    _exit(same ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(rows_of(loader.next()), loader.rows(1));
}

TEST(DataLoader, OptionsAreARecord) {
  LoaderOptions options;
  record_from_json(options, Json::parse(R"({"batch": 5, "shuffle": true, "workers": 2})"));
  EXPECT_EQ(options.batch_size, 5);
  EXPECT_TRUE(options.shuffle);
  EXPECT_EQ(record_to_json(options).at("prefetch_factor").as_integer(), 2);
}

TEST(DataLoader, RejectsInvalidOptions) {
  const auto data = numbered_rows(10);
  for (const LoaderOptions& wrong :
       {LoaderOptions{.batch_size = 0}, LoaderOptions{.num_workers = -1},
        LoaderOptions{.num_workers = 257}, LoaderOptions{.prefetch_factor = 0},
        LoaderOptions{.batch_size = 11, .drop_last = true}}) {
    EXPECT_EQ(code_of([&] { DataLoader(data, wrong); }), Code::value);
  }
  EXPECT_EQ(code_of([] { DataLoader(numbered_rows(0), {}); }), Code::value);
  EXPECT_EQ(code_of([&] { (void)DataLoader(data, {}).at(-1); }), Code::index);
}

}  // namespace
}  // namespace gyre
