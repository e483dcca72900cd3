#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace gyre {

/// Base class of objects with an intrusive reference count. They are allocated from per-thread
/// free lists (small_blocks.h), so that creating and destroying one needs no heap call once warm.
struct RefCounted {
  RefCounted() = default;
  RefCounted(const RefCounted&) = delete;
  RefCounted& operator=(const RefCounted&) = delete;
  virtual ~RefCounted() = default;

  static void* operator new(size_t bytes);
  static void operator delete(void* block, size_t bytes) noexcept;

  mutable std::atomic<uint32_t> refs{0};
};

/// RefCounted objects alive in the process (for leak tests).
int64_t live_objects() noexcept;

/// Intrusive pointer to a RefCounted. Threads may copy it concurrently.
template <class T>
class Ref {
 public:
  Ref() = default;
  explicit Ref(T* pointer) : pointer_(pointer) {
    if (pointer_) pointer_->refs.fetch_add(1, std::memory_order_relaxed);
  }
  /// Takes over a count that the caller holds; or borrows, for a Ref that is never destroyed.
  static Ref adopt(T* pointer) {
    Ref r;
    r.pointer_ = pointer;
    return r;
  }
  Ref(const Ref& other) : Ref(other.pointer_) {}
  Ref(Ref&& other) noexcept : pointer_(std::exchange(other.pointer_, nullptr)) {}
  template <class U>
    requires(std::is_convertible_v<U*, T*>)
  Ref(Ref<U> other) : pointer_(other.release()) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(pointer_, other.pointer_);
    return *this;
  }
  ~Ref() {
    // A count of 1 cannot change in other threads, so it needs no atomic decrement.
    if (pointer_ && (unique() || pointer_->refs.fetch_sub(1, std::memory_order_acq_rel) == 1))
      delete pointer_;
  }

  T* get() const { return pointer_; }
  T* operator->() const { return pointer_; }
  T& operator*() const { return *pointer_; }
  explicit operator bool() const { return pointer_ != nullptr; }
  bool operator==(const Ref& other) const { return pointer_ == other.pointer_; }
  /// True when this is the only reference.
  bool unique() const { return pointer_ && pointer_->refs.load(std::memory_order_acquire) == 1; }
  /// Gives up ownership without decrementing the count.
  T* release() { return std::exchange(pointer_, nullptr); }

 private:
  T* pointer_ = nullptr;
};

template <class T, class... Args>
Ref<T> make_ref(Args&&... args) {
  T* object = new T(std::forward<Args>(args)...);
  // No atomic increment: constructors do not share `this`, so no other thread knows the object.
  object->refs.store(object->refs.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  return Ref<T>::adopt(object);
}

}  // namespace gyre
