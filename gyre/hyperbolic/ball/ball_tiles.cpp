#include "gyre/hyperbolic/ball/ball_bodies.h"
#include "gyre/kernel/rowwise_tile.h"

namespace gyre {

#define ROWWISE(name, Body) GYRE_EXPORT_TILES(RowwiseTiles, name) = rowwise_tiles<Body>();
#define OP(name)
#include "gyre/hyperbolic/ball/ball.def"
#undef OP
#undef ROWWISE

}  // namespace gyre
