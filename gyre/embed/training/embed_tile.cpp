#include "gyre/embed/training/embed_tile.h"

#include "gyre/kernel/per_isa.h"

namespace gyre {

GYRE_DECLARE_TILES(EmbedTiles, embed)

const EmbedTiles& embed_tiles() noexcept {
  static constexpr PerIsa<EmbedTiles> kTiles = GYRE_TILES_OF(embed);
  return *kTiles[isa()];
}

}  // namespace gyre
