#include "gyre/packed/packed.h"

#include <algorithm>

#include "bench/packed/packed_weights.h"
#include "bench/work.h"
#include "gyre/op/node.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/random/random.h"
#include "gyre/packed/int8/int8_activations.h"

namespace gyre::bench {
namespace {

// x W^T, the next of some weights at each product.
class Products {
 public:
  Products(const Work& w, int64_t place, bool int8 = false)
      : count_(w.operations),
        int8_(int8),
        x_(randn({w.sizes[0], w.sizes[1]})),
        weights_(random_weights(
            w.sizes[1], w.sizes[2], place,
            std::min(w.operations, matrices_in_turn(w.sizes[1], w.sizes[2], place)))) {}

  void operator()() const {
    NoGrad off;
    const Int8Activations activations(int8_);
    for (size_t i = 0; i < static_cast<size_t>(count_); ++i)
      linear(x_, weights_[i % weights_.size()]);
  }

 private:
  int count_;
  bool int8_;
  Tensor x_;
  std::vector<Tensor> weights_;
};

// sizes: rows of x, inputs, outputs, format
template <bool int8>
Ready product(const Work& w, const Settings&) {
  return {.call = Products(w, w.sizes[3], int8), .error = error_of(w.sizes[3])};
}

// The limit is the same product with the weights as plain f32.
template <bool int8>
Ready product_beside_dense(const Work& w, const Settings& settings) {
  Ready ready = product<int8>(w, settings);
  ready.least = Products(w, kDense);
  return ready;
}

Ready encode(const Work& w, const Settings&) {
  const Tensor x = randn({w.sizes[2], w.sizes[1]});
  return {
      [x, &format = ring_formats()[static_cast<size_t>(w.sizes[3])]] { packed_encode(x, format); }};
}

constexpr Work row(const char* name, int64_t out, int64_t place, bool int8 = false) {
  constexpr int64_t kInputs = 4096;
  return {.name = name,
          .unit = "us",
          .definition = "x W^T of one row of 4096, weights from memory; limit: reading them",
          .prepare = int8 ? product<true> : product<false>,
          .sizes = {1, kInputs, out, place},
          .limit = Limit::read,
          .amount = stored_bytes(kInputs, out, place),
          .floats = int64_t{1} << 25,
          .operations = matrices_in_turn(kInputs, out, place),
          .weights = static_cast<double>(kInputs * out)};
}

constexpr Work rows(const char* name, int64_t n, int64_t place, bool int8 = false) {
  constexpr int64_t kInputs = 768, kOutputs = 3072;
  // a large batch takes long and uses its weights often
  const int most = n > 100 ? 16 : 1 << 20;
  return {.name = name,
          .unit = "us",
          .definition = "x W^T of packed weights 768 -> 3072 from memory; limit: f32 weights",
          .prepare = int8 ? product_beside_dense<true> : product_beside_dense<false>,
          .sizes = {n, kInputs, kOutputs, place},
          .operations = matrices_in_turn(kInputs, kOutputs, place, most),
          .weights = static_cast<double>(kInputs * kOutputs)};
}

constexpr Work encoding(const char* name, int64_t place, int64_t size = 512) {
  return {.name = name,
          .unit = "ms",
          .definition = size == 512 ? "packs 512 x 512 weights" : "packs 2048 x 2048 weights",
          .prepare = encode,
          .sizes = {0, size, size, place},
          .repeats = size == 512 ? 5 : 3,
          .warm = size == 512 ? 2 : 1,
          .weights = static_cast<double>(size * size)};
}

constexpr Work kPackedWorks[] = {
    row("row_product_4096_d4", 4096, kD4),
    row("row_product_4096_d3", 4096, kD3),
    row("row_product_4096_d2", 4096, kD2),
    row("row_product_4096_d1", 4096, kD1),
    row("row_product_4096_t4", 4096, kT4),
    row("row_product_4096_t2", 4096, kT2),
    row("row_product_4096_q8_0", 4096, kQ8_0),
    row("row_product_4096_q4_0", 4096, kQ4_0),
    row("row_product_4096_f32", 4096, kDense),
    row("row_product_4096_d4_int8", 4096, kD4, true),
    row("row_product_4096_d2_int8", 4096, kD2, true),
    row("row_product_4096_t4_int8", 4096, kT4, true),
    row("row_product_11008_d4", 11008, kD4),
    row("row_product_11008_d2", 11008, kD2),
    row("row_product_11008_t4", 11008, kT4),
    row("row_product_11008_d4_int8", 11008, kD4, true),
    row("row_product_11008_d2_int8", 11008, kD2, true),
    row("row_product_11008_t4_int8", 11008, kT4, true),
    row("row_product_11008_f32", 11008, kDense),
    rows("packed_linear_1_d4", 1, kD4),
    rows("packed_linear_1_t4", 1, kT4),
    rows("packed_linear_8_q8_0", 8, kQ8_0),
    rows("packed_linear_8_q4_0", 8, kQ4_0),
    rows("packed_linear_32_q8_0", 32, kQ8_0),
    rows("packed_linear_32_q4_0", 32, kQ4_0),
    rows("packed_linear_512_q8_0", 512, kQ8_0),
    rows("packed_linear_32_d4", 32, kD4),
    rows("packed_linear_32_t4", 32, kT4),
    rows("packed_linear_512_d4", 512, kD4),
    rows("packed_linear_512_d2", 512, kD2),
    rows("packed_linear_512_t4", 512, kT4),
    rows("packed_linear_32_d4_int8", 32, kD4, true),
    rows("packed_linear_32_t4_int8", 32, kT4, true),
    rows("packed_linear_512_d4_int8", 512, kD4, true),
    rows("packed_linear_512_t4_int8", 512, kT4, true),
    encoding("packed_encode_d4", kD4),
    encoding("packed_encode_d3", kD3),
    encoding("packed_encode_d2", kD2),
    encoding("packed_encode_d1", kD1),
    encoding("packed_encode_t4", kT4),
    encoding("packed_encode_t2", kT2),
    encoding("packed_encode_2048_d4", kD4, 2048),
    encoding("packed_encode_2048_t4", kT4, 2048),
};

}  // namespace

std::span<const Work> packed_works() { return kPackedWorks; }

}  // namespace gyre::bench
