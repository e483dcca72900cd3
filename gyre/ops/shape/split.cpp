// split and chunk.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "gyre/op/apply.h"
#include "gyre/op/op_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {

struct SplitAttrs {
  Shape sizes;
  int64_t axis = 0;
};
GYRE_FIELDS(SplitAttrs, GYRE_FIELD(sizes, "size of each part"),
            GYRE_FIELD(axis, "axis to split along"));

struct ChunkAttrs {
  int64_t chunks = 1, axis = 0;
};
GYRE_FIELDS(ChunkAttrs, GYRE_FIELD(chunks, "maximum number of parts"),
            GYRE_FIELD(axis, "axis to split along"));

namespace {

// Backward is one cat instead of a padded tensor and a sum per part.
Tensors split_back(const VjpArgs& a) {
  const auto& s = attrs_as<SplitAttrs>(a.attrs);
  int k = normalize_axis(s.axis, a.in_meta[0].shape.rank, "split");
  Tensors parts;
  for (int i = 0; i < s.sizes.rank; ++i) {
    const Tensor& g = a.grad[static_cast<size_t>(i)];
    Shape shape = a.in_meta[0].shape;
    shape[k] = s.sizes[i];
    parts.push_back(g.defined() ? g
                                : constant(shape, 0, {a.in_meta[0].dtype, a.in_meta[0].device}));
  }
  return {cat(parts, k)};
}

void split_samples(Samples& s) {
  s.add({s.uniform({5, 3})}, box(SplitAttrs{{2, 3}, 0}));
  s.add({s.uniform({2, 6})}, box(SplitAttrs{{1, 0, 4, 1}, -1}));
  s.add({s.uniform({4})}, box(SplitAttrs{{4}, 0}));
  s.refuse(Code::shape, {s.uniform({4})}, box(SplitAttrs{{1, 2}, 0}));
  s.refuse(Code::index, {s.uniform({4})}, box(SplitAttrs{{4}, 1}));
}

void chunk_samples(Samples& s) {
  s.add({s.uniform({5, 3})}, box(ChunkAttrs{2, 0}));
  s.add({s.uniform({2, 6})}, box(ChunkAttrs{3, -1}));
  s.add({s.uniform({2})}, box(ChunkAttrs{5, 0}));
  s.refuse(Code::value, {s.uniform({4})}, box(ChunkAttrs{0, 0}));
  s.refuse(Code::index, {s.uniform({4})}, box(ChunkAttrs{2, 1}));
}

}  // namespace

// The number of results varies per call, so the parts are views that share one autograd node.
extern constinit const OpDef split_def{
    .name = "split",
    .doc = "split into consecutive parts of given sizes along an axis",
    .outputs = {},
    .attrs = &record_of<SplitAttrs>,
    .compose =
        [](const OpDef&, const void* attrs, Inputs in) {
          const auto& a = attrs_as<SplitAttrs>(attrs);
          return split(in[0], {a.sizes.begin(), a.sizes.end()}, a.axis);
        },
    .vjp = split_back,
    .samples = split_samples};

extern constinit const OpDef chunk_def{
    .name = "chunk",
    .doc = "split into chunks of equal size along an axis; the last may be smaller",
    .outputs = {},
    .attrs = &record_of<ChunkAttrs>,
    .compose =
        [](const OpDef&, const void* attrs, Inputs in) {
          const auto& a = attrs_as<ChunkAttrs>(attrs);
          return chunk(in[0], a.chunks, a.axis);
        },
    .samples = chunk_samples};

// A node has at most kMaxRank parts; more are split recursively, so that backward concatenates
// every element only a few times.
static Tensors split_of_groups(const Tensor& x, std::span<const int64_t> sizes, int64_t axis) {
  size_t each = (sizes.size() + kMaxRank - 1) / kMaxRank;
  SmallVector<int64_t, kMaxRank> groups;
  for (size_t i = 0; i < sizes.size(); i += each) {
    auto group = sizes.subspan(i, std::min(each, sizes.size() - i));
    groups.push_back(std::accumulate(group.begin(), group.end(), int64_t{0}));
  }
  Tensors parts;
  size_t first = 0;
  for (const Tensor& group : split(x, {groups.data(), groups.size()}, axis)) {
    auto inner = sizes.subspan(first, std::min(each, sizes.size() - first));
    for (Tensor& part : split(group, inner, axis)) parts.push_back(std::move(part));
    first += each;
  }
  return parts;
}

Tensors split(const Tensor& x, std::span<const int64_t> sizes, int64_t axis) {
  int k = normalize_axis(axis, x.rank(), "split");
  int64_t total = 0, size = x.rank() ? x.shape()[k] : 0;
  bool negative = false, overflow = false;
  for (int64_t n : sizes) {
    negative |= n < 0;
    overflow |= __builtin_add_overflow(total, n, &total);
  }
  if (x.rank() == 0 || negative || overflow || total != size) {
    throw Error(Code::shape, "split",
                negative ? "sizes must not be negative"
                         : fmt::format("sizes [{}] sum to {}, but axis {} of {} has {} elements",
                                       fmt::join(sizes, ", "),
                                       overflow ? "over 2^63" : std::to_string(total), k,
                                       to_string(x.shape()), size),
                size, total);
  }
  bool recorded = !sizes.empty() && x.plain() && would_record(split_def, {&x, 1});
  if (recorded && sizes.size() > kMaxRank) return split_of_groups(x, sizes, k);
  Tensors parts;
  int64_t start = 0;
  {
    GradMode recording(grad_enabled() && !recorded);
    for (int64_t n : sizes) {
      parts.push_back(slice(x, {k, start, start + n, 1}));
      start += n;
    }
  }
  if (recorded) record(split_def, {&x, 1}, box(SplitAttrs{Shape(sizes), k}), parts);
  return parts;
}

Tensors chunk(const Tensor& x, int64_t chunks, int64_t axis) {
  int64_t size = x.size(axis);
  if (chunks < 1) throw mismatch(Code::value, "chunk", "chunks must be 1 or more", ">= 1", chunks);
  int64_t each = size ? (size - 1) / chunks + 1 : 0;
  SmallVector<int64_t, 16> sizes;
  for (int64_t start = 0; start < size; start += each) {
    sizes.push_back(size - start < each ? size - start : each);
  }
  if (sizes.empty()) sizes.push_back(0);
  return split(x, {sizes.data(), sizes.size()}, axis);
}

}  // namespace gyre
