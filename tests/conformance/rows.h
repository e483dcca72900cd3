#pragma once
#include <map>
#include <string>
#include <vector>

#include "gyre/op/op_def.h"

// Counts of the checks that ran, so that a check that was silently skipped is noticed.

namespace gyre::conformance {

/// One kind of check of one op. Counts are kept per row and for the instruction set in use.
struct Row {
  std::string op;
  std::string order;   ///< forward, first, second: derivatives
  std::string check;   ///< reference, definition, threads, recorded, guarded, gradcheck, words, ...
  std::string dtype;   ///< of the floating operands; "own" when there are none
  std::string layout;  ///< plain, transposed, stepped, offset, expanded, aliased, large
  auto operator<=>(const Row&) const = default;
};

class Rows {
 public:
  void add(const OpDef& op, const char* order, const char* check, const char* dtype,
           const std::string& layout);
  /// Rows that the tested ops require and that no check counted.
  std::vector<Row> missing() const;
  /// Human-readable lines: counts by op and order, then by check, dtype and layout.
  std::string table() const;
  /// Every row with its count and the instruction set.
  void write_json(const std::string& path) const;

 private:
  std::map<Row, int64_t> counts_;
};

/// The ops of the table that this run tests: with GYRE_TEST_PART=I/N every N-th from the I-th on,
/// so that N runs share the work.
const std::vector<const OpDef*>& tested_ops();

/// The rows of this run.
Rows& rows();

/// The rows that an op must have, by its definition and samples alone.
std::vector<Row> expected_rows(const OpDef& op);

}  // namespace gyre::conformance
