#pragma once
#include <cmath>

#include "gyre/base/function_ref.h"
#include "gyre/op/op_def.h"

// Shared parts of ops on batches of matrices: the last two axes are the matrix, the leading axes
// the batch.

namespace gyre {

/// Largest number of rows or columns: LAPACK's int must hold its square.
inline constexpr int64_t kMostRows = 30000;

/// Error{dtype, shape} unless x is a batch of matrices, Error{resource} beyond kMostRows.
void check_matrices(const OpDef& op, const Tensor& x, const char* name);
/// The same, and requires square matrices.
void check_square(const OpDef& op, const Tensor& x, const char* name);
/// Checks b, matrices or a vector, against a, which was checked, for a linear system a X = b;
/// returns whether it is a vector.
bool check_system(const OpDef& op, const Tensor& a, const Tensor& b);
inline constexpr Arg kSystemArgs[] = {{"a"}, {"b"}};
/// All axes but the last two.
Shape leading_shape(const Shape& shape);
/// Vectors as matrices of one column.
View as_columns(View v);

/// A batch of matrices of any layout that broadcasts to `space`.
class Matrices {
 public:
  /// A view of rank 1 is a column.
  Matrices(const View& view, const Shape& space);
  int64_t rows() const { return view_.shape.back(1); }
  int64_t cols() const { return view_.shape.back(0); }
  /// Offset of matrix `index` of the space: equal along broadcast axes.
  int64_t offset(int64_t index) const { return even_ ? index * step_ : uneven_offset(index); }
  /// Pointer to matrix `index` if its elements are T in row-major order; otherwise null.
  template <class T>
  T* in_place(int64_t index) const {
    bool fits =
        view_.dtype == kDTypeOf<T> && view_.strides.back() == 1 && view_.strides.back(1) == cols();
    return fits ? reinterpret_cast<T*>(view_.data) + offset(index) : nullptr;
  }
  /// Copies element (i, j) of matrix `index` to to[i * row + j * col].
  template <class T>
  void load(int64_t index, T* to, int64_t row, int64_t col) const;
  /// Writes element (i, j) of matrix `index` from from[i * row + j * col].
  template <class T>
  void store(int64_t index, const T* from, int64_t row, int64_t col) const;

 private:
  int64_t stride(int axis) const;
  int64_t uneven_offset(int64_t index) const;
  View view_;
  Shape space_;
  bool even_ = true;  ///< the matrices of the space lie step_ elements apart
  int64_t step_ = 0;
};

/// Parallel work on `count` matrices, split into parts with separate workspaces.
struct BatchWork {
  int64_t count;
  size_t bytes;  ///< of working memory for one matrix
  double flops;  ///< of one matrix
  bool small;    ///< needs no LAPACK
  int64_t parts() const;
  size_t scratch() const { return static_cast<size_t>(parts()) * rounded(); }
  size_t rounded() const { return (bytes + 63) / 64 * 64; }
};

/// OpDef::scratch of an op on one batch of matrices: that of its work.
template <BatchWork (*work_of)(const Shape&, DType)>
size_t scratch_of(const void*, Inputs in) {
  return work_of(in[0].shape(), in[0].dtype()).scratch();
}

/// body(begin, end, memory) for matrices [begin, end) with the given workspace; returns the first
/// that failed, or `end`. The Status names the lowest failed matrix as Code::numeric with `what`;
/// Code::unavailable in a build without LAPACK.
using MatrixRange = FunctionRef<int64_t(int64_t begin, int64_t end, std::byte* memory)>;
Status run_batch(const BatchWork& work, std::byte* scratch, const char* what, MatrixRange body);

/// Allocates consecutive pieces of a workspace, each aligned to 64 bytes.
class Workspace {
 public:
  explicit Workspace(std::byte* memory) : next_(memory) {}
  template <class T>
  T* take(int64_t n) {
    T* r = reinterpret_cast<T*>(next_);
    next_ += bytes<T>(n);
    return r;
  }
  template <class T>
  static constexpr size_t bytes(int64_t n) {
    return (static_cast<size_t>(n) * sizeof(T) + 63) / 64 * 64;
  }

 private:
  std::byte* next_;
};

/// Calls f(T()) with the compute type of a dtype.
auto in_compute_type(DType dtype, auto f) { return dtype == DType::f64 ? f(double()) : f(float()); }

/// run_batch in the compute type T of the operand: one(T(), index, memory) for each matrix returns
/// whether it succeeded.
Status run_each(const BatchWork& work, const KernelArgs& args, const char* what, auto one) {
  return in_compute_type(args.in[0].dtype, [&](auto t) {
    return run_batch(work, args.scratch, what, [&](int64_t begin, int64_t end, std::byte* memory) {
      while (begin < end && one(t, begin, memory)) ++begin;
      return begin;
    });
  });
}

/// True if the entry of largest magnitude among n numbers, `step` apart, is negative (the first of
/// equals). Fixes the sign of singular vectors and eigenvectors.
template <class T>
bool points_down(const T* x, int64_t n, int64_t step) {
  T largest = 0;
  for (int64_t i = 0; i < n; ++i) {
    if (std::fabs(x[i * step]) > std::fabs(largest)) largest = x[i * step];
  }
  return largest < 0;
}

/// True if all n numbers are finite: LAPACK's iterations may not terminate otherwise.
bool all_finite(const auto* x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    if (!std::isfinite(x[i])) return false;
  }
  return true;
}

}  // namespace gyre
