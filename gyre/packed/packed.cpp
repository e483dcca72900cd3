#include "gyre/packed/packed.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <thread>
#include <vector>

#include "gyre/base/error.h"
#include "gyre/base/thread_pool.h"
#include "gyre/op/kind_handler.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/packed/hadamard.h"
#include "gyre/packed/packed_handler.h"

namespace gyre {
namespace {

constexpr const char* kEncode = "packed_encode";

// The numbers of a group in the order of its words, and how they are encoded.
class GroupEncoder {
 public:
  GroupEncoder(const PackedStorage& to, const float* x, int seed)
      : to_(to), layout_(to.layout), x_(x), seed_(seed), steps_(layout_.format->steps) {}

  // Sets the factors of 16 rows, from their sizes over all columns.
  void scale_rows(int64_t row_tile) {
    const PackedLayout::Group g = layout_.group(row_tile, 0);
    double sizes[kTileOutputs] = {};
    for (int o = 0; o < g.outputs; ++o) {
      for (int64_t i = 0; i < layout_.cols; ++i) {
        const double value = x_[(g.row + o) * layout_.cols + i];
        sizes[o] += value * value;
      }
      sizes[o] = std::sqrt(sizes[o]);
      if (!std::isfinite(sizes[o])) {
        throw Error(Code::numeric, kEncode, {"weights of row ", g.row + o, " are too large"});
      }
    }
    to_.headers()[static_cast<size_t>(g.row_header)] = row_header(sizes);
  }

  void encode(const PackedLayout::Group& g) {
    const auto count = static_cast<size_t>(g.tiles * layout_.format->tile_words);
    const std::span words = to_.words().subspan(static_cast<size_t>(g.word), count);
    gather(g, count);
    double squares = 0;
    int64_t counted = 0;
    for (float v : numbers_) {
      if (std::isnan(v)) continue;
      squares += static_cast<double>(v) * v;
      ++counted;
    }
    const double size = counted > 0 ? std::sqrt(squares / static_cast<double>(counted)) : 0;
    Fit fit;
    if (size == 0) {
      std::fill(words.begin(), words.end(), Packed128{});
    } else {
      encode_layers(words, size);
      fit = fitted(words);
    }
    to_.headers()[static_cast<size_t>(g.header)] =
        packed_header(*layout_.format, seed_, fit.scale, fit.angle, kEncode);
  }

 private:
  // Positions outside of the matrix and in rows of zeros are NaN: their numbers do not count.
  void gather(const PackedLayout::Group& g, size_t words) {
    float factors[kTileOutputs];
    for (int o = 0; o < kTileOutputs; ++o)
      factors[o] = row_factor(to_.headers()[static_cast<size_t>(g.row_header)], o);
    numbers_.assign(words * static_cast<size_t>(steps_), NAN);
    for (size_t w = 0; w < words; ++w) {
      const auto tile_words = static_cast<size_t>(layout_.format->tile_words);
      const int64_t first = static_cast<int64_t>(w / tile_words) * layout_.format->tile_inputs;
      for (int t = 0; t < steps_; ++t) {
        const auto [output, input] = layout_.place(static_cast<int>(w % tile_words), t);
        if (output >= g.outputs || first + input >= g.inputs) continue;
        const size_t at = w * static_cast<size_t>(steps_) + static_cast<size_t>(t);
        if (factors[output] == 0) continue;
        numbers_[at] =
            x_[(g.row + output) * layout_.cols + g.col + first + input] / factors[output];
      }
    }
  }

  // Words of the numbers over their size. A second layer takes what the first leaves.
  void encode_layers(std::span<Packed128> words, double size) {
    const RingFormat& format = *layout_.format;
    std::vector<float> wanted(numbers_.size()), found(numbers_.size());
    const double cos = std::cos(format.angle), sin = std::sin(format.angle);
    for (size_t i = 0; i < wanted.size(); ++i)
      wanted[i] = static_cast<float>(numbers_[i] / (size * cos));
    encode_rings(format, 0, wanted, words);
    if (format.layers == 1) return;
    decode_rings(format, 0, words, found);
    for (size_t i = 0; i < wanted.size(); ++i)
      wanted[i] = static_cast<float>((numbers_[i] / size - cos * found[i]) / sin);
    encode_rings(format, 1, wanted, words);
  }

  struct Fit {
    double scale = 0, angle = 0;
  };
  // The factors of the layers that come nearest to the weights, by least squares.
  [[nodiscard]] Fit fitted(std::span<const Packed128> words) const {
    const RingFormat& format = *layout_.format;
    std::vector<float> a(numbers_.size()), b(numbers_.size());
    decode_rings(format, 0, words, a);
    if (format.layers == 2) decode_rings(format, 1, words, b);
    double xa = 0, xb = 0, aa = 0, ab = 0, bb = 0;
    for (size_t i = 0; i < a.size(); ++i) {
      if (std::isnan(numbers_[i])) continue;
      const double x = numbers_[i], p = a[i], q = b[i];
      xa += x * p;
      xb += x * q;
      aa += p * p;
      ab += p * q;
      bb += q * q;
    }
    const double determinant = aa * bb - ab * ab;
    // layers of the same numbers, as of a single weight, have no factors of their own
    if (determinant <= 1e-6 * aa * bb) return {aa > 0 ? std::max(xa / aa, 0.0) : 0, 0};
    const double u = (xa * bb - xb * ab) / determinant, v = (xb * aa - xa * ab) / determinant;
    return {std::hypot(u, v), std::atan2(v, u)};
  }

  const PackedStorage& to_;
  const PackedLayout& layout_;
  const float* x_;
  int seed_, steps_;
  std::vector<float> numbers_;
};

void require_finite(std::span<const float> weights) {
  for (size_t i = 0; i < weights.size(); ++i) {
    if (std::isfinite(weights[i])) continue;
    const double value = weights[i];
    throw Error(Code::numeric, kEncode, {"weights must be finite, element ", i, " is ", value},
                "finite", value);
  }
}

}  // namespace

Ref<KindStorage> PackedStorage::copy() const {
  auto made = make_ref<PackedStorage>(layout, allocate_storage(layout.bytes(), {}));
  made->assign(*this);
  return made;
}

void PackedStorage::require_same_layout(const KindStorage& other) const {
  const PackedLayout& from = static_cast<const PackedStorage&>(other).layout;
  if (from.format == layout.format && from.rows == layout.rows && from.cols == layout.cols) return;
  throw Error(
      Code::value, "packed",
      {"weights packed in ", from.format->name, " cannot replace those in ", layout.format->name},
      layout.format->name, from.format->name);
}

void PackedStorage::assign(const KindStorage& from) {
  std::copy_n(from.data, bytes, data);
  version += 1;
}

Tensor empty_packed(const RingFormat& format, const Shape& shape, const char* op) {
  const PackedLayout layout = packed_layout(format, shape, op);
  set_packed_handler();
  Meta meta;
  meta.shape = shape;
  return make_of_kind(TensorKind::packed, meta,
                      make_ref<PackedStorage>(layout, allocate_storage(layout.bytes(), {})));
}

namespace {

void encode_into(const Tensor& x, const PackedStorage& storage, int seed,
                 FunctionRef<void(int64_t)> done) {
  std::vector<float> from = to_vector<float>(x);
  require_finite(from);
  const PackedLayout& layout = storage.layout;
  const Hadamard hadamard(seed, layout.cols);
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int64_t> rows = 0;
  parallel_for(layout.row_tiles(), 1, [&](int64_t begin, int64_t end) {
    GroupEncoder encoder(storage, from.data(), seed);
    for (int64_t t = begin; t < end; ++t) {
      const int64_t first = t * kTileOutputs, last = std::min(layout.rows, first + kTileOutputs);
      for (int64_t row = first; row < last; ++row) hadamard.apply(from.data() + row * layout.cols);
      encoder.scale_rows(t);
      for (int64_t k = 0; k < layout.groups(); ++k) encoder.encode(layout.group(t, k));
      rows += last - first;
      if (std::this_thread::get_id() == caller) done(rows * layout.cols);
    }
  });
}

}  // namespace

Tensor packed_encode(const Tensor& x, const RingFormat& format, int seed,
                     FunctionRef<void(int64_t)> done) {
  NoGrad off;
  if (seed < 0 || seed > Hadamard::kLargestSeed) {
    throw Error(Code::value, kEncode, {"expected a seed from 0 to ", Hadamard::kLargestSeed},
                {"0 to ", Hadamard::kLargestSeed}, seed);
  }
  require_readable(x, kEncode);
  if (!is_floating(x.dtype())) {
    throw mismatch(Code::dtype, kEncode, "expected floating weights", "a floating dtype",
                   x.dtype());
  }
  const Tensor made = empty_packed(format, x.shape(), kEncode);
  encode_into(x, packed_storage(made), seed, done);
  return made;
}

void packed_encode_into(const Tensor& x, const Tensor& w) {
  NoGrad off;
  if (!is_packed(w)) refuse_kind(w, kEncode);
  if (!(x.shape() == w.shape())) {
    throw mismatch(Code::shape, kEncode, "the weights have another shape", w.shape(), x.shape());
  }
  const PackedStorage& storage = packed_storage(w);
  encode_into(x, storage, packed_seed(storage.headers()[1]), [](int64_t) {});
  w.impl()->storage->version += 1;
}

Tensor packed_random(const RingFormat& format, const Shape& shape, double deviation,
                     Generator& generator) {
  constexpr int kSeed = 1;
  const Tensor made = empty_packed(format, shape, "packed_random");
  const PackedStorage& storage = packed_storage(made);
  const PackedLayout& l = storage.layout;
  const int unused = 128 - format.layers * format.bits * format.steps;
  for (Packed128& word : storage.words()) {
    const std::array<uint32_t, 4> bits = philox(generator.seed, generator.offset++);
    word = {(uint64_t{bits[3]} << 32 | bits[2]) << unused >> unused,
            uint64_t{bits[1]} << 32 | bits[0]};
  }
  for (int64_t t = 0; t < l.row_tiles(); ++t) {
    storage.headers()[static_cast<size_t>(l.group(t, 0).row_header)] = {};  // factors 1
    for (int64_t k = 0; k < l.groups(); ++k) {
      storage.headers()[static_cast<size_t>(l.group(t, k).header)] =
          packed_header(format, kSeed, deviation, format.angle, "packed_random");
    }
  }
  return made;
}

}  // namespace gyre
