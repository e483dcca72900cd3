#include "bench/work.h"
#include "gyre/op/apply.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/shape/shape.h"
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

constexpr Work kWorks[] = {GYRE_SIZES(solve),    GYRE_SIZES(inverse), GYRE_SIZES(det),
                           GYRE_SIZES(cholesky), GYRE_SIZES(qr),      GYRE_SIZES(svd),
                           GYRE_SIZES(eigh)};

}  // namespace

std::span<const Work> linalg_works() { return kWorks; }

}  // namespace gyre::bench
