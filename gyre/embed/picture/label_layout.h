#pragma once
#include <string_view>
#include <vector>

namespace gyre {

/// A rectangle with sides along the axes.
struct Box {
  double left, top, right, bottom;

  [[nodiscard]] bool overlaps(const Box& o) const {
    return left < o.right && o.left < right && top < o.bottom && o.top < bottom;
  }
};

/// Places texts in a disk so that none lies on another: first come, first served.
class LabelLayout {
 public:
  LabelLayout(double x, double y, double radius) : x_(x), y_(y), radius_(radius) {}

  /// Takes the place, and says so, unless a part of it is taken or not in the disk.
  bool take(const Box& box);

  /// Where a text's first character and base line go, and how it is anchored there.
  struct Place {
    double x, y;
    const char* anchor;  ///< as SVG's text-anchor
  };
  /// Takes a place beside a dot for a text of a size: right, left, above, below or between these.
  /// False where none is free.
  bool take_beside(double x, double y, double radius, std::string_view text, double size,
                   Place& place);

 private:
  double x_, y_, radius_;
  std::vector<Box> taken_;
};

/// About how wide a text of sans serif letters is.
double text_width(std::string_view text, double size);

}  // namespace gyre
