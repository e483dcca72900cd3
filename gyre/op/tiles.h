#pragma once
#include <stddef.h>
#include <stdint.h>

// The interface between drivers (kernel/) and code that is compiled once per instruction set. Only
// plain types: kernel objects include this and no standard library.

#if defined(__CUDACC__)
#define GYRE_BODY __host__ __device__ __forceinline__
#else
#define GYRE_BODY inline __attribute__((always_inline))
#endif

namespace gyre {

/// How a pointwise op promotes the dtypes of its operands.
struct PointwiseSpec {
  int arity = 1;
  /// arithmetic: the promoted dtype, integers stay integers. floating: integers become f32.
  /// comparison: computed in the promoted dtype, results are boolean. selection: like arithmetic,
  /// but the first operand is a mask and does not take part in promotion. bits: like arithmetic,
  /// for integers only.
  enum Kind : uint8_t { arithmetic, floating, comparison, selection, bits } kind = floating;
};

/// n elements from contiguous inputs to contiguous outputs. Inputs may be equal to outputs, but
/// must not overlap otherwise. past_caches: outputs, which are then aligned to 64 bytes, are
/// written by non-temporal stores (the caller fences).
template <class T>
using Tile = void (*)(const T* const* in, T* const* out, int64_t n, bool past_caches) noexcept;

/// forward: inputs to the result (masks are 0 and 1). grad: (g, inputs...) to g times the partial
/// derivative by each input; a null output is not wanted.
template <class T>
struct Tiles {
  Tile<T> forward = nullptr, grad = nullptr;
};

struct PointwiseTiles {
  Tiles<float> f32;
  Tiles<double> f64;
  Tile<int32_t> i32 = nullptr;
  Tile<int64_t> i64 = nullptr;  ///< for u64 too, where that has no tile of its own
  Tile<uint64_t> u64 = nullptr;
};

/// What finish() of a row body knows of the call.
template <class Attrs>
struct RowInfo {
  const Attrs& attrs;
  double length;  ///< elements in the row
};

/// Signature of a row body. Row inputs come before inputs with one value per row, as do outputs.
struct RowSpec {
  int rows = 1, scalars = 0;          ///< row inputs, and inputs with one value per row
  int sums = 0;                       ///< over the row
  int coefs = 0;                      ///< numbers that finish() passes to map()
  int out_rows = 0, out_scalars = 0;  ///< outputs alike; out_scalars are the first coefs
  bool anchored = false;              ///< the row has a maximum m that results do not depend on
  bool wide = false;                  ///< sums of f32 rows in f64
  bool indexed = false;  ///< reduce and map get the position in the row as an extra last row input
  /// map gets the first result of reduce instead of the row inputs; rows that are not too long keep
  /// it until then. Not with wide or scalars.
  bool keeps = false;
  /// the anchor is the row's first element instead: enough against sums that cancel
  bool by_first = false;
  /// For results that suffer cancellation. Sums, map and gradients are in f64, finish() gets a
  /// RowSum for each sum. Backward recomputes the sums: only the inputs are saved. Not with
  /// anchored, indexed or keeps; reduce does not use the per-row inputs.
  bool exact = false;
  bool twofold = false;  ///< RowSums of all rows have their rounding error, not of f64 rows only
  unsigned absent_ones = 0;  ///< bit i: an absent input i counts as 1 everywhere, else as 0
  /// what is saved for backward besides the inputs
  constexpr int hidden() const { return exact ? 0 : (anchored ? 1 : 0) + sums; }
};

/// Numbers of one row: input and output of the stages of a row tile.
inline constexpr int kRowNumbers = 8;
struct RowState {
  const void* attrs;  ///< the op's attributes
  double length;      ///< elements in the row
  void* kept;         ///< space for what the body keeps of the row, or null
  /// elements between a position in a row operand (inputs, then cotangents) and the same in the
  /// next row; 0: unknown
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

/// Destination of the gradient of a row input: written to `out` or, if all rows share the input,
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
  /// scalars[0] becomes its maximum with the piece; NaN is skipped, the sums propagate it
  void (*anchor)(RowState&, const T* const* in, int64_t begin, int64_t n) noexcept;
  /// the piece's sums added to sums; `earlier`, if not null, is mapped at the same time: another
  /// row, whose results are written to memory while this one is computed
  void (*reduce)(RowState&, const T* const* in, int64_t begin, int64_t n,
                 const RowMap<T>* earlier) noexcept;
  /// coefs from scalars and sums
  void (*finish)(RowState&) noexcept;
  void (*map)(const RowMap<T>&, int64_t begin, int64_t n) noexcept;
  /// the piece's sum of g times d map / d coef, added to grad_coefs
  void (*grad_coefs)(RowState&, const T* const* g, const T* const* in, int64_t begin,
                     int64_t n) noexcept;
  /// grad_sums and the part of grad_scalars that depends on finish
  void (*grad_finish)(RowState&) noexcept;
  /// the piece's part of grad_scalars that depends on reduce, and gradients of the row inputs
  void (*grad_map)(RowState&, const T* const* g, const T* const* in, const RowGradient<T>* to,
                   int64_t begin, int64_t n) noexcept;
};

/// Interleaved rows: element i of lane l is in[k][i * stride + l]. Per-row values are arrays of one
/// double for each row of the tile.
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
struct AcrossTile {
  int rows = 0;  ///< per call
  void (*forward)(const RowsArgs<T>&) noexcept = nullptr;
  /// out: gradients of row inputs, scalars_out: of the per-row inputs (null: not wanted)
  void (*gradient)(const RowsArgs<T>&) noexcept = nullptr;
};

/// Maximum number of rows in a block of an exact body.
inline constexpr int kBlockRows = 16;
/// Elements that tiles may read and write after the last row of a block.
inline constexpr int kBlockSlack = 8;

/// Numbers of the rows of a block, [which][row]: input and output of its stages.
struct RowBlock {
  const void* attrs;        ///< the op's attributes
  double length;            ///< elements in a row
  int rows;                 ///< in the block
  unsigned scalars_wanted;  ///< bit j: the gradient of per-row input j is wanted
  double scalars[kRowNumbers][kBlockRows], sums[kRowNumbers][kBlockRows];
  double rests[kRowNumbers][kBlockRows];  ///< rounding errors of the sums
  double coefs[kRowNumbers][kBlockRows], grad_coefs[kRowNumbers][kBlockRows];
  double grad_sums[kRowNumbers][kBlockRows], grad_scalars[kRowNumbers][kBlockRows];
};

/// `length` elements of each row of a block. Element i of row r of operand k is at offset
/// r * step + i.
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
  /// On elements stored in that dtype. Rows whose length is not a multiple of kBlockSlack are
  /// contiguous, with that many elements of any value after the last.
  BlockPasses f32, f64;
  /// f64.reduce also computes rounding errors of sums; this one does, for an f32 op whose rows were
  /// copied to f64, if RowSpec::twofold is set.
  BlockPasses::Sums reduce_copied = nullptr;
  Stage finish = nullptr;       ///< coefs from scalars and sums
  Stage grad_finish = nullptr;  ///< grad_sums and grad_scalars
};

/// Exact bodies use only `block`, all others the rest.
struct RowwiseTiles {
  RowStages<float> f32;
  RowStages<double> f64;
  AcrossTile<float> f32_across;
  AcrossTile<double> f64_across;
  BlockTiles block;
};

/// Folds many elements into one; an accumulator takes acc_bytes.
struct FoldTiles {
  /// folds n contiguous elements into *acc
  void (*along)(void* acc, const void* in, int64_t n) noexcept;
  /// folds in[i] into acc[i], i < n
  void (*across)(void* acc, const void* in, int64_t n) noexcept;
  /// folds accumulators into accumulators
  void (*join)(void* acc, const void* other, int64_t n) noexcept;
  /// writes the identity element to n accumulators
  void (*clear)(void* acc, int64_t n) noexcept;
  /// results from accumulators of `count` elements each
  void (*finish)(const void* acc, void* out, int64_t n, double count) noexcept;
  int acc_bytes;
};
struct ReductionTiles {
  FoldTiles f32, f64, i32, i64, u64;
  bool has_identity;  ///< false: an empty reduction is an error
  bool is_truth;      ///< elements are folded in their own dtype, not in the boolean of the result
};

}  // namespace gyre
