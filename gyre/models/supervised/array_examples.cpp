#include "gyre/models/supervised/array_examples.h"

#include <fmt/format.h>

#include <charconv>

#include "gyre/base/error.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/order/order.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

constexpr double kMostClasses = 100000;

[[noreturn]] void refuse_examples(Code code, const std::string& message) {
  throw Error(code, "train", message);
}

void require_finite(const Tensor& x, const std::string& name) {
  if (!is_floating(x.dtype()) || x.numel() == 0) return;
  const Tensor whole = all(reshape(isfinite(x), {x.size(0), -1}), 1);
  if (all(whole).item() != 0) return;
  const Tensor first = argmin(to(whole, DType::i64), 0);
  refuse_examples(Code::value,
                  fmt::format("{} has NaN or an infinity in example {:.0f}", name, first.item()));
}

void require_axis(const Tensor& x, const std::string& name) {
  if (x.rank() == 0)
    refuse_examples(Code::shape, name + " is a scalar, expected examples [N, ...]");
}

bool contains_class(const std::vector<int64_t>& labels, int64_t at, int64_t label) {
  return at < static_cast<int64_t>(labels.size()) && labels[static_cast<size_t>(at)] == label;
}

}  // namespace

Tensor array_inputs(const Tensor& x, const std::string& name) {
  require_axis(x, name);
  constexpr double kWhite = 255;
  Tensor inputs = x;
  if (x.dtype() == DType::u8) {
    inputs = to(x, DType::f32) / Tensor(kWhite);
  } else if (!is_floating(x.dtype())) {
    inputs = to(x, DType::f32);
  }
  require_finite(inputs, name);
  return x.rank() == 1 ? unsqueeze(inputs, 1) : inputs;
}

Tensor array_targets(const Tensor& y, const std::string& name) {
  require_axis(y, name);
  const bool classes = !is_floating(y.dtype());
  if (y.rank() > 2 || (classes && y.rank() == 2 && y.size(1) != 1)) {
    refuse_examples(Code::shape,
                    fmt::format("{} has shape {}; expected classes [N], or values [N] or [N, K]",
                                name, to_string(y.shape())));
  }
  require_finite(y, name);
  if (!classes) return y;
  if (y.dtype() == DType::u64 && y.numel() && max(y).item() >= 0x1p63) {
    refuse_examples(Code::value, name + " has classes above the largest i64; number them from 0");
  }
  return to(reshape(y, {y.size(0)}), DType::i64);
}

Target array_target(const Tensor& y) {
  Target target;
  if (is_floating(y.dtype())) {
    target.outputs = y.rank() == 2 ? y.size(1) : 1;
    return target;
  }
  const double least = y.numel() ? min(y).item() : 0, most = y.numel() ? max(y).item() : 0;
  std::vector<int64_t> labels;
  if (least < 0 || most >= kMostClasses) {
    labels = to_vector<int64_t>(unique(y).values);
    if (static_cast<double>(labels.size()) > kMostClasses) {
      refuse_examples(Code::value,
                      fmt::format("y has {} classes, expected at most {:.0f}; make y floating "
                                  "point for regression",
                                  labels.size(), kMostClasses));
    }
  } else {
    for (int64_t i = 0; i <= static_cast<int64_t>(most); ++i) labels.push_back(i);
  }
  for (int64_t label : labels) target.classes.push_back(std::to_string(label));
  target.outputs = static_cast<int64_t>(labels.size());
  return target;
}

Tensor class_numbers(const Target& target, const Tensor& y) {
  if (target.classes.empty()) return y;
  if (is_floating(y.dtype())) {
    refuse_examples(Code::value,
                    fmt::format("y is {}, but the model predicts classes, which are integers",
                                name_of(y.dtype())));
  }
  if (y.numel() == 0) return y;
  std::vector<int64_t> labels;
  for (const std::string& name : target.classes) {
    int64_t label = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), label);
    if (error != std::errc() || end != name.data() + name.size()) {
      refuse_examples(Code::value,
                      "the classes are texts (" + name + ", ...), but y holds numbers");
    }
    labels.push_back(label);
  }
  const Tensor known = tensor(labels, {static_cast<int64_t>(labels.size())});
  Tensor numbers = searchsorted(known, y);
  const std::vector<int64_t> places = to_vector<int64_t>(numbers), found = to_vector<int64_t>(y);
  for (size_t i = 0; i < places.size(); ++i) {
    if (contains_class(labels, places[i], found[i])) continue;
    refuse_examples(Code::value,
                    fmt::format("y is {} in example {}, which is not one of the {} classes",
                                found[i], i, labels.size()));
  }
  return numbers;
}

}  // namespace gyre
