#pragma once
#include <stddef.h>
#include <stdint.h>

// The contract between drivers (kernel/) and the code that is compiled once per instruction set.
// Only plain types: kernel objects include this and no standard library.

#if defined(__CUDACC__)
#define GYRE_BODY __host__ __device__ __forceinline__
#else
#define GYRE_BODY inline __attribute__((always_inline))
#endif

namespace gyre {

/// What a pointwise op makes of its operands' dtypes.
struct PointwiseSpec {
  int arity = 1;
  /// arithmetic: the promoted dtype, integers stay integers. floating: integers become f32.
  /// comparison: computed in the promoted dtype, gives boolean. selection: like arithmetic, but the
  /// first operand is a mask and does not take part in promotion. bits: like arithmetic, but of
  /// integers only.
  enum Kind : uint8_t { arithmetic, floating, comparison, selection, bits } kind = floating;
};

/// Contiguous arrays in, contiguous arrays out, n elements. Inputs may be equal to outputs, but
/// must not overlap otherwise. past_caches: outputs, which then lie on 64-byte boundaries, are
/// written around the caches (the caller fences).
template <class T>
using Tile = void (*)(const T* const* in, T* const* out, int64_t n, bool past_caches) noexcept;

/// forward: inputs to the result (masks are 0 and 1). grad: (g, inputs...) to g times the partial
/// of each input; a null output is not wanted.
template <class T>
struct Tiles {
  Tile<T> forward = nullptr, grad = nullptr;
};

struct PointwiseTiles {
  Tiles<float> f32;
  Tiles<double> f64;
  Tile<int32_t> i32 = nullptr;
  Tile<int64_t> i64 = nullptr;
};

/// What finish() of a row body sees of the call.
template <class Attrs>
struct RowInfo {
  const Attrs& attrs;
  double length;  ///< elements in the row
};

/// Shape of a row body: how many row inputs, inputs with one value a row, sums over the row,
/// numbers that finish() hands to map(), row outputs, and outputs with one value a row (the first
/// coefs). anchored: the row has a maximum m that results do not depend on. wide: sums of f32 rows
/// in f64. indexed: reduce and map get the position in the row as an extra last row input.
/// keeps: map gets the first result of reduce instead of the row inputs; rows that are not too long
/// hold it until then. Not together with wide or scalars.
/// exact: for results that cancel. Sums, map and gradients are in f64, finish() gets a RowSum for
/// each sum: of f64 rows, and with `twofold` of all, with what rounding took from it. Backward
/// makes the sums again: only the inputs are kept. Not together with anchored, indexed or keeps;
/// reduce does not use the per-row inputs.
struct RowSpec {
  int rows = 1, scalars = 0, sums = 0, coefs = 0, out_rows = 0, out_scalars = 0;
  bool anchored = false, wide = false, indexed = false, keeps = false;
  bool by_first =
      false;  ///< the anchor is the row's first element instead: enough against sums that cancel
  bool exact = false, twofold = false;
  unsigned absent_ones = 0;  ///< bit i: an absent input i counts as 1 everywhere, else as 0
  /// what is kept for backward beside the inputs
  constexpr int hidden() const { return exact ? 0 : (anchored ? 1 : 0) + sums; }
};

/// Numbers of one row: in and out of the stages of a row tile.
inline constexpr int kRowNumbers = 8;
struct RowState {
  const void* attrs;  ///< the op's attributes
  double length;      ///< elements in the row
  void* kept;         ///< room for what the body keeps of the row, or null
  /// elements from a place in a row operand (inputs, then cotangents) to the same in the row that
  /// is read next; 0: not known
  int64_t ahead[kRowNumbers];
  double scalars[kRowNumbers];  ///< anchor first if there is one, then the per-row inputs
  double sums[kRowNumbers];
  double coefs[kRowNumbers];
  double grad_coefs[kRowNumbers], grad_sums[kRowNumbers], grad_scalars[kRowNumbers];
};

/// Where map of a row reads and writes. past_caches: as for a Tile.
template <class T>
struct RowMap {
  const RowState* row;
  const T* const* in;
  T* const* out;
  bool past_caches;
};

/// Where the gradient of a row input goes: written to `out` or, where all rows share the input,
/// added to `sums`. Both null: not wanted.
template <class T>
struct RowGradient {
  T* out;
  double* sums;
  bool past_caches;
};

/// Stages of a row body over a contiguous piece [begin, begin + n) of one row.
template <class T>
struct RowStages {
  /// the piece's maximum joined to scalars[0]; NaN is passed over, the sums show it
  void (*anchor)(RowState&, const T* const* in, int64_t begin, int64_t n) noexcept;
  /// the piece's sums added to sums; `earlier`, if not null, is mapped on the way: another row,
  /// whose results so reach the memory while this one is computed
  void (*reduce)(RowState&, const T* const* in, int64_t begin, int64_t n,
                 const RowMap<T>* earlier) noexcept;
  /// coefs from scalars and sums
  void (*finish)(RowState&) noexcept;
  void (*map)(const RowMap<T>&, int64_t begin, int64_t n) noexcept;
  /// the piece's sum of g times d map / d coef, added to grad_coefs
  void (*grad_coefs)(RowState&, const T* const* g, const T* const* in, int64_t begin,
                     int64_t n) noexcept;
  /// grad_sums and the part of grad_scalars that goes through finish
  void (*grad_finish)(RowState&) noexcept;
  /// the piece's part of grad_scalars that goes through reduce, and gradients of the row inputs
  void (*grad_map)(RowState&, const T* const* g, const T* const* in, const RowGradient<T>* to,
                   int64_t begin, int64_t n) noexcept;
};

/// Rows that lie side by side: element i of lane l at in[k][i * stride + l]. Per-row numbers are
/// arrays of a double for each of the tile's rows.
template <class T>
struct RowsArgs {
  const void* attrs;
  int64_t length;
  const T* const* in;
  const int64_t* in_stride;
  T* const* out;
  const int64_t* out_stride;
  const double* const* scalars;  ///< [scalars] without the anchor
  double* const* scalars_out;    ///< out_scalars, then anchor, then sums; null: not wanted
  const T* const* grad;          ///< gradient tile: of out rows (null: zero)
  const int64_t* grad_stride;
  const double* const* grad_scalars;  ///< of the out scalars (null: zero)
  const double* const* hidden;        ///< saved anchor and sums
};

template <class T>
struct RowsTile {
  int rows = 0;  ///< that a call does
  void (*forward)(const RowsArgs<T>&) noexcept = nullptr;
  /// out: gradients of row inputs, scalars_out: of the per-row inputs (null: not wanted)
  void (*gradient)(const RowsArgs<T>&) noexcept = nullptr;
};

/// The most rows of a block of an exact body.
inline constexpr int kBlockRows = 16;
/// Elements that tiles may read and write behind the last row of a block.
inline constexpr int kBlockSlack = 8;

/// Numbers of the rows of a block, [which][row]: in and out of its stages.
struct RowBlock {
  const void* attrs;        ///< the op's attributes
  double length;            ///< elements in a row
  int rows;                 ///< in the block
  unsigned scalars_wanted;  ///< bit j: the gradient of per-row input j is
  double scalars[kRowNumbers][kBlockRows], sums[kRowNumbers][kBlockRows];
  double rests[kRowNumbers][kBlockRows];  ///< what rounding took from the sums
  double coefs[kRowNumbers][kBlockRows], grad_coefs[kRowNumbers][kBlockRows];
  double grad_sums[kRowNumbers][kBlockRows], grad_scalars[kRowNumbers][kBlockRows];
};

/// `length` elements of each row of a block. Element i of row r of operand k lies r * step + i
/// elements on.
struct BlockPiece {
  int64_t length;
  const void *in[kRowNumbers], *grad[kRowNumbers];
  void* out[kRowNumbers];  ///< null: not wanted
  int64_t in_step[kRowNumbers], grad_step[kRowNumbers], out_step[kRowNumbers];
  bool past_caches;  ///< as for a Tile
};

/// Passes of an exact body over the elements of a block of rows.
struct BlockPasses {
  using Sums = void (*)(RowBlock&, const BlockPiece&) noexcept;
  using Map = void (*)(const RowBlock&, const BlockPiece&) noexcept;
  Sums reduce = nullptr;      ///< the piece's sums added to sums and rests
  Map map = nullptr;          ///< row outputs
  Sums grad_coefs = nullptr;  ///< the piece's sum of g times d map / d coef, added to grad_coefs
  Map grad_map = nullptr;     ///< gradients of the row inputs
};

/// An exact body on blocks of rows, computed in f64 whatever the op's dtype is.
struct BlockTiles {
  using Stage = void (*)(RowBlock&) noexcept;
  /// On elements that are stored so. Rows that are no multiple of kBlockSlack elements lie one
  /// behind the other, with so many elements of any value behind the last.
  BlockPasses f32, f64;
  /// f64.reduce counts what rounding takes of sums; this one, of an op in f32 whose rows were
  /// copied into f64, where RowSpec::twofold says so.
  BlockPasses::Sums reduce_copied = nullptr;
  Stage finish = nullptr;       ///< coefs from scalars and sums
  Stage grad_finish = nullptr;  ///< grad_sums and grad_scalars
};

/// `block` alone for exact bodies, all others for the rest.
struct RowwiseTiles {
  RowStages<float> f32;
  RowStages<double> f64;
  RowsTile<float> f32_across;
  RowsTile<double> f64_across;
  BlockTiles block;
};

/// Folding many elements into one; an accumulator takes acc_bytes.
struct FoldTiles {
  /// folds n contiguous elements into *acc
  void (*along)(void* acc, const void* in, int64_t n) noexcept;
  /// folds in[i] into acc[i], i < n
  void (*across)(void* acc, const void* in, int64_t n) noexcept;
  /// folds accumulators into accumulators
  void (*join)(void* acc, const void* other, int64_t n) noexcept;
  /// the neutral element into n accumulators
  void (*clear)(void* acc, int64_t n) noexcept;
  /// results out of accumulators of `count` elements each
  void (*finish)(const void* acc, void* out, int64_t n, double count) noexcept;
  int acc_bytes;
};
struct ReductionTiles {
  FoldTiles f32, f64, i32, i64;
  bool has_identity;  ///< false: an empty reduction is an error
  bool is_truth;      ///< elements are folded as what they are, not as the boolean they result in
};

}  // namespace gyre
