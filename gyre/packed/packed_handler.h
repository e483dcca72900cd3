#pragma once

namespace gyre {

/// Sets the handler of packed tensors, which turns linear, linear_act, matmul, embedding and slices
/// of rows into ops on words. Other ops are Error{unsupported}.
void set_packed_handler();

}  // namespace gyre
