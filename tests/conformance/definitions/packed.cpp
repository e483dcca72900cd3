#include <cmath>
#include <numbers>

#include "gyre/base/half.h"
#include "gyre/packed/hadamard.h"
#include "gyre/packed/packed.h"
#include "tests/conformance/definitions.h"

// Weights of words are found from these; as operands of products they are what packed_decode gives.

namespace gyre::conformance {
namespace {

// The number of a step, of one layer or two.
double number_of(const RingFormat& format, const Packed128& word, double angle, int step) {
  const auto values = ring_values(format);
  const auto number = [&](int layer) -> double {
    return values[static_cast<size_t>(ring_state(format, word, layer, step))];
  };
  if (format.layers == 1) return number(0);
  return std::cos(angle) * number(0) + std::sin(angle) * number(1);
}

void put_group(const PackedStorage& s, const PackedLayout::Group& g,
               std::span<const Packed128> words, std::vector<float>& stored) {
  const PackedLayout& l = s.layout;
  const Packed128 &header = s.headers()[static_cast<size_t>(g.header)],
                  &factors = s.headers()[static_cast<size_t>(g.row_header)];
  for (int64_t i = 0; i < g.tiles * l.ring().tile_words; ++i) {
    for (int step = 0; step < l.ring().steps; ++step) {
      const auto [output, input] = l.place(static_cast<int>(i % l.ring().tile_words), step);
      const int64_t col = i / l.ring().tile_words * l.ring().tile_inputs + input;
      if (output >= g.outputs || col >= g.inputs) continue;
      stored[static_cast<size_t>((g.row + output) * l.cols + g.col + col)] = static_cast<float>(
          packed_scale(header) * row_factor(factors, output) *
          number_of(l.ring(), words[static_cast<size_t>(g.word + i)], packed_angle(header), step));
    }
  }
}

// Weights in q4_0: blocks of 32 columns, the first half of them in the low bits of its bytes.
Values decoded_q4_0(const PackedLayout& l, std::span<const Packed128> words) {
  const auto bytes = std::as_bytes(words);
  const int64_t blocks = (l.cols + 31) / 32;
  Values weights;
  for (int64_t i = 0; i < l.rows * l.cols; ++i) {
    const int64_t row = i / l.cols, col = i % l.cols;
    const auto block = bytes.subspan(static_cast<size_t>((row * blocks + col / 32) * 18), 18);
    const auto byte = [&](int64_t at) { return static_cast<int>(block[static_cast<size_t>(at)]); };
    const int both = byte(2 + col % 16), level = col % 32 < 16 ? both % 16 : both / 16;
    const float scale = to_float(f16{static_cast<uint16_t>(byte(0) + 256 * byte(1))});
    weights.push_back(static_cast<double>(scale) * (level - 8));
  }
  return weights;
}

// The weights that words stand for, with the headers of w.
Values decoded(const Tensor& w, std::span<const Packed128> words) {
  const PackedStorage& s = packed_storage(w);
  const PackedLayout& l = s.layout;
  if (l.format->format == PackedFormat::q4_0) return decoded_q4_0(l, words);
  std::vector<float> stored(static_cast<size_t>(w.numel()));
  for (int64_t t = 0; t < l.row_tiles(); ++t) {
    for (int64_t k = 0; k < l.groups(); ++k) put_group(s, l.group(t, k), words, stored);
  }
  const Hadamard hadamard(packed_seed(s.headers()[1]), l.cols);
  for (int64_t row = 0; row < l.rows; ++row) hadamard.undo(stored.data() + row * l.cols);
  return {stored.begin(), stored.end()};
}

// x w^T for x [.., cols] and w [rows, cols], or x w.
Values product(const Dense& x, const Dense& w, bool transpose) {
  const int64_t rows = w.shape[0], cols = w.shape[1], inner = transpose ? cols : rows,
                outer = transpose ? rows : cols;
  Values y;
  for (int64_t i = 0; i < numel(x.shape) / inner; ++i) {
    for (int64_t j = 0; j < outer; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < inner; ++k) {
        const int64_t at = transpose ? j * cols + k : k * cols + j;
        sum += x.v[static_cast<size_t>(i * inner + k)] * w.v[static_cast<size_t>(at)];
      }
      y.push_back(sum);
    }
  }
  return y;
}

Values rows_of(const Dense& w, const Dense& indices) {
  const auto cols = static_cast<size_t>(numel(w.shape) / w.shape[0]);
  Values rows;
  for (double index : indices.v) {
    const auto from = w.v.begin() + static_cast<ptrdiff_t>(static_cast<size_t>(index) * cols);
    rows.insert(rows.end(), from, from + static_cast<ptrdiff_t>(cols));
  }
  return rows;
}

Values flipped(const Tensor& w, const Values& words, const Values& bits) {
  const auto from = packed_storage(w).words();
  std::vector<Packed128> all(from.begin(), from.end());
  for (size_t i = 0; i < words.size(); ++i) {
    Packed128& word = all[static_cast<size_t>(words[i])];
    const auto bit = static_cast<unsigned>(bits[i]);
    (bit >= 64 ? word.hi : word.lo) ^= uint64_t{1} << bit % 64;
  }
  return decoded(w, all);
}

// A step of Adam in the metric du^2 + sinh(u)^2 dtheta^2.
std::vector<Values> riemannian_step(const Call& call, const std::vector<Dense>& in) {
  const double lr = attribute(call, "lr", 0.0), beta1 = attribute(call, "beta1", 0.0),
               beta2 = attribute(call, "beta2", 0.0), eps = attribute(call, "eps", 0.0);
  const auto step = static_cast<double>(attribute(call, "step", int64_t{0}));
  const bool turns = attribute(call, "turns", true);
  Values p = in[0].v, m = in[2].v, v = in[3].v;
  for (size_t i = 0; i < p.size(); i += 2) {
    const double sinh = std::sinh(p[i]);
    double move[2] = {};
    for (size_t k = 0; k < (turns ? 2 : 1); ++k) {
      const double g = in[1].v[i + k] / (k ? sinh : 1);
      m[i + k] = beta1 * m[i + k] + (1 - beta1) * g;
      v[i + k] = beta2 * v[i + k] + (1 - beta2) * g * g;
      move[k] = lr * (m[i + k] / (1 - std::pow(beta1, step))) /
                (std::sqrt(v[i + k] / (1 - std::pow(beta2, step))) + eps);
    }
    p[i] -= move[0];
    p[i + 1] -= move[1] / sinh;
    if (p[i] < 0) {
      p[i] = turns ? -p[i] : 0;
      p[i + 1] += turns ? std::numbers::pi : 0;
    }
    p[i + 1] = std::remainder(p[i + 1], 2 * std::numbers::pi);
  }
  return {p, m, v};
}

const Definitions kFormulas({
    {"packed_decode",
     [](const Call& call, const std::vector<Dense>&) {
       return std::vector<Values>{decoded(call.in[0], packed_storage(call.in[0]).words())};
     }},
    {"packed_matmul",
     [](const Call& call, const std::vector<Dense>& in) {
       return std::vector<Values>{product(in[0], in[1], attribute(call, "transpose", true))};
     }},
    {"packed_rows",
     [](const Call&, const std::vector<Dense>& in) {
       return std::vector<Values>{rows_of(in[0], in[1])};
     }},
    {"packed_transition",
     [](const Call& call, const std::vector<Dense>& in) {
       return std::vector<Values>{flipped(call.in[0], in[1].v, in[2].v)};
     }},
    {"packed_riemannian_step", riemannian_step},
});

}  // namespace
}  // namespace gyre::conformance
