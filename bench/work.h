#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <span>

namespace gyre::bench {

/// What bounds a work on this machine: multiply-adds, bytes copied (read and written), bytes read.
enum class Limit : uint8_t { none, fma, copy, read };

/// What is told to all works.
struct Settings {
  int64_t steps = 0;  ///< of trainings; 0: as the work's definition says
};

/// A work that is ready to be timed.
struct Ready {
  std::function<void()> call;
  std::function<double()> validation_loss{};  ///< of trainings, after the calls
};

/// One exactly defined piece of work, named as in bench/peers.py.
struct Work {
  const char* name;
  const char* unit;        ///< ns, us, ms or s
  const char* definition;  ///< what is timed
  /// Makes the inputs; not timed.
  Ready (*prepare)(const Work&, const Settings&);
  std::array<int64_t, 4> sizes{};  ///< what `prepare` makes of them
  Limit limit = Limit::none;
  double amount = 0;   ///< flops or bytes that the limit is told in
  int64_t floats = 0;  ///< length of the arrays that the limit is measured with
  int operations = 1;  ///< a call does so many; the time is for one
  int repeats = 9, warm = 2;
};

/// The groups of works; `name` is defined in bench/name.cpp.
#define GYRE_BENCH_GROUPS(X) \
  X(limit)                   \
  X(matmul)                  \
  X(mlp)                     \
  X(optim)                   \
  X(small)                   \
  X(pointwise)               \
  X(rowwise)                 \
  X(hyperbolic) X(attention) X(einsum) X(conv) X(linalg) X(text) X(gpt2) X(chargpt) X(embed)
#define X(name) std::span<const Work> name##_works();
GYRE_BENCH_GROUPS(X)
#undef X

}  // namespace gyre::bench
