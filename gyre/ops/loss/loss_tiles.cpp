#include "gyre/kernel/pointwise_tile.h"
#include "gyre/kernel/rows/rowwise_tile.h"
#include "gyre/ops/loss/bodies.h"

#define GYRE_OPS "gyre/ops/loss/loss.def"
#include "gyre/kernel/export_ops.def"
