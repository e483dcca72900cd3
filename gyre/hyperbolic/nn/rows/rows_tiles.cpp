#include "gyre/hyperbolic/nn/rows/attention_rows_bodies.h"
#include "gyre/hyperbolic/nn/rows/lorentz_rows_bodies.h"
#include "gyre/hyperbolic/nn/rows/planes_bodies.h"
#include "gyre/hyperbolic/nn/rows/product_rows_bodies.h"
#include "gyre/kernel/rows/rowwise_tile.h"

#define GYRE_OPS "gyre/hyperbolic/nn/rows/rows.def"
#include "gyre/kernel/export_ops.def"
