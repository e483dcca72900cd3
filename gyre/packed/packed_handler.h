#pragma once

namespace gyre {

/// Sets the handler of packed tensors, which turns linear, linear_act, matmul with a packed right
/// side, embedding, slice and select of rows into ops on words, copies in clone, and decodes the
/// weights of convolutions and hyperbolic planes for the call. Other ops are Error{unsupported}.
void set_packed_handler();

}  // namespace gyre
