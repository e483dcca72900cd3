#pragma once
#include <string_view>
#include <vector>

namespace gyre {

/// An axis-aligned rectangle.
struct Box {
  double left, top, right, bottom;

  [[nodiscard]] bool overlaps(const Box& o) const {
    return left < o.right && o.left < right && top < o.bottom && o.top < bottom;
  }
};

/// Greedy placement of labels in a disk without overlap, in call order.
class LabelLayout {
 public:
  LabelLayout(double x, double y, double radius) : x_(x), y_(y), radius_(radius) {}

  /// Reserves the rectangle; false if part of it is reserved or outside the disk.
  bool take(const Box& box);

  /// Position and anchor of a text's baseline.
  struct Place {
    double x, y;
    const char* anchor;  ///< as SVG's text-anchor
  };
  /// Reserves a place beside a dot for a text of this size: right, left, above, below or diagonal.
  /// False if none is free.
  bool take_beside(double x, double y, double radius, std::string_view text, double size,
                   Place& place);

 private:
  double x_, y_, radius_;
  std::vector<Box> taken_;
};

/// Approximate width of a text in a sans-serif font.
double text_width(std::string_view text, double size);

}  // namespace gyre
