// Integer products: plain loops; wrapping sums are exact in any order.
#include "gyre/base/thread_pool.h"
#include "gyre/ops/linalg/gemm.h"

namespace gyre {
namespace {

// Multiplications of one parallel chunk.
constexpr int64_t kChunk = 100000;
// Rows of B that fit the L1 cache while a row of A passes.
constexpr int64_t kIntegerDepth = 64;

int64_t grain(int64_t work_of_one) { return kChunk / (work_of_one + 1) + 1; }

// Sums wrap, which is defined for unsigned arithmetic only.
int64_t sum_of(const Gemm<int64_t>& g, const int64_t* a, const int64_t* b, uint64_t sum) {
  for (int64_t k = 0; k < g.k; ++k) {
    sum += static_cast<uint64_t>(a[k * g.a_col]) * static_cast<uint64_t>(b[k * g.b_row]);
  }
  return static_cast<int64_t>(sum);
}

void start_row(const Gemm<int64_t>& g, int64_t* c) {
  for (int64_t j = 0; j < g.n; ++j) {
    uint64_t start = g.accumulate ? static_cast<uint64_t>(c[j]) : 0;
    c[j] = static_cast<int64_t>(start + (g.bias ? static_cast<uint64_t>(g.bias[j]) : 0));
  }
}

// c += a row of A times B, whose rows are contiguous.
void add_row(const Gemm<int64_t>& g, const int64_t* a, int64_t from, int64_t to, int64_t* c) {
  for (int64_t k = from; k < to; ++k) {
    const auto factor = static_cast<uint64_t>(a[k * g.a_col]);
    const int64_t* b = g.b + k * g.b_row;
    for (int64_t j = 0; j < g.n; ++j) {
      c[j] =
          static_cast<int64_t>(static_cast<uint64_t>(c[j]) + factor * static_cast<uint64_t>(b[j]));
    }
  }
}

void multiply_rows(const Gemm<int64_t>& g, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) start_row(g, g.c + i * g.c_row);
  if (g.b_col == 1) {
    for (int64_t k = 0; k < g.k; k += kIntegerDepth) {
      const int64_t to = k + kIntegerDepth < g.k ? k + kIntegerDepth : g.k;
      for (int64_t i = begin; i < end; ++i) add_row(g, g.a + i * g.a_row, k, to, g.c + i * g.c_row);
    }
    return;
  }
  for (int64_t i = begin; i < end; ++i) {
    int64_t* c = g.c + i * g.c_row;
    for (int64_t j = 0; j < g.n; ++j) {
      c[j] = sum_of(g, g.a + i * g.a_row, g.b + j * g.b_col, static_cast<uint64_t>(c[j]));
    }
  }
}

}  // namespace

template <>
void gemm(const Gemm<int64_t>& g) noexcept {
  parallel_for(g.m, grain(g.n * g.k),
               [&](int64_t begin, int64_t end) { multiply_rows(g, begin, end); });
}

template <>
void gemm_batched(const Gemm<int64_t>& first, int64_t count,
                  FunctionRef<void(int64_t, Gemm<int64_t>&)> place) noexcept {
  parallel_for(count, grain(first.m * first.n * first.k), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      Gemm<int64_t> one = first;
      place(i, one);
      gemm(one);
    }
  });
}

}  // namespace gyre
