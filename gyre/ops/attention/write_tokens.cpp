#include "gyre/ops/attention/attention.h"

#include <cstring>

#include "gyre/base/thread_pool.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/ops/in_place.h"
#include "gyre/ops/index/indices.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

constexpr Arg kWriteTokensArgs[] = {{"lengths"}, {"x"}};
constexpr const char* kCache[] = {"cache"};

Status run_write_tokens(const KernelArgs& args) noexcept {
  const View &lengths = args.in[0], &x = args.in[1], &cache = args.out[0];
  const int64_t heads = x.shape[1], n = x.shape[2], width = x.shape[3];
  if (Status s = check_indices(lengths, cache.shape[2] + 1, n); s.failed) return s;
  const auto bytes = static_cast<int64_t>(size_of(x.dtype));
  const auto at = [&](const View& v, int64_t row, int64_t head, int64_t token) {
    return v.data + (row * v.strides[0] + head * v.strides[1] + token * v.strides[2]) * bytes;
  };
  parallel_for(x.shape[0] * heads * n, kGrain / (width + 1) + 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t token = i % n, head = i / n % heads, row = i / n / heads;
      const int64_t first = index_at(lengths, row * lengths.strides[0]) - n;
      std::memcpy(at(cache, row, head, first + token), at(x, row, head, token),
                  static_cast<size_t>(width * bytes));
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
                                       .kernels = on_every_device(write_tokens_kernel),
                                       .writes = true};

}  // namespace

void write_tokens(const Tensor& cache, const Tensor& lengths, const Tensor& x) {
  const char* op = write_tokens_def.name;
  check_untracked_write(cache, x, op);
  check_index_dtype(write_tokens_def, lengths);
  if (cache.dtype() != x.dtype()) {
    throw mismatch(Code::dtype, op, "expected tokens of the dtype of the cache", cache.dtype(),
                   x.dtype());
  }
  const Shape& to = cache.shape();
  const bool fits = to.rank == 4 && x.rank() == 4 && cache.impl()->strides[3] == 1 &&
                    lengths.shape() == Shape{to[0]} &&
                    x.shape() == Shape{to[0], to[1], x.size(2), to[3]};
  if (!fits) {
    throw mismatch(
        Code::shape, op,
        {"expected a cache [rows, heads, capacity, width] with adjacent elements, lengths "
         "[rows] and tokens [rows, heads, n, width]; got cache ",
         to, " and lengths ", lengths.shape()},
        "[rows, heads, n, width]", x.shape());
  }
  const Tensor in[] = {apart_from(cache, lengths),
                       x.impl()->strides[3] == 1 ? apart_from(cache, x) : contiguous(x)};
  write(write_tokens_def, in, {&cache, 1});
}

}  // namespace gyre
