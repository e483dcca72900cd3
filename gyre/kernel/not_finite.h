#pragma once
#include <optional>
#include <string>

#include "gyre/op/call_observer.h"

namespace gyre {

/// Origin of a value that is not finite: a result of a call, or an operand that no op produced.
struct NotFinite {
  std::string op;
  /// The operand that held NaN before any op produced one (data or a parameter); else -1.
  int operand = -1;
  bool reverse = false;     ///< in the op's reverse rule
  bool from_finite = true;  ///< all operands were finite
  double value = 0;         ///< NaN or an infinity
  DType dtype{};            ///< of the tensor that holds it
  std::string tensor;       ///< that tensor: "f32[2, 3]"
  std::string element;      ///< index of the first such element: "[0, 1]"
  std::string operands;     ///< of the op: "f32[2, 3], f32[3]"
  /// Elementwise ops: the elements of the operands that it was computed from, "300, 300".
  std::string from;
  /// "log(f32[2]) produces NaN at [1] of f32[2] from -5", with `where` after the call. With f16 and
  /// bf16 it names the largest number.
  [[nodiscard]] std::string text(const std::string& where = {}) const;
};

/// What a finished call made of finite numbers: the first NaN of its results unless an operand has
/// one, or infinity if all operands are finite; or the NaN of an operand. Operands and attributes
/// that are infinite and numbers that are not finite are taken as intended (masks). Reads tensors
/// on every device.
std::optional<NotFinite> find_not_finite(const ObservedCall& call);

}  // namespace gyre
