#include "gyre/kernel/rows/rowwise_tile.h"
#include "gyre/ops/norm/bodies.h"

#define GYRE_OPS "gyre/ops/norm/norm.def"
#include "gyre/kernel/export_ops.def"
