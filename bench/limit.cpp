#include "bench/limit.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <vector>

#include "bench/limit_tiles.h"
#include "bench/stopwatch.h"
#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"
#include "gyre/kernel/convert.h"
#include "gyre/kernel/per_isa.h"
#include "gyre/tensor/tensor.h"

namespace gyre::bench {

GYRE_DECLARE_TILES(LimitTiles, limit)

namespace {

constexpr PerIsa<LimitTiles> kTiles = GYRE_TILES_OF(limit);
constexpr int64_t kFmaRounds = 1'000'000;
constexpr int64_t kStep = 256;  // floats; a multiple of four of any vector

std::atomic<float> sink;  // prevents dead-code elimination of results

const LimitTiles& widest() { return *kTiles[cpu_features().best]; }

double flops_of_fma_call() {
  return 12.0 * 2 * widest().lanes * static_cast<double>(kFmaRounds) * num_threads();
}

void fma_call() {
  parallel_for(num_threads(), 1, [](int64_t begin, int64_t end) {
    std::vector<float> seeds(14 * static_cast<size_t>(widest().lanes), 0.999999f);
    for (size_t i = 0; i < seeds.size() - static_cast<size_t>(widest().lanes); ++i) {
      seeds[i] -= 1e-7f * static_cast<float>(i);
    }
    for (; begin < end; ++begin) {
      sink.store(widest().fma(seeds.data(), kFmaRounds), std::memory_order_relaxed);
    }
  });
}

// Two reusable arrays of floats.
struct Arrays {
  explicit Arrays(int64_t n)
      : count(n / kStep * kStep), in(empty(Shape{count})), out(empty(Shape{count})) {
    std::fill_n(in.data<float>(), count, 1.0f);
    std::fill_n(out.data<float>(), count, 0.0f);
  }
  // Split evenly over the threads.
  template <class F>
  void share(F body) const {
    int64_t grain = (count / num_threads() + kStep - 1) / kStep * kStep;
    const float* from = in.data<float>();
    float* to = out.data<float>();
    parallel_for(count, std::max<int64_t>(grain, kStep),
                 [&](int64_t begin, int64_t end) { body(from + begin, to + begin, end - begin); });
  }
  void copy_plain() const { share(widest().copy); }
  void copy_streaming() const {
    share([](const float* from, float* to, int64_t n) {
      convert_tiles().stream(from, to, static_cast<size_t>(n) * sizeof(float));
      convert_tiles().fence();
    });
  }
  void read() const {
    share([](const float* from, float*, int64_t n) { sink = widest().read(from, n); });
  }

  int64_t count;
  Tensor in, out;
};

// Seconds of the fastest of a few calls, each repeated for some milliseconds.
template <class F>
double fastest(F call) {
  call();
  double best = 1e9;
  for (int i = 0; i < 4; ++i) {
    int64_t loops = 0;
    double start = now(), passed = 0;
    do {
      call();
      ++loops;
      passed = now() - start;
    } while (passed < 0.005);
    best = std::min(best, passed / static_cast<double>(loops));
  }
  return best;
}

Ready fma_work(const Work&, const Settings&) { return {fma_call}; }

Ready copy_work(const Work& w, const Settings&) {
  return {[a = Arrays(w.sizes[0])] { a.copy_plain(); }};
}

Ready stream_work(const Work& w, const Settings&) {
  return {[a = Arrays(w.sizes[0])] { a.copy_streaming(); }};
}

Ready read_work(const Work& w, const Settings&) {
  return {[a = Arrays(w.sizes[0])] { a.read(); }};
}

constexpr int64_t kLarge = int64_t{1} << 24, kCached = int64_t{1} << 22;

constexpr Work kLimitWorks[] = {
    {"limit_fma_f32",
     "us",
     "12 chains of a million multiply-adds per thread, widest vectors",
     fma_work,
     {},
     Limit::fma,
     -1},
    {"limit_copy_4194304",
     "us",
     "4 Mi floats read and written, plain stores",
     copy_work,
     {kCached},
     Limit::copy,
     8.0 * kCached,
     kCached},
    {"limit_copy_16777216",
     "us",
     "16 Mi floats read and written, plain stores",
     copy_work,
     {kLarge},
     Limit::copy,
     8.0 * kLarge,
     kLarge},
    {"limit_stream_16777216",
     "us",
     "16 Mi floats read and written, streaming stores",
     stream_work,
     {kLarge},
     Limit::copy,
     8.0 * kLarge,
     kLarge},
    {"limit_read_16777216",
     "us",
     "16 Mi floats summed",
     read_work,
     {kLarge},
     Limit::read,
     4.0 * kLarge,
     kLarge},
};

}  // namespace

double rate_now(Limit limit, int64_t floats) {
  if (limit == Limit::fma) return flops_of_fma_call() / fastest(fma_call);
  if (limit == Limit::none || floats < kStep) return 0;
  Arrays arrays(floats);
  double bytes = static_cast<double>(arrays.count) * sizeof(float);
  if (limit == Limit::read) return bytes / fastest([&] { arrays.read(); });
  return 2 * bytes /
         std::min(fastest([&] { arrays.copy_plain(); }), fastest([&] { arrays.copy_streaming(); }));
}

double amount_of(const Work& work) { return work.amount < 0 ? flops_of_fma_call() : work.amount; }

std::span<const Work> limit_works() { return kLimitWorks; }

}  // namespace gyre::bench
