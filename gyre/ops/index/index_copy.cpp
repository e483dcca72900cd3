#include <cstring>

#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/ops/in_place.h"
#include "gyre/ops/index/plans.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

constexpr Arg kIndexCopyArgs[] = {{"index"}, {"values"}};
constexpr const char* kCopiedRows[] = {"x"};

Status run_index_copy(const IndexCopyPlan& p) noexcept {
  if (Status s = check_indices(p.index); s.failed) return s;
  if (p.bytes == 0) return {};
  for_indices(p.index, 0, p.index.size(), [&](const int64_t* rows, int64_t begin, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      std::memcpy(p.x + static_cast<size_t>(rows[i]) * p.bytes,
                  p.values + static_cast<size_t>(begin + i) * p.bytes, p.bytes);
    }
  });
  return {};
}

Status index_copy_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View &values = args.in[1], &x = args.out[0];
  const int64_t n = numel(values.shape), row = n ? n / values.shape[0] : 0;
  const IndexCopyPlan plan{
      {args.in[0], x.shape[0]}, x.data, values.data, static_cast<size_t>(row) * size_of(x.dtype)};
  return launch<run_index_copy>(op, args, plan);
}

constinit const OpDef index_copy_def{.name = "index_copy_",
                                     .doc = "overwrite rows of x: x[index[i]] = values[i]",
                                     .args = kIndexCopyArgs,
                                     .outputs = kCopiedRows,
                                     .kernels = on_every_device(index_copy_kernel),
                                     .writes = true};

}  // namespace

const Tensor& index_copy_(const Tensor& x, const Tensor& index, const Tensor& values) {
  const char* op = index_copy_def.name;
  check_untracked_write(x, values, op);
  check_index_dtype(index_copy_def, index);
  if (!x.is_contiguous()) throw Error(Code::value, op, "expected a contiguous x");
  if (values.dtype() != x.dtype()) {
    throw mismatch(Code::dtype, op, "expected values of the dtype of x", x.dtype(), values.dtype());
  }
  Shape wanted = x.shape();
  if (wanted.rank && index.rank() == 1) wanted[0] = index.size(0);
  if (!wanted.rank || index.rank() != 1 || !(values.shape() == wanted)) {
    throw mismatch(Code::shape, op, {"expected index [n] and values [n, ...] for x ", x.shape()},
                   wanted, values.shape());
  }
  const Tensor in[] = {contiguous(apart_from(x, index)), contiguous(apart_from(x, values))};
  write(index_copy_def, in, {&x, 1});
  return x;
}

}  // namespace gyre
