#include "gyre/autograd/vmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "gyre/autograd/backward.h"
#include "gyre/op/apply.h"
#include "gyre/op/node.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "tests/conformance/hidden_values.h"
#include "tests/conformance/op_test.h"
#include "tests/conformance/values.h"

// Every op on a batch of its samples against a loop: results, gradients of the batch and
// per-example gradients.

namespace gyre::conformance {
namespace {

constexpr size_t kSlices = 3;

// Which operands are batched: all (-1) or one of them.
struct Case {
  std::vector<Tensors> slices;  // operands of each example
  Tensors batch;
  VmapAxes axes;
};

class Vmap : public OpTest {
 protected:
  void TearDown() override {
    samples_.clear();
    OpTest::TearDown();
  }

  // The same calls with other values.
  const std::vector<Call>& calls_of(size_t slice) {
    while (samples_.size() <= slice) samples_.emplace_back(op(), samples_.size() + 1);
    return samples_[slice].calls;
  }

  Case make(size_t s, int only) {
    const Tensors& first = calls_of(0)[s].in;
    Case c{std::vector<Tensors>(kSlices), Tensors(first.size()), {}};
    c.axes.out = {0};
    for (size_t i = 0; i < first.size(); ++i) {
      bool sliced = is_plain(first[i]) && (only < 0 || static_cast<size_t>(only) == i);
      c.axes.in.push_back(sliced ? 0 : kSameForAll);
      Tensors parts;
      for (size_t n = 0; n < kSlices; ++n) {
        c.slices[n].push_back(sliced ? calls_of(n)[s].in[i] : first[i]);
        parts.push_back(c.slices[n].back());
      }
      c.batch[i] = sliced ? stack(parts, 0) : first[i];
    }
    return c;
  }

  // The weighted sum of the results, and the differentiable operands.
  Tensor total(const Tensors& in, const Attrs& attrs) const {
    Tensor sum_of_all = Tensor(0.0);
    for (const Tensor& y : apply(op(), in, attrs)) {
      if (is_floating(y.dtype())) sum_of_all = sum_of_all + sum(y * y * weights_for(y));
    }
    return sum_of_all;
  }
  SmallVector<size_t, 4> smooth(const Tensors& in) const {
    SmallVector<size_t, 4> r;
    for (size_t i = 0; i < in.size() && op().differentiable(); ++i) {
      if (is_smooth(op(), in, i)) r.push_back(i);
    }
    return r;
  }
  Tensors with(const Tensors& in, const SmallVector<size_t, 4>& which, Inputs values) const {
    Tensors r = in;
    for (size_t k = 0; k < which.size(); ++k) r[which[k]] = values[k];
    return r;
  }
  Tensors gradient(const Tensors& in, const Attrs& attrs,
                   const SmallVector<size_t, 4>& which) const {
    Tensors x;
    for (size_t i : which) x.push_back(in[i]);
    auto f = [&](Inputs at) -> Tensors { return {total(with(in, which, at), attrs)}; };
    return grad(f, x);
  }

  // False when f fails, which only ops with data-dependent result shapes may do.
  template <class F>
  bool run(F f) {
    try {
      f();
      return true;
    } catch (const Error& e) {
      if (!refuses_hidden_values(op(), e)) throw;
    }
    refused_ = true;
    return false;
  }

  double scale_of(const Tensors& in) const {
    return op().family.reduction[0] ? norm_of(values_of(in[0])) : 0;
  }

  // `scale`: reference for rounding errors where sums that cancel are taken in another order.
  void expect_slice(const Tensor& batch, size_t n, const Tensor& wanted, double ulp,
                    const std::string& where, double scale = 0) const {
    Tensor got = select(batch, {0, static_cast<int64_t>(n)});
    ASSERT_EQ(got.shape(), wanted.shape()) << where;
    EXPECT_EQ(got.dtype(), wanted.dtype()) << where;
    Distance d = compare(got, values_of(wanted), ulp, op().by_element && ulp == op().ulp, scale);
    EXPECT_TRUE(d.within) << where << ": " << d.what;
  }

  void check_gradients(const Case& c, const Attrs& attrs, const std::string& where) const {
    auto which = smooth(c.slices[0]);
    if (which.empty()) return;
    std::vector<Tensors> loop;
    for (const Tensors& in : c.slices) loop.push_back(gradient(in, attrs, which));
    auto of_slice = [&](Inputs in) -> Tensors {
      return gradient(Tensors(in.begin(), in.end()), attrs, which);
    };
    double scale = 0;  // a gradient that should be 0 is compared with the others
    for (const Tensors& all : loop) {
      for (const Tensor& g : all) scale = std::max(scale, norm_of(values_of(g)));
    }
    Tensors each = vmap(of_slice, c.batch, c.axes);
    Tensors x;
    for (size_t i : which) x.push_back(c.batch[i]);
    auto of_batch = [&](Inputs at) -> Tensors {
      auto one = [&](Inputs in) -> Tensors {
        return {total(Tensors(in.begin(), in.end()), attrs)};
      };
      return {sum(vmap(one, with(c.batch, which, at), c.axes)[0])};
    };
    Tensors whole = grad(of_batch, x);
    for (size_t k = 0; k < which.size(); ++k) {
      Tensor added;
      for (size_t n = 0; n < kSlices; ++n) {
        expect_slice(each[k], n, loop[n][k], 64 * op().ulp, where + " vmap(grad)", scale);
        added = n ? added + loop[n][k] : loop[n][k];
        if (c.axes.in[which[k]] == 0) {
          expect_slice(whole[k], n, loop[n][k], 64 * op().ulp, where + " grad(vmap)", scale);
        }
      }
      if (c.axes.in[which[k]] == 0) continue;
      Distance d = compare(whole[k], values_of(added), 64 * op().ulp, false, scale);
      EXPECT_TRUE(d.within) << where << " grad(vmap), same for all: " << d.what;
    }
  }

  // Both ways to differentiate an empty batch.
  void check_gradients_of_nothing(const Tensors& nothing, const Call& call,
                                  const VmapAxes& axes) const {
    auto which = smooth(call.in);
    if (which.empty()) return;
    Tensors x;
    for (size_t i : which) x.push_back(nothing[i]);
    auto of_slice = [&](Inputs in) -> Tensors {
      return gradient(Tensors(in.begin(), in.end()), call.attrs, which);
    };
    auto of_batch = [&](Inputs at) -> Tensors {
      auto one = [&](Inputs in) -> Tensors {
        return {total(Tensors(in.begin(), in.end()), call.attrs)};
      };
      return {sum(vmap(one, with(nothing, which, at), axes)[0])};
    };
    Tensors each = vmap(of_slice, nothing, axes), whole = grad(of_batch, x);
    for (size_t k = 0; k < which.size(); ++k) {
      EXPECT_EQ(each[k].shape(), x[k].shape()) << "vmap(grad)";
      EXPECT_EQ(whole[k].shape(), x[k].shape()) << "grad(vmap)";
    }
  }

  std::vector<Samples> samples_;
  bool refused_ = false;
};

TEST_P(Vmap, IsALoopOverSlices) {
  bool any = false, whole = false;
  for (size_t s = 0; s < calls().size(); ++s) {
    const Attrs& attrs = calls()[s].attrs;
    auto operands = static_cast<int>(calls()[s].in.size());
    for (int only = -1; only < operands && operands > 0; ++only) {
      if (only >= 0 && (operands == 1 || !is_plain(calls()[s].in[static_cast<size_t>(only)]))) {
        continue;
      }
      if (std::ranges::none_of(calls()[s].in, is_plain)) continue;
      Case c = make(s, only);
      std::string where = place(op(), s, fmt::format("batch of operand {}", only));
      SCOPED_TRACE(where);
      int64_t before = sliced_calls();
      auto f = [&](Inputs in) { return apply(op(), in, attrs); };
      Tensors batch;
      if (!run([&] { batch = vmap(f, c.batch, c.axes); })) continue;
      any = true;
      whole |= sliced_calls() == before;
      for (size_t n = 0; n < kSlices; ++n) {
        Tensors wanted = apply(op(), c.slices[n], attrs);
        for (size_t k = 0; k < wanted.size(); ++k) {
          expect_slice(batch[k], n, wanted[k], op().ulp, where, scale_of(c.slices[n]));
        }
      }
      check_gradients(c, attrs, where);
    }
  }
  EXPECT_EQ(refused_, is_shaped_by_values(op())) << op().name;
  if (any && op().batch) {
    EXPECT_TRUE(whole) << op().name << " never ran on a whole batch";
  }
}

TEST_P(Vmap, BatchesOfBatchesAndOfNothing) {
  for (size_t s = 0; s < calls().size() && s < 3; ++s) {
    if (std::ranges::none_of(calls()[s].in, is_plain)) continue;
    const Attrs& attrs = calls()[s].attrs;
    Case c = make(s, -1);
    Tensors twice, nothing;
    for (const Tensor& t : c.batch) {
      twice.push_back(is_plain(t) ? stack({t, t}, 1) : t);
      nothing.push_back(is_plain(t) ? slice(t, {0, 0, 0, 1}) : t);
    }
    auto f = [&](Inputs in) { return apply(op(), in, attrs); };
    auto inner = [&](Inputs in) { return vmap(f, in, c.axes); };
    Tensors y, none;
    if (!run([&] { y = vmap(inner, twice, c.axes); })) continue;
    none = vmap(f, nothing, c.axes);
    {
      SCOPED_TRACE(place(op(), s, "no slices"));
      check_gradients_of_nothing(nothing, calls()[s], c.axes);
    }
    for (size_t n = 0; n < kSlices; ++n) {
      Tensors wanted = apply(op(), c.slices[n], attrs);
      for (size_t k = 0; k < wanted.size(); ++k) {
        Tensor of_slice = select(y[k], {0, static_cast<int64_t>(n)});
        for (size_t twin : {0, 1}) {
          expect_slice(of_slice, twin, wanted[k], op().ulp, place(op(), s, "vmap(vmap)"),
                       scale_of(c.slices[n]));
        }
        EXPECT_EQ(none[k].rank(), wanted[k].rank() + 1);
        EXPECT_EQ(none[k].numel(), 0);
      }
    }
  }
}

GYRE_FOR_EVERY_OP(Vmap);

}  // namespace
}  // namespace gyre::conformance
