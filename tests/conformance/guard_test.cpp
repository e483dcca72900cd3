#include "tests/conformance/guarded.h"

#include <cstring>

#include "gyre/autograd/backward.h"
#include "gyre/op/apply.h"
#include "gyre/packed/packed.h"
#include "tests/conformance/op_test.h"

// Kernels between guard zones: operands that end at an inaccessible page, results and scratch of
// exactly the promised size between marked zones.

namespace gyre::conformance {
namespace {

// Packed weights at the very end of guarded memory.
Tensor packed_into(const Tensor& t, std::vector<Guarded>& keep) {
  const PackedStorage& from = packed_storage(t);
  const std::vector<std::byte> stored = from.stored();
  keep.emplace_back(stored.size(), Guarded::at_the_end);
  std::memcpy(keep.back().data(), stored.data(), stored.size());
  auto memory = make_ref<Storage>(keep.back().data(), stored.size(), from.device);
  return make_of_kind(TensorKind::packed, t.meta(),
                      make_ref<PackedStorage>(from.layout, std::move(memory)));
}

// A contiguous copy of t at the very end of guarded memory.
Tensor moved_into(const Tensor& t, std::vector<Guarded>& keep) {
  if (!t.defined()) return t;
  if (is_packed(t)) return packed_into(t, keep);
  Tensor dense = lay_out(t, t.dtype(), Order::plain);
  size_t bytes = static_cast<size_t>(t.numel()) * size_of(t.dtype());
  keep.emplace_back(bytes, Guarded::at_the_end);
  std::memcpy(keep.back().data(), dense.bytes(), bytes);
  return borrow(keep.back().data(), t.meta(), contiguous_strides(t.shape()), nullptr, nullptr);
}

class Guard : public OpTest {
 protected:
  // Contiguous operands.
  void run(const Call& call, const Tensors& plain, const std::string& where) {
    std::vector<Guarded> operands_at;
    operands_at.reserve(plain.size());
    Tensors in;
    std::string before, after;
    for (const Tensor& t : plain) {
      in.push_back(moved_into(t, operands_at));
      if (t.defined()) before += operands_at.back().contents();
    }
    run_kernel(call, in, where);
    for (size_t i = 0; i < operands_at.size(); ++i) {
      EXPECT_TRUE(operands_at[i].intact()) << where << " wrote around operand " << i;
      after += operands_at[i].contents();
    }
    EXPECT_EQ(before, after) << where << " modified an operand";
  }

  // Operands of any layout and dtype; results and scratch of exactly the promised size.
  void run_kernel(const Call& call, const Tensors& in, const std::string& where) {
    const void* attrs = call.attrs ? call.attrs->value : nullptr;
    Tensors expected = apply(op(), in, call.attrs);
    std::vector<Guarded> results_at;
    results_at.reserve(op().outputs.size());
    SmallVector<Meta, 4> metas(op().outputs.size());
    op().infer(op(), attrs, in, metas);
    SmallVector<View, 4> from, to;
    for (const Tensor& t : in) {
      from.push_back(is_packed(t) ? View(packed_storage(t).data, t.shape(), t.strides(), t.dtype())
                                  : view_of(t));
    }
    for (const Meta& m : metas) {
      results_at.emplace_back(static_cast<size_t>(numel(m.shape)) * size_of(m.dtype),
                              Guarded::aligned);
      to.push_back({results_at.back().data(), m.shape, contiguous_strides(m.shape), m.dtype});
    }
    Guarded scratch(op().scratch ? op().scratch(attrs, in) : 0, Guarded::aligned);
    KernelArgs args{from, to, attrs, scratch.size() ? scratch.data() : nullptr};
    {
      IfItDies words(where + ": the kernel touched memory behind a buffer");
      Status status = op().kernels[Device::cpu](op(), args);
      EXPECT_FALSE(status.failed) << where << ": " << status.what;
    }
    EXPECT_TRUE(scratch.intact()) << where << " wrote around its scratch";
    for (size_t k = 0; k < results_at.size(); ++k) {
      EXPECT_TRUE(results_at[k].intact()) << where << " wrote around result " << k;
      if (k >= expected.size()) continue;
      Tensor result = borrow(results_at[k].data(), metas[k], contiguous_strides(metas[k].shape),
                             nullptr, nullptr);
      EXPECT_TRUE(same_bits(result, expected[k])) << where << " result " << k << " differs";
    }
  }
};

TEST_P(Guard, KernelsStayInTheirBuffers) {
  if (!op().kernels[Device::cpu]) return;
  for (size_t s = 0; s < calls().size(); ++s) {
    const Call& call = calls()[s];
    bool floats = false;
    for (const Tensor& t : call.in) floats |= is_varied(t);
    std::vector<DType> dtypes{DType::f64};
    if (floats) dtypes = {DType::f64, DType::f32, DType::f16, DType::bf16};
    for (DType dtype : dtypes) {
      const char* name = floats ? gyre::name_of(dtype) : "own";
      run(call, operands(call, dtype, Order::plain),
          place(op(), s, std::string("guarded ") + name));
      rows().add(op(), "forward", "guarded", name, "plain");
    }
    for (const Call& big : enlarged(op(), call, 3000)) {
      run(big, operands(big, DType::f32, Order::plain), place(op(), s, "guarded large"));
      rows().add(op(), "forward", "guarded", floats ? "f32" : "own", "large");
      // copies by the kernel need the most scratch: each operand alone in another layout
      for (size_t i = 0; i < big.in.size(); ++i) {
        Tensors in = operands(big, DType::f32, Order::plain);
        if (!in[i].defined()) continue;
        in[i] = operands(big, DType::f32, Order::stepped)[i];
        run_kernel(big, in, place(op(), s, "guarded large stepped operand"));
      }
      rows().add(op(), "forward", "guarded", floats ? "f32" : "own", "stepped");
    }
  }
}

TEST_P(Guard, DerivedGradientsLeaveTheirOperandsAlone) {
  for (size_t s = 0; s < calls().size() && op().vjp_first; ++s) {
    std::vector<Guarded> at;
    at.reserve(calls()[s].in.size());
    Tensors in;
    std::string before, after;
    for (const Tensor& t : operands(calls()[s], DType::f32, Order::plain)) {
      in.push_back(moved_into(t, at));
      if (t.defined()) before += at.back().contents();
      if (is_smooth(op(), calls()[s].in, in.size() - 1)) in.back().set_requires_grad();
    }
    {
      IfItDies words(place(op(), s, "gradient") + ": touched memory behind an operand");
      Tensors results = apply(op(), in, calls()[s].attrs);
      for (const Tensor& t : results) {
        if (!t.tracked()) continue;
        Tensor one = lay_out(Values(static_cast<size_t>(t.numel()), 1.0), t.shape(), t.dtype());
        backward({&t, 1}, {&one, 1}, {.retain_graph = true});
      }
    }
    for (const Guarded& g : at) {
      EXPECT_TRUE(g.intact()) << place(op(), s, "gradient wrote around an operand");
      after += g.contents();
    }
    EXPECT_EQ(before, after) << place(op(), s, "gradient changed an operand");
  }
}

GYRE_FOR_EVERY_OP(Guard);

TEST(Guarded, NoticesAWriteOnEitherSide) {
  for (auto at : {Guarded::aligned, Guarded::at_the_end}) {
    Guarded g(40, at);
    std::memset(g.data(), 0, 40);
    EXPECT_TRUE(g.intact());
    *(g.data() - 1) = std::byte{0};
    EXPECT_FALSE(g.intact());
  }
  Guarded g(40, Guarded::aligned);
  g.data()[40] = std::byte{0};
  EXPECT_FALSE(g.intact());
}

}  // namespace
}  // namespace gyre::conformance
