#pragma once
#include <string>

#include "gyre/tensor/tensor.h"

namespace gyre::conformance {

/// Memory between guard zones that must not be written, followed by an inaccessible page. Kernels
/// are not sanitised: this detects out-of-bounds accesses.
class Guarded {
 public:
  /// `bytes` bytes, aligned to 64 bytes, or ending at the inaccessible page.
  enum Place : uint8_t { aligned, at_the_end };
  Guarded(size_t bytes, Place place);
  ~Guarded();
  Guarded(Guarded&& other) noexcept;
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  std::byte* data() const { return data_; }
  size_t size() const { return bytes_; }
  /// True when the zones are unchanged.
  bool intact() const;
  std::string contents() const { return {reinterpret_cast<const char*>(data_), bytes_}; }

 private:
  std::byte *map_, *data_;
  size_t mapped_, bytes_;
};

/// While it lives, an invalid access prints these words before it ends the program.
class IfItDies {
 public:
  explicit IfItDies(const std::string& words);
  ~IfItDies();
};

}  // namespace gyre::conformance
