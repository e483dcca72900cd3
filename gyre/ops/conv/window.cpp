#include "gyre/ops/conv/window.h"

namespace gyre {

std::string text_of(const Pair& pair) { return to_string(Shape{pair.y, pair.x}); }

Pair pair_of(const OpDef& op, const char* name, const Shape& given, int64_t least) {
  if (given.rank != 1 && given.rank != 2) {
    throw mismatch(Code::value, op.name, {name, " must be one number or two (height, width)"},
                   "[y, x]", given);
  }
  const Pair pair{given[0], given.back()};
  for (int64_t v : {pair.y, pair.x}) {
    if (v < least || v > kMostOfWindow) {
      refuse(Code::value, op, {name, " must be ", least, " to 2^31, got ", given},
             {least, " to 2^31"}, v);
    }
  }
  return pair;
}

Windows windows_of(const OpDef& op, const Shape& kernel, const Shape& stride, const Shape& padding,
                   const Shape& dilation) {
  const Pair k = pair_of(op, "kernel", kernel, 1), s = pair_of(op, "stride", stride, 1),
             p = pair_of(op, "padding", padding, 0), d = pair_of(op, "dilation", dilation, 1);
  return {{k.y, s.y, p.y, d.y}, {k.x, s.x, p.x, d.x}};
}

Pair window_counts(const OpDef& op, const Windows& w, const Shape& image) {
  const Pair size{image.back(1), image.back()};
  const Pair counts{w.y.count(size.y), w.x.count(size.x)};
  if (counts.y < 1 || counts.x < 1) {
    const Pair extent{w.y.extent(), w.x.extent()};
    const Pair padded{size.y + 2 * w.y.padding, size.x + 2 * w.x.padding};
    refuse(Code::shape, op,
           "the window " + text_of(extent) + " is larger than the padded input " + text_of(padded),
           "at least " + text_of(extent), text_of(padded));
  }
  return counts;
}

}  // namespace gyre
