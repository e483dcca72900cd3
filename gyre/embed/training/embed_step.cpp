#include "gyre/embed/training/embed_step.h"

#include <cmath>

#include "gyre/base/thread_pool.h"
#include "gyre/embed/training/bodies.h"
#include "gyre/kernel/per_isa.h"
#include "gyre/op/launch.h"

namespace gyre {

GYRE_DECLARE_TILES(EmbedTiles, embed)

const EmbedTiles& embed_tiles() noexcept {
  static constexpr PerIsa<EmbedTiles> kTiles = GYRE_TILES_OF(embed);
  return *kTiles[isa()];
}

namespace {

constexpr int64_t kSoon = 4;                       // rows to prefetch ahead
constexpr int64_t kPairChunk = 8, kRowChunk = 64;  // for threads

constexpr Arg kEmbedArgs[] = {{"points"}, {"rate"}, {"pairs"}, {"rows"}, {"entries"}};
constexpr const char* kEmbedOutputs[] = {"points", "space", "loss"};

// Without addresses.
EmbedPlan sized(const Shape& point_strides, const Shape& pairs, const Shape& rows) {
  EmbedPlan p{};
  p.stride = point_strides[0];
  p.pair_count = pairs[0];
  p.targets = pairs[1] - 1;
  p.row_count = rows[0] - 1;
  return p;
}

// Records of pairs, then a gradient for each chunk of rows.
size_t embed_scratch(const void*, Inputs in) {
  const EmbedPlan p = sized(in[0].strides(), in[2].shape(), in[3].shape());
  const int64_t chunks = (p.row_count + kRowChunk - 1) / kRowChunk;
  return static_cast<size_t>(p.pair_count * p.record() + chunks * p.stride) * sizeof(double);
}

bool fits(const KernelArgs& args, Geometry geometry) {
  const View &points = args.out[0], &space = args.out[1];
  bool all = points.dtype == DType::f64 && points.data == args.in[0].data &&
             points.strides[0] % 8 == 0 && !space.data == (geometry != Geometry::lorentz);
  for (const View& v : args.in.subspan(2))
    all &= v.dtype == DType::i32 && v.shape.rank == 2 && is_contiguous(v.shape, v.strides);
  return all && args.in[3].shape[1] == 2 && args.in[4].shape[1] == 2;
}

// With many points, most rows are not in a near cache.
void prefetch_row(const EmbedPlan& p, uint32_t node) {
  constexpr int64_t kLine = 8;
  for (int64_t i = 0; i < p.stride; i += kLine) prefetch(p.points + node * p.stride + i);
}

// Adds the loss and leaves the records.
void run_pairs(const EmbedPlan& p, PairTile pair) {
  parallel_for(p.pair_count, kPairChunk, [&](int64_t begin, int64_t end) {
    auto* scratch = reinterpret_cast<double*>(
        thread_scratch(static_cast<size_t>((p.dim + 2) * p.slots()) * sizeof(double)));
    for (int64_t i = begin; i < end; ++i) {
      const uint32_t* next = p.pairs + (i + 1) * (1 + p.targets);
      for (int64_t t = 1; i + 1 < end && t <= p.targets; ++t) prefetch_row(p, next[t]);
      const PairLoss loss = pair(p, i, scratch);
      p.records[(i + 1) * p.record() - 1] = std::log(loss.sum) + loss.excess;
    }
  });
  double sum = 0;
  for (int64_t i = 1; i <= p.pair_count; ++i) sum += p.records[i * p.record() - 1];
  *p.loss += sum;
}

template <class Body, PairTile EmbedTiles::*pair>
Status run_embed_step(const EmbedPlan& p) noexcept {
  return run_or_report([&] {
    run_pairs(p, embed_tiles().*pair);
    double* gradients = p.records + p.pair_count * p.record();
    parallel_for(p.row_count, kRowChunk, [&](int64_t begin, int64_t end) {
      double* gradient = gradients + begin / kRowChunk * p.stride;
      for (int64_t r = begin; r < end; ++r) {
        if (r + kSoon < end) prefetch_row(p, p.rows[r + kSoon].node);
        const int64_t node = p.rows[r].node;
        embed_tiles().row(p, r, gradient);
        Body::step(p.points + node * p.stride, p.space ? p.space + node * p.dim : nullptr, p.dim,
                   gradient, *p.rate);
      }
    });
  });
}

template <class Body, PairTile EmbedTiles::*pair, Geometry geometry>
Status embed_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  if (!fits(args, geometry))
    return {.failed = true, .code = Code::value, .what = "wrong dtypes or shapes of a batch"};
  const std::span<const View> in = args.in, out = args.out;
  EmbedPlan p = sized(out[0].strides, in[2].shape, in[3].shape);
  p.dim = out[0].shape[1] - 2;
  p.points = reinterpret_cast<double*>(out[0].data);
  p.space = reinterpret_cast<double*>(out[1].data);
  p.loss = reinterpret_cast<double*>(out[2].data);
  p.rate = reinterpret_cast<const double*>(in[1].data);
  p.pairs = reinterpret_cast<const uint32_t*>(in[2].data);
  p.rows = reinterpret_cast<const MovedRow*>(in[3].data);
  p.entries = reinterpret_cast<const GradientEntry*>(in[4].data);
  p.records = reinterpret_cast<double*>(args.scratch);
  return launch<run_embed_step<Body, pair>>(op, args, p);
}

constinit const OpDef kEmbedSteps[] = {
#define GEOMETRY(space, Body)                                                           \
  {.name = #space "_embed_step",                                                        \
   .doc = "one step of an embedding in the geometry " #space,                           \
   .args = kEmbedArgs,                                                                  \
   .outputs = kEmbedOutputs,                                                            \
   .kernels = on_every_device(embed_kernel<Body, &EmbedTiles::space, Geometry::space>), \
   .writes = true,                                                                      \
   .scratch = embed_scratch},
#include "gyre/embed/training/geometries.def"
#undef GEOMETRY
};

}  // namespace

const OpDef& embed_step_of(Geometry geometry) { return kEmbedSteps[static_cast<size_t>(geometry)]; }

}  // namespace gyre
