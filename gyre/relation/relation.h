#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gyre/relation/storage/bit_matrix.h"
#include "gyre/relation/storage/row_sets.h"
#include "gyre/relation/storage/row_table.h"

namespace gyre {

/// How a relation is stored. Which one is decided by the evaluation and changes no answer.
enum class RelationLayout : uint8_t {
  rows,  ///< tuples in order of insertion, hashed
  bits,  ///< binary relations: a matrix of bits
  sets   ///< binary relations: for each first number a set, shared by equal ones (closures)
};

const char* name_of(RelationLayout layout);

/// A set of tuples of numbers.
class Relation {
 public:
  static constexpr int kMostColumns = 16;

  /// An empty relation of arity 0 to 16. Of arity 0, it holds the empty tuple or nothing.
  /// Error{value} for another arity.
  explicit Relation(int arity);

  [[nodiscard]] int arity() const { return arity_; }
  /// The number of tuples, known in every layout.
  [[nodiscard]] int64_t size() const;
  [[nodiscard]] RelationLayout layout() const { return layout_; }

  /// Whether the tuple was new. Error{shape} unless it has arity() numbers.
  bool insert(std::span<const uint32_t> tuple);
  /// Inserts row-major tuples, which may repeat. Of arity 0: inserts nothing, use insert({}).
  /// Error{shape} unless their number is a multiple of arity().
  void insert_all(std::span<const uint32_t> tuples);
  /// Error{shape} unless the tuple has arity() numbers.
  [[nodiscard]] bool contains(std::span<const uint32_t> tuple) const;
  /// More than each number in it, known in every layout.
  [[nodiscard]] uint64_t number_bound() const;
  /// All tuples ascending, row-major.
  [[nodiscard]] std::vector<uint32_t> sorted() const;
  /// Bytes of memory held.
  [[nodiscard]] int64_t bytes() const;
  /// Changes the layout. Error{value} for a layout that is only for binary relations;
  /// Error{resource} if the largest numbers need a matrix of bits of more than 16 GB, or for `sets`
  /// are above 2^28.
  void set_layout(RelationLayout layout);

  /// Calls f(const uint32_t* tuple) for each tuple, in an order that depends on the layout and on
  /// the order of insertion, until f returns false. The relation must not change meanwhile.
  template <class F>
  void visit(F f) const {
    if (layout_ == RelationLayout::rows) {
      for (int64_t i = 0; i < rows_.size(); ++i) {
        if (!f(rows_.row(i))) return;
      }
      return;
    }
    uint32_t pair[2];
    auto second = [&](uint32_t number) {
      pair[1] = number;
      return f(static_cast<const uint32_t*>(pair));
    };
    const uint32_t firsts = layout_ == RelationLayout::bits ? bits_.rows() : sets_->rows();
    for (pair[0] = 0; pair[0] < firsts; ++pair[0]) {
      if (!visit_row(pair[0], second)) return;
    }
  }
  /// Calls f(const uint32_t* tuple) for each tuple.
  template <class F>
  void for_each(F f) const {
    visit([&](const uint32_t* tuple) {
      f(tuple);
      return true;
    });
  }
  /// In the layouts bits and sets: calls f(uint32_t second) for each tuple (first, second),
  /// ascending, until f returns false; whether it never did.
  template <class F>
  bool visit_row(uint32_t first, F f) const {
    if (layout_ == RelationLayout::sets) return sets_->row(first).for_each(f);
    return first >= bits_.rows() || for_bits(bits_.row(first), bits_.words(), f);
  }

  /// The tuples in the layout `rows`; in the others an empty table, and what is inserted into it is
  /// no part of the relation. Whoever inserts keeps to the arity.
  [[nodiscard]] const RowTable& rows() const { return rows_; }
  [[nodiscard]] RowTable& rows() { return rows_; }
  /// The matrix in the layout `bits`; in the others an empty one that is no part of the relation.
  [[nodiscard]] const BitMatrix& bits() const { return bits_; }
  [[nodiscard]] BitMatrix& bits() { return bits_; }
  /// Tells the size after bits() were set; in the layout `bits` only.
  void set_bits_size(int64_t size) { bits_size_ = size; }
  /// The sets in the layout `sets`; there are none in the others.
  [[nodiscard]] const RowSets& sets() const { return *sets_; }

  /// Replaces the tuples and the layout. The relation must be binary.
  void replace(BitMatrix bits, int64_t size);
  void replace(RowSets sets);

 private:
  void make_rows();
  void make_bits(uint32_t rows, uint32_t columns);
  void make_sets();
  bool insert_bit(const uint32_t* pair);

  int arity_;
  RelationLayout layout_ = RelationLayout::rows;
  RowTable rows_;
  BitMatrix bits_{};
  int64_t bits_size_ = 0;
  std::shared_ptr<const RowSets> sets_{};  // constant, so copies of the relation share it
};

}  // namespace gyre
