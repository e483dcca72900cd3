#pragma once
#include "gyre/op/op_def.h"

// Checked window attributes of convolutions and pooling.

namespace gyre {

/// Height and width.
struct Pair {
  int64_t y = 0, x = 0;
};

inline constexpr int64_t kMostOfWindow = int64_t{1} << 31;

/// Attribute `name`, given as one number or two, each from `least` to kMostOfWindow.
/// Error{value} naming op and attribute.
Pair pair_of(const OpDef& op, const char* name, const Shape& given, int64_t least);

/// Windows along one axis of `size` elements with `padding` more on each side.
struct Window {
  int64_t kernel, stride, padding, dilation;
  /// Extent of a window: dilation (kernel - 1) + 1.
  [[nodiscard]] constexpr int64_t extent() const { return (kernel - 1) * dilation + 1; }
  /// Number of windows that fit; 0 or less if none.
  [[nodiscard]] constexpr int64_t count(int64_t size) const {
    const int64_t room = size + 2 * padding - extent();
    return room < 0 ? 0 : room / stride + 1;
  }
};
struct Windows {
  Window y, x;
};

/// The windows of a call. Error{value} naming op and attribute.
Windows windows_of(const OpDef& op, const Shape& kernel, const Shape& stride, const Shape& padding,
                   const Shape& dilation);

/// Number of windows that fit an image with these last two axes. Error{shape} naming both if none
/// fits.
Pair window_counts(const OpDef& op, const Windows& windows, const Shape& image);

/// "[3, 3]".
std::string text_of(const Pair& pair);

}  // namespace gyre
