#pragma once
#include "gyre/kernel/rows/row_job.h"

namespace gyre {

/// Blocks of rows of an exact body. Contiguous rows of the compute dtype are read and written in
/// place; others are copied to and from consecutive rows of f64. Either way the same pieces of a
/// row are summed in the same order: results depend neither on layout nor on other rows.
struct RowBlocks {
  const RowJob& job;
  const BlockTiles& tiles;
  int64_t length;
  int64_t piece;  ///< elements of a row at a time: all, or the block is one row
  int rows;       ///< in a block, a power of two
  bool in_place;
  BlockPasses passes;

  /// direct: all row operands are RowJob::rows_in_step.
  RowBlocks(const RowJob& j, bool direct);

  int64_t count() const { return (job.walk.rows + rows - 1) / rows; }
  bool whole() const { return piece == length; }
  /// Doubles that one operand takes.
  int64_t room() const { return piece * rows + kBlockSlack; }
  /// A block from row `first` on whose sums are 0; per-row inputs are operands numbers, ....
  void begin(RowBlock& block, int64_t first, int numbers) const;
  /// f(begin, elements) for the pieces of the rows.
  void pieces(auto f) const {
    for (int64_t i = 0; i < length; i += piece) f(i, length - i < piece ? length - i : piece);
  }
  /// Elements [begin, begin + n) of the block's rows from row `first` on, in place or in `buffer`,
  /// and the step from row to row.
  const void* read(int k, const RowBlock& block, int64_t first, int64_t begin, int64_t n,
                   double* buffer, int64_t& step) const;
  /// Prefetches operand k of the next block.
  void fetch_next(int k, const RowBlock& block, int64_t first) const;
  /// Where such elements of an output are computed, in place or in `buffer`; then write().
  void* target(int k, int64_t first, int64_t begin, int64_t n, double* buffer, int64_t& step) const;
  void write(int k, const RowBlock& block, int64_t first, int64_t begin, int64_t n,
             const void* from) const;
  /// True if results in operand k may use non-temporal stores.
  bool past_caches(int k) const;

 private:
  void* place(int k, int64_t first, int64_t begin, int64_t& step) const;
  /// True if `count` rows starting at `first` are `step` elements apart.
  bool in_step(const RowOperand& o, int64_t first, int count, int64_t step) const;
};

/// The forward pass of an exact body.
void run_blocks(const RowJob& job);

}  // namespace gyre
