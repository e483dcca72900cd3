#pragma once
#include "gyre/op/number.h"
#include "gyre/tensor/tensor.h"

// Ops on shapes. Unless said otherwise the result is a view, which shares the memory of `x`. A
// negative axis counts from the end; an axis out of range is Error{index}.

namespace gyre {

struct ReshapeAttrs {
  Shape shape;
};
GYRE_FIELDS(ReshapeAttrs, GYRE_FIELD(shape, "new shape; one size may be -1 and is inferred"));

/// The same elements in row-major order with a new shape; one size may be -1 and is inferred. A
/// view if the strides allow it, otherwise a copy. Error{shape} if the number of elements differs,
/// Error{value} for other negative sizes or more than one -1.
Tensor reshape(const Tensor& x, const Shape& shape);
/// Merges axes first..last (inclusive) into one.
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

/// Swaps two axes.
Tensor transpose(const Tensor& x, int64_t axis0, int64_t axis1);

struct ExpandAttrs {
  Shape shape;
};
GYRE_FIELDS(ExpandAttrs, GYRE_FIELD(shape, "new sizes; -1 keeps the size of x"));

/// Broadcasts x to `shape`, along axes of size 1 and new leading axes; -1 keeps a size. The strides
/// of these axes are 0. Error{shape} if x does not broadcast to `shape`.
Tensor expand(const Tensor& x, const Shape& shape);
inline Tensor broadcast_to(const Tensor& x, const Shape& shape) { return expand(x, shape); }
inline Tensor broadcast_with(const Tensor& x, const Tensor& other) {
  return expand(x, broadcast(x.shape(), other.shape(), "broadcast_with"));
}

struct SqueezeAttrs {
  Shape axes;
};
GYRE_FIELDS(SqueezeAttrs, GYRE_FIELD(axes, "axes of size 1 to remove; empty: all of them"));

/// Removes the given axes, or all axes of size 1 if `axes` is empty. Error{shape} if the size of an
/// axis is not 1.
Tensor squeeze(const Tensor& x, const Shape& axes = {});

struct UnsqueezeAttrs {
  int64_t axis = 0;
};
GYRE_FIELDS(UnsqueezeAttrs, GYRE_FIELD(axis, "position of the new axis in the result"));

/// Inserts an axis of size 1 at position `axis` of the result.
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

/// Slice of x at one index of an axis; removes that axis. Error{index, shape}.
Tensor select(const Tensor& x, const SelectAttrs& attrs);

struct SliceEmbedAttrs {
  int64_t axis = 0, start = 0, step = 1, size = 0;
};
GYRE_FIELDS(SliceEmbedAttrs, GYRE_FIELD(axis, "axis of the result along which x is placed"),
            GYRE_FIELD(start, "index of the first element of x in the result"),
            GYRE_FIELD(step, "step between indices, at least 1"),
            GYRE_FIELD(size, "size of the axis in the result"));

/// Zeros with x at [start::step] of an axis of size `size`: the transpose of slice. A new tensor.
/// Error{value} for invalid attributes, Error{shape} if x does not fit.
Tensor slice_embed(const Tensor& x, const SliceEmbedAttrs& attrs);

/// A new contiguous tensor with the values of x.
Tensor clone(const Tensor& x);
/// x itself if it is contiguous (row-major, without gaps), otherwise a clone.
Tensor contiguous(const Tensor& x);

struct ToAttrs {
  DType dtype = DType::f32;
};
GYRE_FIELDS(ToAttrs, GYRE_FIELD(dtype, "element type of the result"));

/// x itself if it has that dtype, else a new tensor with the values cast. Floats round to nearest,
/// ties to even; floats to integers truncate and saturate, and NaN becomes 0; integers to narrower
/// integers wrap; nonzero values become true. The gradient has the dtype of x.
Tensor to(const Tensor& x, DType dtype);

struct CatAttrs {
  int64_t axis = 0;
};
GYRE_FIELDS(CatAttrs, GYRE_FIELD(axis, "axis to concatenate along"));

/// Concatenates tensors along an axis, the only one in which their sizes may differ; the result has
/// the promoted dtype. A new tensor. Error{shape}; Error{value} for an empty list.
Tensor cat(Inputs xs, int64_t axis);
inline Tensor cat(std::initializer_list<Tensor> xs, int64_t axis) {
  return cat(Inputs(xs.begin(), xs.size()), axis);
}

struct StackAttrs {
  int64_t axis = 0;
};
GYRE_FIELDS(StackAttrs, GYRE_FIELD(axis, "position of the new axis in the result"));

/// Stacks tensors of equal shape along a new axis. A new tensor. Error{shape}; Error{value} for an
/// empty list.
Tensor stack(Inputs xs, int64_t axis);
inline Tensor stack(std::initializer_list<Tensor> xs, int64_t axis) {
  return stack(Inputs(xs.begin(), xs.size()), axis);
}

/// Splits along an axis into consecutive parts of these sizes, as views. Error{shape} if the sizes
/// do not sum to the size of the axis.
Tensors split(const Tensor& x, std::span<const int64_t> sizes, int64_t axis);
inline Tensors split(const Tensor& x, std::initializer_list<int64_t> sizes, int64_t axis) {
  return split(x, {sizes.begin(), sizes.size()}, axis);
}
/// Splits into at most `chunks` parts of equal size, as views; the last may be smaller.
Tensors chunk(const Tensor& x, int64_t chunks, int64_t axis);

/// Moves axes source[i] to destination[i]; the others keep their order. Error{value} if the lists
/// differ in length or repeat an axis.
Tensor movedim(const Tensor& x, const Shape& source, const Shape& destination);
inline Tensor movedim(const Tensor& x, int64_t source, int64_t destination) {
  return movedim(x, Shape{source}, Shape{destination});
}
/// x[start:start+length] along an axis; start may be negative. Error{index} if the range exceeds
/// the axis.
Tensor narrow(const Tensor& x, int64_t axis, int64_t start, int64_t length);

struct FlipAttrs {
  Shape axes;
};
GYRE_FIELDS(FlipAttrs, GYRE_FIELD(axes, "axes to reverse; empty: all"));

/// Reverses the order of elements along axes (all by default). A new tensor.
Tensor flip(const Tensor& x, const Shape& axes = {});

struct RollAttrs {
  Shape shifts, axes;
};
GYRE_FIELDS(RollAttrs, GYRE_FIELD(shifts, "shift of each axis, in elements"),
            GYRE_FIELD(axes, "axes to shift along, each once"));

/// Circular shift: index i along axes[k] of x moves to (i + shifts[k]) mod size. A new tensor.
/// Error{value} unless there is one shift per axis.
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
  Number value{};
};
GYRE_FIELDS(PadAttrs, GYRE_FIELD(before, "elements added at the start of each axis"),
            GYRE_FIELD(after, "elements added at the end of each axis"),
            GYRE_FIELD(mode,
                       "padding mode: constant value, reflection without the edge element, "
                       "replication of the edge element, or circular"),
            GYRE_FIELD(value, "fill value of mode constant", .tags = kExact));

/// Pads axis i with before[i] and after[i] elements. A new tensor. Error{value} for negative
/// widths, a number of widths other than the rank, and a value out of range of an integer dtype;
/// Error{shape} for a width above size - 1 (reflect) or size (circular), and for replicating an
/// empty axis.
Tensor pad(const Tensor& x, const PadAttrs& attrs);

struct TileAttrs {
  Shape repeats;
};
GYRE_FIELDS(TileAttrs, GYRE_FIELD(repeats, "repetitions of each axis, aligned from the last"));

/// Repeats x repeats[i] times along axis i; the shorter of shape and repeats is extended with
/// leading ones (numpy.tile, torch.tile). A new tensor. Error{value} for negative repeats.
Tensor tile(const Tensor& x, const Shape& repeats);

struct RepeatAttrs {
  int64_t count = 1, axis = 0;
};
GYRE_FIELDS(RepeatAttrs, GYRE_FIELD(count, "repetitions of each slice"),
            GYRE_FIELD(axis, "axis to repeat along"));

/// Repeats each slice along an axis `count` times consecutively (numpy.repeat). A new tensor.
/// Error{value} for a negative count, Error{shape} when x has no axes.
Tensor repeat_interleave(const Tensor& x, int64_t count, int64_t axis);

struct UnfoldAttrs {
  int64_t axis = 0, size = 1, step = 1;
};
GYRE_FIELDS(UnfoldAttrs, GYRE_FIELD(axis, "axis along which windows slide"),
            GYRE_FIELD(size, "window size"), GYRE_FIELD(step, "step between windows"));

/// Sliding windows x[k step : k step + size] along an axis (torch.Tensor.unfold), as a view: index
/// k along the axis selects a window, a new last axis the position in it. Error{value} for a size
/// or step below 1, Error{shape} for windows longer than the axis.
Tensor unfold(const Tensor& x, const UnfoldAttrs& attrs);

struct OverlapAddAttrs {
  int64_t axis = 0, step = 1, length = 0;
};
GYRE_FIELDS(OverlapAddAttrs, GYRE_FIELD(axis, "axis of the result along which windows are added"),
            GYRE_FIELD(step, "step between windows"),
            GYRE_FIELD(length, "size of that axis in the result"));

/// Overlap-add, the transpose of unfold: zeros of size `length` along an axis, to which window k of
/// x (its last axis) is added at k step. A new tensor. Error{value} for a step below 1 or a
/// negative length, Error{shape} when the windows do not fit.
Tensor overlap_add(const Tensor& x, const OverlapAddAttrs& attrs);

struct DiagonalAttrs {
  int64_t offset = 0, axis0 = 0, axis1 = 1;
};
GYRE_FIELDS(DiagonalAttrs,
            GYRE_FIELD(offset,
                       "offset of the diagonal: above the main one if positive, below if negative"),
            GYRE_FIELD(axis0, "axis of rows"), GYRE_FIELD(axis1, "axis of columns"));

/// The diagonal of two axes, as a new last axis in their place: elements [i, i + offset], or
/// [i - offset, i] for a negative offset. A view. Error{value} if the axes are equal, Error{shape}
/// for fewer than two axes.
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

/// Matrices of zeros with the last axis [n] of x on a diagonal, along two new axes: the transpose
/// of diagonal. A new tensor. Error{shape} if n is not the length of that diagonal, Error{value} if
/// the axes are equal.
Tensor diag_embed(const Tensor& x, const DiagEmbedAttrs& attrs = {});
/// For a vector [n] a new square matrix with it on the diagonal at `offset`, of n + |offset| rows;
/// for a matrix a view of that diagonal (numpy.diag). Error{shape} for other ranks.
Tensor diag(const Tensor& x, int64_t offset = 0);

struct TriangleAttrs {
  int64_t diagonal = 0;
};
GYRE_FIELDS(TriangleAttrs,
            GYRE_FIELD(diagonal,
                       "outermost diagonal kept; 0: main, above 0: higher, below 0: lower"));

/// Matrices [..., rows, columns] with zeros above (tril) or below (triu) a diagonal. A new tensor.
/// Error{shape} for fewer than two axes.
Tensor tril(const Tensor& x, int64_t diagonal = 0);
Tensor triu(const Tensor& x, int64_t diagonal = 0);

enum class Indexing : uint8_t { ij, xy };

/// Coordinate grids of vectors or scalars (numpy.meshgrid), as views: result k varies along axis k;
/// with Indexing::xy the first two axes are swapped. Error{shape} for other ranks.
Tensors meshgrid(Inputs xs, Indexing indexing = Indexing::ij);

}  // namespace gyre
