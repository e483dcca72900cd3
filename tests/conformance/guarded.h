#pragma once
#include <string>

#include "gyre/tensor/tensor.h"

namespace gyre::conformance {

/// Memory between zones that nobody may write; after the last byte comes a page that nobody may
/// touch. Kernels are not sanitised: this is what sees them leave their buffers.
class Guarded {
 public:
  /// `bytes` bytes, on a 64-byte boundary, or with their last one before the forbidden page.
  enum Place : uint8_t { aligned, at_the_end };
  Guarded(size_t bytes, Place place);
  ~Guarded();
  Guarded(Guarded&& other) noexcept;
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  std::byte* data() const { return data_; }
  size_t size() const { return bytes_; }
  /// True when the zones hold what they held at first.
  bool intact() const;
  std::string contents() const { return {reinterpret_cast<const char*>(data_), bytes_}; }

 private:
  std::byte *map_, *data_;
  size_t mapped_, bytes_;
};

/// While it lives, a forbidden access prints these words before it ends the program.
class IfItDies {
 public:
  explicit IfItDies(const std::string& words);
  ~IfItDies();
};

}  // namespace gyre::conformance
