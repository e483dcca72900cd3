#include "gyre/relation/matrix/bit_table.h"

#include "gyre/base/cpu.h"

namespace gyre {

extern const BitTiles bit_tiles_v2, bit_tiles_v3, bit_tiles_v4;

const BitTiles& bit_tiles() {
  switch (isa()) {
#if GYRE_ISAS & 4
    case v4:
      return bit_tiles_v4;
#endif
#if GYRE_ISAS & 2
    case v3:
      return bit_tiles_v3;
#endif
#if GYRE_ISAS & 1
    case v2:
      return bit_tiles_v2;
#endif
    default:
      __builtin_unreachable();  // isa() is among those built
  }
}

}  // namespace gyre
