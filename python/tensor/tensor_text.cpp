#include "python/tensor/tensor_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/print.h"
#include "gyre/packed/packed.h"
#include "python/tensor/packed_tensor.h"

namespace gyre::python {
namespace {

constexpr size_t kLine = 80;
constexpr std::string_view kBegin = "tensor(";

// ---- elements ----

enum class Notation : uint8_t { whole, fixed, scientific };

Notation notation_of(const std::vector<double>& values) {
  double largest = 0, smallest = INFINITY;
  bool whole = true;
  for (double v : values) {
    if (!std::isfinite(v) || v == 0) continue;
    largest = std::max(largest, std::fabs(v));
    smallest = std::min(smallest, std::fabs(v));
    whole = whole && v == std::ceil(v);
  }
  if (largest == 0) return Notation::whole;
  if (largest / smallest > 1000 || largest > 1e8 || smallest < 1e-4) return Notation::scientific;
  return whole ? Notation::whole : Notation::fixed;
}

std::string text_of(double v, Notation notation) {
  if (std::isnan(v)) return "nan";
  if (std::isinf(v)) return v < 0 ? "-inf" : "inf";
  switch (notation) {
    case Notation::whole:
      return fmt::format("{:.0f}.", v);
    case Notation::fixed:
      return fmt::format("{:.4f}", v);
    case Notation::scientific:
      break;
  }
  return fmt::format("{:.4e}", v);
}

struct Texts {
  std::vector<std::string> all;
  size_t width = 1;
};

Texts floating_texts(const std::vector<double>& values) {
  Texts texts;
  const Notation notation = notation_of(values);
  for (double v : values) {
    texts.all.push_back(text_of(v, notation));
    // zeros, infinities and NaN do not widen the columns
    if (std::isfinite(v) && v != 0) texts.width = std::max(texts.width, texts.all.back().size());
  }
  return texts;
}

Texts whole_texts(const Tensor& shown) {
  Texts texts;
  texts.all = integer_texts(shown);
  for (const std::string& text : texts.all) texts.width = std::max(texts.width, text.size());
  return texts;
}

Texts texts_of(const Tensor& shown) {
  Texts texts =
      is_floating(shown.dtype()) ? floating_texts(to_vector<double>(shown)) : whole_texts(shown);
  for (std::string& s : texts.all) {
    if (s.size() < texts.width) s.insert(0, texts.width - s.size(), ' ');
  }
  return texts;
}

// ---- brackets ----

// Writes one axis after the other; texts are consumed in row-major order.
class Printer {
 public:
  Printer(const Texts& texts, const Shape& shape, const bool* cut)
      : texts_(texts), shape_(shape), cut_(cut) {
    const size_t indent = kBegin.size() + static_cast<size_t>(std::max(shape.rank - 1, 0));
    per_line_ = indent < kLine ? std::max<size_t>(1, (kLine - indent) / (texts.width + 2)) : 1;
  }

  void axis(int k) {
    if (k == shape_.rank) {
      out += texts_.all[next_++];
      return;
    }
    const bool last = k + 1 == shape_.rank;
    out += "[";
    size_t written = 0;
    for (int64_t i = 0; i < shape_[k]; ++i) {
      if (cut_[k] && i == kEdgeElements) {
        separate(k, written++);
        out += last ? " ..." : "...";
      }
      separate(k, written++);
      axis(k + 1);
    }
    out += "]";
  }
  std::string out;

 private:
  // What stands before item `written` of axis k.
  void separate(int k, size_t written) {
    if (written == 0) return;
    const bool last = k + 1 == shape_.rank;
    if (last && written % per_line_ != 0) {
      out += ", ";
      return;
    }
    out += ",";
    out.append(last ? 1 : static_cast<size_t>(shape_.rank - 1 - k), '\n');
    out.append(kBegin.size() + 1 + static_cast<size_t>(k), ' ');
  }

  const Texts& texts_;
  const Shape& shape_;
  const bool* cut_;
  size_t per_line_, next_ = 0;
};

std::string values_text(const Tensor& t) {
  if (is_packed(t)) return packed_text(t);
  if (!t.plain()) return to_string(t);
  if (t.numel() == 0) return "[]";
  NoGrad values_only;
  const Excerpt part = excerpt_of(t);
  const Texts texts = texts_of(part.shown);
  Printer printer(texts, part.shown.shape(), part.cut);
  printer.axis(0);
  return printer.out;
}

// ---- what follows the values ----

bool is_plain_dtype(const Tensor& t) {
  if (t.dtype() == DType::f32) return true;
  return t.numel() != 0 && (t.dtype() == DType::i64 || t.dtype() == DType::boolean);
}

// A shape as Python's tuple.
std::string tuple_text(const Shape& shape) {
  std::string text = "(";
  for (int k = 0; k < shape.rank; ++k) text += fmt::format("{}{}", k ? ", " : "", shape[k]);
  return text + (shape.rank == 1 ? ",)" : ")");
}

std::vector<std::string> notes_of(const Tensor& t) {
  std::vector<std::string> notes;
  if (t.plain() && t.numel() == 0 && t.rank() != 1) {
    notes.push_back("size=" + tuple_text(t.shape()));
  }
  if (!is_plain_dtype(t)) notes.push_back(fmt::format("dtype={}", name_of(t.dtype())));
  if (t.requires_grad()) {
    notes.emplace_back("requires_grad=True");
  } else if (t.tracked()) {
    notes.push_back(fmt::format("grad_fn=<{}>", node_of(t)->op->name));
  }
  return notes;
}

}  // namespace

std::string tensor_text(const Tensor& t) {
  std::string text = std::string(kBegin) + values_text(t);
  const size_t line = text.rfind('\n');
  size_t column = line == std::string::npos ? text.size() + 2 : text.size() - line + 1;
  for (const std::string& note : notes_of(t)) {
    if (column + note.size() + 2 > kLine) {
      text += ",\n" + std::string(kBegin.size(), ' ') + note;
      column = kBegin.size() + note.size();
    } else {
      text += ", " + note;
      column += note.size() + 2;
    }
  }
  return text + ")";
}

}  // namespace gyre::python
