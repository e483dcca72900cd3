#include "gyre/packed/training/hybrid.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>

#include "gyre/base/error.h"
#include "gyre/op/apply.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/optim/rules/adam.h"
#include "gyre/optim/rules/optim_ops.h"
#include "gyre/packed/gradient/factored.h"
#include "gyre/packed/training/riemannian_step.h"

namespace gyre {
namespace {

std::mutex counts_mutex;
constexpr WordStepCounts kNone{.worst = std::numeric_limits<double>::infinity()};
WordStepCounts counts = kNone;

template <HybridMode mode>
bool takes_packed(const Tensor& parameter, const void* options) {
  return is_packed(parameter) && attrs_as<HybridOptions>(options).mode == mode;
}

// ---- shadow ----

// The weights that forward uses and AdamW updates are those of the last encoding, with what they
// have moved since: shadow = encoded + moved. What AdamW should update is the shadow less the error
// of the encoding, which stays until the next.

void use_shadow(const Tensor& parameter, Tensors& state) {
  packed_storage(parameter).stand_in = state[5];
}

void encode_shadow(const ParameterStep& s) {
  const Tensor &shadow = s.state[5], &error = s.state[6];
  const Tensor wanted = shadow - error;
  packed_encode_into(wanted, s.parameter);
  use_shadow(s.parameter, s.state);
  copy_(shadow, packed_decode(s.parameter.detach()));
  copy_(error, shadow - wanted);
}

// The words of the shadow as it is now; the shadow itself stays.
void settle_shadow(const Tensor& parameter, const void* options, Tensors& state, int64_t steps) {
  if (steps % attrs_as<HybridOptions>(options).reencode_every == 0) return;
  packed_encode_into(state[5] - state[6], parameter);
  use_shadow(parameter, state);
}

void step_shadow(const ParameterStep& s) {
  const auto& options = attrs_as<HybridOptions>(s.options);
  const Tensor &m = s.state[0], &v = s.state[1], &shadow = s.state[5];
  if (s.steps == 0) {
    copy_(shadow, packed_decode(s.parameter.detach()));
    use_shadow(s.parameter, s.state);
  }
  const AdamNumbers numbers = HybridRule::numbers(options, {s.steps + 1, s.numbers});
  const auto row = std::bit_cast<std::array<double, sizeof numbers / sizeof(double)>>(numbers);
  const std::vector<double> constants(row.begin(), row.end());
  const Tensor in[] = {tensor(constants, {1, static_cast<int64_t>(constants.size())}), s.gradient};
  const Tensor out[] = {shadow, {}, m, v, {}};
  write(adam_step_def, in, out);
  ++s.steps;
  if (s.steps % options.reencode_every == 0) encode_shadow(s);
}

// ---- without ----

template <class T>
std::span<T> writable(const Tensor& t) {
  return {reinterpret_cast<T*>(t.bytes()), static_cast<size_t>(t.numel())};
}

// The group of a header, in the order of [groups, 2].
template <class F>
void each_group(const PackedLayout& l, F f) {
  for (int64_t t = 0; t < l.row_tiles(); ++t) {
    for (int64_t k = 0; k < l.groups(); ++k)
      f(static_cast<size_t>(l.group(t, k).header), static_cast<size_t>(2 * (t * l.groups() + k)));
  }
}

void step_headers(const ParameterStep& s, std::span<const float> gradient) {
  const auto& options = attrs_as<HybridOptions>(s.options);
  const PackedStorage& storage = packed_storage(s.parameter);
  const RingFormat& format = storage.layout.ring();
  const std::span<Packed128> headers = storage.headers();
  std::vector<float> points(gradient.size()), m = to_vector<float>(s.state[0]),
                                              v = to_vector<float>(s.state[1]);
  each_group(storage.layout, [&](size_t header, size_t at) {
    points[at] = packed_scale(headers[header]);
    points[at + 1] = packed_angle(headers[header]);
  });
  riemannian_step({options.lr, options.beta1, options.beta2, options.eps, s.steps + 1}, gradient,
                  format.layers == 2, points, m, v);
  const int seed = packed_seed(headers[1]);
  each_group(storage.layout, [&](size_t header, size_t at) {
    headers[header] =
        packed_header(format, seed, std::min(points[at], kLargestScale), points[at + 1], "hybrid");
  });
  copy_(s.state[0], tensor(m, s.state[0].shape()));
  copy_(s.state[1], tensor(v, s.state[1].shape()));
}

bool is_finite(const Tensor& t) {
  return std::ranges::all_of(to_vector<float>(t), [](float x) { return std::isfinite(x); });
}

// Before anything changes: a row whose average square is NaN would stay as it is forever.
void require_finite(const Tensor& gradient) {
  const std::vector<FactoredTerm> terms =
      is_factored(gradient)
          ? factored_storage(gradient).terms
          : std::vector<FactoredTerm>{{.right = contiguous(to(gradient, DType::f32))}};
  for (const FactoredTerm& term : terms) {
    const bool left = term.sort != FactoredTerm::product || is_finite(term.left);
    if (left && is_finite(term.right)) continue;
    throw Error(Code::numeric, "hybrid", "the gradient of packed weights is not finite", "finite",
                "NaN or infinity");
  }
}

void step_words(const ParameterStep& s) {
  require_finite(s.gradient);
  const auto& options = attrs_as<HybridOptions>(s.options);
  const PackedLayout& l = packed_storage(s.parameter).layout;
  packed_storage(s.parameter).stand_in = {};  // of an earlier optimiser
  std::vector<float> lo(static_cast<size_t>(2 * l.row_tiles() * l.groups()));
  const Tensor &square = s.state[2], &residual = s.state[3], &scale = s.state[4];
  const WordMemory memory{writable<uint8_t>(residual), writable<float>(scale),
                          writable<float>(square)};
  const WordStepCounts part = step_words(s.parameter, s.gradient,
                                         {.scale = s.numbers.scale,
                                          .rate = options.lr * options.lr_words,
                                          .decay = options.beta2,
                                          .step = s.steps + 1,
                                          .flips = static_cast<int>(options.flips),
                                          .dead_zone = options.dead_zone},
                                         memory, lo);
  step_headers(s, lo);
  for (const Tensor& changed : {s.parameter, square, residual, scale})
    changed.impl()->storage->version += 1;
  ++s.steps;
  const std::lock_guard lock(counts_mutex);
  add(counts, part);
}

template <auto step>
void step_each(const Optimizer&, std::span<const ParameterStep> steps, const Tensor&) {
  for (const ParameterStep& s : steps) step(s);
}

constexpr StepRoute kRoutes[] = {
    {.takes = takes_packed<HybridMode::shadow>,
     .step = step_each<step_shadow>,
     .state_shape = [](size_t kind,
                       const Tensor& p) { return kind >= 2 && kind < 5 ? Shape{0} : p.shape(); },
     .loaded = use_shadow,
     .settle = settle_shadow,
     .cycle = [](const void* o) { return attrs_as<HybridOptions>(o).reencode_every; },
     .gradient = dense_gradient},
    {.takes = takes_packed<HybridMode::shadow_free>,
     .step = step_each<static_cast<void (*)(const ParameterStep&)>(step_words)>,
     .state_shape =
         [](size_t kind, const Tensor& parameter) {
           const PackedLayout& l = packed_storage(parameter).layout;
           const int64_t groups = l.row_tiles() * l.groups();
           return kind == 2   ? Shape{l.rows}
                  : kind == 3 ? Shape{word_residual_bytes(l)}
                  : kind == 4 ? Shape{groups}
                              : Shape{groups, 2};
         },
     .state_dtype = [](size_t kind, const Tensor&) { return kind == 3 ? DType::u8 : DType::f32; }},
    kChunks};
constexpr const char* kStates[] = {"m",      "v",    "square", "residual", "residual_scale",
                                   "shadow", "error"};

}  // namespace

constinit const OptimizerDef hybrid_optimizer{
    .name = "hybrid",
    .class_name = "HybridOptimizer",
    .doc = "packed tensors by their words, or by f32 weights beside them; all others by AdamW",
    .options = &record_of<HybridOptions>,
    .step = &adam_step_def,
    .make = HybridOptimizer::make,
    .routes = kRoutes,
    .states = kStates};

size_t HybridRule::states(const HybridOptions& o, const Tensor& parameter) {
  if (!is_packed(parameter)) return 2;
  require_rings("hybrid", parameter);
  return o.mode == HybridMode::shadow ? 7 : 5;
}

AdamNumbers HybridRule::numbers(const HybridOptions& o, const Optimizer::StepInfo& info) {
  return AdamRule<AdamWOptions>::numbers({.lr = o.lr,
                                          .beta1 = o.beta1,
                                          .beta2 = o.beta2,
                                          .eps = o.eps,
                                          .weight_decay = o.weight_decay},
                                         info);
}

template class OptimizerOf<HybridRule>;

WordStepCounts hybrid_counts(bool reset) {
  const std::lock_guard lock(counts_mutex);
  const WordStepCounts now = counts;
  if (reset) counts = kNone;
  return now;
}

}  // namespace gyre
