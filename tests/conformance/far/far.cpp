#include "tests/conformance/far/far.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/kernel/copy.h"
#include "gyre/op/apply.h"
#include "gyre/packed/packed.h"

namespace gyre::conformance {
namespace {

// Memory of the device: one range, so that opening and closing it is one call.
class FarMemory {
 public:
  FarMemory() {
    void* map =
        mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED) std::abort();
    begin_ = static_cast<std::byte*>(map);
  }
  std::byte* allocate(size_t bytes) {
    const size_t size = (bytes + 127) / 64 * 64;  // a gap of at least 64 bytes behind each
    size_t at = 0;
    for (const auto& [offset, block] : live_) {
      if (offset - at >= size) break;
      at = offset + block.size;
    }
    if (at + size > kBytes) return nullptr;
    live_.emplace(at, Block{size, bytes});
    counts.live += static_cast<int64_t>(bytes);
    return begin_ + at;
  }
  void release(void* memory, size_t bytes) {
    live_.erase(static_cast<size_t>(static_cast<std::byte*>(memory) - begin_));
    counts.live -= static_cast<int64_t>(bytes);
  }
  void protect(int how) {
    if (live_.empty()) return;
    const auto& [offset, block] = *live_.rbegin();
    mprotect(begin_, (offset + block.size + 4095) / 4096 * 4096, how);
  }
  bool holds(const void* from, size_t bytes) const {
    const auto at = static_cast<size_t>(static_cast<const std::byte*>(from) - begin_);
    const auto behind = live_.upper_bound(at);
    if (behind == live_.begin()) return false;
    const auto& [offset, block] = *std::prev(behind);
    return at + bytes <= offset + block.bytes;
  }

  std::recursive_mutex mutex;
  FarCounts counts;
  std::span<const DeviceKernel> kernels;
  bool others_on_cpu = true;
  std::map<std::pair<std::string, Pass>, decltype(DeviceRun::on_cpu)> types;  // of plans

 private:
  static constexpr size_t kBytes = size_t{1} << 32;
  std::byte* begin_;
  struct Block {
    size_t size, bytes;  // with the gap, and as asked for
  };
  std::map<size_t, Block> live_;  // by offset
};
FarMemory& memory() {
  static FarMemory* all = new FarMemory;
  return *all;
}

Status run(const DeviceRun& r) noexcept {
  FarMemory& m = memory();
  std::lock_guard lock(m.mutex);
  ++m.counts.runs;
  if (m.types.try_emplace({r.op, r.pass}, r.on_cpu).first->second != r.on_cpu) {
    return {.failed = true, .code = Code::internal, .what = "an op has two types of plans"};
  }
  if (r.op == std::string_view("copy_")) {
    const auto& copy = *static_cast<const CopyPlan*>(r.plan);
    m.counts.uploads += copy.from.device.kind == Device::cpu;
    m.counts.downloads += copy.to.device.kind == Device::cpu;
  }
  m.protect(PROT_READ | PROT_WRITE);
  Status status = run_by_table(m.kernels, r);
  const bool absent = status.failed && status.code == Code::unavailable && !*status.what;
  if (absent && m.others_on_cpu) status = r.on_cpu(r.plan);
  m.protect(PROT_NONE);
  return status;
}

Status read(void* to, const void* from, size_t bytes, int) noexcept {
  FarMemory& m = memory();
  std::lock_guard lock(m.mutex);
  ++m.counts.downloads;
  if (!m.holds(from, bytes)) {
    return {.failed = true, .code = Code::internal, .what = "more bytes than a tensor has"};
  }
  m.protect(PROT_READ | PROT_WRITE);
  std::memcpy(to, from, bytes);
  m.protect(PROT_NONE);
  return {};
}

Status write(void* to, const void* from, size_t bytes, int) noexcept {
  FarMemory& m = memory();
  std::lock_guard lock(m.mutex);
  ++m.counts.uploads;
  m.protect(PROT_READ | PROT_WRITE);
  std::memcpy(to, from, bytes);
  m.protect(PROT_NONE);
  return {};
}

constexpr DeviceLibrary kLibrary{.name = "far",
                                 .count = []() noexcept { return 1; },
                                 .allocate = [](size_t bytes, int) noexcept -> void* {
                                   std::lock_guard lock(memory().mutex);
                                   return memory().allocate(bytes);
                                 },
                                 .release =
                                     [](void* at, size_t bytes, int) noexcept {
                                       std::lock_guard lock(memory().mutex);
                                       memory().release(at, bytes);
                                     },
                                 .read = read,
                                 .write = write,
                                 .run = run};

}  // namespace

FarDevice::FarDevice(std::span<const DeviceKernel> kernels, Others others) {
  memory().kernels = kernels;
  memory().others_on_cpu = others == Others::on_cpu;
  set_device_library(&kLibrary);
}
FarDevice::~FarDevice() { set_device_library(nullptr); }

FarCounts far_counts() {
  std::lock_guard lock(memory().mutex);
  return memory().counts;
}

Tensor to_far(const Tensor& t) {
  if (!t.defined()) return t;
  const TensorImpl& from = *t.impl();
  // all elements of the storage, so that gaps and offsets are the same
  std::vector<std::byte> stored;
  if (is_packed(t)) stored = packed_storage(t).stored();
  Tensor bytes = borrow(is_packed(t) ? stored.data() : from.storage->data,
                        {Shape{static_cast<int64_t>(from.storage->bytes)}, DType::u8, {}, false},
                        Shape{1}, nullptr, nullptr);
  Tensor there = empty(bytes.shape(), DType::u8, FarDevice::kDevice);
  gyre::write(copy_def, {&bytes, 1}, {&there, 1});
  auto impl = make_ref<TensorImpl>(t.meta());
  impl->meta.device = FarDevice::kDevice;
  impl->strides = from.strides;
  impl->offset = from.offset;
  impl->storage = there.impl()->storage;
  return Tensor(std::move(impl));
}

Tensor to_near(const Tensor& t) {
  Tensor here = empty(t.shape(), t.dtype());
  gyre::write(copy_def, {&t, 1}, {&here, 1});
  return here;
}

}  // namespace gyre::conformance
