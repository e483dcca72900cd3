#include "gyre/packed/gradient/word_gradient.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>

#include "gyre/base/cpu.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/optim/gradient_norm.h"
#include "gyre/packed/test_packed.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

void flip(const Tensor& w, int64_t word, int bit) {
  Packed128& at = packed_storage(w).words()[static_cast<size_t>(word)];
  (bit < 64 ? at.lo : at.hi) ^= uint64_t{1} << (bit % 64);
}

// Changes one of r and theta in the header of a group.
void set_lo(const Tensor& w, size_t header, int part, float value) {
  Packed128& at = packed_storage(w).headers()[header];
  const uint64_t bits = std::bit_cast<uint32_t>(value);
  at.lo = part == 0 ? (at.lo & 0xffffffff00000000) | bits : (at.lo & 0xffffffff) | bits << 32;
}

TEST(WordGradient, OfProductsRowsAndDecodedWeightsIsThatOfDenseOnes) {
  for (const RingFormat& format : ring_formats()) {
    const Tensor w = packed_leaf(1, {40, 70}, format, 1);
    Tensor dense = packed_decode(w.detach());
    dense.set_requires_grad();
    const Tensor x = normal({6, 70}, 2), y = normal({5, 40}, 3), c = normal({40, 70}, 4);
    const Tensor ids = tensor<int64_t>({3, 39, 3, 0}, {2, 2});
    const auto loss = [&](const Tensor& v, const Tensor& all) {
      return sum(tanh(linear(x, v))) + sum(tanh(matmul(y, v))) + sum(tanh(embedding(v, ids))) +
             sum(all * c) + sum(tanh(slice(v, {0, 1, 30, 4})));
    };
    loss(w, packed_decode(w)).backward();
    loss(dense, dense).backward();
    EXPECT_LT(distance(dense_gradient(w.grad()), dense.grad()), 1e-5) << format.name;
    const Tensor both[] = {w.grad()}, one[] = {dense.grad()};
    EXPECT_NEAR(total_norm(both).item() / total_norm(one).item(), 1, 1e-5);
    const Tensor twice = w.grad() * Tensor(2.0) + w.grad() / Tensor(4.0);
    EXPECT_LT(distance(dense_gradient(twice), dense.grad() * Tensor(2.25)), 1e-5);
  }
}

// Of batches for which outputs are computed together, and of more than one use.
TEST(WordGradient, OfFewAndManyRowsIsThatOfDenseOnes) {
  for (const RingFormat& format : ring_formats()) {
    for (int64_t rows : {1, 3, 6}) {
      const Tensor w = packed_leaf(1, {150, 70}, format, 1);
      sum(tanh(linear(normal({rows, 70}, 2), w))).backward();
      for (int uses : {1, 2}) {
        const RBEGradient found = rbe_gradient(w, w.grad()),
                          wanted = rbe_gradient(w, dense_gradient(w.grad()));
        EXPECT_LT(distance(found.hi, wanted.hi), 1e-5) << format.name << rows << uses;
        EXPECT_LT(distance(found.lo, wanted.lo), 1e-4) << format.name << rows << uses;
        sum(tanh(linear(normal({rows, 70}, 3), w))).backward();
      }
    }
  }
}

TEST(WordGradient, AccumulatesOverPassesAndTiedUses) {
  const Tensor w = packed_leaf(1, {32, 24}, ring_format("D4"), 1);
  const Tensor x = normal({6, 24}, 2), ids = tensor<int64_t>({1, 7}, {2});
  sum(tanh(linear(embedding(w, ids), w))).backward();
  const Tensor once = dense_gradient(w.grad());
  sum(tanh(linear(x, w))).backward();
  Tensor dense = packed_decode(w.detach());
  dense.set_requires_grad();
  sum(tanh(linear(embedding(dense, ids), dense))).backward();
  EXPECT_LT(distance(once, dense.grad()), 1e-5);
  sum(tanh(linear(x, dense))).backward();
  EXPECT_LT(distance(dense_gradient(w.grad()), dense.grad()), 1e-5);
}

// For a loss that is linear in the weights, flipping a bit changes it by exactly its gradient.
TEST(WordGradient, BitsChangeTheLossAsTheySay) {
  for (const RingFormat& format : ring_formats()) {
    const Tensor w = packed_leaf(1, {35, 60}, format, 1), c = normal({35, 60}, 2);
    const auto loss = [&] {
      NoGrad off;
      return sum(to(packed_decode(w), DType::f64) * to(c, DType::f64)).item();
    };
    sum(packed_decode(w) * c).backward();
    const RBEGradient g = rbe_gradient(w, w.grad());
    const std::vector<float> bits = to_vector<float>(g.hi);
    const double before = loss();
    const auto words = static_cast<int64_t>(packed_storage(w).words().size());
    for (int64_t word = 0; word < words; word += std::max<int64_t>(1, words / 5)) {
      const int used = format.layers * format.bits * format.steps;
      for (int bit = 0; bit < used; bit += 3) {
        flip(w, word, bit);
        EXPECT_NEAR(loss() - before, bits[static_cast<size_t>(word * 128 + bit)], 2e-5)
            << format.name << " word " << word << " bit " << bit;
        flip(w, word, bit);
      }
    }
  }
}

TEST(WordGradient, HeadersAndInteractionsAreDerivatives) {
  for (const RingFormat& format : ring_formats()) {
    const Tensor w = packed_leaf(1, {20, 300}, format, 1), c = normal({20, 300}, 2);
    const auto at = [&] {
      Tensor(w).zero_grad();
      const Tensor value = sum(packed_decode(w) * c);
      value.backward();
      return std::pair(value.item(), rbe_gradient(w, w.grad()));
    };
    const PackedLayout l = packed_storage(w).layout;
    const auto [value, g] = at();
    for (int64_t group = 0; group < l.row_tiles() * l.groups(); ++group) {
      const auto header =
          static_cast<size_t>(group / l.groups() * (l.groups() + 1) + 1 + group % l.groups());
      const Packed128 before = packed_storage(w).headers()[header];
      const float angle = packed_angle(before), u = packed_scale(before);
      for (int part = 0; part < format.layers; ++part) {
        const float by = 1e-2F;
        const auto moved = [&](float off) {
          set_lo(w, header, part,
                 part == 0 ? static_cast<float>(std::tanh((u + off) / 2)) : angle + off);
          auto result = at();
          packed_storage(w).headers()[header] = before;
          return result;
        };
        const auto [above, more] = moved(by);
        const auto [below, less] = moved(-by);
        const double wanted = (above - below) / (2 * by),
                     found = to_vector<float>(g.lo)[static_cast<size_t>(2 * group + part)];
        EXPECT_NEAR(found, wanted, 0.01 + 2e-3 * std::abs(wanted)) << format.name << part;
        const Tensor mixed = select(g.interactions, {2, part});
        const Tensor difference = (more.hi - less.hi) / Tensor(2.0 * by);
        const int64_t first = l.group(group / l.groups(), group % l.groups()).word;
        const auto a = to_vector<float>(slice(mixed, {0, first, first + 1, 1})),
                   b = to_vector<float>(slice(difference, {0, first, first + 1, 1}));
        for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 5e-3) << format.name << i;
      }
    }
  }
}

TEST(WordGradient, IsTheSameOnEveryInstructionSet) {
  const Isa before = isa();
  for (const RingFormat& format : ring_formats()) {
    const Tensor w = packed_leaf(1, {35, 60}, format, 1), g = normal({35, 60}, 2);
    const auto wanted = to_vector<float>(rbe_gradient(w, g).hi);
    for (Isa level : {v2, v3, v4}) {
      if (level > cpu_features().best) continue;
      set_isa(level);
      EXPECT_EQ(to_vector<float>(rbe_gradient(w, g).hi), wanted) << format.name;
    }
    set_isa(before);
  }
}

TEST(WordGradient, RefusesWhatIsNotPacked) {
  const Tensor w = packed_leaf(1, {20, 30}, ring_format("D4"), 1), x = ones({20, 30});
  EXPECT_EQ(code_of([&] { rbe_gradient(x, x); }), Code::unsupported);
  EXPECT_EQ(code_of([&] { rbe_gradient(w, ones({20, 31})); }), Code::shape);
  sum(packed_decode(w)).backward();
  EXPECT_TRUE(contains(message_of(Code::unsupported, [&] { exp(w.grad()); }), "dense_gradient"));
  EXPECT_EQ(code_of([&] { w.grad() + ones({1, 30}); }), Code::unsupported);
  EXPECT_EQ(code_of([&] { clone(w); }), Code::unsupported);
  EXPECT_LT(distance(dense_gradient(w.grad() + x), x * Tensor(2.0)), 1e-7);
}

}  // namespace
}  // namespace gyre
