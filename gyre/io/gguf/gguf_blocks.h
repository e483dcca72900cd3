#pragma once
#include <cstdint>

// The numbers of a block of each quantised type of GGUF, from its bytes: ggml's formats, in f32
// arithmetic of one rounding an operation, so that the bits are those of the `gguf` package. A
// block of 32 has a scale (and, _1, a minimum) in f16; one of 256 (_k) has scales of 16 or 32
// numbers in 4, 6 or 8 bits besides.

namespace gyre::gguf {

void decode_q4_0(const uint8_t* from, float* to);
void decode_q4_1(const uint8_t* from, float* to);
void decode_q5_0(const uint8_t* from, float* to);
void decode_q5_1(const uint8_t* from, float* to);
void decode_q8_0(const uint8_t* from, float* to);
void decode_q2_k(const uint8_t* from, float* to);
void decode_q3_k(const uint8_t* from, float* to);
void decode_q4_k(const uint8_t* from, float* to);
void decode_q5_k(const uint8_t* from, float* to);
void decode_q6_k(const uint8_t* from, float* to);
/// Four bits that number levels of unequal distance.
void decode_iq4_nl(const uint8_t* from, float* to);
void decode_iq4_xs(const uint8_t* from, float* to);
/// OCP Microscaling Formats 1.0: four-bit floats (E2M1) with a power of two for 32 of them.
void decode_mxfp4(const uint8_t* from, float* to);

}  // namespace gyre::gguf
