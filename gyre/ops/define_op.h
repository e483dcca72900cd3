#pragma once
#include "gyre/op/op_def.h"

namespace gyre {

/// The start of a definition with one result; `attrs` is null for an op without attributes.
constexpr OpDef define_op(const char* name, const char* doc, const Record* attrs,
                          std::span<const Arg> args = kOneArg) {
  return {.name = name, .doc = doc, .args = args, .attrs = attrs};
}

}  // namespace gyre
