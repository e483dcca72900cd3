#include "gyre/relation/storage/row_sets.h"

namespace gyre {

// Words of the block that the next allocation makes; 0: the last one has room.
int64_t RowSets::block_for(const Arena& arena, int64_t words) const {
  if (arena.used + words <= arena.capacity) return 0;
  return std::max(words, std::clamp(2 * arena.capacity, kFirstBlock, kLargestBlock));
}

uint64_t* RowSets::allocate(Arena& arena, int64_t words) {
  if (const int64_t block = block_for(arena, words)) {
    const auto size = static_cast<size_t>(block);
    arena.blocks.push_back(Block(LargeAllocator<uint64_t>().allocate(size), FreeBlock{size}));
    arena.used = 0;
    arena.capacity = block;
    bytes_ += block * int64_t{sizeof(uint64_t)};
  }
  uint64_t* start = arena.blocks.back().get() + arena.used;
  arena.used += words;
  return start;
}

int64_t RowSets::list_growth(int64_t count) const {
  return count <= list_left_ ? 0 : block_for(lists_, count / 2 + 1) * int64_t{sizeof(uint64_t)};
}

int64_t RowSets::words_growth() const {
  return block_for(bits_, words_for(universe_)) * int64_t{sizeof(uint64_t)};
}

uint32_t* RowSets::new_list(int64_t count) {
  if (count > list_left_) {
    const int64_t words = count / 2 + 1;
    const int64_t whole = std::max(words, block_for(lists_, words));
    list_end_ = reinterpret_cast<uint32_t*>(allocate(lists_, whole));
    list_left_ = 2 * whole;
  }
  uint32_t* start = list_end_;
  list_end_ += count;
  list_left_ -= count;
  return start;
}

uint64_t* RowSets::new_words() { return allocate(bits_, words_for(universe_)); }

uint32_t RowSets::add(NumberSet set) {
  sets_.push_back(set);
  return static_cast<uint32_t>(sets_.size() - 1);
}

}  // namespace gyre
