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

PackedStorage::PackedStorage(const PackedLayout& layout, Ref<Storage> of)
    : KindStorage(nullptr, layout.bytes(), of->device),
      memory(std::move(of)),
      is_bytes(false),
      matrix{layout, reinterpret_cast<Packed128*>(memory->data),
             reinterpret_cast<Packed128*>(memory->data) + layout.headers(),
             memory->data + static_cast<size_t>(layout.headers()) * sizeof(Packed128)} {
  data = reinterpret_cast<std::byte*>(const_cast<PackedMatrix*>(&matrix));
  if (!layout.format->has_rings) words().back() = {};  // which its bytes may not fill
}

PackedStorage::PackedStorage(const PackedLayout& layout, Ref<Storage> of, int64_t offset)
    : KindStorage(nullptr, layout.bytes(), of->device),
      memory(std::move(of)),
      is_bytes(true),
      matrix{layout, own_headers_, nullptr, memory->data + offset},
      own_headers_{{}, matrix_header(*layout.format)} {
  data = reinterpret_cast<std::byte*>(const_cast<PackedMatrix*>(&matrix));
}

std::span<std::byte> PackedStorage::matrix_bytes() const {
  const int64_t size = matrix_functions(*layout.format).bytes({layout.rows, layout.cols});
  return {const_cast<std::byte*>(matrix.bytes), static_cast<size_t>(size)};
}

std::vector<std::byte> PackedStorage::stored() const {
  std::vector<std::byte> all(bytes);
  const auto of_headers = std::as_bytes(headers()),
             of_words = is_bytes ? matrix_bytes() : std::as_bytes(words());
  std::ranges::copy(of_headers, all.begin());
  std::ranges::copy(of_words, all.begin() + std::ssize(of_headers));
  return all;
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
  const auto& other = static_cast<const PackedStorage&>(from);
  std::ranges::copy(other.headers(), headers().begin());
  if (layout.format->has_rings)
    std::ranges::copy(other.words(), words().begin());
  else
    std::ranges::copy(other.matrix_bytes(), matrix_bytes().begin());
  stand_in = {};
  version += 1;
}

namespace {

Meta part_meta(int64_t count) {
  Meta meta;
  meta.shape = {count, 2};
  meta.dtype = DType::i64;
  return meta;
}

// Bytes of the memory of w as a tensor, which begin at a multiple of 8 of it, or a copy.
Tensor part_of(const Tensor& w, std::span<const std::byte> part, int64_t count) {
  const Meta meta = part_meta(count);
  const PackedStorage& storage = packed_storage(w);
  constexpr auto kSize = static_cast<int64_t>(sizeof(int64_t));
  const int64_t offset = part.data() - storage.memory->data;
  const bool shares = part.size() == static_cast<size_t>(2 * count * kSize) &&
                      offset % kSize == 0 &&
                      reinterpret_cast<uintptr_t>(part.data()) % alignof(int64_t) == 0;
  if (shares) {
    auto impl = make_ref<TensorImpl>(meta);
    impl->storage = storage.memory;
    impl->offset = offset / kSize;
    return Tensor(std::move(impl));
  }
  Tensor copy = zeros(meta.shape, {.dtype = DType::i64});
  std::ranges::copy(part, copy.bytes());
  return copy;
}

// The bytes of a row; Error{unsupported} of `op` where rows do not follow one another.
int64_t row_bytes_of(const Tensor& w, const char* op) {
  if (!is_packed(w)) refuse_kind(w, op);
  const PackedLayout& l = packed_storage(w).layout;
  if (!l.format->has_rings) {
    if (const auto size = matrix_functions(*l.format).row_bytes) return size(l.cols);
  }
  throw Error(Code::unsupported, op,
              {"rows packed in ", l.format->name, " cannot be taken apart; decode them"},
              "q8_0, q4_0, nf4 or int8", l.format->name);
}

Tensor of_storage(const Shape& shape, Ref<PackedStorage> storage) {
  set_packed_handler();
  Meta meta;
  meta.shape = shape;
  return make_of_kind(TensorKind::packed, meta, std::move(storage));
}

Shape with_rows(Shape shape, int64_t rows) {
  shape[0] = rows;
  return shape;
}

}  // namespace

Tensor packed_of_bytes(const Codec& format, const Shape& shape, const Tensor& bytes) {
  constexpr const char* kOp = "packed_of_bytes";
  if (format.has_rings) {
    throw Error(Code::unsupported, kOp,
                {format.name, " is a format of rings, which has headers; use packed_of_parts"},
                "a format without rings", format.name);
  }
  const PackedLayout layout = packed_layout(format, shape, kOp);
  const Shape wanted{matrix_functions(format).bytes({layout.rows, layout.cols})};
  require_readable(bytes, kOp);
  if (bytes.dtype() != DType::u8)
    throw mismatch(Code::dtype, kOp, "expected u8", DType::u8, bytes.dtype());
  if (!(bytes.shape() == wanted) || !bytes.is_contiguous())
    throw mismatch(Code::shape, kOp, {"expected contiguous bytes of shape ", wanted}, wanted,
                   bytes.shape());
  const Ref<Storage>& memory = bytes.impl()->storage;
  return of_storage(shape, make_ref<PackedStorage>(layout, memory, bytes.bytes() - memory->data));
}

Tensor packed_row_range(const Tensor& w, int64_t first, int64_t last) {
  constexpr const char* kOp = "packed_row_range";
  const int64_t row_bytes = row_bytes_of(w, kOp);
  const PackedStorage& from = packed_storage(w);
  if (first < 0 || last > from.layout.rows || first >= last) {
    throw Error(Code::index, kOp,
                {"expected rows of 0 to ", from.layout.rows, ", got ", first, " to ", last},
                {"0 to ", from.layout.rows}, {first, " to ", last});
  }
  const PackedLayout layout{from.layout.format, last - first, from.layout.cols};
  const int64_t before = from.matrix.bytes - from.memory->data;
  return of_storage(with_rows(w.shape(), last - first),
                    make_ref<PackedStorage>(layout, from.memory, before + first * row_bytes));
}

Tensor packed_row_copies(const Tensor& w, std::span<const int64_t> rows) {
  constexpr const char* kOp = "packed_row_copies";
  const int64_t row_bytes = row_bytes_of(w, kOp);
  const PackedStorage& from = packed_storage(w);
  const Tensor made =
      empty_packed(*from.layout.format, with_rows(w.shape(), std::ssize(rows)), kOp);
  const PackedStorage& to = packed_storage(made);
  std::ranges::copy(from.headers(), to.headers().begin());
  std::byte* at = to.matrix_bytes().data();
  for (const int64_t row : rows) {
    if (row < 0 || row >= from.layout.rows) {
      throw Error(Code::index, kOp, {"expected rows of 0 to ", from.layout.rows - 1},
                  {"0 to ", from.layout.rows - 1}, row);
    }
    at = std::copy_n(from.matrix.bytes + row * row_bytes, row_bytes, at);
  }
  return made;
}

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
  const PackedStorage& s = packed_storage(w);
  return part_of(w, s.is_bytes ? s.matrix_bytes() : std::as_bytes(s.words()), s.layout.words());
}

Tensor packed_headers(const Tensor& w) {
  if (!is_packed(w)) refuse_kind(w, "packed_headers");
  const PackedStorage& s = packed_storage(w);
  return part_of(w, std::as_bytes(s.headers()), s.layout.headers());
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
void check_matrix(const PackedStorage& storage, const std::string& what) {
  const PackedLayout& layout = storage.layout;
  const MatrixFunctions& functions = matrix_functions(*layout.format);
  const auto bytes = storage.matrix_bytes();
  if (const char* fault = functions.fault({layout.rows, layout.cols}, bytes.data()))
    throw Error(Code::parse, "packed", {what, ": ", fault});
  if (storage.is_bytes) return;
  const auto rest = std::as_bytes(storage.words()).subspan(bytes.size());
  if (std::ranges::any_of(rest, [](std::byte b) { return b != std::byte{0}; }))
    throw Error(Code::parse, "packed", what + ": a word has bits that its format does not use");
}

// Bits of a word above those of its ring are zero.
void check_words(const PackedStorage& storage, const std::string& what) {
  if (!storage.layout.format->has_rings) return check_matrix(storage, what);
  const RingFormat& format = storage.layout.ring();
  const int unused = 128 - format.layers * format.bits * format.steps;
  if (unused == 0) return;
  for (const Packed128& word : storage.words()) {
    if (word.hi >> (64 - unused) != 0)
      throw Error(Code::parse, "packed", what + ": a word has bits that its format does not use");
  }
}

}  // namespace

void check_packed(const PackedStorage& storage, const std::string& what) {
  check_headers(storage.layout, storage.headers(), what);
  check_words(storage, what);
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
  return of_storage(shape, make_ref<PackedStorage>(layout, allocate_storage(layout.bytes(), {})));
}

namespace {

// Nothing has changed on an error.
void encode_matrix(const std::vector<float>& from, const PackedStorage& storage,
                   WeightsDone& done) {
  const PackedLayout& layout = storage.layout;
  const MatrixFunctions& functions = matrix_functions(*layout.format);
  const MatrixSize size{layout.rows, layout.cols};
  const std::span<std::byte> to = storage.matrix_bytes();
  std::vector<std::byte> bytes(to.size());
  functions.encode(size, from.data(), bytes.data(), done);
  if (functions.fault(size, bytes.data()))
    throw Error(Code::numeric, kPackedEncode, "weights are too large");
  std::ranges::copy(bytes, to.begin());
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
