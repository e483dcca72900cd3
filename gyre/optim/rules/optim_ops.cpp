#include "gyre/optim/rules/optim_ops.h"

#include <algorithm>
#include <cmath>

#include "gyre/base/error.h"
#include "gyre/base/thread_pool.h"
#include "gyre/kernel/per_isa.h"
#include "gyre/op/launch.h"

namespace gyre {

GYRE_DECLARE_TILES(OptimTiles, optim)

namespace {

// The four arrays of a step take 256 KiB per chunk: long enough for hardware prefetching, short
// enough for load balance.
constexpr int64_t kChunk = 16384;

int64_t chunks_of(int64_t elements) { return (elements + kChunk - 1) / kChunk; }

const OptimTiles& optim_tiles() {
  static constexpr PerIsa<OptimTiles> kTiles = GYRE_TILES_OF(optim);
  return *kTiles[isa()];
}

static_assert(DType::f16 == DType{0} && DType::f64 == DType{3});  // order of OptimTiles
const ArrayTile& array_tile(DType floating) {
  return optim_tiles().array[static_cast<size_t>(floating)];
}

constexpr Arg kEmaArgs[] = {{"gain"}, {.name = "values", .variadic = true}};
constexpr Arg kListArgs[] = {{.name = "tensors", .variadic = true}};
constexpr const char* kAverages[] = {"averages"};
constexpr const char* kGradients[] = {"gradients"};

Status check_numbers(const OpDef& op, const KernelArgs& args, size_t count) {
  const View& numbers = args.in[0];
  const Shape wanted{static_cast<int64_t>(args.in.size() - 1), static_cast<int64_t>(count)};
  const bool complete = args.out.size() == (args.in.size() - 1) * op.outputs.size();
  if (complete && numbers.dtype == DType::f64 && numbers.shape == wanted) return {};
  return {.failed = true, .code = Code::value, .what = "wrong number of constants or outputs"};
}

// A checked call with `count` constants of each parameter.
void run_parts(const KernelArgs& args, size_t count,
               FunctionRef<void(const StepPart& part)> update) {
  const auto* constants = reinterpret_cast<const double*>(args.in[0].data);
  const std::span<const View> gradients = args.in.subspan(1);
  const size_t outputs = gradients.empty() ? 0 : args.out.size() / gradients.size();
  Chunks(gradients, args.scratch).run([&](const Chunks::Chunk& c) {
    const View &gradient = gradients[c.tensor], *out = &args.out[c.tensor * outputs];
    StepArrays arrays{c.in(gradient), c.in(out[0]), c.in(out[1]), {}};
    for (size_t k = kBeforeState; k < outputs; ++k) arrays.state[k - kBeforeState] = c.in(out[k]);
    update({out[0].dtype, gradient.dtype, constants + c.tensor * count, arrays, c.count});
  });
}

template <class Numbers>
constexpr size_t kCount = sizeof(Numbers) / sizeof(double);

template <auto rule, class Numbers>
Status run_step(const KernelArgs& args) noexcept {
  run_parts(args, kCount<Numbers>, [](const StepPart& part) {
    const auto& numbers = *reinterpret_cast<const Numbers*>(part.numbers);
    const StepTile(&tiles)[2] = optim_tiles().step[static_cast<size_t>(part.value)];
    (tiles[part.gradient != part.value].*rule)(numbers, part.arrays, part.n);
  });
  return {};
}

template <auto rule, class Numbers>
Status step_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  static_assert(sizeof(Numbers) == kCount<Numbers> * sizeof(double));
  Status s = check_numbers(op, args, kCount<Numbers>);
  return s.failed ? s : launch<run_step<rule, Numbers>>(op, args, args);
}

// The kernel of an op whose plan is its arguments: the Views live as long as the launch, and the
// chunks, which go to scratch memory, are made by the run.
template <auto run>
Status list_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  return launch<run>(op, args, args);
}

Status run_ema_update(const KernelArgs& args) noexcept {
  const double gain = *reinterpret_cast<const double*>(args.in[0].data);
  Chunks(args.in.subspan(1), args.scratch).run([&](const Chunks::Chunk& c) {
    const View& x = args.in[1 + c.tensor];
    array_tile(x.dtype).average(gain, c.in(x), c.in(args.out[c.tensor]), c.count);
  });
  return {};
}

Status run_scale_gradients(const KernelArgs& args) noexcept {
  const auto* numbers = reinterpret_cast<const GradientNumbers*>(args.in[0].data);
  Chunks(args.out, args.scratch).run([&](const Chunks::Chunk& c) {
    const View& g = args.out[c.tensor];
    array_tile(g.dtype).scale(*numbers, c.in(g), c.count);
  });
  return {};
}

void total_norm_infer(const OpDef& op, const void*, Inputs in, std::span<Meta> out) {
  for (const Tensor& t : in) {
    if (!t.is_contiguous()) refuse(Code::value, op, "expected contiguous tensors");
    if (is_floating(t.dtype())) continue;
    throw mismatch(Code::dtype, op.name, "expected floating tensors", "a floating dtype",
                   t.dtype());
  }
  out[0].dtype = DType::f64;
}

Status run_total_norm(const KernelArgs& args) noexcept {
  const bool finite_only = attrs_as<TotalNormAttrs>(args.attrs).finite_only;
  const double squares = Chunks(args.in, args.scratch).sum([&](const Chunks::Chunk& c) {
    const View& x = args.in[c.tensor];
    const ArrayTile& tile = array_tile(x.dtype);
    return (finite_only ? tile.finite_squares : tile.squares)(c.in(x), c.count);
  });
  *reinterpret_cast<double*>(args.out[0].data) = std::sqrt(squares);
  return {};
}

}  // namespace

Chunks::Chunks(std::span<const View> tensors, std::byte* scratch)
    : tensors_(tensors), first_(reinterpret_cast<int64_t*>(scratch)) {
  first_[0] = 0;
  for (size_t i = 0; i < tensors.size(); ++i)
    first_[i + 1] = first_[i] + chunks_of(numel(tensors[i].shape));
  sums_ = reinterpret_cast<double*>(first_ + tensors.size() + 1);
}

size_t Chunks::scratch_bytes(const void*, Inputs in) {
  int64_t all = 1;
  for (const Tensor& t : in) all += 1 + chunks_of(t.numel());
  return static_cast<size_t>(all) * sizeof(int64_t);
}

void Chunks::run(FunctionRef<void(const Chunk&)> body) const {
  const int64_t *first = first_, *end = first + tensors_.size();
  parallel_for(*end, 1, [&](int64_t number, int64_t last) {
    for (; number < last; ++number) {
      auto tensor = static_cast<size_t>(std::upper_bound(first, end, number) - first - 1);
      int64_t begin = (number - first[tensor]) * kChunk;
      body(Chunk{tensor, begin, std::min(kChunk, numel(tensors_[tensor].shape) - begin), number});
    }
  });
}

double Chunks::sum(FunctionRef<double(const Chunk&)> body) const {
  run([&](const Chunk& chunk) { sums_[chunk.number] = body(chunk); });
  double total = 0;
  for (int64_t i = 0; i < first_[tensors_.size()]; ++i) total += sums_[i];
  return total;
}

Status run_steps(const OpDef& op, const KernelArgs& args, size_t count,
                 FunctionRef<void(const StepPart& part)> update) noexcept {
  Status s = check_numbers(op, args, count);
  if (!s.failed) run_parts(args, count, update);
  return s;
}

#define OP(name)
#define STEP(rule, Rule, ...)                                                        \
  namespace {                                                                        \
  constexpr const char* k_##rule##_arrays[] = {"value", "master", __VA_ARGS__};      \
  static_assert(std::size(k_##rule##_arrays) <= kBeforeState + StepArrays::kStates); \
  }                                                                                  \
  constinit const OpDef rule##_step_def{                                             \
      .name = #rule "_step",                                                         \
      .doc = "one step of parameters by the rule " #rule,                            \
      .args = kStepArgs,                                                             \
      .outputs = k_##rule##_arrays,                                                  \
      .kernels = on_every_device(step_kernel<&StepTile::rule, Rule##Numbers>),       \
      .writes = true,                                                                \
      .scratch = Chunks::scratch_bytes};
#include "gyre/optim/rules/optim_ops.def"
#undef STEP
#undef OP

constinit const OpDef ema_update_def{.name = "ema_update",
                                     .doc = "exponential moving averages of values",
                                     .args = kEmaArgs,
                                     .outputs = kAverages,
                                     .kernels = on_every_device(list_kernel<run_ema_update>),
                                     .writes = true,
                                     .scratch = Chunks::scratch_bytes};

constinit const OpDef scale_gradients_def{
    .name = "scale_gradients",
    .doc = "gradients times a factor; non-finite ones 0",
    .args = kStepArgs,
    .outputs = kGradients,
    .kernels = on_every_device(list_kernel<run_scale_gradients>),
    .writes = true,
    .scratch = Chunks::scratch_bytes};

constinit const OpDef total_norm_def{.name = "total_norm",
                                     .doc = "the L2 norm of all tensors together",
                                     .args = kListArgs,
                                     .attrs = &record_of<TotalNormAttrs>,
                                     .infer = total_norm_infer,
                                     .kernels = on_every_device(list_kernel<run_total_norm>),
                                     .scratch = Chunks::scratch_bytes,
                                     .is_discrete = true};

}  // namespace gyre
