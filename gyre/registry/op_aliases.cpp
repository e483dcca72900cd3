#include "gyre/registry/op_aliases.h"

namespace gyre {

#define OP(name) extern const OpDef name##_def;
#include "gyre/registry/all_ops.def"
#undef OP

namespace {

constexpr OpAlias kAliases[] = {
#define ALIAS(name, op) {#name, &op##_def},
#include "gyre/hyperbolic/aliases.def"
#undef ALIAS
};

}  // namespace

std::span<const OpAlias> op_aliases() noexcept { return kAliases; }

}  // namespace gyre
