#include "gyre/kernel/rowwise_tile.h"
#include "gyre/ops/norm/bodies.h"

namespace gyre {

#define ROWWISE(name, Body) GYRE_EXPORT_TILES(RowwiseTiles, name) = rowwise_tiles<Body>();
#define OP(name)
#include "gyre/ops/norm/norm.def"
#undef OP
#undef ROWWISE

}  // namespace gyre
