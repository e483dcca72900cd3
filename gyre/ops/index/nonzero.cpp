#include "gyre/ops/index/nonzero.h"

#include <atomic>

#include "gyre/base/thread_pool.h"
#include "gyre/kernel/strided.h"
#include "gyre/op/apply.h"
#include "gyre/op/op_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/index/index.h"

namespace gyre {

extern const OpDef nonzero_def;

namespace {

// Calls found(place, places, n) for the tiles of [begin, end): the n elements at place + places[i]
// are nonzero. Branch-free, since branches would be unpredictable.
template <class T, class F>
void each_tile_as(const StridedLoop& loop, Compute compute, int64_t begin, int64_t end, F found) {
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
}

void each_tile(const View& x, int64_t begin, int64_t end, auto found) {
  const View* views[] = {&x};
  StridedLoop loop(x.shape, views);
  switch (Compute compute = compute_of(x.dtype); compute) {
    case Compute::f32:
      return each_tile_as<float>(loop, compute, begin, end, found);
    case Compute::f64:
      return each_tile_as<double>(loop, compute, begin, end, found);
    case Compute::i32:
      return each_tile_as<int32_t>(loop, compute, begin, end, found);
    case Compute::i64:
      return each_tile_as<int64_t>(loop, compute, begin, end, found);
  }
}

int64_t count_in(const View& x, int64_t begin, int64_t end) {
  int64_t n = 0;
  each_tile(x, begin, end, [&](int64_t, const int32_t*, int64_t hits) { n += hits; });
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

int64_t chunks_of(const Shape& shape) { return (numel(shape) + kGrain - 1) / kGrain; }

void count_chunks(const View& x, int64_t* counts) {
  parallel_for(numel(x.shape), kGrain, [&](int64_t begin, int64_t end) {
    counts[begin / kGrain] = count_in(x, begin, end);
  });
}

void nonzero_infer(const OpDef&, const void*, Inputs in, std::span<Meta> out) {
  out[0].shape = {count_nonzero(layout_of(in[0])), in[0].rank()};
  out[0].dtype = DType::i64;
}

Status nonzero_cpu(const OpDef&, const KernelArgs& args) noexcept {
  write_nonzero(args.in[0], args.scratch, nullptr, reinterpret_cast<int64_t*>(args.out[0].data));
  return {};
}

size_t nonzero_room(const void*, Inputs in) { return nonzero_scratch(in[0].shape()); }

void nonzero_samples(Samples& s) {
  s.add({s.mask({3, 5})});
  s.add({s.integers({2, 3, 4}, -1, 2)});
  s.add({s.values({0, -2, 0, 0.5, __builtin_nan("")})});
  s.add({s.mask({})});
  s.add({s.uniform({0, 3})});
  s.refuse(Code::value, {});
}

}  // namespace

int64_t count_nonzero(const View& x) {
  if (!x.data && numel(x.shape)) {
    throw Error(Code::unsupported, "nonzero",
                "the shape of the result depends on values, which cannot be read inside vmap()");
  }
  std::atomic<int64_t> count{0};
  parallel_for(numel(x.shape), kGrain,
               [&](int64_t begin, int64_t end) { count += count_in(x, begin, end); });
  return count;
}

size_t nonzero_scratch(const Shape& x) {
  return static_cast<size_t>(chunks_of(x)) * sizeof(int64_t);
}

void write_nonzero(const View& x, std::byte* scratch, const int64_t* strides, int64_t* out) {
  auto* starts = reinterpret_cast<int64_t*>(scratch);
  count_chunks(x, starts);
  int64_t before = 0;
  for (int64_t c = 0, chunks = chunks_of(x.shape); c < chunks; ++c) {
    int64_t n = starts[c];
    starts[c] = before;
    before += n;
  }
  const int rank = x.shape.rank;
  parallel_for(numel(x.shape), kGrain, [&](int64_t begin, int64_t end) {
    int64_t row = starts[begin / kGrain], before = begin;
    Coordinates c(x.shape, begin);
    each_tile(x, begin, end, [&](int64_t first, const int32_t* places, int64_t n) {
      for (int64_t i = 0; i < n; ++i, ++row) {
        c.advance(first + places[i] - before);
        before = first + places[i];
        if (!strides) {
          for (int k = 0; k < rank; ++k) out[row * rank + k] = c.at[k];
          continue;
        }
        int64_t sum = 0;
        for (int k = 0; k < rank; ++k) sum += c.at[k] * strides[k];
        out[row] = sum;
      }
    });
  });
}

constinit const OpDef nonzero_def{.name = "nonzero",
                                  .doc = "indices of the nonzero elements",
                                  .infer = nonzero_infer,
                                  .kernels = {nonzero_cpu},
                                  .scratch = nonzero_room,
                                  .samples = nonzero_samples,
                                  .is_discrete = true};
Tensor nonzero(const Tensor& x) { return apply_one(nonzero_def, {x}); }

}  // namespace gyre
