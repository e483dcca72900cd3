#include "bench/into_output.h"
#include "bench/work.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::bench {
namespace {

// sizes: batch, m, k, n
Ready product(const Work& w, DType dtype) {
  auto [batch, m, k, n] = w.sizes;
  auto shape = [b = batch](int64_t rows, int64_t columns) {
    return b > 1 ? Shape{b, rows, columns} : Shape{rows, columns};
  };
  Tensor a = to(randn(shape(m, k)), dtype), b = to(randn(shape(k, n)), dtype);
  return {into_output("matmul", {a, b}, empty(shape(m, n), dtype))};
}

Ready product_f32(const Work& w, const Settings&) { return product(w, DType::f32); }
Ready product_bf16(const Work& w, const Settings&) { return product(w, DType::bf16); }

constexpr Work work(const char* name, int64_t batch, int64_t m, int64_t k, int64_t n) {
  return {name,
          "us",
          "C = A B in f32 into a given C",
          product_f32,
          {batch, m, k, n},
          Limit::fma,
          2.0 * static_cast<double>(batch * m * k * n)};
}

constexpr Work row(const char* name, int64_t k, int64_t n) {
  Work w = work(name, 1, 1, k, n);
  w.limit = Limit::read;
  w.amount = 4.0 * static_cast<double>(k * n);
  w.floats = k * n;
  return w;
}

constexpr Work in_bf16(const char* name, int64_t size) {
  Work w = work(name, 1, size, size, size);
  w.definition = "C = A B in bf16, sums in f32, into a given C";
  w.prepare = product_bf16;
  return w;
}

constexpr Work kMatmulWorks[] = {
    work("matmul_256", 1, 256, 256, 256),         work("matmul_512", 1, 512, 512, 512),
    work("matmul_1024", 1, 1024, 1024, 1024),     work("matmul_2048", 1, 2048, 2048, 2048),
    work("matmul_32x768x3072", 1, 32, 768, 3072), row("matmul_1x768x3072", 768, 3072),
    work("matmul_16x512", 16, 512, 512, 512),     in_bf16("matmul_bf16_1024", 1024),
};

}  // namespace

std::span<const Work> matmul_works() { return kMatmulWorks; }

}  // namespace gyre::bench
