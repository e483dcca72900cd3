// Cutting a tensor into consecutive parts.
#include "gyre/op/apply.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/define_op.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {

struct SplitAttrs {
  int64_t axis = 0;
  Shape sizes;
};
GYRE_FIELDS(SplitAttrs, GYRE_FIELD(axis, "axis to cut"), GYRE_FIELD(sizes, "lengths of the parts"));

namespace {

// One join in place of a padded tensor and a sum for every part.
Tensors split_back(const VjpArgs& a) {
  const auto& s = attrs_as<SplitAttrs>(a.attrs);
  Tensors parts;
  for (int i = 0; i < s.sizes.rank; ++i) {
    const Tensor& g = a.grad[static_cast<size_t>(i)];
    Shape shape = a.in_meta[0].shape;
    shape[static_cast<int>(s.axis)] = s.sizes[i];
    parts.push_back(g.defined() ? g
                                : constant(shape, 0, {a.in_meta[0].dtype, a.in_meta[0].device}));
  }
  return {cat(parts, s.axis)};
}

// A node only: how many results there are depends on the call, which apply() does not know.
constinit const OpDef split_def = [] {
  OpDef d = define_op("split", "consecutive parts along an axis", &record_of<SplitAttrs>);
  d.vjp = split_back;
  return d;
}();

}  // namespace

Tensors split(const Tensor& x, std::span<const int64_t> sizes, int64_t axis) {
  int k = normalize_axis(axis, x.rank(), "split");
  int64_t total = 0, size = x.rank() ? x.shape()[k] : 0;
  bool negative = false, overflow = false;
  for (int64_t n : sizes) {
    negative |= n < 0;
    overflow |= __builtin_add_overflow(total, n, &total);
  }
  if (x.rank() == 0 || negative || overflow || total != size) {
    throw Error(
        Code::shape, "split",
        "the parts' sizes must add up to axis " + std::to_string(k) + " of " + to_string(x.shape()),
        std::to_string(size), std::to_string(total));
  }
  bool one_node = sizes.size() <= kMaxRank && !sizes.empty() && would_record(split_def, {&x, 1});
  Tensors parts;
  int64_t start = 0;
  {
    EnableGrad recording(grad_enabled() && !one_node);
    for (int64_t n : sizes) {
      parts.push_back(slice(x, {k, start, start + n, 1}));
      start += n;
    }
  }
  if (one_node) record(split_def, {&x, 1}, box(SplitAttrs{k, Shape(sizes)}), parts);
  return parts;
}

Tensors chunk(const Tensor& x, int64_t chunks, int64_t axis) {
  int64_t size = x.size(axis);
  if (chunks < 1) {
    throw Error(Code::value, "chunk", "needs at least one chunk", ">= 1", std::to_string(chunks));
  }
  int64_t each = size ? (size - 1) / chunks + 1 : 0;
  SmallVector<int64_t, 16> sizes;
  for (int64_t start = 0; start < size; start += each) {
    sizes.push_back(size - start < each ? size - start : each);
  }
  if (sizes.empty()) sizes.push_back(0);
  return split(x, {sizes.data(), sizes.size()}, axis);
}

}  // namespace gyre
