#include "gyre/ops/random/random.h"

#include <fmt/core.h>

#include <bit>
#include <cmath>

#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"
#include "gyre/kernel/copy.h"
#include "gyre/kernel/per_isa.h"
#include "gyre/kernel/strided.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/literals.h"
#include "gyre/op/observation.h"
#include "gyre/op/samples.h"
#include "gyre/ops/random/plans.h"

namespace gyre {

GYRE_DECLARE_TILES(RandomTiles, random)

GYRE_TILES_FUNCTION(const RandomTiles&, random_tiles, RandomTiles, random)

namespace {

int words_of(DType d) { return d == DType::f64 ? 2 : 1; }

Status run_draw(const DrawPlan& p) noexcept {
  const RandomTiles& tiles = random_tiles();
  parallel_for(p.loop.size(), kGrain, [&](int64_t begin, int64_t end) {
    alignas(64) std::byte read[kTile * 8];
    alignas(64) std::byte written[kTile * 8];
    uint32_t words[kTile * 2 + 4 * kSpareBlocks];
    Reader reader(p.loop, 0, p.compute);
    Writer writer(p.loop, p.reads ? 1 : 0, p.compute);
    for (int64_t i = begin; i < end; i += kTile) {
      int64_t n = end - i < kTile ? end - i : kTile;
      const void* in = p.reads ? reader.read(i, n, read) : nullptr;
      void* to = writer.target(i, written);
      tiles.words(static_cast<uint64_t>(p.seed), static_cast<uint64_t>(p.offset + i * p.each / 4),
                  words, (n * p.each + 3) / 4);
      (tiles.*p.tile)(p.numbers, words, in, to, n);
      writer.commit(i, n, to);
    }
  });
  return {};
}

Status draw(const OpDef& op, const KernelArgs& args, Draw RandomTiles::*tile, Compute compute,
            int64_t each, const auto& attrs, const DrawNumbers& numbers) noexcept {
  const bool reads = !args.in.empty();
  const View &out = args.out[0], *views[] = {reads ? &args.in[0] : &out, &out};
  if (numel(out.shape) == 0) return {};
  return launch<run_draw>(
      op, args,
      DrawPlan{tile, numbers, attrs.seed, attrs.offset, compute, each, reads,
               StridedLoop(out.shape, std::span(views).subspan(reads ? 0 : 1))});
}

void check_floating(const OpDef& op, DType d) {
  if (!is_floating(d)) {
    throw mismatch(Code::dtype, op.name, "expected a floating dtype", "a floating dtype", d);
  }
}

void set_meta(const OpDef& op, const auto& a, Meta& out) {
  check_shape(a.shape, size_of(a.dtype), op.name);
  out.shape = a.shape;
  out.dtype = a.dtype;
}

// ---- rand ----

void floats_infer(const OpDef& op, const void* attrs, Inputs, std::span<Meta> out) {
  const auto& a = attrs_as<RandAttrs>(attrs);
  check_floating(op, a.dtype);
  set_meta(op, a, out[0]);
}

Status rand_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const auto& a = attrs_as<RandAttrs>(args.attrs);
  if (a.dtype == DType::f64)
    return draw(op, args, &RandomTiles::uniform_f64, Compute::f64, 2, a, {});
  // as many bits as the dtype's significand, so that rounding never gives 1
  const int bits = a.dtype == DType::f32 ? 24 : a.dtype == DType::f16 ? 11 : 8;
  return draw(op, args, &RandomTiles::uniform, Compute::f32, 1, a, {.bits = bits});
}

void floats_samples(Samples& s) {
  s.add({}, box(RandAttrs{{3, 4}, DType::f64, 7, 0}));
  s.add({}, box(RandAttrs{{2000}, DType::f32, 7, 5}));
  s.add({}, box(RandAttrs{{}, DType::f16, -1, 0}));
  s.add({}, box(RandAttrs{{0, 3}, DType::bf16, 0, 0}));
  s.refuse(Code::value, {}, box(RandAttrs{{-1}, DType::f32, 0, 0}));
  s.refuse(Code::resource, {}, box(RandAttrs{{int64_t{1} << 62}, DType::f32, 0, 0}));
  s.refuse(Code::dtype, {}, box(RandAttrs{{2}, DType::i32, 0, 0}));
  s.refuse(Code::value, {s.uniform({2})});
}

// ---- randn ----

// An odd last element also uses the angle's words; draws are rounded up to an even number.
Status randn_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const auto& a = attrs_as<RandAttrs>(args.attrs);
  const int words = words_of(a.dtype);
  auto tile = words == 2 ? &RandomTiles::normal_f64 : &RandomTiles::normal;
  return draw(op, args, tile, Compute::f64, words, a, {});
}

// ---- randint ----

void randint_infer(const OpDef& op, const void* attrs, Inputs, std::span<Meta> out) {
  const auto& a = attrs_as<RandintAttrs>(attrs);
  if (a.low >= a.high) {
    refuse(Code::value, op, {"low must be less than high, got ", a.low, " and ", a.high},
           "low < high", {a.low, ", ", a.high});
  }
  require_fit(a.low, a.dtype, op.name);
  require_fit(a.high - 1, a.dtype, op.name);
  set_meta(op, a, out[0]);
}

Status randint_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const auto& a = attrs_as<RandintAttrs>(args.attrs);
  const uint64_t range = static_cast<uint64_t>(a.high) - static_cast<uint64_t>(a.low);
  return draw(op, args, &RandomTiles::integers, Compute::i64, 2, a, {.low = a.low, .range = range});
}

void randint_samples(Samples& s) {
  s.add({}, box(RandintAttrs{-3, 4, {3, 4}, DType::i64, 7, 0}));
  s.add({}, box(RandintAttrs{0, 1, {700}, DType::u8, 7, 3}));
  s.add({}, box(RandintAttrs{INT64_MIN, INT64_MAX, {}, DType::i64, 7, 0}));
  s.refuse(Code::value, {}, box(RandintAttrs{2, 2, {3}, DType::i64, 0, 0}));
  s.refuse(Code::value, {}, box(RandintAttrs{-1, 2, {3}, DType::u8, 0, 0}));
  s.refuse(Code::value, {}, box(RandintAttrs{0, 257, {3}, DType::u8, 0, 0}));
  s.refuse(Code::value, {}, box(RandintAttrs{0, 3, {3}, DType::boolean, 0, 0}));
  s.refuse(Code::value, {}, box(RandintAttrs{0, 2, {-3}, DType::i64, 0, 0}));
}

// ---- bernoulli ----

void bernoulli_infer(const OpDef& op, const void* attrs, Inputs, std::span<Meta> out) {
  const auto& a = attrs_as<BernoulliAttrs>(attrs);
  check_record(op.name, a);
  set_meta(op, a, out[0]);
}

Status bernoulli_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const auto& a = attrs_as<BernoulliAttrs>(args.attrs);
  return draw(op, args, &RandomTiles::bernoulli, Compute::i32, 1, a,
              {.threshold = threshold_of(a.p)});
}

void bernoulli_samples(Samples& s) {
  s.add({}, box(BernoulliAttrs{0.3, {3, 4}, DType::boolean, 7, 0}));
  s.add({}, box(BernoulliAttrs{1, {700}, DType::f32, 7, 3}));
  s.add({}, box(BernoulliAttrs{0, {}, DType::i64, 7, 0}));
  s.refuse(Code::value, {}, box(BernoulliAttrs{-0.1, {3}, DType::boolean, 0, 0}));
  s.refuse(Code::value, {}, box(BernoulliAttrs{NAN, {3}, DType::boolean, 0, 0}));
  s.refuse(Code::value, {}, box(BernoulliAttrs{0.5, {-3}, DType::boolean, 0, 0}));
}

// ---- dropout ----

void dropout_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  check_record(op.name, attrs_as<DropoutAttrs>(attrs));
  check_floating(op, in[0].dtype());
  infer_like_first(op, attrs, in, out);
}

Status dropout_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const auto& a = attrs_as<DropoutAttrs>(args.attrs);
  // else the threshold 2^32 exceeds a word and the scale is infinite
  if (a.p == 1) return zero_elements(args.out[0]);
  const Compute compute = compute_of(args.out[0].dtype);
  auto tile = compute == Compute::f64 ? &RandomTiles::dropout_f64 : &RandomTiles::dropout;
  return draw(op, args, tile, compute, 1, a,
              {.threshold = threshold_of(a.p), .scale = 1 / (1 - a.p)});
}

Tensors dropout_back(const VjpArgs& a) {
  return {dropout(a.grad[0], attrs_as<DropoutAttrs>(a.attrs))};
}

void dropout_samples(Samples& s) {
  s.add({s.uniform({3, 4})}, box(DropoutAttrs{0.5, 7, 0}));
  s.add({s.uniform({40, 33})}, box(DropoutAttrs{0.1, 7, 3}));
  s.add({s.uniform({})}, box(DropoutAttrs{0, 7, 0}));
  s.add({s.uniform({5})}, box(DropoutAttrs{1, 7, 0}));
  s.refuse(Code::value, {s.uniform({3})}, box(DropoutAttrs{1.5, 0, 0}));
  s.refuse(Code::value, {s.uniform({3})}, box(DropoutAttrs{NAN, 0, 0}));
  s.refuse(Code::dtype, {s.indices({3})}, box(DropoutAttrs{0.5, 0, 0}));
}

// ---- generators ----

template <int kEach>
uint64_t words_each(const void*, Inputs, Inputs out) {
  return static_cast<uint64_t>(out[0].numel()) * kEach;
}
uint64_t words_by_dtype(const void*, Inputs, Inputs out) {
  return static_cast<uint64_t>(out[0].numel() * words_of(out[0].dtype()));
}

Tensor make(const OpDef& op, auto attrs, const TensorOptions& options) {
  Generator& g = options.generator ? *options.generator : default_generator();
  attrs.seed = std::bit_cast<int64_t>(g.seed);
  attrs.offset = std::bit_cast<int64_t>(g.offset);
  attrs.dtype = options.dtype;
  Attrs boxed = box(attrs);
  Tensor t = on_device(apply_one(op, Inputs(), boxed), options.device);
  if (options.requires_grad) t.set_requires_grad();
  take_words(op, boxed, {}, {&t, 1}, g);
  return t;
}

}  // namespace

uint64_t threshold_of(double p) { return static_cast<uint64_t>(p * 0x1p32); }

// Called after the result exists: a failed call does not advance the generator.
void take_words(const OpDef& op, const Attrs& attrs, Inputs in, Inputs out, Generator& g) {
  const uint64_t blocks = (op.words(attrs->value, in, out) + 3) / 4;
  g.offset += blocks;
  if (Observation::wanted()) Observation::show({op, attrs, g, blocks});
}

extern constinit const OpDef rand_def{.name = "rand",
                                      .doc = "uniform random numbers in [0, 1)",
                                      .args = {},
                                      .attrs = &record_of<RandAttrs>,
                                      .infer = floats_infer,
                                      .kernels = on_every_device(rand_kernel),
                                      .words = words_by_dtype,
                                      .samples = floats_samples,
                                      .is_discrete = true};
Tensor rand(const Shape& shape, const TensorOptions& options) {
  return make(rand_def, RandAttrs{.shape = shape}, options);
}

extern constinit const OpDef randn_def{.name = "randn",
                                       .doc = "standard normal random numbers",
                                       .args = {},
                                       .attrs = &record_of<RandAttrs>,
                                       .infer = floats_infer,
                                       .kernels = on_every_device(randn_kernel),
                                       .words = words_by_dtype,
                                       .samples = floats_samples,
                                       .is_discrete = true};
Tensor randn(const Shape& shape, const TensorOptions& options) {
  return make(randn_def, RandAttrs{.shape = shape}, options);
}

extern constinit const OpDef randint_def{.name = "randint",
                                         .doc = "random integers in [low, high)",
                                         .args = {},
                                         .attrs = &record_of<RandintAttrs>,
                                         .infer = randint_infer,
                                         .kernels = on_every_device(randint_kernel),
                                         .words = words_each<2>,
                                         .samples = randint_samples,
                                         .is_discrete = true};
Tensor randint(int64_t low, int64_t high, const Shape& shape, const TensorOptions& options) {
  return make(randint_def, RandintAttrs{.low = low, .high = high, .shape = shape}, options);
}

extern constinit const OpDef bernoulli_def{.name = "bernoulli",
                                           .doc = "Bernoulli samples: 1 with probability p, else 0",
                                           .args = {},
                                           .attrs = &record_of<BernoulliAttrs>,
                                           .infer = bernoulli_infer,
                                           .kernels = on_every_device(bernoulli_kernel),
                                           .words = words_each<1>,
                                           .samples = bernoulli_samples,
                                           .is_discrete = true};
Tensor bernoulli(double p, const Shape& shape, const TensorOptions& options) {
  return make(bernoulli_def, BernoulliAttrs{.p = p, .shape = shape}, options);
}

extern constinit const OpDef dropout_def{
    .name = "dropout",
    .doc = "dropout: zero with probability p, else x / (1 - p)",
    .attrs = &record_of<DropoutAttrs>,
    .local = Locality::element,
    .infer = dropout_infer,
    .kernels = on_every_device(dropout_kernel),
    .vjp = dropout_back,
    .words = words_each<1>,
    .samples = dropout_samples};
GYRE_FUNCTION_1(dropout, DropoutAttrs)
Tensor dropout(const Tensor& x, double p, bool training, Generator* generator) {
  check_record("dropout", DropoutAttrs{p});
  if (!training || p == 0) return x;
  Generator& g = generator ? *generator : default_generator();
  Attrs attrs =
      box(DropoutAttrs{p, std::bit_cast<int64_t>(g.seed), std::bit_cast<int64_t>(g.offset)});
  Tensor y = apply_one(dropout_def, {x}, attrs);
  take_words(dropout_def, attrs, {&x, 1}, {&y, 1}, g);
  return y;
}

}  // namespace gyre
