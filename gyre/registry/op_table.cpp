#include "gyre/registry/op_table.h"

namespace gyre {

#define OP(name) extern const OpDef name##_def;
#include "gyre/registry/all_ops.def"
#undef OP

namespace {

constexpr const OpDef* kOps[] = {
#define OP(name) &name##_def,
#include "gyre/registry/all_ops.def"
#undef OP
};

}  // namespace

const OpTable& op_table() noexcept {
  static constexpr OpTable kTable{kOps};
  return kTable;
}

}  // namespace gyre
