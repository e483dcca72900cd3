#include "gyre/ops/einsum/subscripts.h"

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/base/text/utf8.h"

namespace gyre {
namespace {

using Term = EinsumTerms::Term;

constexpr int kLetters = 52;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
Label label_of(char c) { return static_cast<Label>(c < 'a' ? c - 'A' : c - 'a' + 26); }
std::string quoted(Label label) { return "'" + text_of({label}) + "'"; }

class Parser {
 public:
  explicit Parser(std::string_view spec) : spec_(spec) {}

  EinsumTerms parse() {
    terms_.in.emplace_back();
    for (at_ = 0; at_ < spec_.size(); ++at_) take(spec_[at_]);
    if (!has_out_) imply_out();
    return std::move(terms_);
  }

 private:
  Term& term() { return has_out_ ? terms_.out : terms_.in.back(); }

  void take(char c) {
    if (c == ' ') return;
    if (is_letter(c)) {
      if (has_out_) check_result(label_of(c));
      term().labels += label_of(c);
    } else if (c == '.') {
      take_ellipsis();
    } else if (c == ',') {
      if (has_out_) refused("a ',' in the result");
      terms_.in.emplace_back();
    } else if (c == '-') {
      if (at_ + 1 == spec_.size() || spec_[at_ + 1] != '>') refused("a '-' without '>'");
      if (has_out_) refused("a second '->'");
      ++at_;
      has_out_ = true;
    } else {
      refused("unexpected '" + utf8_lossy(spec_.substr(at_, decode_utf8(spec_, at_).length)) + "'");
    }
  }

  void take_ellipsis() {
    if (spec_.substr(at_, 3) != "...") refused("a '.' that is not part of '...'");
    if (term().ellipsis >= 0) refused("a second '...' in one term");
    term().ellipsis = static_cast<int>(term().labels.size());
    at_ += 2;
  }

  void check_result(Label label) const {
    if (Indices(terms_.out.labels).has(label)) {
      refused("index " + quoted(label) + " a second time in the result");
    }
    for (const Term& t : terms_.in) {
      if (Indices(t.labels).has(label)) return;
    }
    refused("index " + quoted(label) + " of the result is in no operand");
  }

  void imply_out() {
    terms_.out.ellipsis = 0;
    int times[kLetters] = {};
    for (const Term& t : terms_.in) {
      for (Label label : t.labels) ++times[label];
    }
    for (Label label = 0; label < kLetters; ++label) {
      if (times[label] == 1) terms_.out.labels += label;
    }
  }

  [[noreturn]] void refused(const Message& reason) const {
    throw Error(Code::parse, "einsum",
                {"\"", utf8_lossy(spec_), "\": ", reason, " at position ", at_}, {},
                spec_.substr(at_));
  }

  std::string_view spec_;
  size_t at_ = 0;
  EinsumTerms terms_;
  bool has_out_ = false;
};

// Gives axes their labels and indices their sizes.
class Binder {
 public:
  Binder(const EinsumTerms& terms, std::span<const Shape> shapes) : terms_(terms), shapes_(shapes) {
    for (const Term& t : terms.in) used_ = used_ | Indices(t.labels);
  }

  Subscripts bind() {
    check_ranks();
    name_ellipsis();
    for (size_t i = 0; i < shapes_.size(); ++i) {
      each_named(terms_.in[i], [&](size_t k, int axis) {
        if (shapes_[i][axis] != 1) broad_ = broad_ | Indices(terms_.in[i].labels[k]);
      });
    }
    for (size_t i = 0; i < shapes_.size(); ++i) {
      s_.in.push_back(spelled(terms_.in[i], shapes_[i]));
      set_sizes(i);
    }
    s_.out = terms_.out.labels;
    if (terms_.out.ellipsis >= 0) {
      s_.out.insert(static_cast<size_t>(terms_.out.ellipsis), ellipsis_);
    }
    return std::move(s_);
  }

 private:
  void check_ranks() const {
    if (terms_.in.size() != shapes_.size()) {
      std::string wanted = std::to_string(terms_.in.size()), got = std::to_string(shapes_.size());
      throw Error(
          Code::value, "einsum",
          "expected " + wanted + (wanted == "1" ? " operand, got " : " operands, got ") + got,
          wanted, got);
    }
    for (size_t i = 0; i < shapes_.size(); ++i) {
      const Term& t = terms_.in[i];
      auto named = static_cast<int>(t.labels.size());
      if (t.ellipsis < 0 ? shapes_[i].rank == named : shapes_[i].rank >= named) continue;
      std::string wanted = (t.ellipsis < 0 ? "" : "at least ") + std::to_string(named);
      throw Error(
          Code::shape, "einsum",
          {"operand ", i, " has shape ", shapes_[i], ", but its subscripts name ", wanted, " axes"},
          wanted + " axes", shapes_[i]);
    }
  }

  // The axes of all ellipses, aligned at the right, get labels.
  void name_ellipsis() {
    size_t axes = 0;
    for (size_t i = 0; i < shapes_.size(); ++i) {
      axes = std::max(axes, shapes_[i].rank - terms_.in[i].labels.size());
    }
    widths_.assign(axes, 1);
    for (size_t i = 0; i < shapes_.size(); ++i) {
      const Term& t = terms_.in[i];
      size_t own = shapes_[i].rank - t.labels.size();
      for (size_t k = 0; k < own; ++k) {
        int64_t size = shapes_[i][t.ellipsis + static_cast<int>(k)];
        if (size != 1) widths_[axes - own + k] = size;
      }
    }
    for (size_t k = 0; k < axes; ++k) ellipsis_ += fresh();
  }

  // Letters from z down, then the labels that have none.
  Label fresh() {
    for (int i = 0; i < Indices::kMost; ++i) {
      auto label = static_cast<Label>(i < kLetters ? kLetters - 1 - i : i);
      if (used_.has(label)) continue;
      used_ = used_ | Indices(label);
      return label;
    }
    throw Error(Code::shape, "einsum",
                "expected at most 128 indices, including axes of the ellipsis", "at most 128");
  }

  Labels spelled(const Term& t, const Shape& shape) {
    Labels r = t.labels;
    Indices own_broad;  // of which this operand itself has a broad axis: no diagonal broadcasts
    each_named(t, [&](size_t k, int axis) {
      if (shape[axis] != 1) own_broad = own_broad | Indices(t.labels[k]);
    });
    each_named(t, [&](size_t k, int axis) {
      if (shape[axis] == 1 && (broad_ - own_broad).has(t.labels[k])) r[k] = broadcast_label();
    });
    if (t.ellipsis < 0) return r;
    size_t own = shape.rank - t.labels.size(), first = ellipsis_.size() - own;
    Labels axes = ellipsis_.substr(first);
    for (size_t k = 0; k < own; ++k) {
      if (shape[t.ellipsis + static_cast<int>(k)] != 1 || widths_[first + k] == 1) continue;
      axes[k] = broadcast_label();
    }
    return r.insert(static_cast<size_t>(t.ellipsis), axes);
  }

  Label broadcast_label() {
    if (s_.broadcast.empty()) s_.broadcast = Indices(broadcast_ = fresh());
    return broadcast_;
  }

  // f(number of the label, its axis) for the labels of a term that are not in the ellipsis.
  void each_named(const Term& t, auto f) const {
    const auto& shape = shapes_[static_cast<size_t>(&t - terms_.in.data())];
    const int own = shape.rank - static_cast<int>(t.labels.size());
    for (int k = 0; k < static_cast<int>(t.labels.size()); ++k)
      f(static_cast<size_t>(k), t.ellipsis >= 0 && k >= t.ellipsis ? k + own : k);
  }

  void set_sizes(size_t operand) {
    const Shape& shape = shapes_[operand];
    for (int axis = 0; axis < shape.rank; ++axis) {
      Label label = s_.in[operand][static_cast<size_t>(axis)];
      if (!seen_.has(label)) {
        seen_ = seen_ | Indices(label);
        s_.sizes[label] = shape[axis];
        first_in_[label] = operand;
      } else if (s_.sizes[label] != shape[axis]) {
        refuse_size(label, operand, shape[axis]);
      }
    }
  }

  [[noreturn]] void refuse_size(Label label, size_t operand, int64_t size) const {
    size_t first = first_in_[label], k = ellipsis_.find(label);
    std::string name =
        k == ellipsis_.npos
            ? "index " + quoted(label)
            : "axis " +
                  std::to_string(static_cast<int64_t>(k) - static_cast<int64_t>(ellipsis_.size())) +
                  " of the ellipsis";
    auto in_operand = [&](size_t i) {
      return " in operand " + std::to_string(i) + " " + to_string(shapes_[i]);
    };
    throw Error(
        Code::shape, "einsum",
        {name, " is ", s_.size(label), in_operand(first), " and ", size, in_operand(operand)},
        s_.size(label), size);
  }

  const EinsumTerms& terms_;
  std::span<const Shape> shapes_;
  Subscripts s_;
  Indices used_, seen_, broad_;  // broad: of a size other than 1
  Labels ellipsis_;              // labels of its axes
  std::vector<int64_t> widths_;  // and their sizes
  Label broadcast_ = 0;
  size_t first_in_[Indices::kMost] = {};
};

}  // namespace

std::string text_of(const Labels& labels) {
  std::string r;
  for (int label : labels) {
    r += label < kLetters ? std::string(1, static_cast<char>(label + (label < 26 ? 'A' : 'a' - 26)))
                          : "#" + std::to_string(label);
  }
  return r;
}

Shape Subscripts::shape(const Labels& term) const {
  Shape r;
  for (Label label : term) r.push_back(size(label));
  return r;
}

EinsumTerms read_terms(std::string_view spec) { return Parser(spec).parse(); }

Subscripts bind_shapes(const EinsumTerms& terms, std::span<const Shape> shapes) {
  return Binder(terms, shapes).bind();
}

double elements(const Subscripts& s, Indices indices) {
  double n = 1;
  indices.each([&](Label label) { n *= static_cast<double>(s.size(label)); });
  return n;
}

Labels only(const Labels& term, Indices indices) {
  Labels r;
  for (Label label : term) {
    if (indices.has(label)) r += label;
  }
  return r;
}

}  // namespace gyre
