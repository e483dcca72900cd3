#include "gyre/ops/einsum/einsum.h"

#include "bench/work.h"
#include "gyre/autograd/backward.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/einsum/plan.h"
#include "gyre/ops/random/random.h"

namespace gyre::bench {
namespace {

struct Example {
  std::string spec;
  std::vector<Shape> shapes;
};

// A chain whose best order is not left to right; attention without softmax, with its projection; a
// tensor ring of six small tensors. Selected by sizes[0].
Example example(const Work& w) {
  switch (w.sizes[0]) {
    case 0:
      return {"ij,jk,kl,lm,mn->in", {{1024, 512}, {512, 16}, {16, 1024}, {1024, 512}, {512, 64}}};
    case 1:
      return {"bhqd,bhkd,bhke,hef->bqf",
              {{4, 8, 256, 64}, {4, 8, 256, 64}, {4, 8, 256, 64}, {8, 64, 512}}};
    default:
      return {"aib,bjc,ckd,dle,emf,fna->ijklmn", std::vector<Shape>(6, {16, 8, 16})};
  }
}

struct EinsumOperands {
  explicit EinsumOperands(const Work& w) : spec(example(w).spec) {
    for (const Shape& shape : example(w).shapes) tensors.push_back(randn(shape));
  }
  std::string spec;
  Tensors tensors;
};

Ready einsum_forward(const Work& w, const Settings&) {
  return {[a = EinsumOperands(w)] {
    NoGrad off;
    Tensor y = einsum(a.spec, a.tensors);
  }};
}

Ready einsum_gradients(const Work& w, const Settings&) {
  EinsumOperands a(w);
  for (Tensor& t : a.tensors) t.set_requires_grad();
  Tensor g = ones(einsum(a.spec, a.tensors).shape());
  return {[a, g]() mutable {
    for (Tensor& t : a.tensors) t.zero_grad();
    Tensor y = einsum(a.spec, a.tensors);
    backward(Inputs(&y, 1), Inputs(&g, 1));
  }};
}

// A ring of eight matrices of different sizes.
Ready path(const Work&, const Settings&) {
  constexpr int64_t kSizes[] = {8, 24, 3, 40, 12, 64, 5, 17, 8};
  std::vector<Shape> shapes;
  shapes.reserve(8);
  for (int i = 0; i < 8; ++i) shapes.push_back({kSizes[i], kSizes[i + 1]});
  return {[shapes, terms = read_terms("ab,bc,cd,de,ef,fg,gh,ha->")] {
    (void)make_einsum_plan(terms, shapes);
  }};
}

constexpr Work work(const char* name, int64_t which, const char* definition, double flops) {
  return {name, "us", definition, einsum_forward, {which}, Limit::fma, flops};
}

constexpr Work with_gradients(const char* name, int64_t which, double flops) {
  return {name,
          "us",
          "the same, forward and backward for all operands",
          einsum_gradients,
          {which},
          Limit::fma,
          3 * flops};
}

// As reported by einsum_path.
constexpr double kChain = 3.670e7, kAttention = 6.711e8, kRing = 1.437e8;

constexpr Work kEinsumWorks[] = {
    work("einsum_chain5", 0,
         "ij,jk,kl,lm,mn->in, i 1024, j 512, k 16, l 1024, m 512, n 64, in the cheapest order",
         kChain),
    with_gradients("einsum_chain5_gradients", 0, kChain),
    work("einsum_attention4", 1,
         "bhqd,bhkd,bhke,hef->bqf, b 4, h 8, q = k = 256, d = e = 64, f 512", kAttention),
    with_gradients("einsum_attention4_gradients", 1, kAttention),
    work("einsum_ring6", 2, "aib,bjc,ckd,dle,emf,fna->ijklmn, a..f 16, i..n 8", kRing),
    with_gradients("einsum_ring6_gradients", 2, kRing),
    {"einsum_path8", "us", "the cheapest order of eight matrices in a ring, not from the cache",
     path},
};

}  // namespace

std::span<const Work> einsum_works() { return kEinsumWorks; }

}  // namespace gyre::bench
