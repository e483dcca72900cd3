#include "gyre/hyperbolic/klein/klein_bodies.h"
#include "gyre/kernel/rows/rowwise_tile.h"

#define GYRE_OPS "gyre/hyperbolic/klein/klein.def"
#include "gyre/kernel/export_ops.def"
