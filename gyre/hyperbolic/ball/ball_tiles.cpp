#include "gyre/hyperbolic/ball/ball_bodies.h"
#include "gyre/kernel/rows/rowwise_tile.h"

#define GYRE_OPS "gyre/hyperbolic/ball/ball.def"
#include "gyre/kernel/export_ops.def"
