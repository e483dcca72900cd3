#include "gyre/kernel/rowwise_tile.h"
#include "gyre/ops/reduce/bodies.h"

namespace gyre {

#define REDUCTION(name, Fold)
#define ROWWISE(name, Body) GYRE_EXPORT_TILES(RowwiseTiles, name) = rowwise_tiles<Body>();
#define OP(name)
#include "gyre/ops/reduce/reduce.def"
#undef REDUCTION
#undef ROWWISE
#undef OP

}  // namespace gyre
