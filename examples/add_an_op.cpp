// Adds an op at run time: discounted sums y_k = x_k + gamma y_(k+1) along the last axis, which are
// the returns of reinforcement learning (Sutton and Barto 2018, equation 3.9).
#include <cstdio>
#include <cstdlib>

#include "gyre/gyre.h"
#include "gyre/op/apply.h"
#include "gyre/op/samples.h"
#include "gyre/registry/op_table.h"

namespace gyre {
struct DiscountAttrs {
  double gamma = 0.99;
};
GYRE_FIELDS(DiscountAttrs, GYRE_FIELD(gamma, "factor of the next element's sum"));
}  // namespace gyre
using namespace gyre;

/// y_k = x_k + gamma y_(k+1) along the last axis of x [..., n], f32 or f64.
Tensor discounted_sum(const Tensor& x, double gamma);

void infer(const OpDef& op, const void*, Inputs in, std::span<Meta> out) {
  DType dtype = in[0].dtype();
  if (in[0].rank() == 0) refuse(Code::shape, op, "expected x [..., n], got []", "[..., n]", "[]");
  if (dtype != DType::f32 && dtype != DType::f64) {
    refuse(Code::dtype, op, {"expected f32 or f64, got ", dtype});
  }
  out[0].shape = in[0].shape();
  out[0].dtype = dtype;
}

// The operand may be a view with any strides (in elements); the result is contiguous.
template <class T>
void run(const View& x, const View& out, double gamma) {
  int last = x.shape.rank - 1;
  int64_t n = x.shape[last], rows = n == 0 ? 0 : numel(x.shape) / n;
  for (int64_t row = 0; row < rows; ++row) {
    const T* from = reinterpret_cast<const T*>(x.data);
    T* to = reinterpret_cast<T*>(out.data) + row * n;
    int64_t rest = row;
    for (int axis = last - 1; axis >= 0; rest /= x.shape[axis], --axis) {
      from += rest % x.shape[axis] * x.strides[axis];
    }
    double sum = 0;
    for (int64_t k = n - 1; k >= 0; --k) {
      sum = static_cast<double>(from[k * x.strides[last]]) + gamma * sum;
      to[k] = static_cast<T>(sum);
    }
  }
}

Status kernel(const OpDef&, const KernelArgs& args) noexcept {
  double gamma = attrs_as<DiscountAttrs>(args.attrs).gamma;
  auto run_in = args.in[0].dtype == DType::f32 ? run<float> : run<double>;
  run_in(args.in[0], args.out[0], gamma);
  return {};
}

// dx_j is the sum of gamma^(j-k) g_k over k <= j: the same op from the other end.
Tensors vjp(const VjpArgs& a) {
  double gamma = attrs_as<DiscountAttrs>(a.attrs).gamma;
  return {flip(discounted_sum(flip(a.grad[0], {-1}), gamma), {-1})};
}

void samples(Samples& s) {
  s.add({s.uniform({5})}, box(DiscountAttrs{.gamma = 0.5}));
  s.add({s.uniform({2, 3, 4})});
  s.add({transpose(s.uniform({4, 3}), 0, 1)}, box(DiscountAttrs{.gamma = -1}));
  s.refuse(Code::shape, {s.uniform({})});
  s.refuse(Code::dtype, {s.integers({3}, 0, 9)});
}

constexpr Arg kArgs[] = {{"x"}};
constexpr const char* kOutputs[] = {"out"};
constinit const OpDef discounted_sum_def = [] {
  OpDef d;
  d.name = "discounted_sum";
  d.doc = "x_k + gamma y_(k+1) along the last axis";
  d.args = kArgs;
  d.outputs = kOutputs;
  d.attrs = &record_of<DiscountAttrs>;
  d.infer = infer;
  d.kernels[Device::cpu] = kernel;
  d.vjp = vjp;
  d.samples = samples;
  return d;
}();

Tensor discounted_sum(const Tensor& x, double gamma) {
  return apply_one(discounted_sum_def, {x}, box(DiscountAttrs{gamma}));
}

void check(bool passed, const char* what) {
  std::printf("%-40s %s\n", what, passed ? "ok" : "FAILED");
  if (!passed) std::exit(1);
}

int main() {
  const OpDef& op = register_op(discounted_sum_def);
  check(op_table().find("discounted_sum") == &op, "the table has the op");

  Tensor y = discounted_sum(tensor({1, 2, 4}), 0.5);
  check(to_vector<double>(y) == std::vector<double>{3, 4, 4}, "values");

  Samples drawn(op);
  for (Samples::Call& call : drawn.calls) {
    call.in[0].set_requires_grad();
    auto f = [&](Inputs in) { return apply(op, in, call.attrs); };
    check(bool(gradcheck(f, call.in)), "first derivatives");
    check(bool(gradgradcheck(f, call.in)), "second derivatives");
  }
  for (Samples::Refusal& refusal : drawn.refusals) {
    Code code = Code::internal;
    try {
      apply(op, refusal.in, refusal.attrs);
    } catch (const Error& error) {
      code = error.code;
      std::printf("%s\n", error.what());
    }
    check(code == refusal.code, code_name(refusal.code));
  }
}
