#include <algorithm>

#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/samples.h"
#include "gyre/ops/sparse/csr.h"
#include "gyre/ops/sparse/structure.h"

namespace gyre {
namespace {

constexpr Arg kTransposeArgs[] = {kCrowIndices, kColIndices};
constexpr int64_t kMostColumns = int64_t{1} << 62;
constexpr const char* kTransposeOutputs[] = {"crow_indices", "col_indices", "order"};

void transpose_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  check_structure(op, in);
  const int64_t columns = attrs_as<CsrTransposeAttrs>(attrs).columns;
  if (columns < 0 || columns >= kMostColumns) {
    throw mismatch(Code::value, op.name, "expected the number of columns", "[0, 2^62)", columns);
  }
  out[0].shape = {columns + 1};
  out[1].shape = out[2].shape = in[1].shape();
  for (Meta& m : out) m.dtype = DType::i64;
}

size_t transpose_scratch(const void*, Inputs in) { return structure_bytes(in); }

// Counting sort by column; elements of a column stay in order, so that rows ascend.
Status run_csr_transpose(const CsrTransposePlan& p) noexcept {
  const CsrStructure& m = p.matrix;
  if (Status s = check_places(m); s.failed) return s;
  // next[c] is where the next element of column c goes, and in the end where column c + 1 begins
  int64_t* next = p.offsets + 1;
  std::fill_n(p.offsets, m.columns + 1, 0);
  for (int64_t i = 0; i < m.count; ++i) ++next[m.places[i]];
  int64_t sum = 0;
  for (int64_t c = 0; c < m.columns; ++c) {
    const int64_t count = next[c];
    next[c] = sum;
    sum += count;
  }
  for (int64_t r = 0; r < m.rows; ++r) {
    for (int64_t i = m.offsets[r]; i < m.offsets[r + 1]; ++i) {
      const int64_t to = next[m.places[i]]++;
      p.places[to] = r;
      p.order[to] = i;
    }
  }
  return {};
}

Status transpose_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  DenseOperands operands(args.scratch);
  const CsrStructure matrix =
      operands.structure(args, attrs_as<CsrTransposeAttrs>(args.attrs).columns);
  if (operands.status().failed) return operands.status();
  const auto result = [&](size_t i) { return reinterpret_cast<int64_t*>(args.out[i].data); };
  return launch<run_csr_transpose>(op, args,
                                   CsrTransposePlan{matrix, result(0), result(1), result(2)});
}

void transpose_samples(Samples& s) {
  const auto columns = [](int64_t n) { return box(CsrTransposeAttrs{n}); };
  s.add({s.indices({0, 2, 3, 5}), s.integers({5}, 0, 4)}, columns(4));
  s.add({s.indices({0, 3, 3, 6}), s.integers({6}, 0, 9)}, columns(9));
  s.add({s.indices({0, 2}), s.indices({1, 1})}, columns(3));
  s.add({s.indices({0, 0}), s.integers({0}, 0, 1)}, columns(0));
  s.refuse(Code::value, {s.indices({0, 2}), s.indices({0, 1})});
  s.refuse(Code::value, {s.indices({0, 1}), s.indices({0, 1})}, columns(2));
  s.refuse(Code::index, {s.indices({0, 2}), s.indices({0, 2})}, columns(2));
  s.refuse(Code::shape, {s.indices({0, 2}), s.integers({2, 1}, 0, 1)}, columns(2));
  s.refuse(Code::dtype, {s.indices({0, 2}), s.uniform({2})}, columns(2));
}

}  // namespace

extern constinit const OpDef csr_transpose_def{
    .name = "csr_transpose",
    .doc = "structure of the transpose of a sparse matrix (CSR), and the order of its values",
    .args = kTransposeArgs,
    .outputs = kTransposeOutputs,
    .visible = 3,
    .attrs = &record_of<CsrTransposeAttrs>,
    .infer = transpose_infer,
    .kernels = on_every_device(transpose_kernel),
    .scratch = transpose_scratch,
    .samples = transpose_samples,
    .is_discrete = true};

CsrTransposed csr_transpose(const Tensor& crow_indices, const Tensor& col_indices,
                            int64_t columns) {
  const Tensor in[] = {crow_indices, col_indices};
  const Tensors r = apply(csr_transpose_def, in, box(CsrTransposeAttrs{columns}));
  return {r[0], r[1], r[2]};
}

}  // namespace gyre
