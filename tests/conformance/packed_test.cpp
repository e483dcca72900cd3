#include "gyre/packed/packed.h"

#include <bit>
#include <cmath>

#include "gyre/autograd/backward.h"
#include "gyre/op/apply.h"
#include "gyre/op/node.h"
#include "gyre/packed/gradient/word_gradient.h"
#include "tests/conformance/op_test.h"
#include "tests/conformance/slopes.h"
#include "tests/thrown.h"

// Gradients of packed operands against differences of what their words and headers stand for.

namespace gyre::conformance {
namespace {

constexpr double kStep = 1e-2;

class Packed : public OpTest {
 protected:
  // The sum of the results times weights, which a gradient in factors is the derivative of.
  double loss(const Call& call, const Tensors& in) const {
    NoGrad off;
    const Tensors results = apply(op(), in, call.attrs);
    double sum = 0;
    for (size_t k = 0; k < results.size(); ++k) {
      const Values y = values_of(results[k]), w = weights(y.size(), k + 1);
      for (size_t i = 0; i < y.size(); ++i) sum += w[i] * y[i];
    }
    return sum;
  }

  // That gradient, by the packed operand i.
  Tensor gradient(const Call& call, Tensors in, size_t i) const {
    in[i] = in[i].detach();
    in[i].set_requires_grad();
    return slopes_of(op(), in, call.attrs, Order::plain, false).first[i];
  }

  // Calls with a copy of operand i.
  static Tensors with_copy(const Call& call, size_t i) {
    Tensors in = call.in;
    in[i] = copy_of_kind(in[i]);
    return in;
  }

  void check_headers(const Call& call, size_t i, const RBEGradient& g, double scale,
                     const std::string& where) const {
    const Tensors in = with_copy(call, i);
    const PackedStorage& s = packed_storage(in[i]);
    const PackedLayout& l = s.layout;
    const Values lo = values_of(g.lo);
    for (int64_t group = 0; group < l.row_tiles() * l.groups(); ++group) {
      const PackedLayout::Group at = l.group(group / l.groups(), group % l.groups());
      Packed128& header = s.headers()[static_cast<size_t>(at.header)];
      const Packed128 before = header;
      const double u = packed_scale(before), angle = packed_angle(before);
      for (int part = 0; part < (l.ring().layers == 2 ? 2 : 1); ++part) {
        const double step = part == 0 ? kStep * u : kStep;
        double at_ends[2];
        for (int end = 0; end < 2; ++end) {
          const double by = end == 0 ? step : -step;
          header = packed_header(l.ring(), packed_seed(before), u + (part == 0 ? by : 0),
                                 angle + (part == 1 ? by : 0), "test");
          at_ends[end] = loss(call, in);
        }
        header = before;
        const double found = (at_ends[0] - at_ends[1]) / 2;
        EXPECT_NEAR(lo[static_cast<size_t>(2 * group + part)] * step, found, 2e-5 * scale)
            << where << ": group " << group << ", part " << part;
      }
    }
  }

  // Exact for ops that are linear in the weights, and so up to the square of a change for all.
  void check_bits(const Call& call, size_t i, const RBEGradient& g, double scale,
                  const std::string& where) const {
    const Tensors in = with_copy(call, i);
    const PackedStorage& s = packed_storage(in[i]);
    const RingFormat& format = s.layout.ring();
    const Values hi = values_of(g.hi);
    const double start = loss(call, in);
    const size_t words = s.words().size();
    for (size_t w = 0; w < words; w += words / 7 + 1) {
      for (int bit = 0; bit < format.layers * format.bits * format.steps; bit += 5) {
        uint64_t& half = bit < 64 ? s.words()[w].lo : s.words()[w].hi;
        half ^= uint64_t{1} << (bit % 64);
        EXPECT_NEAR(loss(call, in) - start, hi[w * 128 + static_cast<size_t>(bit)], 1e-5 * scale)
            << where << ": bit " << bit << " of word " << w;
        half ^= uint64_t{1} << (bit % 64);
      }
    }
  }
};

TEST_P(Packed, GradientsOfWordsAgreeWithDifferences) {
  if (!op().differentiable() || gives_packed(op())) return;
  for (size_t s = 0; s < calls().size(); ++s) {
    const Call& call = calls()[s];
    for (size_t i = 0; i < call.in.size(); ++i) {
      if (!argument(op(), i).packed || !argument(op(), i).differentiable) continue;
      const std::string where = place(op(), s, "packed operand " + std::to_string(i));
      const Tensor g = gradient(call, call.in, i);
      ASSERT_TRUE(is_factored(g)) << where;
      const Tensor dense = dense_gradient(g);
      const double scale = norm_of(values_of(dense)) * norm_of(values_of(call.in[i])) + 1e-30;
      if (!packed_storage(call.in[i]).layout.format->has_rings) {
        EXPECT_EQ(code_of([&] { rbe_gradient(call.in[i], g); }), Code::unsupported) << where;
        continue;
      }
      const RBEGradient parts = rbe_gradient(call.in[i], g);
      check_headers(call, i, parts, scale, where);
      check_bits(call, i, parts, scale, where);
      rows().add(op(), "first", "words", "own", "plain");
    }
  }
}

GYRE_FOR_EVERY_OP(Packed);

}  // namespace
}  // namespace gyre::conformance
