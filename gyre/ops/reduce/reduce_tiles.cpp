#include "gyre/kernel/reduction_tile.h"
#include "gyre/kernel/rows/rowwise_tile.h"
#include "gyre/ops/reduce/bodies.h"
#include "gyre/ops/reduce/folds.h"

#define GYRE_OPS "gyre/ops/reduce/reduce.def"
#include "gyre/kernel/export_ops.def"
