#include "gyre/kernel/convert.h"

#include "gyre/base/cpu.h"
#include "gyre/kernel/per_isa.h"

namespace gyre {

GYRE_DECLARE_TILES(ConvertTiles, convert)

GYRE_TILES_FUNCTION(const ConvertTiles&, convert_tiles, ConvertTiles, convert)

}  // namespace gyre
