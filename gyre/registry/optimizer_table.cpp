#include "gyre/registry/optimizer_table.h"

namespace gyre {

#define OPTIMIZER(name) extern const OptimizerDef name##_optimizer;
#include "gyre/registry/all_optimizers.def"
#undef OPTIMIZER

namespace {

constexpr const OptimizerDef* kOptimizers[] = {
#define OPTIMIZER(name) &name##_optimizer,
#include "gyre/registry/all_optimizers.def"
#undef OPTIMIZER
};
constexpr OptimizerTable kOptimizerTable{kOptimizers};

}  // namespace

const OptimizerTable& optimizer_table() noexcept { return kOptimizerTable; }

}  // namespace gyre
