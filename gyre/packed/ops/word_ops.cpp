#include "gyre/packed/ops/word_ops.h"

#include "gyre/op/apply.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/packed/gradient/factored.h"
#include "gyre/packed/packed.h"

namespace gyre {
namespace {

// ---- packed_encode ----

Tensors encode_of(const OpDef&, const void* attrs, Inputs in) {
  const auto& a = attrs_as<PackedEncodeAttrs>(attrs);
  return {packed_encode(in[0], codec(a.format), static_cast<int>(a.seed), [](int64_t) {})};
}

// Straight-through: words are discrete, so x gets the gradient of what they stand for.
Tensors encode_back(const VjpArgs& a) { return {dense_gradient(a.grad[0])}; }

void encode_samples(Samples& s) {
  s.add({s.uniform({5, 20})});
  s.add({s.uniform({18, 70})}, box(PackedEncodeAttrs{PackedFormat::T4, 7}));
  s.add({s.uniform({33, 3, 7})}, box(PackedEncodeAttrs{PackedFormat::D3}));
  s.add({s.uniform({2, 300})}, box(PackedEncodeAttrs{PackedFormat::D1, 0}));
  s.add({s.uniform({5, 70})}, box(PackedEncodeAttrs{PackedFormat::q4_0}));
  s.refuse(Code::shape, {s.uniform({20})});
  s.refuse(Code::shape, {s.uniform({0, 20})});
  s.refuse(Code::dtype, {s.integers({3, 4}, 0, 9)});
  s.refuse(Code::numeric, {s.uniform({3, 4}, 1e6, 2e6)});
  s.refuse(Code::value, {s.uniform({3, 4})}, box(PackedEncodeAttrs{.seed = 2048}));
}

// ---- packed_transition ----

constexpr Arg kTransitionArgs[] = {{.name = "w", .differentiable = false, .packed = true},
                                   {.name = "words", .differentiable = false},
                                   {.name = "bits", .differentiable = false}};

std::vector<int64_t> indices_of(const OpDef& op, const Tensor& t, const char* name, int64_t bound) {
  require_readable(t, op.name);
  if (t.dtype() != DType::i64) {
    refuse(Code::dtype, op, {"expected i64 ", name, ", got ", t.dtype()}, "i64", t.dtype());
  }
  std::vector<int64_t> indices = to_vector<int64_t>(t);
  for (int64_t i : indices) {
    if (i >= 0 && i < bound) continue;
    refuse(Code::index, op, {name, ": ", i, " is out of range [0, ", bound, ")"},
           {"[0, ", bound, ")"}, i);
  }
  return indices;
}

Tensors transition_of(const OpDef& op, const void*, Inputs in) {
  const PackedLayout& l = require_rings(op.name, in[0]);
  if (!(in[1].shape() == in[2].shape())) {
    refuse(Code::shape, op, {"words are ", in[1].shape(), ", bits are ", in[2].shape()},
           in[1].shape(), in[2].shape());
  }
  const int used = l.ring().layers * l.ring().bits * l.ring().steps;
  const auto words = indices_of(op, in[1], "words", l.words()),
             bits = indices_of(op, in[2], "bits", used);
  Tensor made = copy_of_kind(in[0]);
  for (size_t i = 0; i < words.size(); ++i) {
    Packed128& word = packed_storage(made).words()[static_cast<size_t>(words[i])];
    (bits[i] < 64 ? word.lo : word.hi) ^= uint64_t{1} << (bits[i] % 64);
  }
  return {made};
}

void transition_samples(Samples& s) {
  s.add({packed_uniform(s, {5, 20}, "D4"), s.indices({0, 9, 3}), s.indices({127, 0, 64})});
  s.add({packed_uniform(s, {18, 70}, "T2"), s.integers({2, 3}, 0, 36), s.integers({2, 3}, 0, 128)});
  s.add({packed_uniform(s, {33, 22}, "D3"), s.indices({47}), s.indices({125})});
  s.add({packed_uniform(s, {2, 4}, "D2"), s.integers({0}, 0, 1), s.integers({0}, 0, 1)});
  s.refuse(Code::index, {packed_uniform(s, {5, 20}, "D4"), s.indices({10}), s.indices({0})});
  s.refuse(Code::index, {packed_uniform(s, {5, 20}, "D3"), s.indices({0}), s.indices({126})});
  s.refuse(Code::index, {packed_uniform(s, {5, 20}, "D4"), s.indices({0}), s.indices({-1})});
  s.refuse(Code::shape, {packed_uniform(s, {5, 20}, "D4"), s.indices({0}), s.indices({0, 1})});
  s.refuse(Code::dtype, {packed_uniform(s, {5, 20}, "D4"), s.uniform({1}), s.indices({0})});
  s.refuse(Code::unsupported, {s.uniform({5, 20}), s.indices({0}), s.indices({0})});
  s.refuse(Code::unsupported, {packed_uniform(s, {5, 20}, "q8_0"), s.indices({0}), s.indices({0})});
}

}  // namespace

extern constinit const OpDef packed_encode_def{
    .name = "packed_encode",
    .doc = "packed weights nearest to x; the gradient passes straight through",
    .attrs = &record_of<PackedEncodeAttrs>,
    .compose = encode_of,
    .vjp = encode_back,
    .samples = encode_samples};

extern constinit const OpDef packed_transition_def{
    .name = "packed_transition",
    .doc = "packed w with a bit of each of some words flipped: applied twice it gives w again",
    .args = kTransitionArgs,
    .compose = transition_of,
    .samples = transition_samples,
    .is_discrete = true};

Tensor packed_encode(const Tensor& x, const Codec& format, int seed) {
  return apply_one(packed_encode_def, Inputs(&x, 1), box(PackedEncodeAttrs{format.format, seed}));
}

Tensor packed_transition(const Tensor& w, const Tensor& words, const Tensor& bits) {
  return apply_one(packed_transition_def, {w, words, bits});
}

}  // namespace gyre
