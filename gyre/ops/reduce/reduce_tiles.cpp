#include "gyre/kernel/reduction_tile.h"
#include "gyre/ops/reduce/folds.h"

namespace gyre {

#define REDUCTION(name, Fold) GYRE_EXPORT_TILES(ReductionTiles, name) = reduction_tiles<Fold>();
#define ROWWISE(name, Body)
#define OP(name)
#include "gyre/ops/reduce/reduce.def"
#undef REDUCTION
#undef ROWWISE
#undef OP

}  // namespace gyre
