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

/// Places texts so that none lies on another: first come, first served.
class LabelLayout {
 public:
  /// Nothing is placed outside of `frame`.
  explicit LabelLayout(const Box& frame) : frame_(frame) {}

  /// Keeps a place free of texts.
  void block(const Box& box) { taken_.push_back(box); }
  /// Takes the place, and says so, unless it is taken or not in the frame.
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
  Box frame_;
  std::vector<Box> taken_;
};

/// About how wide a text of sans serif letters is.
double text_width(std::string_view text, double size);

}  // namespace gyre
