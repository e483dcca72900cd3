#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/relation/join/body_plan.h"

namespace gyre {

/// Some rows of a table.
struct RowRange {
  const RowTable* table = nullptr;
  int64_t begin = 0, end = 0;

  [[nodiscard]] bool empty() const { return begin >= end; }
};

/// The new tuples of a relation: rows of a table, or a matrix.
struct JoinDelta {
  RowRange rows{};
  const SparseRows* bits = nullptr;
};

/// Runs plans of joins by nested loops.
class BodyJoin {
 public:
  /// Receives row-major outputs, which may repeat, and their number; false: no more are wanted.
  using Sink = FunctionRef<bool(const uint32_t* tuples, int64_t count)>;

  /// All must outlive this.
  BodyJoin(std::span<const Relation> relations, IndexCache& indexes, FixpointMeter& meter);

  /// Yields `out` for every binding; the scan of new tuples takes those of `delta`. The sink may
  /// insert into the relations.
  void run(const BodyPlan& plan, std::span<const Term> out, const JoinDelta& delta, Sink sink);
  /// During run(): the fraction of the rows of the first step that were visited; 0 if unknown.
  [[nodiscard]] double progress() const {
    return to_scan_ == 0 ? 0 : static_cast<double>(scanned_) / static_cast<double>(to_scan_);
  }

 private:
  static constexpr int64_t kBuffered = 256;  // outputs handed on at once

  void step(size_t number);
  void scan(const JoinStep& step, size_t number);
  void probe(const JoinStep& step, size_t number);
  void prepare(const JoinStep& step, size_t number);
  void scan_rows(const JoinStep& step, size_t number, RowRange rows);
  [[nodiscard]] std::vector<int> columns_of_next_key(const JoinStep& step, size_t number) const;
  [[nodiscard]] bool agrees(const JoinStep& step, const uint32_t* tuple) const;
  bool match(const JoinStep& step, const uint32_t* tuple, size_t number);
  [[nodiscard]] bool holds(const JoinStep& step) const;
  void emit();
  void flush();

  [[nodiscard]] uint32_t value_of(const Term& term) const {
    return term.variable ? values_[term.value] : term.value;
  }

  std::span<const Relation> relations_;
  IndexCache& indexes_;
  FixpointMeter& meter_;
  const BodyPlan* plan_ = nullptr;
  std::span<const Term> out_{};
  JoinDelta delta_{};
  const Sink* sink_ = nullptr;
  bool done_ = false;
  std::vector<const ColumnIndex*> index_{};     // of each step
  std::vector<const BitMatrix*> transposed_{};  // of each step
  std::vector<int64_t> ends_{};                 // rows of each step's relation at the start
  std::vector<uint32_t> values_{}, buffer_{};
  int64_t buffered_ = 0, scanned_ = 0, to_scan_ = 0;
};

}  // namespace gyre
