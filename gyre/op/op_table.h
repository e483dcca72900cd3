#pragma once
#include <span>
#include <string_view>

#include "gyre/op/op_def.h"

namespace gyre {

/// The list of ops. Code below registry/ that loops over ops takes one as an argument.
struct OpTable {
  std::span<const OpDef* const> ops;
  /// The op of that name, or nullptr.
  const OpDef* find(std::string_view name) const {
    for (const OpDef* op : ops) {
      if (name == op->name) return op;
    }
    return nullptr;
  }
};

}  // namespace gyre
