#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/tensor/shape.h"

// Einstein's sums as one loop over all indices, sharing nothing with the library.

namespace gyre {

/// What einsum is of operands in row-major order: its shape and elements.
struct EinsumByLoops {
  Shape shape;
  std::vector<double> values;

  /// A spec that is right for these operands, without spaces.
  EinsumByLoops(std::string_view spec, const std::vector<Shape>& shapes,
                const std::vector<std::vector<double>>& operands) {
    split(spec);
    for (size_t i = 0; i < shapes.size(); ++i) measure(terms_[i], shapes[i]);
    if (!has_out_) imply_out();
    auto out = indices_of(out_, ellipsis_);
    for (int index : out) shape.push_back(sizes_[index]);
    std::vector<int> summed;
    for (auto [index, size] : sizes_) {
      bool kept = false;
      for (int o : out) kept |= o == index;
      if (!kept) summed.push_back(index);
    }
    loop(out, 0, [&] {
      double sum = 0;
      loop(summed, 0, [&] {
        double product = 1;
        for (size_t i = 0; i < shapes.size(); ++i) product *= element(i, shapes[i], operands[i]);
        sum += product;
      });
      values.push_back(sum);
    });
  }

 private:
  // Axis k of the ellipsis, counted from the right, is index 1000 + k; a letter is its own code.
  static std::vector<int> indices_of(const std::string& term, int ellipsis_axes) {
    std::vector<int> r;
    for (char c : term) {
      if (c != '.') r.push_back(c);
      for (int k = ellipsis_axes; c == '.' && k-- > 0;) r.push_back(1000 + k);
    }
    return r;
  }

  // An ellipsis is written as one dot from here on.
  void split(std::string_view spec) {
    terms_.emplace_back();
    for (size_t i = 0; i < spec.size(); ++i) {
      std::string& term = has_out_ ? out_ : terms_.back();
      if (spec[i] == ',') {
        terms_.emplace_back();
      } else if (spec[i] == '-') {
        has_out_ = true;
        ++i;
      } else {
        term += spec[i];
        if (spec[i] == '.') i += 2;
      }
    }
  }

  void measure(const std::string& term, const Shape& s) {
    bool dots = term.find('.') != std::string::npos;
    int width = s.rank - static_cast<int>(term.size()) + (dots ? 1 : 0);
    ellipsis_ = width > ellipsis_ ? width : ellipsis_;
    std::vector<int> indices = indices_of(term, width);
    for (int axis = 0; axis < s.rank; ++axis) {
      int64_t& size = sizes_.try_emplace(indices[static_cast<size_t>(axis)], 1).first->second;
      if (s[axis] != 1) size = s[axis];
    }
  }

  void imply_out() {
    std::map<char, int> times;
    for (const std::string& term : terms_) {
      for (char c : term) times[c] += c != '.';
    }
    out_.assign(1, '.');
    for (auto [c, n] : times) {
      if (n == 1) out_ += c;
    }
  }

  template <class F>
  void loop(const std::vector<int>& indices, size_t depth, F body) {
    if (depth == indices.size()) return body();
    int64_t& at = at_[indices[depth]];
    for (at = 0; at < sizes_[indices[depth]]; ++at) loop<F>(indices, depth + 1, body);
  }

  double element(size_t operand, const Shape& s, const std::vector<double>& v) {
    const std::string& term = terms_[operand];
    int width = s.rank - static_cast<int>(term.size()) + 1;
    std::vector<int> indices = indices_of(term, width);
    int64_t place = 0;
    for (int axis = 0; axis < s.rank; ++axis) {
      int64_t at = s[axis] == 1 ? 0 : at_[indices[static_cast<size_t>(axis)]];
      place = place * s[axis] + at;
    }
    return v[static_cast<size_t>(place)];
  }

  std::vector<std::string> terms_;
  std::string out_;
  bool has_out_ = false;
  int ellipsis_ = 0;
  std::map<int, int64_t> sizes_, at_;
};

}  // namespace gyre
