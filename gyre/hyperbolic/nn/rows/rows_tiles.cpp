#include "gyre/hyperbolic/nn/rows/attention_rows_bodies.h"
#include "gyre/hyperbolic/nn/rows/lorentz_rows_bodies.h"
#include "gyre/hyperbolic/nn/rows/planes_bodies.h"
#include "gyre/hyperbolic/nn/rows/product_rows_bodies.h"
#include "gyre/kernel/rowwise_tile.h"

namespace gyre {

#define ROWWISE(name, Body) GYRE_EXPORT_TILES(RowwiseTiles, name) = rowwise_tiles<Body>();
#include "gyre/hyperbolic/nn/rows/rows.def"
#undef ROWWISE

}  // namespace gyre
