#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/packed/compress/compress.h"

namespace gyre {

/// How small a file of packed weights shall be: "10x" is a tenth of its bytes with f32 weights,
/// "3.2" is as many bits for each weight, headers and tensors that stay included.
class SizeTarget {
 public:
  /// Error{value} of `compress` for another text, and for more than 9 bits.
  explicit SizeTarget(const std::string& text);

  /// Sets the formats of the free tensors of a plan as choose_formats() does. `f32_bytes` is the
  /// file's length with f32 weights, file_bytes() that of the plan. Returns how long the file may
  /// be, never longer than with f32 weights. Error{value} naming what can be reached if no formats
  /// are small enough, with the rules of the policy if `has_rules`.
  int64_t meet(std::vector<PlannedTensor>& plan, int64_t f32_bytes, bool has_rules,
               FunctionRef<uint64_t()> file_bytes) const;

 private:
  std::string text_;
  bool factor_;
  double number_ = 0;
};

}  // namespace gyre
