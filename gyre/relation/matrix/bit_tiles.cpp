#include "gyre/relation/matrix/bit_table.h"

namespace gyre {
namespace {

typedef uint64_t Bits __attribute__((vector_size(GYRE_VBYTES), aligned(8), may_alias));
constexpr int64_t kWords = GYRE_VBYTES / 8;

Bits load(const uint64_t* from) { return *reinterpret_cast<const Bits*>(from); }
void store(uint64_t* to, Bits bits) { *reinterpret_cast<Bits*>(to) = bits; }

// `vectors` of each row at once, which stay in registers.
template <int vectors>
void gather_block(uint64_t* to, const uint64_t* matrix, int64_t words, const uint32_t* rows,
                  int64_t count) {
  Bits sum[vectors];
  for (int v = 0; v < vectors; ++v) sum[v] = load(to + v * kWords);
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t* row = matrix + rows[i] * words;
    for (int v = 0; v < vectors; ++v) sum[v] |= load(row + v * kWords);
  }
  for (int v = 0; v < vectors; ++v) store(to + v * kWords, sum[v]);
}

void gather(uint64_t* to, const uint64_t* matrix, int64_t words, const uint32_t* rows,
            int64_t count) noexcept {
  int64_t w = 0;
  for (; w + 8 * kWords <= words; w += 8 * kWords) {
    gather_block<8>(to + w, matrix + w, words, rows, count);
  }
  for (; w + 4 * kWords <= words; w += 4 * kWords) {
    gather_block<4>(to + w, matrix + w, words, rows, count);
  }
  for (; w + kWords <= words; w += kWords) {
    gather_block<1>(to + w, matrix + w, words, rows, count);
  }
  for (; w < words; ++w) {
    for (int64_t i = 0; i < count; ++i) to[w] |= matrix[rows[i] * words + w];
  }
}

bool adds(const uint64_t* known, const uint64_t* found, int64_t words) noexcept {
  Bits fresh{};
  int64_t w = 0;
  for (; w + kWords <= words; w += kWords) fresh |= load(found + w) & ~load(known + w);
  uint64_t any = 0;
  for (int64_t i = 0; i < kWords; ++i) any |= fresh[i];
  for (; w < words; ++w) any |= found[w] & ~known[w];
  return any != 0;
}

int64_t merge(uint64_t* known, uint64_t* fresh, const uint64_t* found, int64_t words) noexcept {
  int64_t count = 0;
  for (int64_t w = 0; w < words; ++w) {
    const uint64_t bits = found[w] & ~known[w];
    fresh[w] |= bits;
    known[w] |= bits;
    count += __builtin_popcountll(bits);
  }
  return count;
}

int64_t count(const uint64_t* words, int64_t number) noexcept {
  int64_t bits = 0;
  for (int64_t w = 0; w < number; ++w) bits += __builtin_popcountll(words[w]);
  return bits;
}

}  // namespace

#define GYRE_NAME_(isa) bit_tiles_##isa
#define GYRE_NAME(isa) GYRE_NAME_(isa)
extern const BitTiles GYRE_NAME(GYRE_ISA);
constinit const BitTiles GYRE_NAME(GYRE_ISA) = {gather, adds, merge, count};

}  // namespace gyre
