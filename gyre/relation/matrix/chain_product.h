#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "gyre/relation/fixpoint_limits.h"
#include "gyre/relation/join/chain_rule.h"
#include "gyre/relation/relation.h"
#include "gyre/relation/storage/bit_matrix.h"
#include "gyre/relation/storage/digraph.h"

namespace gyre {

struct BitTiles;

/// A factor of a Boolean product: a sparse matrix, or one of bits, of which some rows may be known
/// to be zero and which may stand for its transpose.
struct ProductFactor {
  const Digraph* forward = nullptr;  ///< sparse, and its transpose
  const Digraph* backward = nullptr;
  const BitMatrix* bits = nullptr;
  const SparseRows* used = nullptr;  ///< if given, has the rows of `bits` that are not zero
  bool flipped = false;              ///< the factor is the transpose of `bits`
  int64_t count = 0;                 ///< ones
};

/// The factors that relations are, as square matrices over `nodes` numbers.
class FactorCache {
 public:
  /// Of relations with numbers below `nodes`; those that are not in the layout `bits` must not
  /// change.
  FactorCache(std::span<const Relation> relations, uint32_t nodes);
  [[nodiscard]] uint32_t nodes() const { return nodes_; }
  ProductFactor get(const ChainFactor& factor);
  /// Bytes held.
  [[nodiscard]] int64_t bytes() const { return bytes_; }

 private:
  struct Sparse {
    Digraph forward, backward;
  };
  std::span<const Relation> relations_;
  uint32_t nodes_;
  std::vector<std::unique_ptr<Sparse>> sparse_;
  std::vector<std::unique_ptr<BitMatrix>> dense_;
  int64_t bytes_ = 0;
};

/// Boolean products of square matrices.
class ChainProduct {
 public:
  /// Over `nodes` numbers; reports work to the meter, which may throw.
  ChainProduct(uint32_t nodes, FixpointMeter& meter);

  /// The product of at least one factor, the cheapest adjacent pair first. Valid until the next
  /// call, like the factors.
  const SparseRows& multiply(std::vector<ProductFactor> factors);
  [[nodiscard]] uint32_t nodes() const { return nodes_; }
  /// Bytes held.
  [[nodiscard]] int64_t bytes() const;

 private:
  [[nodiscard]] double row_cost() const;
  [[nodiscard]] double transpose_cost() const;
  [[nodiscard]] double meeting(const ProductFactor& from, const ProductFactor& rows) const;
  [[nodiscard]] double scatter_cost(int64_t ones, const ProductFactor& sparse) const;
  [[nodiscard]] double filled_cost(const ProductFactor& x, const ProductFactor& y) const;
  [[nodiscard]] double cost(const ProductFactor& x, const ProductFactor& y) const;

  ProductFactor multiply(const ProductFactor& x, const ProductFactor& y);
  SparseRows gather(const ProductFactor& x, const ProductFactor& rows);
  SparseRows spread(const ProductFactor& x, const ProductFactor& rows);
  SparseRows combine(const ProductFactor& sparse, const ProductFactor& rows);
  SparseRows scatter(const ProductFactor& x, const Digraph& y);
  SparseRows scatter(const Digraph& x, const Digraph& y);
  ProductFactor keep(SparseRows rows, bool flipped);
  ProductFactor filled(const ProductFactor& f);
  ProductFactor flip(const ProductFactor& f);
  const SparseRows& finish(const ProductFactor& f);
  SparseRows zero();

  uint32_t nodes_;
  int64_t words_;
  FixpointMeter& meter_;
  const BitTiles& tiles_;
  std::vector<uint32_t> list_{};
  bool last_ = false;              // the product under way is the result, whose ones need no count
  std::deque<SparseRows> made_{};  // by this call, at fixed places
  std::deque<BitMatrix> matrices_{};
  std::vector<SparseRows> free_{};  // all zero
};

}  // namespace gyre
