#include "gyre/kernel/convert.h"

#include "gyre/base/cpu.h"
#include "gyre/kernel/per_isa.h"

namespace gyre {

GYRE_DECLARE_TILES(ConvertTiles, convert)

const ConvertTiles& convert_tiles() {
  static constexpr PerIsa<ConvertTiles> kTiles = GYRE_TILES_OF(convert);
  return *kTiles[isa()];
}

}  // namespace gyre
