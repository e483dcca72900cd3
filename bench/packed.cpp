#include "gyre/packed/packed.h"

#include "bench/work.h"
#include "gyre/op/node.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/random/random.h"

namespace gyre::bench {
namespace {

const RingFormat& format_of(const Work& w) {
  return ring_formats()[static_cast<size_t>(w.sizes[3])];
}

// sizes: rows of x, inputs, outputs, format
Ready product(const Work& w, const Settings&) {
  auto [n, in, out, format] = w.sizes;
  const Tensor x = randn({n, in}), weight = packed_encode(randn({out, in}), format_of(w));
  return {[x, weight] {
    NoGrad off;
    linear(x, weight);
  }};
}

// The limit is the same product with the weights as plain f32.
Ready product_beside_dense(const Work& w, const Settings& settings) {
  auto [n, in, out, format] = w.sizes;
  const Tensor x = randn({n, in}), weight = randn({out, in});
  Ready ready = product(w, settings);
  ready.least = [x, weight] {
    NoGrad off;
    linear(x, weight);
  };
  return ready;
}

Ready encode(const Work& w, const Settings&) {
  const Tensor x = randn({w.sizes[2], w.sizes[1]});
  return {[x, &format = format_of(w)] { packed_encode(x, format); }};
}

constexpr Work row(const char* name, int64_t size, int64_t format) {
  return {.name = name,
          .unit = "us",
          .definition = "x W^T of one row and packed weights; limit: f32 weights",
          .prepare = product_beside_dense,
          .sizes = {1, size, size, format}};
}

constexpr Work rows(const char* name, int64_t n, int64_t format) {
  return {.name = name,
          .unit = "us",
          .definition = "x W^T of packed weights 768 -> 3072; limit: f32 weights",
          .prepare = product_beside_dense,
          .sizes = {n, 768, 3072, format}};
}

constexpr Work encoding(const char* name, int64_t format) {
  return {.name = name,
          .unit = "ms",
          .definition = "packs 512 x 512 weights",
          .prepare = encode,
          .sizes = {0, 512, 512, format},
          .repeats = 5};
}

// formats by their places in packed/ring_formats.def
constexpr Work kWorks[] = {
    row("row_product_4096_d4", 4096, 0),  row("row_product_4096_d3", 4096, 1),
    row("row_product_4096_d2", 4096, 2),  row("row_product_4096_d1", 4096, 3),
    row("row_product_4096_t4", 4096, 4),  row("row_product_4096_t2", 4096, 5),
    rows("packed_linear_1_d4", 1, 0),     rows("packed_linear_32_d4", 32, 0),
    rows("packed_linear_512_d4", 512, 0), rows("packed_linear_512_d2", 512, 2),
    encoding("packed_encode_d4", 0),      encoding("packed_encode_d3", 1),
    encoding("packed_encode_d2", 2),      encoding("packed_encode_d1", 3),
    encoding("packed_encode_t4", 4),      encoding("packed_encode_t2", 5),
};

}  // namespace

std::span<const Work> packed_works() { return kWorks; }

}  // namespace gyre::bench
