#include <cmath>

#include "gyre/autograd/test_ops.h"
#include "gyre/op/apply.h"
#include "gyre/ops/elementwise/elementwise.h"

namespace gyre {

struct CounterAttrs {
  int64_t address = 0;  // of an int; tests only
};
GYRE_FIELDS(CounterAttrs, GYRE_FIELD(address, "of a counter"));

namespace testing {
namespace {

constexpr Arg kX[] = {{"x"}};
constexpr Arg kXY[] = {{"x"}, {"y"}};
constexpr const char* kOut[] = {"out"};
constexpr const char* kSinCos[] = {"sin", "cos"};

void infer_like_x(const OpDef&, const void*, Inputs in, std::span<Meta> out) {
  for (Meta& m : out) m = in[0].meta();
}

template <class F>
void each(const KernelArgs& a, F f) {
  for (int64_t i = 0, n = numel(a.out[0].shape); i < n; ++i) f(i);
}
const double* in(const KernelArgs& a, size_t k) {
  return reinterpret_cast<const double*>(a.in[k].data);
}
double* out(const KernelArgs& a, size_t k) { return reinterpret_cast<double*>(a.out[k].data); }

Status copy_kernel(const OpDef&, const KernelArgs& a) noexcept {
  each(a, [&](int64_t i) { out(a, 0)[i] = in(a, 0)[i]; });
  return {};
}
Status square_kernel(const OpDef&, const KernelArgs& a) noexcept {
  each(a, [&](int64_t i) { out(a, 0)[i] = in(a, 0)[i] * in(a, 0)[i]; });
  return {};
}

constexpr OpDef unary(const char* name, Kernel kernel, Vjp vjp) {
  OpDef d;
  d.name = name;
  d.args = kX;
  d.outputs = kOut;
  d.infer = infer_like_x;
  d.kernels[Device::cpu] = kernel;
  d.vjp = vjp;
  d.saves_in = 1;
  return d;
}

void count(const VjpArgs& a) { ++*reinterpret_cast<int*>(attrs_as<CounterAttrs>(a.attrs).address); }
Attrs counter(int* runs) { return box(CounterAttrs{reinterpret_cast<int64_t>(runs)}); }

constinit const OpDef sin_and_cos_def = [] {
  OpDef d;
  d.name = "sin_and_cos";
  d.args = kX;
  d.outputs = kSinCos;
  d.visible = 2;
  d.infer = infer_like_x;
  d.kernels[Device::cpu] = [](const OpDef&, const KernelArgs& a) noexcept -> Status {
    each(a, [&](int64_t i) {
      out(a, 0)[i] = std::sin(in(a, 0)[i]);
      out(a, 1)[i] = std::cos(in(a, 0)[i]);
    });
    return {};
  };
  d.vjp = [](const VjpArgs& a) -> Tensors {
    Tensor g;
    if (a.grad[0].defined()) g = a.grad[0] * a.out[1];
    if (a.grad[1].defined()) g = g.defined() ? g - a.grad[1] * a.out[0] : -(a.grad[1] * a.out[0]);
    return {g};
  };
  d.saves_out = 3;
  return d;
}();

constinit const OpDef counted_def = [] {
  OpDef d = unary("counted", copy_kernel, [](const VjpArgs& a) -> Tensors {
    count(a);
    return {a.grad[0]};
  });
  d.attrs = &record_of<CounterAttrs>;
  return d;
}();

constinit const OpDef blind_def =
    unary("blind", copy_kernel, [](const VjpArgs&) -> Tensors { return {Tensor()}; });

constinit const OpDef failing_def = unary("failing", copy_kernel, [](const VjpArgs& a) -> Tensors {
  refuse(Code::numeric, a.op, "fails on purpose");
});

constinit const OpDef cube_def = [] {
  OpDef d = unary(
      "cube",
      [](const OpDef&, const KernelArgs& a) noexcept -> Status {
        each(a, [&](int64_t i) { out(a, 0)[i] = std::pow(in(a, 0)[i], 3); });
        return {};
      },
      nullptr);
  d.attrs = &record_of<CounterAttrs>;
  d.vjp_first = [](const VjpArgs& a) -> Tensors {
    count(a);
    return {a.grad[0] * 3.0 * a.in[0] * a.in[0]};
  };
  d.compose = [](const OpDef&, const void*, Inputs in) -> Tensors {
    return {in[0] * in[0] * in[0]};
  };
  return d;
}();

constinit const OpDef product_def = [] {
  OpDef d = unary(
      "product",
      [](const OpDef&, const KernelArgs& a) noexcept -> Status {
        each(a, [&](int64_t i) { out(a, 0)[i] = in(a, 0)[i] * in(a, 1)[i]; });
        return {};
      },
      nullptr);
  d.args = kXY;
  d.saves_in = 3;
  d.compose = [](const OpDef&, const void*, Inputs in) -> Tensors { return {in[0] * in[1]}; };
  return d;
}();

Tensors square_vjp(const VjpArgs& a) { return {a.grad[0] * 2.0 * a.in[0]}; }
Tensors wrong_vjp(const VjpArgs& a) { return {a.grad[0] * 2.02 * a.in[0]}; }

constinit const OpDef keeps_nothing_def = [] {
  OpDef d = unary("keeps_nothing", square_kernel, nullptr);
  d.saves_in = 0;
  d.compose = [](const OpDef&, const void*, Inputs in) -> Tensors { return {in[0] * in[0]}; };
  return d;
}();
constinit const OpDef only_first_def = [] {
  OpDef d = unary("only_first", square_kernel, nullptr);
  d.vjp_first = square_vjp;
  return d;
}();
constinit const OpDef wrong_first_def = [] {
  OpDef d = unary("wrong_first", square_kernel, square_vjp);
  d.vjp_first = wrong_vjp;
  return d;
}();
constinit const OpDef wrong_second_def = [] {
  OpDef d = unary("wrong_second", square_kernel, wrong_vjp);
  d.vjp_first = square_vjp;
  return d;
}();

}  // namespace

Tensor of(std::initializer_list<double> values, Shape shape) {
  if (shape.rank == 0 && values.size() != 1) shape = {static_cast<int64_t>(values.size())};
  Tensor t = empty(shape, DType::f64);
  double* p = t.data<double>();
  for (double v : values) *p++ = v;
  return t;
}

Tensor leaf(std::initializer_list<double> values, Shape shape) {
  Tensor t = of(values, shape);
  t.set_requires_grad();
  return t;
}

std::vector<double> values(const Tensor& t) {
  NoGrad guard;
  Tensor row_major = t * 1.0;
  const double* p = row_major.data<double>();
  return {p, p + row_major.numel()};
}

std::pair<Tensor, Tensor> sin_and_cos(const Tensor& x) {
  Tensors out = apply(sin_and_cos_def, Inputs(&x, 1));
  return {out[0], out[1]};
}
Tensor counted(const Tensor& x, int* runs) { return apply_one(counted_def, {x}, counter(runs)); }
Tensor blind(const Tensor& x) { return apply_one(blind_def, {x}); }
Tensor failing(const Tensor& x) { return apply_one(failing_def, {x}); }
Tensor cube_by_composition(const Tensor& x, int* runs) {
  return apply_one(cube_def, {x}, counter(runs));
}
Tensor product_by_composition(const Tensor& x, const Tensor& y) {
  return apply_one(product_def, {x, y});
}
Tensor keeps_nothing(const Tensor& x) { return apply_one(keeps_nothing_def, {x}); }
Tensor only_first(const Tensor& x) { return apply_one(only_first_def, {x}); }
Tensor wrong_first(const Tensor& x) { return apply_one(wrong_first_def, {x}); }
Tensor wrong_second(const Tensor& x) { return apply_one(wrong_second_def, {x}); }

}  // namespace testing
}  // namespace gyre
