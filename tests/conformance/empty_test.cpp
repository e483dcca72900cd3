#include <set>

#include "gyre/autograd/backward.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "tests/conformance/op_test.h"

// Calls with operands without elements: what forward takes, backward takes too.

namespace gyre::conformance {
namespace {

class Empty : public OpTest {
 protected:
  // The call with all axes of that size in the operands from `first` to `last` made empty.
  static Tensors without(const Tensors& in, int64_t size, size_t first, size_t last) {
    Tensors out = in;
    for (size_t i = first; i <= last; ++i) {
      if (!in[i].defined()) continue;
      Shape shape = in[i].shape();
      for (int axis = 0; axis < shape.rank; ++axis) {
        if (shape[axis] == size) shape[axis] = 0;
      }
      if (!(shape == in[i].shape())) out[i] = zeros(shape, {.dtype = in[i].dtype()});
    }
    return out;
  }

  void check(const Tensors& in, const Attrs& attrs, const std::string& where) const {
    Tensors leaves;
    for (const Tensor& t : in) {
      leaves.push_back(t.defined() ? t.detach() : t);
      if (t.defined() && is_floating(t.dtype())) leaves.back().set_requires_grad();
    }
    Tensors out;
    try {
      out = apply(op(), leaves, attrs);
    } catch (const Error&) {
      return;
    }
    for (bool create_graph : {false, true}) {
      for (const Tensor& y : out) {
        if (!y.tracked()) continue;
        try {
          Tensors roots{sum(y)}, wanted;
          for (const Tensor& t : leaves) {
            if (t.defined() && t.requires_grad()) wanted.push_back(t);
          }
          const Tensors g =
              grad(roots, wanted, {},
                   {.create_graph = create_graph, .retain_graph = true, .allow_unused = true});
          for (size_t i = 0; i < g.size(); ++i) {
            EXPECT_TRUE(!g[i].defined() || g[i].shape() == wanted[i].shape()) << where;
          }
        } catch (const Error& e) {
          ADD_FAILURE() << where << ": " << e.what();
        }
        if (op().visible > 0) break;
      }
    }
  }
};

TEST_P(Empty, BackwardTakesWhatForwardTook) {
  if (!op().differentiable()) return;
  for (size_t s = 0; s < calls().size(); ++s) {
    const Tensors in = operands(calls()[s], DType::f64, Order::plain);
    std::set<int64_t> sizes;
    for (const Tensor& t : in) {
      if (!t.defined()) continue;
      for (int64_t size : t.shape()) sizes.insert(size);
    }
    for (int64_t size : sizes) {
      const std::string where = place(op(), s, "without axes of " + std::to_string(size));
      check(without(in, size, 0, in.size() - 1), calls()[s].attrs, where);
      for (size_t i = 0; i < in.size() && in.size() > 1; ++i)
        check(without(in, size, i, i), calls()[s].attrs, where + " in " + std::to_string(i));
    }
  }
}

GYRE_FOR_EVERY_OP(Empty);

}  // namespace
}  // namespace gyre::conformance
