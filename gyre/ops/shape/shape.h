#pragma once
#include "gyre/tensor/tensor.h"

// Ops on shapes. Unless said otherwise the result is a view: it shares the storage of `x`. Axes may
// be negative and then count from the end; one out of range is Error{index}.

namespace gyre {

struct ReshapeAttrs {
  Shape shape;
};
GYRE_FIELDS(ReshapeAttrs, GYRE_FIELD(shape, "new shape; one size may be -1 and is inferred"));

/// The elements in row-major order in another shape; one size may be -1. A view where the strides
/// allow it, else a copy. Error{shape} when the elements do not fit, Error{value} for other
/// negative sizes or two of -1.
Tensor reshape(const Tensor& x, const Shape& shape);
/// reshape with axes first..last, both included, made one.
Tensor flatten(const Tensor& x, int64_t first = 0, int64_t last = -1);

struct PermuteAttrs {
  Shape axes;
};
GYRE_FIELDS(PermuteAttrs, GYRE_FIELD(axes, "axis i of the result is axis axes[i] of x"));

/// Axis i of the result is axis axes[i] of x. Error{value} when `axes` is not a permutation.
Tensor permute(const Tensor& x, const Shape& axes);

struct TransposeAttrs {
  int64_t axis0 = -2, axis1 = -1;
};
GYRE_FIELDS(TransposeAttrs, GYRE_FIELD(axis0, "first axis to swap"),
            GYRE_FIELD(axis1, "second axis to swap"));

/// Two axes exchanged.
Tensor transpose(const Tensor& x, int64_t axis0, int64_t axis1);

struct ExpandAttrs {
  Shape shape;
};
GYRE_FIELDS(ExpandAttrs, GYRE_FIELD(shape, "new sizes; -1 keeps the size of x"));

/// x repeated along axes of size 1 and along new leading axes, by stride 0; -1 keeps a size.
/// Error{shape} when x does not broadcast to `shape`.
Tensor expand(const Tensor& x, const Shape& shape);
inline Tensor broadcast_to(const Tensor& x, const Shape& shape) { return expand(x, shape); }
inline Tensor broadcast_with(const Tensor& x, const Tensor& other) {
  return expand(x, broadcast(x.shape(), other.shape(), "broadcast_with"));
}

struct SqueezeAttrs {
  Shape axes;
};
GYRE_FIELDS(SqueezeAttrs, GYRE_FIELD(axes, "axes of size 1 to remove; empty: all of them"));

/// Without these axes, which must have size 1; without any axis of size 1 if `axes` is empty.
/// Error{shape} when an axis is longer.
Tensor squeeze(const Tensor& x, const Shape& axes = {});

struct UnsqueezeAttrs {
  int64_t axis = 0;
};
GYRE_FIELDS(UnsqueezeAttrs, GYRE_FIELD(axis, "position of the new axis in the result"));

/// With an axis of size 1 that the result has at `axis`.
Tensor unsqueeze(const Tensor& x, int64_t axis);

struct SliceAttrs {
  int64_t axis = 0, start = 0, stop = INT64_MAX, step = 1;
};
GYRE_FIELDS(SliceAttrs, GYRE_FIELD(axis, "axis to slice"),
            GYRE_FIELD(start, "start index; negative: from the end"),
            GYRE_FIELD(stop, "end index, exclusive; negative: from the end"),
            GYRE_FIELD(step, "step between indices, at least 1"));

/// x[start:stop:step] along one axis as in Python: bounds may be negative or too large.
/// Error{value} for a step below 1, Error{shape} when x has no axes.
Tensor slice(const Tensor& x, const SliceAttrs& attrs);

struct SelectAttrs {
  int64_t axis = 0, index = 0;
};
GYRE_FIELDS(SelectAttrs, GYRE_FIELD(axis, "axis to select from and remove"),
            GYRE_FIELD(index, "index along it; negative: from the end"));

/// x at one index of an axis, which the result does not have. Error{index, shape}.
Tensor select(const Tensor& x, const SelectAttrs& attrs);

struct SliceEmbedAttrs {
  int64_t axis = 0, start = 0, step = 1, size = 0;
};
GYRE_FIELDS(SliceEmbedAttrs, GYRE_FIELD(axis, "axis of the result along which x is placed"),
            GYRE_FIELD(start, "index of the first element of x in the result"),
            GYRE_FIELD(step, "step between indices, at least 1"),
            GYRE_FIELD(size, "size of the axis in the result"));

/// Zeros with x at [start::step] of an axis of length `size`: the reverse of slice. A new tensor.
/// Error{value} for bad numbers, Error{shape} when x does not fit.
Tensor slice_embed(const Tensor& x, const SliceEmbedAttrs& attrs);

/// A new contiguous tensor with the values of x.
Tensor clone(const Tensor& x);
/// x itself if its elements lie in row-major order without gaps, else a clone.
Tensor contiguous(const Tensor& x);

struct ToAttrs {
  DType dtype = DType::f32;
};
GYRE_FIELDS(ToAttrs, GYRE_FIELD(dtype, "element type of the result"));

/// The values in another dtype; x itself when it has that one. Rounds to nearest even; floats to
/// integers truncate and saturate, NaN becomes 0; integers to narrower ones wrap; anything not zero
/// is true. The gradient comes back in the dtype of x.
Tensor to(const Tensor& x, DType dtype);

struct CatAttrs {
  int64_t axis = 0;
};
GYRE_FIELDS(CatAttrs, GYRE_FIELD(axis, "axis to concatenate along"));

/// Tensors that differ only in the length of one axis, one after the other along it, in their
/// promoted dtype. A new tensor. Error{shape}; Error{value} without tensors.
Tensor cat(Inputs xs, int64_t axis);
inline Tensor cat(std::initializer_list<Tensor> xs, int64_t axis) {
  return cat(Inputs(xs.begin(), xs.size()), axis);
}

struct StackAttrs {
  int64_t axis = 0;
};
GYRE_FIELDS(StackAttrs, GYRE_FIELD(axis, "position of the new axis in the result"));

/// Tensors of one shape along a new axis. A new tensor. Error{shape}; Error{value} without tensors.
Tensor stack(Inputs xs, int64_t axis);
inline Tensor stack(std::initializer_list<Tensor> xs, int64_t axis) {
  return stack(Inputs(xs.begin(), xs.size()), axis);
}

/// Consecutive parts of these lengths along an axis, as views. Error{shape} when the lengths do not
/// add up to the axis.
Tensors split(const Tensor& x, std::span<const int64_t> sizes, int64_t axis);
inline Tensors split(const Tensor& x, std::initializer_list<int64_t> sizes, int64_t axis) {
  return split(x, {sizes.begin(), sizes.size()}, axis);
}
/// At most `chunks` parts of equal length, the last of which may be shorter, as views.
Tensors chunk(const Tensor& x, int64_t chunks, int64_t axis);

/// Axes source[i] moved to destination[i]; the others keep their order. Error{value} when the lists
/// differ in length or name an axis twice.
Tensor movedim(const Tensor& x, const Shape& source, const Shape& destination);
inline Tensor movedim(const Tensor& x, int64_t source, int64_t destination) {
  return movedim(x, Shape{source}, Shape{destination});
}
/// x[start:start+length] along an axis; start may be negative. Error{index} unless all of it is
/// there.
Tensor narrow(const Tensor& x, int64_t axis, int64_t start, int64_t length);

struct FlipAttrs {
  Shape axes;
};
GYRE_FIELDS(FlipAttrs, GYRE_FIELD(axes, "axes to reverse; empty: all"));

/// Axes (all by default) from the last index to the first. A new tensor.
Tensor flip(const Tensor& x, const Shape& axes = {});

struct RollAttrs {
  Shape shifts, axes;
};
GYRE_FIELDS(RollAttrs, GYRE_FIELD(shifts, "shift of each axis, in elements"),
            GYRE_FIELD(axes, "axes to shift along, each once"));

/// Index i along axes[k] of x is index i + shifts[k] of the result, from the front again past the
/// end. A new tensor. Error{value} unless there is one shift for each axis.
Tensor roll(const Tensor& x, const RollAttrs& attrs);
inline Tensor roll(const Tensor& x, int64_t shift, int64_t axis) {
  return roll(x, RollAttrs{{shift}, {axis}});
}

enum class PadMode : uint8_t { constant, reflect, replicate, circular };
inline constexpr const char* kPadModeNames[] = {"constant", "reflect", "replicate", "circular"};
template <>
inline constexpr std::span<const char* const> kChoices<PadMode> = kPadModeNames;

struct PadAttrs {
  Shape before, after;
  PadMode mode = PadMode::constant;
  double value = 0;
};
GYRE_FIELDS(PadAttrs, GYRE_FIELD(before, "elements added before each axis"),
            GYRE_FIELD(after, "elements added after each axis"),
            GYRE_FIELD(mode,
                       "padding mode: constant value, reflection without the edge element, "
                       "replication of the edge element, or circular"),
            GYRE_FIELD(value, "fill value of mode constant"));

/// x with before[i] and after[i] elements more along axis i. A new tensor. Error{value} for widths
/// that are negative or not one an axis; Error{shape} for a width above size - 1 (reflect) or size
/// (circular), and for elements out of nothing.
Tensor pad(const Tensor& x, const PadAttrs& attrs);

struct TileAttrs {
  Shape repeats;
};
GYRE_FIELDS(TileAttrs, GYRE_FIELD(repeats, "repetitions of each axis, aligned from the last"));

/// x repeated repeats[i] times along axis i; the shorter of the two gets ones in front (numpy.tile,
/// torch.tile). A new tensor. Error{value} for negative numbers.
Tensor tile(const Tensor& x, const Shape& repeats);

struct RepeatAttrs {
  int64_t count = 1, axis = 0;
};
GYRE_FIELDS(RepeatAttrs, GYRE_FIELD(count, "repetitions of each slice"),
            GYRE_FIELD(axis, "axis to repeat along"));

/// Each slice along an axis `count` times in a row. A new tensor. Error{value} for a negative
/// count, Error{shape} when x has no axes.
Tensor repeat_interleave(const Tensor& x, int64_t count, int64_t axis);

struct UnfoldAttrs {
  int64_t axis = 0, size = 1, step = 1;
};
GYRE_FIELDS(UnfoldAttrs, GYRE_FIELD(axis, "axis to slice"), GYRE_FIELD(size, "window size"),
            GYRE_FIELD(step, "step between windows"));

/// Windows x[k step : k step + size] along an axis: the axis counts them, a new last axis is the
/// place in the window (torch.Tensor.unfold). A view. Error{value} for a size or step below 1,
/// Error{shape} for a size above the axis.
Tensor unfold(const Tensor& x, const UnfoldAttrs& attrs);

struct OverlapAddAttrs {
  int64_t axis = 0, step = 1, length = 0;
};
GYRE_FIELDS(OverlapAddAttrs, GYRE_FIELD(axis, "axis of the result along which windows are added"),
            GYRE_FIELD(step, "step between windows"),
            GYRE_FIELD(length, "size of that axis in the result"));

/// Zeros of `length` along an axis with window k of x, which are its last axis, added at k step:
/// the reverse of unfold. A new tensor. Error{value} for a step below 1 or a negative length,
/// Error{shape} when the windows do not fit.
Tensor overlap_add(const Tensor& x, const OverlapAddAttrs& attrs);

struct DiagonalAttrs {
  int64_t offset = 0, axis0 = 0, axis1 = 1;
};
GYRE_FIELDS(DiagonalAttrs,
            GYRE_FIELD(offset,
                       "offset of the diagonal: above the main one if positive, below if negative"),
            GYRE_FIELD(axis0, "axis of rows"), GYRE_FIELD(axis1, "axis of columns"));

/// Elements [i, i + offset] of two axes, which go, as a new last axis. A view. Error{value} when
/// the axes are one, Error{shape} for less than two.
Tensor diagonal(const Tensor& x, const DiagonalAttrs& attrs = {});

struct DiagEmbedAttrs {
  int64_t offset = 0, axis0 = -2, axis1 = -1, rows = -1, columns = -1;
};
GYRE_FIELDS(DiagEmbedAttrs,
            GYRE_FIELD(offset,
                       "offset of the diagonal: above the main one if positive, below if negative"),
            GYRE_FIELD(axis0, "axis of rows in the result"),
            GYRE_FIELD(axis1, "axis of columns in the result"),
            GYRE_FIELD(rows, "size of axis0; -1: n + |offset|"),
            GYRE_FIELD(columns, "size of axis1; -1: n + |offset|"));

/// Zeros with the last axis [n] of x on a diagonal of two new axes: the reverse of diagonal. A new
/// tensor. Error{shape} when x does not fill that diagonal, Error{value} when the axes are one.
Tensor diag_embed(const Tensor& x, const DiagEmbedAttrs& attrs = {});
/// A vector on a diagonal of a new matrix, or a diagonal of a matrix. Error{shape} for other ranks.
Tensor diag(const Tensor& x, int64_t offset = 0);

struct TriangleAttrs {
  int64_t diagonal = 0;
};
GYRE_FIELDS(TriangleAttrs,
            GYRE_FIELD(diagonal, "last diagonal kept; 0: main, positive: above, negative: below"));

/// Matrices [..., rows, columns] with zeros above (tril) or below (triu) a diagonal. A new tensor.
/// Error{shape} for less than two axes.
Tensor tril(const Tensor& x, int64_t diagonal = 0);
Tensor triu(const Tensor& x, int64_t diagonal = 0);

enum class Indexing : uint8_t { ij, xy };

/// The vectors (or numbers) expanded over the grid that they span: result k varies along axis k; by
/// xy the first two axes are exchanged. Views. Error{shape} for other ranks.
Tensors meshgrid(Inputs xs, Indexing indexing = Indexing::ij);

}  // namespace gyre
