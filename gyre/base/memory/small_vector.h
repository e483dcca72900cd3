#pragma once
#include <cstddef>
#include <initializer_list>
#include <new>
#include <type_traits>
#include <utility>

namespace gyre {

/// A vector with inline storage for N elements. Grows to the heap by doubling.
template <class T, size_t N>
class SmallVector {
 public:
  using value_type = T;

  SmallVector() {}  // `= default` would zero the storage in constructors that delegate
  // Constructors that may throw delegate, so that the destructor frees what was constructed.
  explicit SmallVector(size_t count) : SmallVector() { resize(count); }
  SmallVector(size_t count, const T& value) : SmallVector() {
    reserve(count);
    for (size_t i = 0; i < count; ++i) push_back(value);
  }
  SmallVector(std::initializer_list<T> values) : SmallVector(values.begin(), values.end()) {}
  template <class It>
    requires(!std::is_integral_v<It>)
  SmallVector(It first, It last) : SmallVector() {
    append(first, last);
  }
  SmallVector(const SmallVector& other) : SmallVector() { append(other.begin(), other.end()); }
  SmallVector(SmallVector&& other) noexcept { take(other); }
  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) {
      clear();
      append(other.begin(), other.end());
    }
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this != &other) {
      drop();
      take(other);
    }
    return *this;
  }
  ~SmallVector() { drop(); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  bool operator==(const SmallVector& other) const {
    bool equal = size_ == other.size_;
    for (size_t i = 0; equal && i < size_; ++i) equal = data_[i] == other.data_[i];
    return equal;
  }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T& front() { return data_[0]; }
  T& back() { return data_[size_ - 1]; }
  const T& back() const { return data_[size_ - 1]; }

  void reserve(size_t count) {
    if (count > capacity_) grow(count);
  }
  void push_back(const T& value) { emplace_back(value); }
  void push_back(T&& value) { emplace_back(std::move(value)); }
  template <class... Args>
  T& emplace_back(Args&&... args) {
    if (size_ == capacity_) {
      T made(std::forward<Args>(args)...);  // an argument may live in this vector
      grow(capacity_ * 2);
      new (data_ + size_) T(std::move(made));
    } else if constexpr (sizeof...(Args) == 0 && !std::is_trivially_default_constructible_v<T>) {
      new (data_ + size_) T;  // T() would zero-initialise the whole object first
    } else {
      new (data_ + size_) T(std::forward<Args>(args)...);
    }
    return data_[size_++];  // counted after construction, which may throw
  }
  template <class It>
  void append(It first, It last) {
    if constexpr (requires { last - first; }) {
      const size_t count = size_ + static_cast<size_t>(last - first);
      if (count > capacity_) grow(count > capacity_ * 2 ? count : capacity_ * 2);
      for (; first != last; ++first, ++size_) new (data_ + size_) T(*first);
    } else {
      for (; first != last; ++first) emplace_back(*first);
    }
  }
  void pop_back() { data_[--size_].~T(); }
  void clear() {
    while (size_) pop_back();
  }
  /// Removes [first, last).
  void erase(T* first, T* last) {
    T* kept = first;
    for (; last != end(); ++kept, ++last) *kept = std::move(*last);
    while (end() != kept) pop_back();
  }
  void resize(size_t count) {
    while (size_ > count) pop_back();
    reserve(count);
    while (size_ < count) emplace_back();
  }

 private:
  T* inline_data() { return reinterpret_cast<T*>(storage_); }
  [[gnu::noinline]] void grow(size_t count) {
    T* bigger = static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t(alignof(T))));
    for (size_t i = 0; i < size_; ++i) {
      new (bigger + i) T(std::move(data_[i]));
      data_[i].~T();
    }
    free_heap();
    data_ = bigger;
    capacity_ = count;
  }
  void free_heap() {
    if (data_ != inline_data()) ::operator delete(data_, std::align_val_t(alignof(T)));
  }
  void drop() {
    clear();
    free_heap();
    data_ = inline_data();
    capacity_ = N;
  }
  void take(SmallVector& other) noexcept {
    if (other.data_ == other.inline_data()) {
      for (; size_ < other.size_; ++size_) {
        new (data_ + size_) T(std::move(other.data_[size_]));
        other.data_[size_].~T();
      }
      other.size_ = 0;
    } else {
      data_ = std::exchange(other.data_, other.inline_data());
      size_ = std::exchange(other.size_, 0);
      capacity_ = std::exchange(other.capacity_, N);
    }
  }

  alignas(T) std::byte storage_[N * sizeof(T)];
  T* data_ = inline_data();
  size_t size_ = 0, capacity_ = N;
};

}  // namespace gyre
