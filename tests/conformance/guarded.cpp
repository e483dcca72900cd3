#include "tests/conformance/guarded.h"

#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <new>
#include <utility>

namespace gyre::conformance {
namespace {

constexpr std::byte kMark{0xA5};
char last_words[512];
struct sigaction before;

void speak(int) {
  ssize_t written = ::write(STDERR_FILENO, last_words, std::strlen(last_words));
  (void)written;
  sigaction(SIGSEGV, &before, nullptr);  // the access is repeated and reported as usual
}

}  // namespace

Guarded::Guarded(size_t bytes, Place place) : bytes_(bytes) {
  auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  size_t inside = (bytes + 128 + page - 1) / page * page;
  mapped_ = inside + page;
  void* map = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED) throw std::bad_alloc();
  map_ = static_cast<std::byte*>(map);
  mprotect(map_ + inside, page, PROT_NONE);
  std::memset(map_, static_cast<int>(kMark), inside);
  data_ = map_ + inside - bytes;
  if (place == aligned) data_ -= reinterpret_cast<uintptr_t>(data_) % 64;
}

Guarded::~Guarded() {
  if (map_) munmap(map_, mapped_);
}

Guarded::Guarded(Guarded&& other) noexcept
    : map_(std::exchange(other.map_, nullptr)),
      data_(other.data_),
      mapped_(other.mapped_),
      bytes_(other.bytes_) {}

bool Guarded::intact() const {
  auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const std::byte* end = map_ + mapped_ - page;
  for (const std::byte* p = map_; p < end; ++p) {
    if (p == data_ && bytes_) p += bytes_;
    if (p < end && *p != kMark) return false;
  }
  return true;
}

IfItDies::IfItDies(const std::string& words) {
  std::strncpy(last_words, (words + "\n").c_str(), sizeof last_words - 1);
  struct sigaction action {};
  action.sa_handler = speak;
  sigaction(SIGSEGV, &action, &before);
}

IfItDies::~IfItDies() { sigaction(SIGSEGV, &before, nullptr); }

}  // namespace gyre::conformance
