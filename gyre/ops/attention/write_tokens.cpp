#include "gyre/ops/attention/attention.h"

#include <cstring>

#include "gyre/base/thread_pool.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/ops/index/indices.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

constexpr Arg kWriteTokensArgs[] = {{"lengths"}, {.name = "tokens", .variadic = true}};
constexpr const char* kCaches[] = {"caches"};

// The rows of x, whose elements are adjacent, go to the ends of the rows of `cache`.
void write_ends(const View& lengths, const View& x, const View& cache) {
  const auto bytes = static_cast<int64_t>(size_of(x.dtype));
  const int64_t heads = x.shape[1], n = x.shape[2], width = x.shape[3];
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
}

Status run_write_tokens(const KernelArgs& args) noexcept {
  const View &lengths = args.in[0], *x = &args.in[1];
  if (Status s = check_indices(lengths, args.out[0].shape[2] + 1, x->shape[2]); s.failed) return s;
  for (const View& cache : args.out) write_ends(lengths, *x++, cache);
  return {};
}

Status write_tokens_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  return launch<run_write_tokens>(op, args, args);
}

constinit const OpDef write_tokens_def{.name = "write_tokens_",
                                       .doc = "overwrite the last tokens of each row of caches",
                                       .args = kWriteTokensArgs,
                                       .outputs = kCaches,
                                       .kernels = on_every_device(write_tokens_kernel),
                                       .writes = true};

void check_cache(const Tensor& cache, const Tensor& lengths, const Tensor& x, int64_t n,
                 int64_t capacity) {
  const char* op = write_tokens_def.name;
  if (cache.dtype() != x.dtype()) {
    throw mismatch(Code::dtype, op, "expected tokens of the dtype of the cache",
                   name_of(cache.dtype()), name_of(x.dtype()));
  }
  const Shape& have = cache.shape();
  const bool fits = have.rank == 4 && have[2] == capacity && cache.impl()->strides[3] == 1 &&
                    lengths.shape() == Shape{have[0]} &&
                    x.shape() == Shape{have[0], have[1], n, have[3]};
  if (fits) return;
  throw mismatch(Code::shape, op,
                 "expected caches [rows, heads, capacity, width] with adjacent elements, lengths "
                 "[rows] and tokens [rows, heads, n, width]; got cache " +
                     to_string(have) + " and lengths " + to_string(lengths.shape()),
                 "[rows, heads, n, width]", to_string(x.shape()));
}

}  // namespace

void write_tokens(Inputs caches, const Tensor& lengths, Inputs tokens) {
  check_index_dtype(write_tokens_def, lengths);
  Tensors in{lengths};
  for (size_t i = 0; i < caches.size(); ++i) {
    const Tensor& x = tokens[i];
    check_cache(caches[i], lengths, x, tokens[0].size(-2), caches[0].size(-2));
    in.push_back(x.impl()->strides[3] == 1 ? x : contiguous(x.detach()));
  }
  write(write_tokens_def, in, caches);
}

}  // namespace gyre
