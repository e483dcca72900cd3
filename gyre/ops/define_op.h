#pragma once
#include "gyre/op/op_def.h"

namespace gyre {

inline constexpr Arg kArgX[] = {{"x"}};
inline constexpr const char* kResultOut[] = {"out"};

/// What every op has, of one result and, unless told otherwise, one operand; to be completed.
/// `attrs` is null for an op without attributes.
constexpr OpDef define_op(const char* name, const char* doc, const Record* attrs,
                          std::span<const Arg> args = kArgX) {
  OpDef d;
  d.name = name;
  d.doc = doc;
  d.attrs = attrs;
  d.args = args;
  d.outputs = kResultOut;
  return d;
}

}  // namespace gyre
