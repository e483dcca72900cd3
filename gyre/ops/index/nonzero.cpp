#include "gyre/ops/index/nonzero.h"

#include <cstring>

#include "gyre/base/thread_pool.h"
#include "gyre/kernel/strided.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/index/plans.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {

extern const OpDef nonzero_def;

struct NonzeroAttrs {
  int64_t count = 0;
  bool coordinates = false;
};
GYRE_FIELDS(NonzeroAttrs, GYRE_FIELD(count, "number of nonzero elements"),
            GYRE_FIELD(coordinates, "the index along each axis instead of row-major positions"));

namespace {

// Calls found(place, places, n) for the tiles of [begin, end): the n elements at place + places[i]
// are nonzero. Branch-free, since branches would be unpredictable.
void each_tile(const StridedLoop& loop, int64_t begin, int64_t end, auto found) {
  Compute compute = compute_of(loop.dtype[0]);
  visit_compute(compute, [&]<class T>(T) {
    Reader reader(loop, 0, compute);
    alignas(64) T buffer[kTile];
    int32_t places[kTile];
    for (int64_t i = begin; i < end; i += kTile) {
      int64_t n = end - i < kTile ? end - i : kTile, hits = 0;
      auto* v = static_cast<const T*>(reader.read(i, n, buffer));
      for (int32_t j = 0; j < n; ++j) {
        places[hits] = j;
        hits += v[j] != 0;
      }
      found(i, places, hits);
    }
  });
}

// The number of nonzero bytes, by eight at a time.
int64_t count_bytes(const std::byte* x, int64_t n) {
  constexpr uint64_t kOnes = 0x0101010101010101, kLow = 0x7f * kOnes;
  int64_t count = 0, i = 0;
  for (uint64_t eight; i + 8 <= n; i += 8) {
    std::memcpy(&eight, x + i, 8);
    uint64_t nonzero = (((eight & kLow) + kLow) | eight) >> 7 & kOnes;
    count += static_cast<int64_t>(nonzero * kOnes >> 56);
  }
  for (; i < n; ++i) count += x[i] != std::byte{0};
  return count;
}

int64_t count_in(const StridedLoop& loop, int64_t begin, int64_t end) {
  if (loop.dtype[0] == DType::boolean && loop.rank == 1 && loop.strides[0][0] == 1) {
    return count_bytes(loop.data[0] + begin, end - begin);
  }
  int64_t n = 0;
  each_tile(loop, begin, end, [&](int64_t, const int32_t*, int64_t hits) { n += hits; });
  return n;
}

// Coordinates of a position that only advances.
struct Coordinates {
  const Shape& shape;
  int64_t at[kMaxRank];

  Coordinates(const Shape& s, int64_t place) : shape(s) {
    for (int k = s.rank; k-- > 0; place /= s[k]) at[k] = place % s[k];
  }
  void advance(int64_t by) {
    if (shape.rank == 0) return;
    int last = shape.rank - 1;
    at[last] += by;
    for (int k = last; k > 0 && at[k] >= shape[k]; --k) {
      at[k - 1] += at[k] / shape[k];
      at[k] %= shape[k];
    }
  }
};

// ---- where the nonzero elements of each chunk of kGrain begin among all, and their number

Status run_nonzero_starts(const StartsPlan& p) noexcept {
  p.starts[0] = 0;
  parallel_for(p.x.size(), kGrain, [&](int64_t begin, int64_t end) {
    p.starts[begin / kGrain + 1] = count_in(p.x, begin, end);
  });
  for (int64_t c = 0; c * kGrain < p.x.size(); ++c) p.starts[c + 1] += p.starts[c];
  return {};
}

Status nonzero_starts_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View& x = args.in[0];
  StartsPlan plan{StridedLoop(x.shape, std::array{&x}),
                  reinterpret_cast<int64_t*>(args.out[0].data)};
  return launch<run_nonzero_starts>(op, args, plan);
}

void nonzero_starts_infer(const OpDef&, const void*, Inputs in, std::span<Meta> out) {
  out[0].shape = {(in[0].numel() + kGrain - 1) / kGrain + 1};
  out[0].dtype = DType::i64;
}

constinit const OpDef nonzero_starts_def{.name = "nonzero_starts",
                                         .doc = "number of nonzero elements before each chunk",
                                         .infer = nonzero_starts_infer,
                                         .kernels = on_every_device(nonzero_starts_kernel),
                                         .is_discrete = true};

// ---- their positions or coordinates

constexpr Arg kAtArgs[] = {{"x"}, {"starts"}};

Status run_nonzero_at(const NonzeroPlan& p) noexcept {
  const int rank = p.shape.rank;
  parallel_for(p.x.size(), kGrain, [&](int64_t begin, int64_t end) {
    int64_t row = p.starts[begin / kGrain], before = begin;
    if (row == p.starts[begin / kGrain + 1]) return;
    Coordinates c(p.shape, begin);
    each_tile(p.x, begin, end, [&](int64_t first, const int32_t* places, int64_t n) {
      if (!p.coordinates) {
        for (int64_t i = 0; i < n; ++i) p.out[row + i] = first + places[i];
        row += n;
        return;
      }
      for (int64_t i = 0; i < n; ++i, ++row) {
        c.advance(first + places[i] - before);
        before = first + places[i];
        for (int k = 0; k < rank; ++k) p.out[row * rank + k] = c.at[k];
      }
    });
  });
  return {};
}

Status nonzero_at_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View& x = args.in[0];
  NonzeroPlan plan{StridedLoop(x.shape, std::array{&x}),
                   reinterpret_cast<const int64_t*>(args.in[1].data),
                   reinterpret_cast<int64_t*>(args.out[0].data), x.shape,
                   attrs_as<NonzeroAttrs>(args.attrs).coordinates};
  return launch<run_nonzero_at>(op, args, plan);
}

void nonzero_at_infer(const OpDef&, const void* attrs, Inputs in, std::span<Meta> out) {
  const auto& a = attrs_as<NonzeroAttrs>(attrs);
  out[0].shape = {a.count};
  if (a.coordinates) out[0].shape.push_back(in[0].rank());
  out[0].dtype = DType::i64;
}

constinit const OpDef nonzero_at_def{.name = "nonzero_at",
                                     .doc = "places of the nonzero elements",
                                     .args = kAtArgs,
                                     .attrs = &record_of<NonzeroAttrs>,
                                     .infer = nonzero_at_infer,
                                     .kernels = on_every_device(nonzero_at_kernel),
                                     .is_discrete = true};

Tensor find_nonzero(const Tensor& x, bool coordinates) {
  Tensor starts = apply_one(nonzero_starts_def, {x});
  if (!starts.plain()) {
    throw Error(Code::unsupported, nonzero_def.name,
                "the shape of the result depends on values, which cannot be read inside vmap()");
  }
  int64_t count = to_vector<int64_t>(slice(starts, {0, -1, INT64_MAX, 1}))[0];
  return apply_one(nonzero_at_def, {x, starts}, box(NonzeroAttrs{count, coordinates}));
}

Tensors nonzero_of(const OpDef&, const void*, Inputs in) { return {find_nonzero(in[0], true)}; }

void nonzero_samples(Samples& s) {
  s.add({s.mask({3, 5})});
  s.add({s.integers({2, 3, 4}, -1, 2)});
  s.add({s.values({0, -2, 0, 0.5, __builtin_nan("")})});
  s.add({s.mask({})});
  s.add({s.uniform({0, 3})});
  s.refuse(Code::value, {});
}

}  // namespace

Tensor nonzero_positions(const Tensor& x) { return find_nonzero(x, false); }

constinit const OpDef nonzero_def{.name = "nonzero",
                                  .doc = "indices of the nonzero elements",
                                  .compose = nonzero_of,
                                  .samples = nonzero_samples,
                                  .is_discrete = true};
Tensor nonzero(const Tensor& x) { return apply_one(nonzero_def, {x}); }

}  // namespace gyre
