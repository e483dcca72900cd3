#include "gyre/base/memory/ref.h"

#include <new>

#include "gyre/base/error.h"
#include "gyre/base/memory/small_blocks.h"
#include "gyre/base/memory/tally.h"

namespace gyre {

void* RefCounted::operator new(size_t bytes) {
  void* block =
      bytes <= kLargestSmallBlock ? take_small_block(bytes) : ::operator new(bytes, std::nothrow);
  if (!block) throw Error(Code::resource, "allocate", "out of memory for an object");
  tally(Tally::objects, 1);
  return block;
}

void RefCounted::operator delete(void* block, size_t bytes) noexcept {
  tally(Tally::objects, -1);
  if (bytes <= kLargestSmallBlock) return give_small_block(block, bytes);
  ::operator delete(block);
}

int64_t live_objects() noexcept { return total(Tally::objects); }

}  // namespace gyre
