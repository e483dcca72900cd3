#include "gyre/packed/gradient/word_gradient.h"

#include <algorithm>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/thread_pool.h"
#include "gyre/kernel/per_isa.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/linalg/gemm.h"
#include "gyre/packed/gradient/gradient_tiles.h"
#include "gyre/packed/hadamard.h"
#include "gyre/packed/packed.h"

namespace gyre {

GYRE_DECLARE_TILES(GradientTiles, gradient)

GYRE_TILES_FUNCTION(const GradientTiles&, gradient_tiles, GradientTiles, gradient)

static_assert(StoredGradient::kOutputs == GradientTiles::kManyOutputs);

namespace {

int64_t index_of(const Tensor& indices, int64_t i) {
  return indices.dtype() == DType::i64 ? reinterpret_cast<const int64_t*>(indices.bytes())[i]
                                       : reinterpret_cast<const int32_t*>(indices.bytes())[i];
}

// Rows of x over the columns of w, times the Hadamard matrix and a scale.
std::vector<float> stored_rows(const PackedMatrix& w, const Tensor& x, double scale) {
  const int64_t cols = w.layout.cols, n = x.numel() / cols;
  std::vector<float> rows = to_vector<float>(x);
  const Hadamard hadamard(packed_seed(w.headers[1]), cols);
  parallel_for(n, 16, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      float* row = rows.data() + i * cols;
      hadamard.apply(row);
      if (scale == 1) continue;
      for (int64_t j = 0; j < cols; ++j) row[j] *= static_cast<float>(scale);
    }
  });
  return rows;
}

std::vector<FactoredTerm> terms_of(const Tensor& gradient) {
  if (is_factored(gradient)) return factored_storage(gradient).terms;
  return {{.sort = FactoredTerm::dense, .right = dense_gradient(gradient)}};
}

}  // namespace

StoredGradient::StoredGradient(const PackedMatrix& w, const Tensor& gradient)
    : w_(w), inputs_(w.layout.col_tiles() * w.layout.ring().tile_inputs) {
  const int64_t cols = w.layout.cols;
  for (FactoredTerm& term : terms_of(gradient)) {
    std::vector<float> right = stored_rows(w, term.right, term.scale);
    const int64_t count = term.right.numel() / cols;
    terms_.push_back({term.sort, std::move(term.left), std::move(right), count});
  }
}

void StoredGradient::compute(int64_t row, std::span<float> g) const {
  const PackedLayout& l = w_.layout;
  const int64_t outputs = std::min(kOutputs, l.rows - row);
  // A product that comes first writes what is inside of the matrix.
  bool written = !terms_.empty() && terms_[0].sort == FactoredTerm::product &&
                 terms_[0].count > 0 && outputs == kOutputs;
  std::fill(g.begin() + (written ? l.cols * kOutputs : 0), g.end(), 0.0F);
  for (const Term& term : terms_) {
    if (term.sort != FactoredTerm::product) {
      term.each_row([&](int64_t i, int64_t output) {
        if (output < row || output >= row + kOutputs) return;
        const float* from = term.right.data() + i * l.cols;
        for (int64_t j = 0; j < l.cols; ++j)
          g[static_cast<size_t>(j * kOutputs + output - row)] += from[j];
      });
      continue;
    }
    const float* left = reinterpret_cast<const float*>(term.left.bytes()) + row;
    // gemm() would pack its operands for longer than it multiplies them.
    constexpr int64_t kFew = 4;
    if (written && term.count <= kFew) {
      gradient_tiles().products(term.right.data(), left, l.rows, term.count, l.cols, g.data());
      written = false;
      continue;
    }
    gemm(Gemm<float>{.m = l.cols,
                     .n = outputs,
                     .k = term.count,
                     .a = term.right.data(),
                     .a_row = 1,
                     .a_col = l.cols,
                     .b = left,
                     .b_row = l.rows,
                     .b_col = 1,
                     .c = g.data(),
                     .c_row = kOutputs,
                     .accumulate = !std::exchange(written, false)});
  }
}

void StoredGradient::Term::each_row(FunctionRef<void(int64_t i, int64_t output)> f) const {
  for (int64_t i = 0; i < count; ++i) f(i, sort == FactoredTerm::rows ? index_of(left, i) : i);
}

BitPlace bit_place(const RingFormat& format, int entry) {
  const int steps = format.tile_inputs * kTileOutputs, a_layer = format.bits * steps;
  const int layer = entry / a_layer, r = entry % a_layer / steps, input = entry % steps / 16,
            output = entry % 16;
  if (format.tile_words > 1) {
    const int step = format.tile_inputs * (output % 2) + input;
    return {output / 2, format.bits * step + r};
  }
  const int bit = format.bits * (entry % steps) + r;
  return {0, format.layers == 2 && layer == 0 ? bit + 64 : bit};
}

void require_gradient_of(const Tensor& w, const Tensor& gradient, const char* op) {
  require_rings(op, w);
  if (gradient.shape() == w.shape()) return;
  throw mismatch(Code::shape, op, "the gradient has another shape", w.shape(), gradient.shape());
}

RBEGradient rbe_gradient(const Tensor& w, const Tensor& gradient) {
  NoGrad off;
  require_gradient_of(w, gradient, "rbe_gradient");
  const PackedStorage& storage = packed_storage(w);
  const PackedMatrix& matrix = storage.matrix;
  const PackedLayout& l = matrix.layout;
  const RingFormat& format = l.ring();
  const PackedCode code = packed_code(format);
  const StoredGradient stored(matrix, gradient);
  const int64_t entries = 128 * format.tile_words;
  std::vector<float> hi(static_cast<size_t>(l.words() * 128)), mixed(hi.size() * 2),
      lo(static_cast<size_t>(l.row_tiles() * l.groups() * 2));
  std::vector<float> g(static_cast<size_t>(stored.inputs() * StoredGradient::kOutputs)),
      flips(static_cast<size_t>(l.group_tiles() * entries));
  const int used = format.layers * format.bits * format.steps * format.tile_words;
  for (int64_t t = 0; t < l.row_tiles(); ++t) {
    const int64_t within = t % StoredGradient::kTiles;
    if (within == 0) stored.compute(t * kTileOutputs, g);
    for (int64_t k = 0; k < l.groups(); ++k) {
      const PackedLayout::Group group = l.group(t, k);
      const Packed128& header = matrix.headers[group.header];
      const float scale = packed_scale(header);
      const PackedAngle turn = packed_turn(format, header);
      float factors[kTileOutputs], sums[2][kTileOutputs] = {}, of[2] = {};
      for (int o = 0; o < kTileOutputs; ++o)
        factors[o] = row_factor(matrix.headers[group.row_header], o);
      gradient_tiles().flips(
          code, matrix.words + group.word, group.tiles, factors,
          g.data() + group.col * StoredGradient::kOutputs + within * kTileOutputs,
          StoredGradient::kOutputs, nullptr, flips.data(), nullptr, sums[0]);
      for (int layer = 0; layer < 2; ++layer) {
        for (float part : sums[layer]) of[layer] += part;
      }
      float* parts = lo.data() + (t * l.groups() + k) * 2;
      parts[0] = turn.cos * of[0] + turn.sin * of[1];
      parts[1] = format.layers == 2 ? scale * (turn.cos * of[1] - turn.sin * of[0]) : 0;
      for (int64_t tile = 0; tile < group.tiles; ++tile) {
        for (int e = 0; e < used; ++e) {
          const BitPlace place = bit_place(format, e);
          const bool second = format.layers == 2 && place.bit < 64;
          const int64_t at = (group.word + tile * format.tile_words + place.word) * 128 + place.bit;
          const float change = flips[static_cast<size_t>(tile * used + e)];
          hi[static_cast<size_t>(at)] = scale * (second ? turn.sin : turn.cos) * change;
          mixed[static_cast<size_t>(2 * at)] = (second ? turn.sin : turn.cos) * change;
          mixed[static_cast<size_t>(2 * at + 1)] =
              format.layers == 2 ? scale * (second ? turn.cos : -turn.sin) * change : 0;
        }
      }
    }
  }
  return {tensor(hi, {l.words(), 128}), tensor(lo, {l.row_tiles() * l.groups(), 2}),
          tensor(mixed, {l.words(), 128, 2})};
}

}  // namespace gyre
