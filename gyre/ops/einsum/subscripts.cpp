#include "gyre/ops/einsum/subscripts.h"

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/base/text/utf8.h"

namespace gyre {
namespace {

constexpr int kNone = -1;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
std::string quoted(char c) { return std::string("'") + c + "'"; }

// What stands between commas: letters, and how many of them come before the ellipsis.
struct Term {
  std::string letters;
  int ellipsis = kNone;
};

class Parser {
 public:
  explicit Parser(std::string_view spec) : spec_(spec) {}

  void parse() {
    terms.emplace_back();
    for (at_ = 0; at_ < spec_.size(); ++at_) take(spec_[at_]);
    if (!has_out) imply_out();
  }

  std::vector<Term> terms;
  Term out;
  bool has_out = false;

 private:
  Term& term() { return has_out ? out : terms.back(); }

  void take(char c) {
    if (c == ' ') return;
    if (is_letter(c)) {
      if (has_out) check_result(c);
      term().letters += c;
    } else if (c == '.') {
      take_ellipsis();
    } else if (c == ',') {
      if (has_out) refused("a ',' in the result");
      terms.emplace_back();
    } else if (c == '-') {
      if (at_ + 1 == spec_.size() || spec_[at_ + 1] != '>') refused("a '-' without '>'");
      if (has_out) refused("a second '->'");
      ++at_;
      has_out = true;
    } else {
      refused("unexpected '" + utf8_lossy(spec_.substr(at_, decode_utf8(spec_, at_).length)) + "'");
    }
  }

  void take_ellipsis() {
    if (spec_.substr(at_, 3) != "...") refused("a '.' that is not part of '...'");
    if (term().ellipsis != kNone) refused("a second '...' in one term");
    term().ellipsis = static_cast<int>(term().letters.size());
    at_ += 2;
  }

  void check_result(char c) const {
    if (out.letters.find(c) != std::string::npos) {
      refused("index " + quoted(c) + " a second time in the result");
    }
    for (const Term& t : terms) {
      if (t.letters.find(c) != std::string::npos) return;
    }
    refused("index " + quoted(c) + " of the result is in no operand");
  }

  void imply_out() {
    out.ellipsis = 0;
    int times[Indices::kMost] = {};
    for (int i = 0; i < Indices::kMost; ++i) {
      for (const Term& t : terms) {
        for (char c : t.letters) times[i] += c == Indices::letter(i);
      }
      if (times[i] == 1) out.letters += Indices::letter(i);
    }
  }

  [[noreturn]] void refused(const std::string& reason) const {
    throw Error(Code::parse, "einsum",
                "\"" + utf8_lossy(spec_) + "\": " + reason + " at position " + std::to_string(at_),
                {}, std::string(spec_.substr(at_)));
  }

  std::string_view spec_;
  size_t at_ = 0;
};

// Gives axes their letters and indices their sizes.
class Binder {
 public:
  Binder(const Parser& parsed, std::span<const Shape> shapes) : parsed_(parsed), shapes_(shapes) {
    for (const Term& t : parsed.terms) used_ = used_ | Indices(t.letters);
  }

  Subscripts bind() {
    check_ranks();
    name_ellipsis();
    for (size_t i = 0; i < shapes_.size(); ++i) {
      s_.in.push_back(spelled(parsed_.terms[i], shapes_[i]));
      set_sizes(i);
    }
    s_.out = parsed_.out.letters;
    if (parsed_.out.ellipsis != kNone) {
      s_.out.insert(static_cast<size_t>(parsed_.out.ellipsis), ellipsis_);
    }
    return std::move(s_);
  }

 private:
  void check_ranks() const {
    for (size_t i = 0; i < shapes_.size(); ++i) {
      const Term& t = parsed_.terms[i];
      auto named = static_cast<int>(t.letters.size());
      if (t.ellipsis == kNone ? shapes_[i].rank == named : shapes_[i].rank >= named) continue;
      std::string wanted = (t.ellipsis == kNone ? "" : "at least ") + std::to_string(named);
      throw Error(Code::shape, "einsum",
                  "operand " + std::to_string(i) + " is " + to_string(shapes_[i]) +
                      ", its term names " + wanted + " axes",
                  wanted + " axes", to_string(shapes_[i]));
    }
  }

  // The axes of all ellipses, aligned at the right, get letters.
  void name_ellipsis() {
    size_t axes = 0;
    for (size_t i = 0; i < shapes_.size(); ++i) {
      axes = std::max(axes, shapes_[i].rank - parsed_.terms[i].letters.size());
    }
    widths_.assign(axes, 1);
    for (size_t i = 0; i < shapes_.size(); ++i) {
      const Term& t = parsed_.terms[i];
      size_t own = shapes_[i].rank - t.letters.size();
      for (size_t k = 0; k < own; ++k) {
        int64_t size = shapes_[i][t.ellipsis + static_cast<int>(k)];
        if (size != 1) widths_[axes - own + k] = size;
      }
    }
    for (size_t k = 0; k < axes; ++k) ellipsis_ += fresh();
  }

  char fresh() {
    for (int i = Indices::kMost; i-- > 0;) {
      char c = Indices::letter(i);
      if (used_.has(c)) continue;
      used_ = used_ | Indices(std::string_view(&c, 1));
      return c;
    }
    throw Error(Code::shape, "einsum", "more than 52 indices, including axes of the ellipsis",
                "at most 52");
  }

  std::string spelled(const Term& t, const Shape& shape) {
    std::string r = t.letters;
    if (t.ellipsis == kNone) return r;
    size_t own = shape.rank - t.letters.size(), first = ellipsis_.size() - own;
    std::string axes = ellipsis_.substr(first);
    for (size_t k = 0; k < own; ++k) {
      if (shape[t.ellipsis + static_cast<int>(k)] != 1 || widths_[first + k] == 1) continue;
      if (!broadcast_) {
        broadcast_ = fresh();
        s_.broadcast = Indices(std::string_view(&broadcast_, 1));
      }
      axes[k] = broadcast_;
    }
    return r.insert(static_cast<size_t>(t.ellipsis), axes);
  }

  void set_sizes(size_t operand) {
    const Shape& shape = shapes_[operand];
    for (int axis = 0; axis < shape.rank; ++axis) {
      auto c = static_cast<unsigned char>(s_.in[operand][static_cast<size_t>(axis)]);
      if (!seen_.has(static_cast<char>(c))) {
        char letter = static_cast<char>(c);
        seen_ = seen_ | Indices(std::string_view(&letter, 1));
        s_.sizes[c] = shape[axis];
        first_in_[c] = operand;
      } else if (s_.sizes[c] != shape[axis]) {
        refuse_size(static_cast<char>(c), operand, shape[axis]);
      }
    }
  }

  [[noreturn]] void refuse_size(char c, size_t operand, int64_t size) const {
    size_t first = first_in_[static_cast<unsigned char>(c)], k = ellipsis_.find(c);
    std::string name =
        k == std::string::npos
            ? "index " + quoted(c)
            : "axis " +
                  std::to_string(static_cast<int64_t>(k) - static_cast<int64_t>(ellipsis_.size())) +
                  " of the ellipsis";
    auto in_operand = [&](size_t i) {
      return " in operand " + std::to_string(i) + " " + to_string(shapes_[i]);
    };
    throw Error(Code::shape, "einsum",
                name + " is " + std::to_string(s_.size(c)) + in_operand(first) + " and " +
                    std::to_string(size) + in_operand(operand),
                std::to_string(s_.size(c)), std::to_string(size));
  }

  const Parser& parsed_;
  std::span<const Shape> shapes_;
  Subscripts s_;
  Indices used_, seen_;
  std::string ellipsis_;         // letters of its axes
  std::vector<int64_t> widths_;  // and their sizes
  char broadcast_ = 0;
  size_t first_in_[128] = {};
};

}  // namespace

Shape Subscripts::shape(std::string_view term) const {
  Shape r;
  for (char c : term) r.push_back(size(c));
  return r;
}

Subscripts read_subscripts(std::string_view spec, std::span<const Shape> shapes) {
  Parser parser(spec);
  parser.parse();
  if (parser.terms.size() != shapes.size()) {
    std::string terms = std::to_string(parser.terms.size());
    throw Error(Code::value, "einsum",
                "\"" + std::string(spec) + "\" expects " + terms + " operands, got " +
                    std::to_string(shapes.size()),
                terms, std::to_string(shapes.size()));
  }
  return Binder(parser, shapes).bind();
}

double elements(const Subscripts& s, Indices indices) {
  double n = 1;
  indices.each([&](char c) { n *= static_cast<double>(s.size(c)); });
  return n;
}

std::string only(std::string_view term, Indices indices) {
  std::string r;
  for (char c : term) {
    if (indices.has(c)) r += c;
  }
  return r;
}

}  // namespace gyre
