#include "gyre/ops/print.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <ostream>
#include <vector>

#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/tensor/kind.h"

namespace gyre {
namespace {

constexpr int64_t kThreshold = 1000;
constexpr size_t kLine = 75;
constexpr int kDigits = 8;

// How all floating elements of one tensor are written.
struct Format {
  bool scientific = false;
  DType dtype = DType::f64;
  size_t exponent = 0;         ///< digits of the longest exponent
  size_t left = 0, right = 0;  ///< characters before and after the point
};

std::string shortest(auto value, std::chars_format form) {
  char text[512];
  auto end = std::to_chars(text, text + sizeof text, value, form).ptr;
  return {text, end};
}

std::string rounded(double value, std::chars_format form, int digits = kDigits) {
  char text[512];
  auto end = std::to_chars(text, text + sizeof text, value, form, digits).ptr;
  return {text, end};
}

// The fewest digits after the point that give a 16-bit value back.
std::string shortest_of(double value, DType dtype, std::chars_format form) {
  if (dtype == DType::f64) return shortest(value, form);
  auto single = static_cast<float>(value);
  if (dtype == DType::f32) return shortest(single, form);
  for (int digits = 0; digits <= kDigits; ++digits) {
    std::string s = rounded(value, form, digits);
    float read = std::strtof(s.c_str(), nullptr);
    float stored = dtype == DType::f16 ? to_float(to_f16(read)) : to_float(to_bf16(read));
    if (stored == single) return s;
  }
  return shortest(single, form);
}

// "12.5", "3." or, scientific, "1.25e-07": never more than kDigits after the point, no zeros at the
// end of the fraction.
std::string digits_of(double value, const Format& f) {
  auto form = f.scientific ? std::chars_format::scientific : std::chars_format::fixed;
  std::string s = shortest_of(value, f.dtype, form);
  auto parts = [&](size_t& point, size_t& end) {
    end = std::min(s.find('e'), s.size());
    point = std::min(s.find('.'), end);
  };
  size_t point, end;
  parts(point, end);
  if (end > point + 1 + kDigits) {
    s = rounded(value, form);
    parts(point, end);
    size_t kept = end;
    while (s[kept - 1] == '0') --kept;
    s.erase(kept, end - kept);
    parts(point, end);
  }
  if (point == end) s.insert(end++, ".");
  size_t exponent = s.size() - std::min(end + 2, s.size());
  if (f.scientific && exponent < f.exponent) s.insert(end + 2, f.exponent - exponent, '0');
  return s;
}

struct Measured {
  size_t left, right;
};
Measured measure(const std::string& s) {
  size_t point = s.find('.');
  return {point, s.size() - point - 1};
}

// NaN or an infinity.
std::string word_for(double v) { return std::isnan(v) ? "nan" : v < 0 ? "-inf" : "inf"; }

Format format_of(const std::vector<double>& values, DType dtype) {
  Format f;
  f.dtype = dtype;
  double largest = 0, smallest = INFINITY;
  bool any = false;
  for (double v : values) {
    if (!std::isfinite(v) || v == 0) continue;
    any = true;
    largest = std::max(largest, std::fabs(v));
    smallest = std::min(smallest, std::fabs(v));
  }
  f.scientific = any && (largest >= 1e8 || smallest < 1e-4 || largest / smallest > 1000);
  for (double v : values) {
    if (!f.scientific || !std::isfinite(v)) continue;
    std::string s = digits_of(v, f);
    f.exponent = std::max(f.exponent, s.size() - s.find('e') - 2);
  }
  for (double v : values) {
    if (!std::isfinite(v)) continue;
    Measured m = measure(digits_of(v, f));
    f.left = std::max(f.left, m.left);
    f.right = std::max(f.right, m.right);
  }
  for (double v : values) {
    if (std::isfinite(v)) continue;
    size_t length = word_for(v).size(), width = f.left + f.right + 1;
    if (length > width) f.left += length - width;
  }
  return f;
}

std::string padded(const std::string& s, size_t left, size_t right = 0) {
  return std::string(left, ' ') + s + std::string(right, ' ');
}

std::string floating_text(double v, const Format& f) {
  size_t width = f.left + 1 + f.right;
  if (!std::isfinite(v)) {
    std::string s = word_for(v);
    return padded(s, width - s.size());
  }
  std::string s = digits_of(v, f);
  Measured m = measure(s);
  if (f.scientific) {  // every fraction as long as the longest, with zeros
    s.insert(s.find('e'), std::string(f.right - m.right, '0'));
    return padded(s, f.left - m.left);
  }
  return padded(s, f.left - m.left, f.right - m.right);
}

std::vector<std::string> texts_of(const Tensor& shown) {
  std::vector<std::string> texts;
  if (is_floating(shown.dtype())) {
    std::vector<double> values = to_vector<double>(shown);
    Format f = format_of(values, shown.dtype());
    for (double v : values) texts.push_back(floating_text(v, f));
    return texts;
  }
  bool truth = shown.dtype() == DType::boolean;
  size_t width = truth && shown.rank() ? 5 : 0;  // of False, whether one is there or not
  for (std::string& text : integer_texts(shown)) {
    width = std::max(width, text.size());
    texts.push_back(std::move(text));
  }
  for (std::string& s : texts) s = padded(s, width - s.size());
  return texts;
}

// Writes one axis after the other; texts are consumed in row-major order.
class Printer {
 public:
  Printer(std::vector<std::string> texts, const Shape& shape, const bool* cut)
      : texts_(std::move(texts)), shape_(shape), cut_(cut) {}

  void axis(int k) {
    if (k == shape_.rank) {
      out += texts_[next_++];
      return;
    }
    out += "[";
    if (k == shape_.rank - 1) {
      row(k);
    } else {
      for (int64_t i = 0; i < shape_[k]; ++i) {
        if (i) new_line(k);
        if (cut_[k] && i == kEdgeElements) {
          out += "...";
          new_line(k);
        }
        axis(k + 1);
      }
    }
    out += "]";
  }
  std::string out;

 private:
  void new_line(int k) {
    out.append(static_cast<size_t>(shape_.rank - 1 - k), '\n');
    out.append(static_cast<size_t>(k) + 1, ' ');
  }
  void row(int k) {
    size_t indent = static_cast<size_t>(k) + 1, column = indent;
    auto put = [&](const std::string& word, bool first) {
      if (!first && column + 1 + word.size() > kLine - 1) {
        out.erase(out.find_last_not_of(' ') + 1);
        out += "\n" + std::string(indent, ' ');
        column = indent;
      } else if (!first) {
        out += " ";
        ++column;
      }
      out += word;
      column += word.size();
    };
    for (int64_t i = 0; i < shape_[k]; ++i) {
      if (cut_[k] && i == kEdgeElements) put("...", i == 0);
      put(texts_[next_++], i == 0);
    }
  }

  std::vector<std::string> texts_;
  const Shape& shape_;
  const bool* cut_;
  size_t next_ = 0;
};

}  // namespace

std::vector<std::string> integer_texts(const Tensor& x) {
  const bool truth = x.dtype() == DType::boolean, above = x.dtype() == DType::u64;
  std::vector<std::string> texts;
  for (const int64_t v : to_vector<int64_t>(x)) {
    texts.push_back(truth   ? (v ? "True" : "False")
                    : above ? std::to_string(static_cast<uint64_t>(v))
                            : std::to_string(v));
  }
  return texts;
}

Excerpt excerpt_of(const Tensor& x) {
  Excerpt part{x};
  for (int k = 0; x.numel() > kThreshold && k < x.rank(); ++k) {
    if (x.shape()[k] <= 2 * kEdgeElements) continue;
    part.cut[k] = true;
    part.shown = cat({slice(part.shown, {k, 0, kEdgeElements, 1}),
                      slice(part.shown, {k, -kEdgeElements, INT64_MAX, 1})},
                     k);
  }
  return part;
}

std::string to_string(const Tensor& x) {
  if (!x.defined()) return "none";
  if (!x.plain()) return describe_kind(x) + ", " + to_string(x.shape());
  NoGrad values_only;
  if (x.numel() == 0) return "[]";
  const Excerpt part = excerpt_of(x);
  Printer printer(texts_of(part.shown), part.shown.shape(), part.cut);
  printer.axis(0);
  return printer.out;
}

std::ostream& operator<<(std::ostream& out, const Tensor& x) { return out << to_string(x); }
std::ostream& operator<<(std::ostream& out, const Shape& shape) { return out << to_string(shape); }
std::ostream& operator<<(std::ostream& out, DType dtype) { return out << name_of(dtype); }

}  // namespace gyre
