#include "gyre/train/loss_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace gyre {
namespace {

constexpr double kWidth = 800, kHeight = 400, kLeft = 60, kRight = 20, kTop = 20, kBottom = 45;
constexpr size_t kMost = 1000;

struct Axes {
  double steps = 1, low = 0, high = 1;
  double x(double step) const { return kLeft + step / steps * (kWidth - kLeft - kRight); }
  double y(double loss) const {
    return kHeight - kBottom - (loss - low) / (high - low) * (kHeight - kTop - kBottom);
  }
};

std::vector<LossPoint> shown(std::span<const LossPoint> points) {
  std::vector<LossPoint> kept;
  size_t every = std::max<size_t>(1, points.size() / kMost);
  for (size_t i = 0; i < points.size(); ++i) {
    bool wanted = i % every == 0 || i + 1 == points.size();
    if (wanted && std::isfinite(points[i].loss)) kept.push_back(points[i]);
  }
  return kept;
}

// 1, 2 or 5 times a power of ten: about five lines a range.
double tick_of(double range) {
  double power = std::pow(10, std::floor(std::log10(range / 5)));
  for (double factor : {1.0, 2.0, 5.0}) {
    if (range / (factor * power) <= 6) return factor * power;
  }
  return 10 * power;
}

Axes axes_of(std::span<const LossPoint> a, std::span<const LossPoint> b) {
  Axes axes;
  bool any = false;
  for (std::span<const LossPoint> points : {a, b}) {
    for (const LossPoint& p : points) {
      axes.steps = std::max(axes.steps, p.step);
      axes.low = any ? std::min(axes.low, p.loss) : p.loss;
      axes.high = any ? std::max(axes.high, p.loss) : p.loss;
      any = true;
    }
  }
  if (!(axes.high > axes.low)) axes.high = axes.low + 1;
  return axes;
}

void draw_grid(std::string& svg, const Axes& axes) {
  double tick = tick_of(axes.high - axes.low);
  for (double v = std::ceil(axes.low / tick) * tick; v <= axes.high; v += tick) {
    svg += fmt::format(
        "<line x1=\"{0}\" y1=\"{2:.1f}\" x2=\"{1}\" y2=\"{2:.1f}\" stroke=\"#ddd\"/>\n"
        "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:.4g}</text>\n",
        kLeft, kWidth - kRight, axes.y(v), kLeft - 6, axes.y(v) + 4, v);
  }
  tick = std::max(1.0, tick_of(axes.steps));
  for (double v = 0; v <= axes.steps; v += tick) {
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:.0f}</text>\n",
                       axes.x(v), kHeight - kBottom + 18, v);
  }
  svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">step</text>\n", kWidth / 2,
                     kHeight - 8);
}

void draw_curve(std::string& svg, const Axes& axes, std::span<const LossPoint> points,
                const char* colour) {
  if (points.empty()) return;
  svg +=
      fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\" points=\"", colour);
  for (const LossPoint& p : points) {
    svg += fmt::format("{:.1f},{:.1f} ", axes.x(p.step), axes.y(p.loss));
  }
  svg.back() = '"';
  svg += "/>\n";
}

}  // namespace

std::string loss_svg(std::span<const LossPoint> training, std::span<const LossPoint> validation) {
  std::vector<LossPoint> a = shown(training), b = shown(validation);
  Axes axes = axes_of(a, b);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      kWidth, kHeight);
  draw_grid(svg, axes);
  draw_curve(svg, axes, a, "#4878a8");
  draw_curve(svg, axes, b, "#c05030");
  for (const LossPoint& p : b) {
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"#c05030\"/>\n",
                       axes.x(p.step), axes.y(p.loss));
  }
  svg += fmt::format(
      "<text x=\"{0}\" y=\"{1}\" text-anchor=\"end\" fill=\"#4878a8\">training loss</text>\n"
      "<text x=\"{0}\" y=\"{2}\" text-anchor=\"end\" fill=\"#c05030\">validation loss</text>\n"
      "</svg>\n",
      kWidth - kRight, kTop + 12, kTop + 28);
  return svg;
}

}  // namespace gyre
