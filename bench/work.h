#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <span>

namespace gyre::bench {

/// The limit of a benchmark: multiply-adds, bytes copied (read and written), bytes read.
enum class Limit : uint8_t { none, fma, copy, read };

/// Settings of all benchmarks.
struct Settings {
  int64_t steps = 0;  ///< of training benchmarks; 0: as defined by the benchmark
};

/// A prepared benchmark, ready to be timed.
struct Ready {
  std::function<void()> call;
  std::function<double()> validation_loss{};  ///< of training benchmarks, after the calls
  std::function<void()> least{};              ///< a call whose time is the limit, taken alternately
  std::function<double()> error{};            ///< relative error of packed weights; not timed
  std::function<double()> bytes{};            ///< of the files that the calls write or read
};

/// One benchmark ("work"), of the same name in bench/peers.py.
struct Work {
  const char* name;
  const char* unit;        ///< ns, us, ms or s
  const char* definition;  ///< what is timed
  /// Creates the inputs; not timed.
  Ready (*prepare)(const Work&, const Settings&);
  std::array<int64_t, 4> sizes{};  ///< interpreted by `prepare`
  Limit limit = Limit::none;
  double amount = 0;   ///< FLOPs or bytes, the unit of the limit
  int64_t floats = 0;  ///< array length for measuring the limit
  int operations = 1;  ///< operations per call; the time is for one
  int repeats = 9, warm = 2;
  double weights =
      0;  ///< weights that one operation multiplies or packs; adds their rate to the row
};

/// The groups of benchmarks; `name` is defined in bench/name.cpp or a subfolder.
#define GYRE_BENCH_GROUPS(X) \
  X(limit)                   \
  X(matmul)                  \
  X(mlp)                     \
  X(optim)                   \
  X(small)                   \
  X(pointwise)               \
  X(rowwise)                 \
  X(hyperbolic)              \
  X(attention)               \
  X(einsum)                  \
  X(conv)                    \
  X(linalg)                  \
  X(text)                    \
  X(gpt2)                    \
  X(continuation)            \
  X(chargpt)                 \
  X(generation)              \
  X(learning) X(embed) X(open) X(model_files) X(packed) X(packed_training) X(closure) X(logic)
#define X(name) std::span<const Work> name##_works();
GYRE_BENCH_GROUPS(X)
#undef X

}  // namespace gyre::bench
