#include "gyre/embed/picture/label_layout.h"

#include <algorithm>
#include <cmath>

namespace gyre {

double text_width(std::string_view text, double size) {
  double width = 0;
  for (char c : text) {
    const bool continues = (static_cast<unsigned char>(c) & 0xC0) == 0x80;  // of a UTF-8 character
    const bool narrow = std::string_view("fijlrt'.,-| ").find(c) != std::string_view::npos;
    const bool wide = c == 'm' || c == 'w' || (c >= 'A' && c <= 'Z');
    width += continues ? 0 : narrow ? 0.36 : wide ? 0.82 : 0.6;
  }
  return width * size;
}

bool LabelLayout::take(const Box& box) {
  const double across = std::max(std::abs(box.left - x_), std::abs(box.right - x_));
  const double along = std::max(std::abs(box.top - y_), std::abs(box.bottom - y_));
  if (std::hypot(across, along) > radius_) return false;
  for (const Box& other : taken_) {
    if (box.overlaps(other)) return false;
  }
  taken_.push_back(box);
  return true;
}

bool LabelLayout::take_beside(double x, double y, double radius, std::string_view text, double size,
                              Place& place) {
  const double width = text_width(text, size), gap = radius + 2;
  struct Choice {
    double x, y;  // offset of the text's centre from the dot, in half widths and lines
    const char* anchor;
  };
  constexpr Choice kChoices[] = {{1, 0, "start"},  {-1, 0, "end"},   {0, -1, "middle"},
                                 {0, 1, "middle"}, {1, -1, "start"}, {1, 1, "start"},
                                 {-1, -1, "end"},  {-1, 1, "end"}};
  for (const Choice& c : kChoices) {
    const double shift = c.y == 0 ? gap : c.x == 0 ? 0 : gap * 0.7;
    const double at = x + c.x * shift;
    const double middle = y + c.y * (size * 0.55 + gap * (c.x == 0 ? 1 : 0.7));
    const double left = c.x > 0 ? at : c.x < 0 ? at - width : at - width / 2;
    if (!take({left, middle - size * 0.55, left + width, middle + size * 0.55})) continue;
    place = {at, middle + size * 0.35, c.anchor};
    return true;
  }
  return false;
}

}  // namespace gyre
