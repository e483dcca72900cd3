#include "gyre/packed/packed.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gyre/base/error.h"
#include "gyre/base/thread_pool.h"
#include "gyre/op/kind_handler.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/codec/matrix_codec.h"
#include "gyre/packed/group_encoder.h"
#include "gyre/packed/hadamard.h"
#include "gyre/packed/packed_handler.h"

namespace gyre {

std::vector<float> finite_weights(const Tensor& x) {
  std::vector<float> weights = to_vector<float>(x);
  for (size_t i = 0; i < weights.size(); ++i) {
    if (std::isfinite(weights[i])) continue;
    const double value = weights[i];
    throw Error(Code::numeric, kPackedEncode,
                {"weights must be finite, element ", i, " is ", value}, "finite", value);
  }
  return weights;
}

void check_encode(const Tensor& x, int seed) {
  if (seed < 0 || seed > Hadamard::kLargestSeed) {
    throw Error(Code::value, kPackedEncode, {"expected a seed from 0 to ", Hadamard::kLargestSeed},
                {"0 to ", Hadamard::kLargestSeed}, seed);
  }
  require_readable(x, kPackedEncode);
  if (!is_floating(x.dtype())) {
    throw mismatch(Code::dtype, kPackedEncode, "expected floating weights", "a floating dtype",
                   x.dtype());
  }
}

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
  stand_in = {};
  version += 1;
}

namespace {

Tensor part_of(const Tensor& w, int64_t first, int64_t count) {
  Meta meta;
  meta.shape = {count, 2};
  meta.dtype = DType::i64;
  auto impl = make_ref<TensorImpl>(meta);
  impl->storage = packed_storage(w).memory;
  impl->offset = first * 2;
  return Tensor(std::move(impl));
}

}  // namespace

const PackedLayout& require_rings(const char* op, const Tensor& w) {
  if (!is_packed(w)) {
    throw Error(Code::unsupported, op, {"expected packed weights, got ", describe_kind(w)},
                "packed weights", describe_kind(w));
  }
  const PackedLayout& layout = packed_storage(w).layout;
  if (layout.format->has_rings) return layout;
  throw Error(Code::unsupported, op,
              {"weights in ", layout.format->name, " have no rings; pack them in ",
               ring_formats()[0].name, " or another format of rings"},
              "a format of rings", layout.format->name);
}

Tensor packed_words(const Tensor& w) {
  if (!is_packed(w)) refuse_kind(w, "packed_words");
  const PackedLayout& layout = packed_storage(w).layout;
  return part_of(w, layout.headers(), layout.words());
}

Tensor packed_headers(const Tensor& w) {
  if (!is_packed(w)) refuse_kind(w, "packed_headers");
  return part_of(w, 0, packed_storage(w).layout.headers());
}

namespace {

void take_part(const Tensor& from, std::span<Packed128> to, const std::string& what) {
  const Shape wanted{std::ssize(to), 2};
  if (!(from.shape() == wanted)) {
    throw mismatch(Code::shape, "packed", {what, ": expected shape ", wanted}, wanted,
                   from.shape());
  }
  if (from.dtype() != DType::i64)
    throw mismatch(Code::dtype, "packed", {what, ": expected i64"}, DType::i64, from.dtype());
  const auto halves = to_vector<int64_t>(from);
  for (size_t i = 0; i < to.size(); ++i)
    to[i] = {static_cast<uint64_t>(halves[2 * i]), static_cast<uint64_t>(halves[2 * i + 1])};
}

// The bytes of a format without rings, and zeros after them.
void check_matrix(const PackedLayout& layout, std::span<const Packed128> words,
                  const std::string& what) {
  const MatrixFunctions& functions = matrix_functions(*layout.format);
  const MatrixSize size{layout.rows, layout.cols};
  const auto bytes = std::as_bytes(words);
  if (const char* fault = functions.fault(size, bytes.data()))
    throw Error(Code::parse, "packed", {what, ": ", fault});
  const auto rest = bytes.subspan(static_cast<size_t>(functions.bytes(size)));
  if (std::ranges::any_of(rest, [](std::byte b) { return b != std::byte{0}; }))
    throw Error(Code::parse, "packed", what + ": a word has bits that its format does not use");
}

// Bits of a word above those of its ring are zero.
void check_words(const PackedLayout& layout, std::span<const Packed128> words,
                 const std::string& what) {
  if (!layout.format->has_rings) return check_matrix(layout, words, what);
  const RingFormat& format = layout.ring();
  const int unused = 128 - format.layers * format.bits * format.steps;
  if (unused == 0) return;
  for (const Packed128& word : words) {
    if (word.hi >> (64 - unused) != 0)
      throw Error(Code::parse, "packed", what + ": a word has bits that its format does not use");
  }
}

}  // namespace

void check_packed(const PackedStorage& storage, const std::string& what) {
  check_headers(storage.layout, storage.headers(), what);
  check_words(storage.layout, storage.words(), what);
}

Tensor packed_of_parts(const Codec& format, const Shape& shape, const Tensor& words,
                       const Tensor& headers, const std::string& what) {
  Tensor made = empty_packed(format, shape, "packed");
  const PackedStorage& storage = packed_storage(made);
  take_part(words, storage.words(), what + ".words");
  take_part(headers, storage.headers(), what + ".headers");
  check_packed(storage, what);
  return made;
}

Tensor empty_packed(const Codec& format, const Shape& shape, const char* op) {
  const PackedLayout layout = packed_layout(format, shape, op);
  set_packed_handler();
  Meta meta;
  meta.shape = shape;
  return make_of_kind(TensorKind::packed, meta,
                      make_ref<PackedStorage>(layout, allocate_storage(layout.bytes(), {})));
}

namespace {

// Nothing has changed on an error.
void encode_matrix(const std::vector<float>& from, const PackedStorage& storage,
                   WeightsDone& done) {
  const PackedLayout& layout = storage.layout;
  const MatrixFunctions& functions = matrix_functions(*layout.format);
  const MatrixSize size{layout.rows, layout.cols};
  std::vector<Packed128> words(storage.words().size());
  std::byte* bytes = std::as_writable_bytes(std::span(words)).data();
  functions.encode(size, from.data(), bytes, done);
  if (functions.fault(size, bytes))
    throw Error(Code::numeric, kPackedEncode, "weights are too large");
  std::ranges::copy(words, storage.words().begin());
  storage.headers()[0] = {};
  storage.headers()[1] = matrix_header(*layout.format);
}

void encode_into(const Tensor& x, const PackedStorage& storage, int seed,
                 FunctionRef<void(int64_t)> done) {
  std::vector<float> from = finite_weights(x);
  const PackedLayout& layout = storage.layout;
  WeightsDone counted(done);
  if (!layout.format->has_rings) return encode_matrix(from, storage, counted);
  const Hadamard hadamard(seed, layout.cols);
  parallel_for(layout.row_tiles(), 1, [&](int64_t begin, int64_t end) {
    GroupEncoder encoder(storage, from.data(), seed);
    for (int64_t t = begin; t < end; ++t) {
      const int64_t first = t * kTileOutputs, last = std::min(layout.rows, first + kTileOutputs);
      for (int64_t row = first; row < last; ++row) hadamard.apply(from.data() + row * layout.cols);
      encoder.scale_rows(t);
      for (int64_t k = 0; k < layout.groups(); ++k) encoder.encode(layout.group(t, k));
      counted.add((last - first) * layout.cols);
    }
  });
}

}  // namespace

Tensor packed_encode(const Tensor& x, const Codec& format, int seed,
                     FunctionRef<void(int64_t)> done) {
  NoGrad off;
  check_encode(x, seed);
  const Tensor made = empty_packed(format, x.shape(), kPackedEncode);
  encode_into(x, packed_storage(made), seed, done);
  return made;
}

void packed_encode_into(const Tensor& x, const Tensor& w) {
  NoGrad off;
  if (!is_packed(w)) refuse_kind(w, kPackedEncode);
  if (!(x.shape() == w.shape())) {
    throw mismatch(Code::shape, kPackedEncode, "the weights have another shape", w.shape(),
                   x.shape());
  }
  const PackedStorage& storage = packed_storage(w);
  encode_into(x, storage, packed_seed(storage.headers()[1]), [](int64_t) {});
  storage.stand_in = {};
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
