#include "gyre/data/data_loader.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/system/fork.h"
#include "gyre/base/text/counted.h"
#include "gyre/data/draw.h"
#include "gyre/data/permutation.h"

namespace gyre {
namespace {

void check_number(int64_t number) {
  if (number >= 0) return;
  throw mismatch(Code::index, "data_loader", "expected a batch number of 0 or more", ">= 0",
                 number);
}

}  // namespace

/// Worker threads that load batches from a cursor on. The slot of a batch is its number modulo the
/// number of slots; a worker waits until the slot's previous batch has been taken.
class DataLoader::Workers {
 public:
  Workers(const DataLoader& loader, int64_t cursor)
      : loader_(loader),
        slots_(static_cast<size_t>(loader.options_.num_workers * loader.options_.prefetch_factor)),
        taken_(cursor),
        begun_(cursor) {
    born_ = forks_before();
    threads_.reserve(static_cast<size_t>(loader.options_.num_workers));
    try {
      for (int64_t i = 0; i < loader.options_.num_workers; ++i) {
        threads_.emplace_back([this] { work(); });
      }
    } catch (const std::system_error&) {  // continue with the threads that started
    }
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  ~Workers() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    room_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  bool any() const { return !threads_.empty(); }
  bool of_this_process() const { return born_ == forks_before(); }

  /// The next batch, or rethrows its exception.
  Batch take() {
    std::unique_lock lock(mutex_);
    Slot& slot = slot_of(taken_);
    made_.wait(lock, [&] { return slot.ready; });
    if (slot.error) std::rethrow_exception(slot.error);
    Batch batch = std::move(slot.batch);
    slot = {};
    ++taken_;
    lock.unlock();
    room_.notify_one();
    return batch;
  }

 private:
  struct Slot {
    bool ready = false;
    Batch batch;
    std::exception_ptr error;
  };

  Slot& slot_of(int64_t number) { return slots_[static_cast<size_t>(number) % slots_.size()]; }

  void work() {
    const auto ahead = static_cast<int64_t>(slots_.size());
    std::unique_lock lock(mutex_);
    for (;;) {
      room_.wait(lock, [&] { return stop_ || begun_ < taken_ + ahead; });
      if (stop_) return;
      const int64_t number = begun_++;
      lock.unlock();
      Slot made{.ready = true, .batch = {}, .error = {}};
      try {
        made.batch = loader_.at(number);
      } catch (...) {
        made.error = std::current_exception();
      }
      lock.lock();
      slot_of(number) = std::move(made);
      made_.notify_one();
    }
  }

  const DataLoader& loader_;
  std::mutex mutex_;
  std::condition_variable room_, made_;
  std::vector<Slot> slots_;
  int64_t taken_, begun_;
  bool stop_ = false;
  uint32_t born_ = 0;
  std::vector<std::thread> threads_;
};

DataLoader::DataLoader(std::shared_ptr<const Dataset> dataset, const LoaderOptions& options)
    : dataset_(std::move(dataset)), options_(options), size_(dataset_->size()) {
  check_record("data_loader", options);
  per_epoch_ = size_ / options.batch_size + (!options.drop_last && size_ % options.batch_size != 0);
  if (per_epoch_ == 0) {
    throw Error(
        Code::value, "data_loader",
        "the dataset has " + counted(size_, "example") + ", too few for a batch" +
            (size_ > 0 ? " of " + std::to_string(options.batch_size) + " with drop_last" : ""),
        ">= " + std::to_string(options.drop_last ? options.batch_size : 1), size_);
  }
}

DataLoader::~DataLoader() { start_over(); }

/// A forked child has no worker threads, and their locks stay locked: leak the object there.
void DataLoader::start_over() {
  if (workers_ && !workers_->of_this_process()) (void)workers_.release();
  workers_.reset();
}

std::vector<int64_t> DataLoader::rows(int64_t number) const {
  check_number(number);
  if (const int64_t now = dataset_->size(); now < size_) {
    throw Error(Code::value, "data_loader",
                {"the dataset shrank from ", counted(size_, "example"), " to ", now,
                 "; create a new DataLoader for it"},
                {">= ", size_}, now);
  }
  const int64_t begin = number % per_epoch_ * options_.batch_size;
  const int64_t count = std::min(options_.batch_size, size_ - begin);
  std::vector<int64_t> rows(static_cast<size_t>(count));
  const auto seed = static_cast<uint64_t>(options_.seed);
  const Permutation order(size_, draw(seed, static_cast<uint64_t>(epoch_of(number))));
  for (int64_t i = 0; i < count; ++i) {
    rows[static_cast<size_t>(i)] = options_.shuffle ? order[begin + i] : begin + i;
  }
  return rows;
}

Generator DataLoader::generator_of(int64_t number) const {
  // A stream independent of the one used for shuffling.
  const auto seed = ~static_cast<uint64_t>(options_.seed);
  return {draw(seed, static_cast<uint64_t>(number)), 0};
}

Batch DataLoader::at(int64_t number) const {
  const std::vector<int64_t> wanted = rows(number);
  const GeneratorScope own(generator_of(number));
  return dataset_->batch(wanted);
}

Batch DataLoader::next() {
  if (options_.num_workers > 0 && (!workers_ || !workers_->of_this_process())) {
    start_over();
    workers_ = std::make_unique<Workers>(*this, cursor_);
  }
  try {
    Batch batch = workers_ && workers_->any() ? workers_->take() : at(cursor_);
    ++cursor_;
    return batch;
  } catch (...) {
    start_over();
    throw;
  }
}

void DataLoader::seek(int64_t number) {
  check_number(number);
  if (number == cursor_) return;
  start_over();
  cursor_ = number;
}

}  // namespace gyre
