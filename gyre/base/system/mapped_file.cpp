#include "gyre/base/system/mapped_file.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <mutex>
#include <utility>

#include "gyre/base/error.h"

namespace gyre {
namespace {

/// A mapping as the signal handler sees it. Entries are reused, never freed: the handler may walk
/// the list at any time.
struct Mapping {
  std::atomic<const std::byte*> begin = nullptr;
  std::atomic<size_t> size = 0;  // 0: the entry is free
  std::string path;
  Mapping* next = nullptr;
};

constinit std::atomic<Mapping*> mappings = nullptr;
constinit std::mutex adding;
constinit std::atomic<void (*)(const char*)> report = nullptr;
struct sigaction before {};

void note_mapping(const std::byte* begin, size_t size, const std::string& path) {
  const std::lock_guard lock(adding);
  Mapping* entry = mappings.load();
  while (entry != nullptr && entry->size != 0) entry = entry->next;
  const bool fresh = entry == nullptr;
  if (fresh) entry = new Mapping;
  entry->path = path;
  entry->begin = begin;
  entry->size = size;
  if (!fresh) return;
  entry->next = mappings.load();
  mappings = entry;
}

void forget_mapping(const std::byte* begin) noexcept {
  for (Mapping* entry = mappings.load(); entry != nullptr; entry = entry->next) {
    if (entry->begin == begin && entry->size != 0) entry->size = 0;
  }
}

const Mapping* mapping_at(const void* address) noexcept {
  const auto* at = static_cast<const std::byte*>(address);
  for (const Mapping* entry = mappings.load(); entry != nullptr; entry = entry->next) {
    const std::byte* begin = entry->begin;
    if (at >= begin && at < begin + entry->size) return entry;
  }
  return nullptr;
}

void handle_lost_page(int signal, siginfo_t* info, void* context) {
  if (const Mapping* found = mapping_at(info->si_addr)) report.load()(found->path.c_str());
  if (before.sa_flags & SA_SIGINFO) return before.sa_sigaction(signal, info, context);
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    return before.sa_handler(signal);
  }
  sigaction(signal, &before, nullptr);      // the access is repeated and ends the process
  if (info->si_code <= 0) ::raise(signal);  // sent by a process: there was no access
}

}  // namespace

MappedFile::MappedFile(const std::string& path, MapMode mode) : MappedFile(InputFile(path), mode) {}

MappedFile::MappedFile(const InputFile& file, MapMode mode)
    : path_(file.path()), size_(static_cast<size_t>(file.size())), mode_(mode) {
  if (size_ == 0) return;
  const bool writable = mode == MapMode::copy_on_write;
  void* address = ::mmap(nullptr, size_, writable ? PROT_READ | PROT_WRITE : PROT_READ,
                         writable ? MAP_PRIVATE | MAP_NORESERVE : MAP_PRIVATE, file.descriptor_, 0);
  if (address == MAP_FAILED) raise_io("map", path_, errno);
  data_ = static_cast<std::byte*>(address);
  note_mapping(data_, size_, path_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      mode_(other.mode_) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(mode_, other.mode_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_ == nullptr) return;
  forget_mapping(data_);
  ::munmap(data_, size_);
}

void release_pages(std::span<const std::byte> bytes) noexcept {
  const Mapping* found = mapping_at(bytes.data());
  if (bytes.empty() || found == nullptr) return;
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  // Offsets from the beginning of the mapping, which lies at one of a page.
  std::byte* begin = const_cast<std::byte*>(found->begin.load());
  const auto from = static_cast<size_t>(bytes.data() - begin);
  const size_t first = (from + page - 1) / page * page;
  const size_t end = std::min(from + bytes.size(), found->size.load()) / page * page;
  if (first < end) ::madvise(begin + first, end - first, MADV_DONTNEED);
}

std::span<std::byte> MappedFile::writable_bytes() {
  if (mode_ != MapMode::copy_on_write) {
    throw Error(Code::internal, "map_file", path_ + ": mapped read-only");
  }
  return {data_, size_};
}

void report_lost_pages(void (*to)(const char* path)) noexcept {
  if (report.exchange(to) != nullptr) return;
  struct sigaction action {};
  action.sa_sigaction = handle_lost_page;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGBUS, &action, &before);
}

}  // namespace gyre
