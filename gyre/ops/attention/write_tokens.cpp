#include <cstring>

#include "gyre/base/thread_pool.h"
#include "gyre/kernel/convert.h"
#include "gyre/kernel/per_isa.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/ops/attention/cached_attention.h"
#include "gyre/ops/attention/key_value_tile.h"
#include "gyre/ops/in_place.h"
#include "gyre/ops/index/indices.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {

GYRE_DECLARE_TILES(KeyValueTiles, key_value)

struct WriteTokensAttrs {
  bool ring = false;
};
GYRE_FIELDS(WriteTokensAttrs, GYRE_FIELD(ring, "lengths may exceed the capacity"));

namespace {

constexpr Arg kWriteTokensArgs[] = {{"lengths"}, {"x"}};
constexpr const char* kCache[] = {"cache", "scales"};

GYRE_TILES_FUNCTION(const KeyValueTiles&, rounding_tiles, KeyValueTiles, key_value)

// The element at an index of the first axes.
std::byte* element(const View& v, int64_t row, int64_t head, int64_t token) {
  return v.data + (row * v.strides[0] + head * v.strides[1] + token * v.strides[2]) *
                      static_cast<int64_t>(size_of(v.dtype));
}

void write_token(const std::byte* x, DType dtype, int64_t width, std::byte* to, DType stored,
                 float* scale) {
  if (scale) {
    rounding_tiles().round(reinterpret_cast<const float*>(x), width, reinterpret_cast<int8_t*>(to),
                           scale);
  } else if (dtype == stored) {
    std::memcpy(to, x, static_cast<size_t>(width) * size_of(dtype));
  } else {
    convert_tiles().store[static_cast<int>(Compute::f32)][static_cast<int>(stored)](x, to, width);
  }
}

Status run_write_tokens(const KernelArgs& args) noexcept {
  const View &lengths = args.in[0], &x = args.in[1], &cache = args.out[0];
  const View scales = args.out.size() > 1 ? args.out[1] : View();
  const int64_t heads = x.shape[1], n = x.shape[2], width = x.shape[3], capacity = cache.shape[2];
  const bool ring = attrs_as<WriteTokensAttrs>(args.attrs).ring;
  if (Status s = check_indices(lengths, ring ? INT64_MAX : capacity + 1, n); s.failed) return s;
  parallel_for(x.shape[0] * heads * n, kGrain / (width + 1) + 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t token = i % n, head = i / n % heads, row = i / n / heads;
      const int64_t first = index_at(lengths, row * lengths.strides[0]) - n;
      const int64_t slot = (first + token) % capacity;
      write_token(
          element(x, row, head, token), x.dtype, width, element(cache, row, head, slot),
          cache.dtype,
          scales.data ? reinterpret_cast<float*>(element(scales, row, head, slot)) : nullptr);
    }
  });
  return {};
}

Status write_tokens_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  return launch<run_write_tokens>(op, args, args);
}

constinit const OpDef write_tokens_def{.name = "write_tokens_",
                                       .doc = "overwrite the last tokens of each row of a cache",
                                       .args = kWriteTokensArgs,
                                       .outputs = kCache,
                                       .attrs = &record_of<WriteTokensAttrs>,
                                       .kernels = on_every_device(write_tokens_kernel),
                                       .writes = true};

void check_dtypes(const CachedTokens& cache, const Tensor& x) {
  const char* op = write_tokens_def.name;
  const DType stored = cache.values.dtype();
  if (stored == DType::i8 && is_floating(x.dtype())) {
    if (cache.scales.defined() && cache.scales.dtype() == DType::f32) return;
    throw Error(Code::dtype, op, "a cache of i8 needs scales of f32", "f32",
                cache.scales.defined() ? name_of(cache.scales.dtype()) : "none");
  }
  if (cache.scales.defined())
    throw mismatch(Code::dtype, op, "scales are for caches of i8", DType::i8, stored);
  if (stored == x.dtype() || (is_floating(stored) && is_floating(x.dtype()))) return;
  throw mismatch(Code::dtype, op, "expected tokens of the dtype of the cache, or both floating",
                 stored, x.dtype());
}

}  // namespace

void write_tokens(const CachedTokens& cache, const Tensor& lengths, const Tensor& x, bool ring) {
  const char* op = write_tokens_def.name;
  const Tensor& values = cache.values;
  check_untracked_write(values, x, op);
  check_index_dtype(write_tokens_def, lengths);
  check_dtypes(cache, x);
  const Shape& to = values.shape();
  const bool fits = to.rank == 4 && x.rank() == 4 && values.impl()->strides[3] == 1 &&
                    lengths.shape() == Shape{to[0]} &&
                    x.shape() == Shape{to[0], to[1], x.size(2), to[3]} &&
                    (!ring || x.size(2) <= to[2]) &&
                    (!cache.scales.defined() || cache.scales.shape() == Shape{to[0], to[1], to[2]});
  if (!fits) {
    throw mismatch(
        Code::shape, op,
        {"expected a cache [rows, heads, capacity, width] with adjacent elements, scales, if any, "
         "[rows, heads, capacity], lengths [rows] and tokens [rows, heads, n, width], in a ring n "
         "<= capacity; got cache ",
         to, " and lengths ", lengths.shape()},
        "[rows, heads, n, width]", x.shape());
  }
  const DType stored = values.dtype();
  const Tensor read =
      x.dtype() == stored ? x : gyre::to(x, stored == DType::f64 ? stored : DType::f32);
  const Tensor in[] = {apart_from(values, lengths),
                       read.impl()->strides[3] == 1 ? apart_from(values, read) : contiguous(read)};
  const Tensor out[] = {values, cache.scales};
  write(write_tokens_def, in, Inputs(out).first(cache.scales.defined() ? 2 : 1),
        box(WriteTokensAttrs{ring}));
}

}  // namespace gyre
