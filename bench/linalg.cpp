#include "bench/into_output.h"
#include "bench/work.h"
#include "gyre/autograd/backward.h"
#include "gyre/op/apply.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/ops/sparse/csr.h"
#include "gyre/ops/sparse/semiring.h"
#include "gyre/registry/op_table.h"

namespace gyre::bench {
namespace {

// sizes: matrices, rows. The op is the middle of the name.
Ready decomposition(const Work& w, const Settings&) {
  std::string name = w.name;
  size_t begin = name.find('_') + 1;
  name = name.substr(begin, name.rfind('_') - begin);
  const OpDef* op = op_table().find(name.c_str());
  if (!op) throw Error(Code::internal, name, "expected an op of the op table, got an unknown name");
  auto [batch, n, unused, none] = w.sizes;
  Tensor x = randn({batch, n, n});
  // adding n I keeps all matrices non-singular
  x = matmul(x, transpose(x, -1, -2)) + eye(n) * Tensor(static_cast<double>(n));
  Tensors in{x};
  if (op->args.size() > 1) in.push_back(randn({batch, n, 1}));
  return {[op, in] {
    NoGrad off;
    apply(*op, in);
  }};
}

constexpr Work work(const char* name, int64_t batch, int64_t n) {
  return {name, "us", "of symmetric, positive definite f32 matrices", decomposition, {batch, n}};
}

#define GYRE_SIZES(op)                                                              \
  work("linalg_" #op "_10000x3", 10000, 3), work("linalg_" #op "_300x16", 300, 16), \
      work("linalg_" #op "_1x512", 1, 512)

// sizes: rows, depth, columns
Ready min_plus(const Work& w, DType dtype) {
  const Tensor x = to(randn({w.sizes[0], w.sizes[1]}), dtype),
               y = to(randn({w.sizes[1], w.sizes[2]}), dtype);
  return {into_output("semiring_matmul", {x, y}, empty({w.sizes[0], w.sizes[2]}, dtype),
                      box(SemiringAttrs{}))};
}
Ready min_plus_f32(const Work& w, const Settings&) { return min_plus(w, DType::f32); }
Ready min_plus_f64(const Work& w, const Settings&) { return min_plus(w, DType::f64); }

Ready min_plus_gradients(const Work& w, const Settings&) {
  Tensor x = randn({w.sizes[0], w.sizes[1]}), y = randn({w.sizes[1], w.sizes[2]});
  x.set_requires_grad();
  y.set_requires_grad();
  const Tensor g = randn({w.sizes[0], w.sizes[2]});
  return {[x, y, g] { grad(Inputs{{semiring_matmul(x, y)}}, Inputs{{x, y}}, Inputs{{g}}); }};
}

// A sum and a minimum take the time of two multiply-adds, which count as four FLOPs; f64 has half
// as many lanes as f32, in which the limit is measured.
constexpr Work semiring(const char* name, const char* definition,
                        Ready (*prepare)(const Work&, const Settings&), int64_t n, double factor) {
  return {name,
          "us",
          definition,
          prepare,
          {n, n, n},
          Limit::fma,
          4.0 * factor * static_cast<double>(n * n * n)};
}

// sizes: rows and columns, elements of a row, columns of the dense matrix
Ready csr(const Work& w, bool gradients) {
  const auto [n, per_row, k, unused] = w.sizes;
  const Tensor crow = arange(0, static_cast<double>(n * per_row + 1), static_cast<double>(per_row),
                             {.dtype = DType::i64});
  const Tensor col = randint(0, n, {n * per_row});
  Tensor values = randn({n * per_row}), dense = randn({n, k});
  if (!gradients) return {into_output("csr_matmul", {crow, col, values, dense}, empty({n, k}))};
  values.set_requires_grad();
  dense.set_requires_grad();
  const Tensor g = randn({n, k});
  return {[=] {
    grad(Inputs{{csr_matmul(crow, col, values, dense)}}, Inputs{{values, dense}}, Inputs{{g}});
  }};
}
Ready csr_product(const Work& w, const Settings&) { return csr(w, false); }
Ready csr_gradients(const Work& w, const Settings&) { return csr(w, true); }

constexpr Work csr_work(const char* name, const char* definition,
                        Ready (*prepare)(const Work&, const Settings&), int64_t n, int64_t per_row,
                        int64_t k) {
  Work w{name, "us", definition, prepare, {n, per_row, k}};
  w.limit = Limit::read;
  w.amount = 4.0 * static_cast<double>(n * per_row * k + n * k);
  w.floats = n * k;
  return w;
}

constexpr Work kSparseWorks[] = {
    semiring("semiring_512", "min_plus product in f32 into a given result", min_plus_f32, 512, 1),
    semiring("semiring_1024", "min_plus product in f32 into a given result", min_plus_f32, 1024, 1),
    semiring("semiring_1024_f64", "min_plus product in f64 into a given result", min_plus_f64, 1024,
             2),
    semiring("semiring_512_gradients", "min_plus product in f32 and its gradients",
             min_plus_gradients, 512, 1),
    csr_work("csr_20000x16x64",
             "sparse matrix of 16 elements a row times 64 columns, into a result", csr_product,
             20000, 16, 64),
    csr_work("csr_20000x16x64_gradients", "the same and its gradients by values and dense matrix",
             csr_gradients, 20000, 16, 64),
};

constexpr Work kLinalgWorks[] = {
    GYRE_SIZES(solve), GYRE_SIZES(inverse), GYRE_SIZES(det), GYRE_SIZES(cholesky), GYRE_SIZES(qr),
    GYRE_SIZES(svd),   GYRE_SIZES(eigh),    kSparseWorks[0], kSparseWorks[1],      kSparseWorks[2],
    kSparseWorks[3],   kSparseWorks[4],     kSparseWorks[5]};

}  // namespace

std::span<const Work> linalg_works() { return kLinalgWorks; }

}  // namespace gyre::bench
