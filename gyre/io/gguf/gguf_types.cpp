#include "gyre/io/gguf/gguf_types.h"

#include "gyre/io/gguf/gguf_blocks.h"

namespace gyre {
namespace {

constexpr GgufType plain(uint32_t id, const char* name, DType dtype) {
  return {id, name, 1, size_of(dtype), true, dtype, nullptr};
}
constexpr GgufType blocks(uint32_t id, const char* name, uint64_t block, uint64_t bytes,
                          void (*decode)(const uint8_t*, float*) = nullptr) {
  return {id, name, block, bytes, false, DType::f32, decode};
}

// Numbers and sizes: the enum ggml_type and the blocks of ggml.
constexpr GgufType kGgufTypes[] = {
    plain(0, "F32", DType::f32),
    plain(1, "F16", DType::f16),
    blocks(2, "Q4_0", 32, 18, gguf::decode_q4_0),
    blocks(3, "Q4_1", 32, 20, gguf::decode_q4_1),
    blocks(6, "Q5_0", 32, 22, gguf::decode_q5_0),
    blocks(7, "Q5_1", 32, 24, gguf::decode_q5_1),
    blocks(8, "Q8_0", 32, 34, gguf::decode_q8_0),
    blocks(9, "Q8_1", 32, 40),
    blocks(10, "Q2_K", 256, 84, gguf::decode_q2_k),
    blocks(11, "Q3_K", 256, 110, gguf::decode_q3_k),
    blocks(12, "Q4_K", 256, 144, gguf::decode_q4_k),
    blocks(13, "Q5_K", 256, 176, gguf::decode_q5_k),
    blocks(14, "Q6_K", 256, 210, gguf::decode_q6_k),
    blocks(15, "Q8_K", 256, 292),
    blocks(16, "IQ2_XXS", 256, 66),
    blocks(17, "IQ2_XS", 256, 74),
    blocks(18, "IQ3_XXS", 256, 98),
    blocks(19, "IQ1_S", 256, 50),
    blocks(20, "IQ4_NL", 32, 18, gguf::decode_iq4_nl),
    blocks(21, "IQ3_S", 256, 110),
    blocks(22, "IQ2_S", 256, 82),
    blocks(23, "IQ4_XS", 256, 136, gguf::decode_iq4_xs),
    plain(24, "I8", DType::i8),
    plain(25, "I16", DType::i16),
    plain(26, "I32", DType::i32),
    plain(27, "I64", DType::i64),
    plain(28, "F64", DType::f64),
    blocks(29, "IQ1_M", 256, 56),
    plain(30, "BF16", DType::bf16),
    blocks(34, "TQ1_0", 256, 54),
    blocks(35, "TQ2_0", 256, 66),
    blocks(39, "MXFP4", 32, 17, gguf::decode_mxfp4),
    blocks(40, "NVFP4", 64, 36),
    blocks(41, "Q1_0", 128, 18),
};

}  // namespace

const GgufType* find_gguf_type(uint32_t id) {
  for (const GgufType& type : kGgufTypes) {
    if (type.id == id) return &type;
  }
  return nullptr;
}

}  // namespace gyre
