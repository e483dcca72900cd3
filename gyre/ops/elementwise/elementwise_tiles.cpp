#include "gyre/kernel/pointwise_tile.h"
#include "gyre/ops/elementwise/bodies.h"
#include "gyre/simd/integer_power.h"

#define GYRE_OPS "gyre/ops/elementwise/elementwise.def"
#include "gyre/kernel/export_ops.def"
