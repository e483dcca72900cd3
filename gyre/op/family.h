#pragma once
#include <array>

#include "gyre/base/cpu.h"
#include "gyre/op/tiles.h"

namespace gyre {

/// What op families need besides OpDef: the tiles for each instruction set.
struct Family {
  PointwiseSpec pointwise_spec{};
  std::array<const PointwiseTiles*, isas> pointwise{};
  RowSpec row{};
  std::array<const RowwiseTiles*, isas> rowwise{};
  std::array<const ReductionTiles*, isas> reduction{};
};

}  // namespace gyre
