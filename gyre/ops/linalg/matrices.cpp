#include "gyre/ops/linalg/matrices.h"

#include "gyre/base/thread_pool.h"
#include "gyre/ops/elements.h"
#include "gyre/ops/linalg/lapack.h"

namespace gyre {
namespace {

// Side of the blocks that are copied, so that source and target use few cache lines.
constexpr int64_t kBlock = 16;
constexpr int64_t kMostParts = 64;
constexpr size_t kMostScratch = size_t{64} << 20;
// Least FLOPs per thread.
constexpr double kPartWork = 50000;

struct Steps {
  int64_t row, col;
};

template <class From, class To, class Convert>
void move_block(const From* from, Steps f, To* to, Steps t, int64_t rows, int64_t cols,
                Convert convert) {
  for (; rows > 0; --rows, from += f.row, to += t.row) {
    const From* x = from;
    To* y = to;
    for (int64_t j = cols; j > 0; --j, x += f.col, y += t.col) *y = convert(*x);
  }
}

void move(const auto* from, Steps f, auto* to, Steps t, int64_t rows, int64_t cols, auto convert) {
  if (f.row == cols * f.col && t.row == cols * t.col) {
    return move_block(from, f, to, t, 1, rows * cols, convert);
  }
  if (rows <= kBlock || cols <= kBlock) return move_block(from, f, to, t, rows, cols, convert);
  for (int64_t i = 0; i < rows; i += kBlock) {
    for (int64_t j = 0; j < cols; j += kBlock) {
      move_block(from + i * f.row + j * f.col, f, to + i * t.row + j * t.col, t,
                 rows - i < kBlock ? rows - i : kBlock, cols - j < kBlock ? cols - j : kBlock,
                 convert);
    }
  }
}

// f of a null pointer to the floating type that is stored: visit_floating(), but not inlined into
// the loops of small matrices, which it would slow down by 20 %.
void with_stored(DType dtype, auto f) {
  switch (dtype) {
    case DType::f64:
      return f(static_cast<double*>(nullptr));
    case DType::f16:
      return f(static_cast<f16*>(nullptr));
    case DType::bf16:
      return f(static_cast<bf16*>(nullptr));
    default:
      return f(static_cast<float*>(nullptr));
  }
}

}  // namespace

void check_matrices(const OpDef& op, const Tensor& x, const char* name) {
  if (!is_floating(x.dtype())) {
    throw mismatch(Code::dtype, op.name, {name, " must have a floating dtype"}, "a floating dtype",
                   x.dtype());
  }
  if (x.rank() < 2) {
    throw mismatch(Code::shape, op.name, {name, " must have at least two axes"},
                   "[..., rows, columns]", x.shape());
  }
  if (x.size(-1) > kMostRows || x.size(-2) > kMostRows) {
    refuse(Code::resource, op,
           {name, " has more than ", kMostRows, " rows or columns: ", x.shape()}, kMostRows,
           x.shape());
  }
}

void check_square(const OpDef& op, const Tensor& x, const char* name) {
  check_matrices(op, x, name);
  if (x.size(-1) == x.size(-2)) return;
  refuse(Code::shape, op, {name, " must be square, got ", x.shape()}, x.size(-2), x.size(-1));
}

bool check_system(const OpDef& op, const Tensor& a, const Tensor& b) {
  const bool vector = b.rank() == 1;
  if (!vector || !is_floating(b.dtype())) check_matrices(op, b, "b");
  const int64_t rows = b.size(vector ? 0 : -2);
  if (a.size(-2) != rows) {
    refuse(Code::shape, op,
           {"a and b must have the same number of rows, got ", a.shape(), " and ", b.shape()},
           a.size(-2), rows);
  }
  return vector;
}

Shape leading_shape(const Shape& shape) {
  return shape.part(0, shape.rank < 2 ? 0 : shape.rank - 2);
}

View as_columns(View v) {
  v.shape.push_back(1);
  v.strides.push_back(1);
  return v;
}

Matrices::Matrices(const View& view, const Shape& space)
    : view_(view.shape.rank == 1 ? as_columns(view) : view), space_(space) {
  int64_t known = 1;
  for (int axis = space_.rank; axis-- > 0;) {
    if (space_[axis] == 1) continue;
    if (known == 1) step_ = stride(axis);
    even_ = even_ && stride(axis) == step_ * known;
    known *= space_[axis];
  }
}

int64_t Matrices::stride(int axis) const {
  int own = axis - (space_.rank - (view_.shape.rank - 2));
  return own < 0 || view_.shape[own] == 1 ? 0 : view_.strides[own];
}

int64_t Matrices::uneven_offset(int64_t index) const {
  int64_t offset = 0;
  for (int i = space_.rank; i-- > 0; index /= space_[i]) offset += index % space_[i] * stride(i);
  return offset;
}

template <class T>
void Matrices::load(int64_t index, T* to, int64_t row, int64_t col) const {
  with_stored(view_.dtype, [&]<class S>(S*) {
    move(reinterpret_cast<const S*>(view_.data) + offset(index),
         {view_.strides.back(1), view_.strides.back(0)}, to, {row, col}, rows(), cols(),
         [](S x) { return static_cast<T>(value_of(x)); });
  });
}

template <class T>
void Matrices::store(int64_t index, const T* from, int64_t row, int64_t col) const {
  with_stored(view_.dtype, [&]<class S>(S*) {
    move(from, {row, col}, reinterpret_cast<S*>(view_.data) + offset(index),
         {view_.strides.back(1), view_.strides.back(0)}, rows(), cols(),
         [](T x) { return stored<S>(x); });
  });
}

template void Matrices::load(int64_t, float*, int64_t, int64_t) const;
template void Matrices::load(int64_t, double*, int64_t, int64_t) const;
template void Matrices::store(int64_t, const float*, int64_t, int64_t) const;
template void Matrices::store(int64_t, const double*, int64_t, int64_t) const;

int64_t BatchWork::parts() const {
  int64_t most = count < kMostParts ? count : kMostParts;
  double worth = static_cast<double>(count) * flops / kPartWork;
  if (worth < static_cast<double>(most)) most = static_cast<int64_t>(worth);
  auto fit = static_cast<int64_t>(kMostScratch / (rounded() + 1));
  if (fit < most) most = fit;
  return most < 1 ? 1 : most;
}

Status run_batch(const BatchWork& work, std::byte* scratch, const char* what, MatrixRange body) {
  if (!work.small && !lapack::present()) {
    return {true, Code::unavailable, 0, 0, "needs OpenBLAS, which this build lacks"};
  }
  int64_t parts = work.parts(), failed[kMostParts];
  parallel_for(parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part) {
      int64_t first = work.count * part / parts, last = work.count * (part + 1) / parts;
      int64_t stop = body(first, last, scratch + static_cast<size_t>(part) * work.rounded());
      failed[part] = stop < last ? stop : -1;
    }
  });
  for (int64_t part = 0; part < parts; ++part) {
    if (failed[part] >= 0) return {true, Code::numeric, failed[part], 0, what};
  }
  return {};
}

}  // namespace gyre
