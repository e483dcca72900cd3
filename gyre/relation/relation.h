#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "gyre/relation/row_table.h"

namespace gyre {

/// A set of tuples of numbers.
class Relation {
 public:
  static constexpr int kMostColumns = 16;

  /// An empty relation of arity 0 to 16. Of arity 0, it holds the empty tuple or nothing.
  /// Error{value} for another arity.
  explicit Relation(int arity);

  [[nodiscard]] int arity() const { return arity_; }
  [[nodiscard]] int64_t size() const { return rows_.size(); }

  /// Whether the tuple was new. Error{shape} unless it has arity() numbers.
  bool insert(std::span<const uint32_t> tuple);
  /// Inserts row-major tuples, which may repeat. Of arity 0: inserts nothing, use insert({}).
  /// Error{shape} unless their number is a multiple of arity().
  void insert_all(std::span<const uint32_t> tuples);
  /// Error{shape} unless the tuple has arity() numbers.
  [[nodiscard]] bool contains(std::span<const uint32_t> tuple) const;
  /// All tuples ascending, row-major.
  [[nodiscard]] std::vector<uint32_t> sorted() const;
  /// Bytes of memory held.
  [[nodiscard]] int64_t bytes() const { return rows_.bytes(); }

  /// Calls f(const uint32_t* tuple) for each tuple, in an order that depends on the layout alone
  /// and on the order of insertion. The relation must not change meanwhile.
  template <class F>
  void for_each(F f) const {
    for (int64_t i = 0; i < rows_.size(); ++i) f(rows_.row(i));
  }

  [[nodiscard]] const RowTable& rows() const { return rows_; }
  [[nodiscard]] RowTable& rows() { return rows_; }

 private:
  int arity_;
  RowTable rows_;
};

}  // namespace gyre
