#include "gyre/packed/calibrate/calibrated_encode.h"

#include <cmath>
#include <optional>

#include "gyre/base/error.h"
#include "gyre/base/thread_pool.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/calibrate/feedback_encoder.h"
#include "gyre/packed/calibrate/scale_refit.h"
#include "gyre/packed/group_encoder.h"
#include "gyre/packed/hadamard.h"

namespace gyre {
namespace {

void check_side(const Tensor& side, int64_t size, const char* name) {
  if (!side.defined() || side.shape() == Shape{size, size}) return;
  const Shape wanted{size, size};
  throw mismatch(Code::shape, kPackedEncode, {"expected ", name, " of shape ", wanted}, wanted,
                 side.shape());
}

void check_sides(const CalibrationSides& sides, int64_t rows, int64_t cols) {
  check_side(sides.inputs, cols, "inputs");
  check_side(sides.outputs, rows, "outputs");
}

void transform_rows(const Hadamard& hadamard, std::vector<float>& x, int64_t cols) {
  parallel_for(static_cast<int64_t>(x.size()) / cols, 16, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) hadamard.apply(x.data() + row * cols);
  });
}

// The matrix of the inputs times a Hadamard matrix, from both sides.
std::vector<float> turned(const Tensor& inputs, const Hadamard& hadamard) {
  const int64_t n = inputs.size(0);
  std::vector<float> h = to_vector<float>(inputs);
  transform_rows(hadamard, h, n);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < i; ++j)
      std::swap(h[static_cast<size_t>(i * n + j)], h[static_cast<size_t>(j * n + i)]);
  }
  transform_rows(hadamard, h, n);
  return h;
}

Tensor matrix_of(const std::vector<float>& x, int64_t n) { return tensor<float>(x, {n, n}); }

}  // namespace

double calibrated_error(const Tensor& x, const Tensor& w, const CalibrationSides& sides) {
  NoGrad off;
  const int64_t rows = x.size(0), cols = x.numel() / rows;
  check_sides(sides, rows, cols);
  const Tensor off_by = reshape(packed_decode(w) - x, {rows, cols});
  Tensor weighted = sides.inputs.defined() ? matmul(off_by, sides.inputs) : off_by;
  if (sides.outputs.defined()) weighted = matmul(sides.outputs, weighted);
  return sum(to(weighted, DType::f64) * to(off_by, DType::f64)).item();
}

Tensor packed_encode_calibrated(const Tensor& x, const RingFormat& format,
                                const CalibrationSides& sides, int seed,
                                FunctionRef<void(int64_t)> done) {
  NoGrad off;
  check_encode(x, seed);
  const Tensor made = empty_packed(format, x.shape(), kPackedEncode);
  const PackedStorage& storage = packed_storage(made);
  const PackedLayout& layout = storage.layout;
  check_sides(sides, layout.rows, layout.cols);
  std::vector<float> weights = finite_weights(x), h, o;
  const Hadamard hadamard(seed, layout.cols);
  transform_rows(hadamard, weights, layout.cols);
  std::optional<BlockFactor> inputs, outputs;
  if (sides.inputs.defined()) {
    h = turned(sides.inputs, hadamard);
    inputs.emplace(matrix_of(h, layout.cols), format.tile_inputs, sides.damping);
  }
  if (sides.outputs.defined()) {
    o = to_vector<float>(sides.outputs);
    outputs.emplace(sides.outputs, kTileOutputs, sides.damping);
  }
  FeedbackEncoder encoder(storage, weights, seed, inputs ? &*inputs : nullptr,
                          outputs ? &*outputs : nullptr);
  encoder.encode(done);
  // as the factors are; else scales could become anything where a text says nothing
  if (!h.empty()) damp(h, layout.cols, sides.damping);
  if (!o.empty()) damp(o, layout.rows, sides.damping);
  refit_scales(storage, seed, h, o, encoder.errors(), encoder.scales());
  return made;
}

}  // namespace gyre
