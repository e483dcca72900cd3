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
#include "gyre/op/observation.h"
#include "gyre/op/samples.h"
#include "gyre/ops/random/random_tiles.h"

namespace gyre {

GYRE_DECLARE_TILES(RandomTiles, random)

const RandomTiles& random_tiles() {
  static constexpr PerIsa<RandomTiles> kTiles = GYRE_TILES_OF(random);
  return *kTiles[isa()];
}

#define OP(name) extern const OpDef name##_def;
#include "gyre/ops/random/random.def"
#undef OP

namespace {

constexpr int64_t kMostWords = 2;  // words per element, at most

int words_of(DType d) { return d == DType::f64 ? 2 : 1; }

// Words of elements [begin, begin + n) of a tensor whose elements take `each`.
class Words {
 public:
  Words(int64_t seed, int64_t offset)
      : seed_(std::bit_cast<uint64_t>(seed)), offset_(std::bit_cast<uint64_t>(offset)) {}
  // begin is a multiple of kTile and n at most kTile
  const uint32_t* draw(int64_t begin, int64_t n, int64_t each) {
    random_tiles().words(seed_, offset_ + static_cast<uint64_t>(begin * each / 4), words_,
                         (n * each + 3) / 4);
    return words_;
  }

 private:
  uint64_t seed_, offset_;
  uint32_t words_[kTile * kMostWords + 4 * kSpareBlocks];
};

// A call of an op without operands.
struct DrawPlan {
  const void* attrs;
  StridedLoop loop;  // over the result
};

template <auto run>
Status draw_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View& out = args.out[0];
  if (numel(out.shape) == 0) return {};
  return launch<run>(op, args, DrawPlan{args.attrs, StridedLoop(out)});
}

// values(tiles, words, n, to) turns words into n values of type T, the compute type.
template <class T>
void generate(const auto& attrs, const DrawPlan& p, Compute compute, int64_t each, auto values) {
  parallel_for(p.loop.size(), kGrain, [&](int64_t begin, int64_t end) {
    alignas(64) std::byte buffer[kTile * 8];
    Words words(attrs.seed, attrs.offset);
    Writer writer(p.loop, 0, compute);
    for (int64_t i = begin; i < end; i += kTile) {
      int64_t n = end - i < kTile ? end - i : kTile;
      void* to = writer.target(i, buffer);
      values(random_tiles(), words.draw(i, n, each), n, static_cast<T*>(to));
      writer.commit(i, n, to);
    }
  });
}

void check_floating(const OpDef& op, DType d) {
  if (!is_floating(d)) {
    throw mismatch(Code::dtype, op.name, "expected a floating dtype", "a floating dtype",
                   name_of(d));
  }
}

void check_probability(const OpDef& op, double p) {
  if (!(p >= 0 && p <= 1)) {
    throw mismatch(Code::value, op.name, "p must be in [0, 1]", "0..1", fmt::format("{}", p));
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

Status run_rand(const DrawPlan& p) noexcept {
  const auto& a = attrs_as<RandAttrs>(p.attrs);
  if (a.dtype == DType::f64) {
    generate<double>(a, p, Compute::f64, 2, [](auto& tiles, const uint32_t* w, auto n, auto to) {
      tiles.uniform_f64(w, to, n);
    });
    return {};
  }
  // as many bits as the dtype's significand, so that rounding never gives 1
  const int bits = a.dtype == DType::f32 ? 24 : a.dtype == DType::f16 ? 11 : 8;
  generate<float>(a, p, Compute::f32, 1, [=](auto& tiles, const uint32_t* w, auto n, auto to) {
    tiles.uniform(w, bits, to, n);
  });
  return {};
}

void floats_samples(Samples& s) {
  s.add({}, box(RandAttrs{{3, 4}, DType::f64, 7, 0}));
  s.add({}, box(RandAttrs{{2000}, DType::f32, 7, 5}));
  s.add({}, box(RandAttrs{{}, DType::f16, -1, 0}));
  s.add({}, box(RandAttrs{{0, 3}, DType::bf16, 0, 0}));
  s.refuse(Code::value, {}, box(RandAttrs{{-1}, DType::f32, 0, 0}));
  s.refuse(Code::resource, {}, box(RandAttrs{{int64_t{1} << 62}, DType::f32, 0, 0}));
  s.refuse(Code::dtype, {}, box(RandAttrs{{2}, DType::i32, 0, 0}));
  s.refuse(Code::value, {s.uniform({2})}, box(RandAttrs{}));
}

// ---- randn ----

Status run_randn(const DrawPlan& p) noexcept {
  const auto& a = attrs_as<RandAttrs>(p.attrs);
  // an odd last element also uses the angle's words; draws are rounded up to an even number
  const bool wide = a.dtype == DType::f64;
  generate<double>(a, p, Compute::f64, wide ? 2 : 1,
                   [=](auto& tiles, const uint32_t* w, auto n, auto to) {
                     (wide ? tiles.normal_f64 : tiles.normal)(w, to, n);
                   });
  return {};
}

// ---- randint ----

void randint_infer(const OpDef& op, const void* attrs, Inputs, std::span<Meta> out) {
  const auto& a = attrs_as<RandintAttrs>(attrs);
  if (a.low >= a.high) {
    refuse(Code::value, op,
           "low must be less than high, got " + std::to_string(a.low) + " and " +
               std::to_string(a.high),
           "low < high", std::to_string(a.low) + ", " + std::to_string(a.high));
  }
  set_meta(op, a, out[0]);
}

Status run_randint(const DrawPlan& p) noexcept {
  const auto& a = attrs_as<RandintAttrs>(p.attrs);
  const uint64_t range = static_cast<uint64_t>(a.high) - static_cast<uint64_t>(a.low);
  generate<int64_t>(a, p, Compute::i64, 2, [&](auto& tiles, const uint32_t* w, auto n, auto to) {
    tiles.integers(w, a.low, range, to, n);
  });
  return {};
}

void randint_samples(Samples& s) {
  s.add({}, box(RandintAttrs{-3, 4, {3, 4}, DType::i64, 7, 0}));
  s.add({}, box(RandintAttrs{0, 1, {700}, DType::u8, 7, 3}));
  s.add({}, box(RandintAttrs{INT64_MIN, INT64_MAX, {}, DType::i64, 7, 0}));
  s.refuse(Code::value, {}, box(RandintAttrs{2, 2, {3}, DType::i64, 0, 0}));
  s.refuse(Code::value, {}, box(RandintAttrs{0, 2, {-3}, DType::i64, 0, 0}));
}

// ---- bernoulli ----

void bernoulli_infer(const OpDef& op, const void* attrs, Inputs, std::span<Meta> out) {
  const auto& a = attrs_as<BernoulliAttrs>(attrs);
  check_probability(op, a.p);
  set_meta(op, a, out[0]);
}

Status run_bernoulli(const DrawPlan& p) noexcept {
  const auto& a = attrs_as<BernoulliAttrs>(p.attrs);
  generate<int32_t>(a, p, Compute::i32, 1, [&](auto& tiles, const uint32_t* w, auto n, auto to) {
    tiles.bernoulli(w, threshold_of(a.p), to, n);
  });
  return {};
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
  check_probability(op, attrs_as<DropoutAttrs>(attrs).p);
  check_floating(op, in[0].dtype());
  out[0].shape = in[0].shape();
  out[0].dtype = in[0].dtype();
}

struct DropoutPlan {
  const DropoutAttrs* attrs;
  uint32_t threshold;
  double scale;
  Compute compute;
  StridedLoop loop;  // over the operand and the result
};

Status run_dropout(const DropoutPlan& p) noexcept {
  parallel_for(p.loop.size(), kGrain, [&](int64_t begin, int64_t end) {
    alignas(64) std::byte read[kTile * 8];
    alignas(64) std::byte written[kTile * 8];
    Words words(p.attrs->seed, p.attrs->offset);
    Reader reader(p.loop, 0, p.compute);
    Writer writer(p.loop, 1, p.compute);
    for (int64_t i = begin; i < end; i += kTile) {
      int64_t n = end - i < kTile ? end - i : kTile;
      const void* in = reader.read(i, n, read);
      void* to = writer.target(i, written);
      const uint32_t* w = words.draw(i, n, 1);
      if (p.compute == Compute::f64) {
        random_tiles().drop_f64(static_cast<const double*>(in), w, p.threshold, p.scale,
                                static_cast<double*>(to), n);
      } else {
        random_tiles().drop(static_cast<const float*>(in), w, p.threshold,
                            static_cast<float>(p.scale), static_cast<float*>(to), n);
      }
      writer.commit(i, n, to);
    }
  });
  return {};
}

Status dropout_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const auto& a = attrs_as<DropoutAttrs>(args.attrs);
  const View &x = args.in[0], &out = args.out[0];
  if (numel(x.shape) == 0) return {};
  // else the threshold 2^32 exceeds a word and the scale is infinite
  if (a.p == 1) return zero_elements(out);
  const View* views[] = {&x, &out};
  const DropoutPlan plan{&a, static_cast<uint32_t>(threshold_of(a.p)), 1 / (1 - a.p),
                         compute_of(out.dtype), StridedLoop(out.shape, views)};
  return launch<run_dropout>(op, args, plan);
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

constinit const OpDef rand_def{.name = "rand",
                               .doc = "uniform random numbers in [0, 1)",
                               .args = {},
                               .attrs = &record_of<RandAttrs>,
                               .infer = floats_infer,
                               .kernels = on_every_device(draw_kernel<run_rand>),
                               .words = words_by_dtype,
                               .samples = floats_samples,
                               .is_discrete = true};
Tensor rand(const Shape& shape, const TensorOptions& options) {
  return make(rand_def, RandAttrs{.shape = shape}, options);
}

constinit const OpDef randn_def{.name = "randn",
                                .doc = "standard normal random numbers",
                                .args = {},
                                .attrs = &record_of<RandAttrs>,
                                .infer = floats_infer,
                                .kernels = on_every_device(draw_kernel<run_randn>),
                                .words = words_by_dtype,
                                .samples = floats_samples,
                                .is_discrete = true};
Tensor randn(const Shape& shape, const TensorOptions& options) {
  return make(randn_def, RandAttrs{.shape = shape}, options);
}

constinit const OpDef randint_def{.name = "randint",
                                  .doc = "random integers in [low, high)",
                                  .args = {},
                                  .attrs = &record_of<RandintAttrs>,
                                  .infer = randint_infer,
                                  .kernels = on_every_device(draw_kernel<run_randint>),
                                  .words = words_each<2>,
                                  .samples = randint_samples,
                                  .is_discrete = true};
Tensor randint(int64_t low, int64_t high, const Shape& shape, const TensorOptions& options) {
  return make(randint_def, RandintAttrs{.low = low, .high = high, .shape = shape}, options);
}

constinit const OpDef bernoulli_def{.name = "bernoulli",
                                    .doc = "Bernoulli samples: 1 with probability p, else 0",
                                    .args = {},
                                    .attrs = &record_of<BernoulliAttrs>,
                                    .infer = bernoulli_infer,
                                    .kernels = on_every_device(draw_kernel<run_bernoulli>),
                                    .words = words_each<1>,
                                    .samples = bernoulli_samples,
                                    .is_discrete = true};
Tensor bernoulli(double p, const Shape& shape, const TensorOptions& options) {
  return make(bernoulli_def, BernoulliAttrs{.p = p, .shape = shape}, options);
}

constinit const OpDef dropout_def{.name = "dropout",
                                  .doc = "dropout: zero with probability p, else x / (1 - p)",
                                  .attrs = &record_of<DropoutAttrs>,
                                  .infer = dropout_infer,
                                  .kernels = on_every_device(dropout_kernel),
                                  .vjp = dropout_back,
                                  .words = words_each<1>,
                                  .samples = dropout_samples};
Tensor dropout(const Tensor& x, const DropoutAttrs& attrs) {
  return apply_one(dropout_def, Inputs(&x, 1), box(attrs));
}
Tensor dropout(const Tensor& x, double p, bool training, Generator* generator) {
  check_probability(dropout_def, p);
  if (!training || p == 0) return x;
  Generator& g = generator ? *generator : default_generator();
  Attrs attrs =
      box(DropoutAttrs{p, std::bit_cast<int64_t>(g.seed), std::bit_cast<int64_t>(g.offset)});
  Tensor y = apply_one(dropout_def, {x}, attrs);
  take_words(dropout_def, attrs, {&x, 1}, {&y, 1}, g);
  return y;
}

}  // namespace gyre
