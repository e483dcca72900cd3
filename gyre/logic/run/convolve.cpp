#include <algorithm>
#include <optional>

#include "gyre/logic/run/evaluator.h"
#include "gyre/ops/conv/conv.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::logic {
namespace {

Tensor as_matrix_of(const Value& v, const LabelList& order, const Shape& shape) {
  return reshape(aligned(v, order), shape);
}

}  // namespace

// A product that conv2d computes: of an array read at sums of two indices, of which one belongs to
// the result and the other is summed with the second factor.
struct Evaluator::Convolution {
  // An index of the image: stride * at + dilation * tap + offset.
  struct Window {
    Label at, tap;
    int64_t stride, dilation, offset;
    int axis;
  };
  const Node* image;
  NodePtr kernel;
  std::vector<Window> windows{};
  LabelList batch{}, in{}, out{};
};

std::optional<Evaluator::Convolution> Evaluator::convolution_of(const Node& product,
                                                                const Node& image,
                                                                const NodePtr& kernel) const {
  Convolution c{&image, kernel};
  const LabelList& wanted = product.axes;
  LabelList seen;
  const auto is_new = [&](Label l) {
    if (has(seen, l)) return false;
    seen.push_back(l);
    return true;
  };
  for (size_t i = 0; i < image.positions.size(); ++i) {
    const Position& p = image.positions[i];
    if (p.is_virtual) return std::nullopt;
    if (p.kind == Position::variable) {
      const bool with_kernel = has(kernel->axes, p.label);
      if (!is_new(p.label) || with_kernel == has(wanted, p.label)) return std::nullopt;
      (with_kernel ? c.in : c.batch).push_back(p.label);
      continue;
    }
    if (p.kind != Position::affine || p.labels.size() != 2 || !p.formula.linear())
      return std::nullopt;
    const size_t wide = has(wanted, p.labels[0]) ? 0 : 1;
    const IndexFormula::Linear& linear = *p.formula.linear();
    const Convolution::Window w{p.labels[wide],           p.labels[1 - wide], linear.factors[wide],
                                linear.factors[1 - wide], linear.offset,      static_cast<int>(i)};
    const bool fits = has(wanted, w.at) && !has(wanted, w.tap) && has(kernel->axes, w.tap) &&
                      !has(kernel->axes, w.at) && is_new(w.at) && is_new(w.tap);
    if (!fits || w.stride < 1 || w.dilation < 1) return std::nullopt;
    c.windows.push_back(w);
  }
  for (const Label l : kernel->axes) {
    if (has(seen, l)) continue;
    if (!has(wanted, l)) return std::nullopt;
    c.out.push_back(l);
  }
  if (c.windows.empty() || c.windows.size() > 2) return std::nullopt;
  return c;
}

// The image with an axis for each label of `order` and window, cut and padded to what is read.
Tensor Evaluator::windowed(const Convolution& c, const LabelList& order) {
  Tensor t = load_(c.image->entity);
  Shape axes, before, after;
  before.rank = after.rank = t.rank();
  for (int i = 0; i < t.rank(); ++i) before[i] = after[i] = 0;
  for (const Convolution::Window& w : c.windows) {
    const int64_t last = w.stride * (size(w.at) - 1) + w.dilation * (size(w.tap) - 1) + w.offset;
    const int64_t n = t.size(w.axis), begin = std::max<int64_t>(w.offset, 0),
                  end = std::min(last + 1, n);
    if (begin >= end) return {};
    t = narrow(t, w.axis, begin, end - begin);
    before[w.axis] = std::max<int64_t>(-w.offset, 0);
    after[w.axis] = std::max<int64_t>(last + 1 - n, 0);
  }
  const auto any = [](const Shape& s) {
    return std::any_of(s.begin(), s.end(), [](int64_t n) { return n > 0; });
  };
  if (any(before) || any(after)) t = pad(t, {.before = before, .after = after});
  for (const Label l : order) {
    for (size_t i = 0; i < c.image->positions.size(); ++i) {
      const Position& p = c.image->positions[i];
      if (p.kind != Position::variable || p.label != l) continue;
      t = resized(t, static_cast<int>(i), size(l));
      axes.push_back(static_cast<int64_t>(i));
    }
  }
  for (const Convolution::Window& w : c.windows) axes.push_back(w.axis);
  return permute(t, axes);
}

std::optional<Value> Evaluator::convolved(const Node& node) {
  if (node.children.size() != 2 || node.inverse[0] || node.inverse[1]) return std::nullopt;
  std::optional<Convolution> c;
  for (size_t side = 0; side < 2 && !c; ++side) {
    if (node.children[side]->kind == Node::load && has_affine(node.children[side]->positions))
      c = convolution_of(node, *node.children[side], node.children[1 - side]);
  }
  if (!c) return std::nullopt;
  LabelList image_order = c->batch, kernel_order = c->out, order = c->batch;
  image_order.append(c->in.begin(), c->in.end());
  kernel_order.append(c->in.begin(), c->in.end());
  order.append(c->out.begin(), c->out.end());
  const auto count = [&](const LabelList& labels) {
    int64_t n = 1;
    for (const Label l : labels) n *= size(l);
    return n;
  };
  const Tensor image = windowed(*c, image_order);
  if (!image.defined()) return std::nullopt;
  Shape pixels{count(c->batch), count(c->in)}, taps{count(c->out), count(c->in)}, stride, dilation;
  if (c->windows.size() == 1) {  // a row
    pixels.push_back(1), taps.push_back(1), stride.push_back(1), dilation.push_back(1);
  }
  int axis = image.rank() - static_cast<int>(c->windows.size());
  for (const Convolution::Window& w : c->windows) {
    pixels.push_back(image.size(axis++));
    taps.push_back(size(w.tap));
    stride.push_back(w.stride);
    dilation.push_back(w.dilation);
    kernel_order.push_back(w.tap);
    order.push_back(w.at);
  }
  const Tensor kernel = as_matrix_of(value(c->kernel), kernel_order, taps);
  const Tensor done =
      conv2d(reshape(image, pixels), kernel, {}, {.stride = stride, .dilation = dilation});
  if (plan_)
    plan_->push_back("convolution of " + text_of(*c->image) + " by " + text_of(*c->kernel));
  Shape shape;
  for (const Label l : order) shape.push_back(size(l));
  return Value{aligned({reshape(done, shape), order}, node.axes), node.axes};
}

}  // namespace gyre::logic
