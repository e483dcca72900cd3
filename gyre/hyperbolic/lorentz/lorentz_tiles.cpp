#include "gyre/hyperbolic/lorentz/lorentz_bodies.h"
#include "gyre/kernel/rows/rowwise_tile.h"

#define GYRE_OPS "gyre/hyperbolic/lorentz/lorentz.def"
#include "gyre/kernel/export_ops.def"
