#include "gyre/base/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/memory/poison.h"
#include "gyre/base/system/fork.h"
#include "gyre/base/system/memory.h"

#if defined(__linux__)
#include <sched.h>
#endif

namespace gyre {
namespace {

using Clock = std::chrono::steady_clock;

// Long enough to bridge the gap between kernels, short compared with a scheduler time slice.
constexpr auto kSpin = std::chrono::microseconds(100);

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Spins until `ready()` or for kSpin; returns whether it was ready.
bool spin_until(auto ready) {
  Clock::time_point begin{};
  for (int round = 0;; ++round) {
    for (int i = 0; i < 32; ++i) {
      if (ready()) return true;
      pause();
    }
    if (round == 0) {
      begin = Clock::now();
    } else if (Clock::now() - begin > kSpin) {
      return false;
    }
  }
}

int available_cpus() {
#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
  return 1;
#else
#if defined(__linux__) && !defined(__EMSCRIPTEN__)
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
#endif
  const unsigned count = std::thread::hardware_concurrency();
  return count == 0 ? 1 : static_cast<int>(count);
#endif
}

int threads_at_start() {
  const char* text = std::getenv("GYRE_THREADS");
  if (!text || !*text) return std::min(available_cpus(), kMaxThreads);
  int n = 0;
  const char* end = text + std::strlen(text);
  const auto parsed = std::from_chars(text, end, n);
  if (parsed.ec == std::errc() && parsed.ptr == end && n >= 1 && n <= kMaxThreads) return n;
  const std::string bounds = "a whole number from 1 to " + std::to_string(kMaxThreads);
  throw mismatch(Code::value, "GYRE_THREADS", "expected " + bounds, bounds, text);
}

std::atomic<int> wanted_threads{0};  // 0: not set yet

// True while this thread runs chunks of a parallel_for, so that nested calls run serially.
thread_local bool inside = false;

class Inside {
 public:
  Inside() { inside = true; }
  ~Inside() { inside = false; }
};

constinit std::atomic<int> pool_clocks{0};
constinit std::atomic<int64_t> pool_wall{0}, pool_busy{0};

// Adds its lifetime in nanoseconds to a counter while a PoolClock exists.
class CountedTime {
 public:
  explicit CountedTime(std::atomic<int64_t>& to)
      : to_(pool_clocks.load(std::memory_order_relaxed) > 0 ? &to : nullptr) {
    if (to_) [[unlikely]]
      begin_ = Clock::now();
  }
  CountedTime(const CountedTime&) = delete;
  CountedTime& operator=(const CountedTime&) = delete;
  ~CountedTime() {
    if (to_) [[unlikely]]
      to_->fetch_add(std::chrono::nanoseconds(Clock::now() - begin_).count(),
                     std::memory_order_relaxed);
  }

 private:
  std::atomic<int64_t>* to_;
  Clock::time_point begin_{};
};

/// The workers and the one job they may share.
///
/// `gate_` holds the number of the job (high half), a closed bit and the count of workers inside.
/// The fields of the job are written only while the gate is closed and nobody is inside; a worker
/// enters by a compare-exchange on the whole word, so it can never mix two jobs, and the caller
/// waits for workers that entered, not for those still asleep.
class Pool {
 public:
  /// False when another thread uses the pool.
  bool try_run(int64_t n, int64_t grain, int64_t chunks, int threads, Range body);

 private:
  static constexpr uint64_t kClosed = uint64_t{1} << 31, kCount = kClosed - 1;
  static uint64_t job_of(uint64_t gate) { return gate >> 32; }

  void grow(int workers);
  void work();
  void wait_for_job(uint64_t seen);
  void run_chunks();

  alignas(64) std::atomic<uint64_t> gate_{kClosed};
  alignas(64) std::atomic<int64_t> next_{0};
  alignas(64) std::atomic<bool> failed_{false};
  std::exception_ptr error_;
  const Range* body_ = nullptr;
  int64_t n_ = 0, grain_ = 0, chunks_ = 0;

  alignas(64) std::atomic<uint64_t> max_inside_{0};
  std::atomic<bool> may_spin_{true};
  std::atomic<int> sleepers_{0};
  std::mutex sleep_;
  std::condition_variable wake_;
  std::mutex owner_;
  int workers_ = 0;
};

void Pool::grow(int workers) {
  for (; workers_ < workers; ++workers_) {
    try {
      std::thread([this] { work(); }).detach();
    } catch (const std::exception&) {
      return;  // the existing threads do the work
    }
  }
}

void Pool::wait_for_job(uint64_t seen) {
  const auto is_new = [&] { return job_of(gate_.load(std::memory_order_acquire)) != seen; };
  if (may_spin_.load(std::memory_order_relaxed) && spin_until(is_new)) return;
  std::unique_lock lock(sleep_);
  sleepers_.fetch_add(1);
  wake_.wait(lock, [&] { return job_of(gate_.load()) != seen; });
  sleepers_.fetch_sub(1);
}

void Pool::work() {
  const Inside nested;
  uint64_t seen = 0;
  for (;;) {
    wait_for_job(seen);
    uint64_t gate = gate_.load(std::memory_order_acquire);
    bool entered = false;
    while (!(gate & kClosed) && (gate & kCount) < max_inside_.load(std::memory_order_relaxed) &&
           !(entered = gate_.compare_exchange_weak(gate, gate + 1, std::memory_order_acq_rel))) {
    }
    seen = job_of(gate);
    if (!entered) continue;
    run_chunks();
    gate_.fetch_sub(1, std::memory_order_release);
  }
}

void Pool::run_chunks() {
  const CountedTime busy(pool_busy);
  while (!failed_.load(std::memory_order_relaxed)) {
    const int64_t chunk = next_.fetch_add(1, std::memory_order_relaxed);
    if (chunk >= chunks_) return;
    const int64_t begin = chunk * grain_;
    const int64_t end = n_ - begin < grain_ ? n_ : begin + grain_;
    try {
      (*body_)(begin, end);
    } catch (...) {
      if (!failed_.exchange(true)) error_ = std::current_exception();
    }
  }
}

bool Pool::try_run(int64_t n, int64_t grain, int64_t chunks, int threads, Range body) {
  const std::unique_lock owner(owner_, std::try_to_lock);
  if (!owner) return false;
  const CountedTime wall(pool_wall);
  grow(threads - 1);
  static const int cpus = available_cpus();
  may_spin_.store(threads <= cpus, std::memory_order_relaxed);
  max_inside_.store(static_cast<uint64_t>(threads - 1), std::memory_order_relaxed);
  body_ = &body;
  n_ = n;
  grain_ = grain;
  chunks_ = chunks;
  failed_.store(false, std::memory_order_relaxed);
  next_.store(0, std::memory_order_relaxed);
  gate_.store((job_of(gate_.load(std::memory_order_relaxed)) + 1) << 32);
  if (int asleep = sleepers_.load(); asleep > 0) {
    {
      const std::lock_guard lock(sleep_);
    }
    // no more than may enter: more exist if num_threads() was larger before
    for (int i = std::min(asleep, threads - 1); i-- > 0;) wake_.notify_one();
  }
  {
    const Inside nested;
    run_chunks();
  }
  gate_.fetch_or(kClosed, std::memory_order_acq_rel);
  const auto is_empty = [&] { return (gate_.load(std::memory_order_acquire) & kCount) == 0; };
  while (threads > cpus ? !is_empty() : !spin_until(is_empty)) std::this_thread::yield();
  if (failed_.load(std::memory_order_relaxed)) {
    std::rethrow_exception(std::exchange(error_, nullptr));
  }
  return true;
}

// Never destroyed: workers use it until the process ends.
std::atomic<Pool*> current_pool{nullptr};
constinit std::once_flag pool_watches_forks;

// nullptr when out of memory.
Pool* pool() {
  Pool* found = current_pool.load(std::memory_order_acquire);
  if (found) return found;
  Pool* made = new (std::nothrow) Pool;
  if (!made) return nullptr;
  if (!current_pool.compare_exchange_strong(found, made, std::memory_order_acq_rel)) {
    delete made;
    return found;
  }
  // The child has no workers and possibly locked mutexes: it abandons the old pool and makes its
  // own.
  at_fork(pool_watches_forks, nullptr, nullptr,
          [] { current_pool.store(nullptr, std::memory_order_relaxed); });
  return made;
}

class Scratch {
 public:
  Scratch() = default;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { release(); }

  std::byte* at_least(size_t bytes) {
    if (bytes > bytes_) grow(bytes);
    ASAN_UNPOISON_MEMORY_REGION(data_, bytes);
    ASAN_POISON_MEMORY_REGION(data_ + bytes, bytes_ - bytes);
    return data_;
  }

 private:
  void grow(size_t bytes) {
    release();
    const size_t rounded = bytes | 4095;
    data_ = static_cast<std::byte*>(system_allocate(rounded));
    if (!data_) {
      throw Error(Code::resource, "thread_scratch",
                  {"cannot allocate ", bytes, " bytes of scratch memory"});
    }
    bytes_ = rounded;
  }
  void release() {
    ASAN_UNPOISON_MEMORY_REGION(data_, bytes_);
    if (data_) system_free(data_, bytes_);
    data_ = nullptr;
    bytes_ = 0;
  }
  std::byte* data_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace

int num_threads() {
  int n = wanted_threads.load(std::memory_order_relaxed);
  if (n == 0) {
    const int start = threads_at_start();
    n = wanted_threads.compare_exchange_strong(n, start) ? start : n;
  }
  return n;
}

void set_num_threads(int n) {
  if (n < 0 || n > kMaxThreads) {
    throw mismatch(Code::value, "set_num_threads", {"expected 0 to ", kMaxThreads}, "", n);
  }
  wanted_threads.store(n == 0 ? threads_at_start() : n);
}

void parallel_for(int64_t n, int64_t grain, Range body) {
  if (n <= 0) return;
  if (grain < 1) grain = 1;
  const int64_t chunks = (n - 1) / grain + 1;
  const int threads = chunks == 1 || inside ? 1 : num_threads();
  Pool* workers = threads > 1 ? pool() : nullptr;
  if (workers && workers->try_run(n, grain, chunks, threads, body)) return;
  for (int64_t chunk = 0; chunk < chunks; ++chunk) {
    const int64_t begin = chunk * grain;
    body(begin, n - begin < grain ? n : begin + grain);
  }
}

PoolTime pool_time() noexcept {
  return {pool_wall.load(std::memory_order_relaxed), pool_busy.load(std::memory_order_relaxed)};
}

PoolClock::PoolClock() noexcept { pool_clocks.fetch_add(1, std::memory_order_relaxed); }

PoolClock::~PoolClock() { pool_clocks.fetch_sub(1, std::memory_order_relaxed); }

std::byte* thread_scratch(size_t bytes) {
  thread_local Scratch scratch;
  return scratch.at_least(bytes);
}

}  // namespace gyre
