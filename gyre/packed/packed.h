#pragma once
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/base/philox.h"
#include "gyre/packed/packed_layout.h"
#include "gyre/tensor/kind.h"

// Tensors whose weights are generated from 128-bit words (docs/decisions/026). They have a shape
// and dtype f32 like others; linear, matmul and embedding take them as weights.

namespace gyre {

/// Headers and words, as one block of memory, or the bytes of a format without rings alone. `data`
/// is the address of `matrix`, which kernels read.
struct PackedStorage final : KindStorage {
  /// Over layout.bytes() of memory: headers, then words.
  PackedStorage(const PackedLayout& layout, Ref<Storage> memory);
  /// Over the bytes of a matrix in a format without rings, from `offset` bytes of memory on.
  PackedStorage(const PackedLayout& layout, Ref<Storage> memory, int64_t offset);
  const char* description() const noexcept override { return "packed weights"; }
  Ref<Storage> detached() override { return Ref<Storage>(this); }
  bool has_values() const noexcept override { return true; }
  Ref<KindStorage> copy() const override;
  /// Error{value} for another format or shape.
  void require_same_layout(const KindStorage& from) const override;
  void assign(const KindStorage& from) override;

  [[nodiscard]] std::span<Packed128> headers() const {
    return {const_cast<Packed128*>(matrix.headers), static_cast<size_t>(layout.headers())};
  }
  /// Not if `is_bytes`.
  [[nodiscard]] std::span<Packed128> words() const {
    return {const_cast<Packed128*>(matrix.words), static_cast<size_t>(layout.words())};
  }
  /// Of a format without rings, without the zeros that fill up the last word.
  [[nodiscard]] std::span<std::byte> matrix_bytes() const;
  /// Headers and words as files have them.
  [[nodiscard]] std::vector<std::byte> stored() const;

  const Ref<Storage> memory;
  const bool is_bytes;  ///< whether memory has the bytes of a matrix alone, at any address
  const PackedMatrix matrix;
  const PackedLayout& layout = matrix.layout;
  /// f32 weights of that shape that ops use in place of the words where these have a gradient, or
  /// empty: those that training updates (packed/training/hybrid.h).
  mutable Tensor stand_in{};

 private:
  Packed128 own_headers_[2];  // if is_bytes
};

inline bool is_packed(const Tensor& t) { return t.defined() && t.kind() == TensorKind::packed; }
/// Of a tensor for which is_packed() holds.
inline const PackedStorage& packed_storage(const Tensor& t) {
  return static_cast<const PackedStorage&>(*t.impl()->storage);
}

/// The words and the headers of packed w, i64 [n, 2] with `hi` first, to be read: they share its
/// memory, or are copies where that has the bytes of a matrix alone and these are no whole words.
/// Not recorded. Error{unsupported} for other tensors.
Tensor packed_words(const Tensor& w);
Tensor packed_headers(const Tensor& w);
/// A packed tensor with copies of such words and headers. Error{shape, dtype} for parts of other
/// sizes or dtypes, Error{parse} naming `what` for headers or words that are not of that format.
Tensor packed_of_parts(const Codec& format, const Shape& shape, const Tensor& words,
                       const Tensor& headers, const std::string& what);

/// Packed weights over the bytes of a matrix in a format without rings, a contiguous u8 tensor that
/// it shares, at any address: blocks of a file as they lie there. They are not read, so that scales
/// may be any number. Error{unsupported} for formats of rings; Error{shape, dtype} for bytes of
/// another number or dtype; errors of packed_layout().
Tensor packed_of_bytes(const Codec& format, const Shape& shape, const Tensor& bytes);

/// Rows `first` to `last` of packed w, over its memory, in a format whose rows are stored one after
/// the other (q8_0, q4_0, nf4, int8). Not recorded. Error{unsupported} for other formats and plain
/// tensors, Error{index}.
Tensor packed_row_range(const Tensor& w, int64_t first, int64_t last);
/// A copy of rows of packed w, in its format, by their indices. The same errors.
Tensor packed_row_copies(const Tensor& w, std::span<const int64_t> rows);

/// Error{parse} naming `what` for headers or words that are not of their format.
void check_packed(const PackedStorage& storage, const std::string& what);

/// A packed tensor with uninitialised headers and words. Errors of packed_layout().
Tensor empty_packed(const Codec& format, const Shape& shape, const char* op);

/// The packed tensor nearest to x, a floating tensor of two or more axes. In formats of rings: its
/// rows times a Hadamard matrix of that seed (hadamard.h), over a factor for each row; words by
/// Viterbi's algorithm, the scale of each group by least squares. Other formats ignore the seed. On
/// the threads of the pool, with the same words on any number of threads and every instruction set,
/// but for low_rank, whose words depend on the latter, and F, whose words and numbers depend on the
/// sin and tanh of the C library. Error{dtype, shape}; Error{value} for a seed outside of 0 to
/// 2047; Error{numeric} for values that are not finite, naming the first, or too large.
/// Recorded: x gets the gradient of the result as it is (straight-through).
Tensor packed_encode(const Tensor& x, const Codec& format, int seed = 1);
/// The same, not recorded. Calls `done(weights so far)` on the calling thread; what it throws ends
/// the call.
Tensor packed_encode(const Tensor& x, const Codec& format, int seed,
                     FunctionRef<void(int64_t weights)> done);

/// Writes the words and headers of packed w anew, of x with the shape of w; the seed stays. Not
/// recorded. Errors as packed_encode(), with nothing changed for values that are not finite.
void packed_encode_into(const Tensor& x, const Tensor& w);

/// A packed tensor of random words: independent numbers of mean 0 and that standard deviation.
/// Advances the generator. Errors as empty_packed() and packed_encode().
Tensor packed_random(const RingFormat& format, const Shape& shape, double deviation,
                     Generator& generator);

/// The weights of a packed tensor as a plain f32 tensor: the same bits on every instruction set.
/// Error{unsupported} for other tensors.
Tensor packed_decode(const Tensor& w);

/// The layout of packed w. Error{unsupported} of `op` for other tensors and for formats without
/// rings.
const PackedLayout& require_rings(const char* op, const Tensor& w);

/// x w^T for x [..., cols] and w [rows, cols], or x w for x [..., rows] if not `transpose`; w is
/// packed and decoded tile by tile, or for x of f64 in blocks of rows. Computed in the dtype of x
/// promoted with f32; the result has the dtype of x, or f32 for integers. Differentiable in x to
/// any order, and in w (gradient/factored.h) to the first. Error{shape, unsupported}.
Tensor packed_matmul(const Tensor& x, const Tensor& w, bool transpose = true);

/// x w^T, less exactly and faster: the numbers of x are rounded to 8 bits
/// (packed/int8/int8_product.h). Computed in f32; the result has the dtype of x if that has 16
/// bits, else f32. Not recorded. Errors of packed_matmul().
Tensor packed_matmul_int8(const Tensor& x, const Tensor& w);

/// Rows of packed w [rows, ...] by indices, i32 or i64, of any shape. Error{index, dtype}.
Tensor packed_rows(const Tensor& w, const Tensor& indices);

/// A copy of packed w in which bit bits[i] of word words[i] is flipped, for every i in turn, so
/// that two calls with the same bits give w again: the transition of words (packed/field/ has those
/// of fields). Indices are i64 of one shape; bit 0 is the lowest of `lo`, and bits that its format
/// does not use cannot be flipped. Not recorded. Error{unsupported, dtype, shape, index}.
Tensor packed_transition(const Tensor& w, const Tensor& words, const Tensor& bits);

}  // namespace gyre
