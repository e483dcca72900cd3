// Adds a kind of tensor: a matrix u v^T of rank 1 that holds its two factors. Products with it cost
// O(m + n) instead of O(m n) for each vector; other ops compute the matrix first.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "gyre/gyre.h"
#include "gyre/op/apply.h"
#include "gyre/op/kind_handler.h"
#include "gyre/tensor/kind.h"
using namespace gyre;

// Numbers after those of the library are free (TensorKind, gyre/tensor/tensor.h).
constexpr TensorKind kLowRank = TensorKind{5};

/// u [m, 1] and v [1, n] in place of the elements of u v [m, n].
struct LowRank final : KindStorage {
  LowRank(Tensor u, Tensor v)
      : KindStorage(nullptr, 0, u.device()), u(std::move(u)), v(std::move(v)) {}
  const char* description() const noexcept override { return "a low-rank matrix"; }
  Ref<Storage> detached() override { return make_ref<LowRank>(u.detach(), v.detach()); }
  bool tracked() const noexcept override { return u.tracked() || v.tracked(); }
  Tensor u, v;
};

Tensor make_low_rank(Tensor u, Tensor v) {
  Meta meta;
  meta.shape = {u.size(0), v.size(1)};
  meta.dtype = promote(u.dtype(), v.dtype());
  meta.device = u.device();
  return make_of_kind(kLowRank, meta, make_ref<LowRank>(std::move(u), std::move(v)));
}

bool is_low_rank(const Tensor& t) { return t.defined() && t.kind() == kLowRank; }
const LowRank& factors(const Tensor& t) { return static_cast<LowRank&>(kind_storage(t)); }

/// The elements of a low-rank matrix as a plain tensor; others as they are.
Tensor dense(const Tensor& t) { return is_low_rank(t) ? matmul(factors(t).u, factors(t).v) : t; }

// Ops on the factors are recorded like any others, so gradients reach u and v.
Tensors call_low_rank(const KindCall& call) {
  if (std::string_view(call.op.name) == "matmul") {
    const Tensor &x = call.in[0], &y = call.in[1];
    if (is_low_rank(x) && is_low_rank(y)) {
      const LowRank &a = factors(x), &b = factors(y);
      return {make_low_rank(matmul(a.u, matmul(a.v, b.u)), b.v)};
    }
    if (is_low_rank(x)) return {matmul(factors(x).u, matmul(factors(x).v, y))};
    return {matmul(matmul(x, factors(y).u), factors(y).v)};
  }
  Tensors in;
  for (const Tensor& t : call.in) in.push_back(dense(t));
  return call.keep_hidden ? apply_keeping(call.op, in, call.attrs) : apply(call.op, in, call.attrs);
}

/// The matrix u v^T [m, n] of vectors u [m] and v [n].
Tensor low_rank(const Tensor& u, const Tensor& v) {
  set_kind_handler(kLowRank, call_low_rank);
  return make_low_rank(reshape(u, {-1, 1}), reshape(v, {1, -1}));
}

void check(bool passed, const char* what) {
  std::printf("%-40s %s\n", what, passed ? "ok" : "FAILED");
  if (!passed) std::exit(1);
}

bool close(const Tensor& a, const Tensor& b) { return max(abs(a - b)).item() < 1e-12; }

int main() {
  Tensor u = rand({4}, {.dtype = DType::f64}), v = rand({3}, {.dtype = DType::f64});
  Tensor a = low_rank(u, v), plain = outer(u, v);
  Tensor x = rand({3, 5}, {.dtype = DType::f64}), y = rand({2, 4}, {.dtype = DType::f64});
  std::printf("%s\n", to_string(a).c_str());
  check(close(matmul(a, x), matmul(plain, x)), "a x");
  check(close(matmul(y, a), matmul(y, plain)), "y a");
  Tensor product = matmul(a, low_rank(v, u));
  check(is_low_rank(product), "a product of two is low-rank");
  check(close(dense(product), matmul(plain, outer(v, u))), "and has the same elements");
  check(close(exp(a) + a, exp(plain) + plain), "other ops use the elements");

  Tensor leaves[] = {u.detach(), v.detach()};
  for (Tensor& leaf : leaves) leaf.set_requires_grad();
  auto f = [&](Inputs in) { return Tensors{sum(tanh(matmul(low_rank(in[0], in[1]), x)))}; };
  check(bool(gradcheck(f, leaves)), "gradients reach u and v");

  Code code = Code::internal;
  try {
    a.data<double>();
  } catch (const Error& error) {
    code = error.code;
    std::printf("%s\n", error.what());
  }
  check(code == Code::unsupported, "it has no bytes to read");
}
