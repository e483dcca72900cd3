#pragma once
#include "gyre/packed/packed_ops.h"

namespace gyre {

struct PackedEncodeAttrs {
  PackedFormat format = PackedFormat::D4;
  int64_t seed = 1;
};
GYRE_FIELDS(PackedEncodeAttrs, GYRE_FIELD(format, "format of the result"),
            GYRE_FIELD(seed, "of the signs of the Hadamard matrix; 0: without one", .least = 0,
                       .most = 2047));

extern const OpDef packed_encode_def, packed_transition_def;

}  // namespace gyre
