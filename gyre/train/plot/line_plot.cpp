#include "gyre/train/plot/line_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gyre/base/text/html.h"

namespace gyre {
namespace {

// Medium brightness, visible on light and dark backgrounds.
constexpr const char* kColours[] = {"#3b82c4", "#d9692f", "#2f9e62", "#a463c8", "#b8902a"};
constexpr double kTop = 36, kRight = 26, kBottom = 42, kCharacter = 6.6;
constexpr size_t kStretches = 500, kMeans = 100;
constexpr double kLogFrom = 50;

// Approximate text width in a sans-serif font of this size.
double width_of(std::string_view text) { return kCharacter * static_cast<double>(text.size()); }

bool shown(const PlotPoint& p, bool logarithmic) {
  return std::isfinite(p.x) && std::isfinite(p.y) && (!logarithmic || p.y > 0);
}

std::vector<PlotPoint> those_shown(std::span<const PlotPoint> points, bool logarithmic) {
  std::vector<PlotPoint> all;
  for (const PlotPoint& p : points) {
    if (shown(p, logarithmic)) all.push_back(p);
  }
  return all;
}

// Bounds of segment i of `count` in a list.
std::span<const PlotPoint> stretch(std::span<const PlotPoint> all, size_t i, size_t count) {
  size_t begin = i * all.size() / count, end = (i + 1) * all.size() / count;
  return all.subspan(begin, end - begin);
}

// Minimum and maximum of each segment of a long curve.
std::vector<PlotPoint> thinned(std::span<const PlotPoint> points, bool logarithmic) {
  std::vector<PlotPoint> all = those_shown(points, logarithmic), kept;
  if (all.size() <= 2 * kStretches) return all;
  for (size_t i = 0; i < kStretches; ++i) {
    std::span<const PlotPoint> part = stretch(all, i, kStretches);
    auto [least, most] = std::minmax_element(
        part.begin(), part.end(), [](const PlotPoint& a, const PlotPoint& b) { return a.y < b.y; });
    kept.push_back(*std::min(least, most));
    if (least != most) kept.push_back(*std::max(least, most));
  }
  return kept;
}

// Mean of each segment, the geometric mean on a logarithmic axis.
std::vector<PlotPoint> means(std::span<const PlotPoint> points, bool logarithmic) {
  std::vector<PlotPoint> all = those_shown(points, logarithmic), kept;
  for (size_t i = 0; i < kMeans; ++i) {
    std::span<const PlotPoint> part = stretch(all, i, kMeans);
    auto n = static_cast<double>(part.size());
    PlotPoint mean{0, 0};
    for (const PlotPoint& p : part) {
      mean.x += p.x / n;
      mean.y += (logarithmic ? std::log(p.y) : p.y) / n;
    }
    if (logarithmic) mean.y = std::exp(mean.y);
    kept.push_back(mean);
  }
  return kept;
}

struct Extent {
  double low = 0, high = 1;
  bool any = false;
  void add(double v) {
    low = any ? std::min(low, v) : v;
    high = any ? std::max(high, v) : v;
    any = true;
  }
};

class Plot {
 public:
  Plot(std::span<const Curve> curves, const PlotOptions& options) : o_(options) {
    choose_scale(curves);
    for (const Curve& c : curves) {
      kept_.push_back(thinned(c.points, log_));
      for (const PlotPoint& p : kept_.back()) {
        x_.add(p.x);
        y_.add(p.y);
      }
    }
    x_.low = std::min(x_.low, 0.0);
    if (!(x_.high > x_.low)) x_.high = x_.low + 1;
    widen();
    for (double tick : ticks_) left_ = std::max(left_, 16 + width_of(tick_text(tick)));
  }

  std::string svg(std::span<const Curve> curves) {
    begin();
    draw_grid();
    for (size_t i = 0; i < curves.size(); ++i) draw_curve(i, curves[i]);
    draw_head(curves);
    return out_ + "</svg>\n";
  }

 private:
  void choose_scale(std::span<const Curve> curves) {
    log_ = o_.y_scale == AxisScale::logarithmic;
    if (o_.y_scale != AxisScale::automatic) return;
    Extent values;
    for (const Curve& c : curves) {
      for (const PlotPoint& p : c.points) {
        if (shown(p, false)) values.add(p.y);
      }
    }
    log_ = values.any && values.low > 0 && values.high >= kLogFrom * values.low;
  }

  // A linear axis ends at round numbers; a logarithmic one at the data range.
  void widen() {
    if (log_) {
      if (!y_.any) y_ = {1, 10, true};
      y_.low /= 1.1;
      y_.high *= 1.1;
      ticks_ = round_log_ticks(y_.low, y_.high);
      return;
    }
    if (!(y_.high > y_.low)) {
      double room = y_.low == 0 ? 1 : std::abs(y_.low) / 2;
      y_.low -= room;
      y_.high += room;
    }
    std::vector<double> inside = round_ticks(y_.low, y_.high, 5);
    double step = inside.size() > 1 ? inside[1] - inside[0] : y_.high - y_.low;
    double from = std::floor(y_.low / step + 1e-9), to = std::ceil(y_.high / step - 1e-9);
    for (double n = from; n <= to; ++n) ticks_.push_back(n * step + 0.0);
    y_.low = from * step;
    y_.high = to * step;
  }

  double x(double v) const {
    return left_ + (v - x_.low) / (x_.high - x_.low) * (o_.width - left_ - kRight);
  }
  double y(double v) const {
    double share = log_ ? std::log(v / y_.low) / std::log(y_.high / y_.low)
                        : (v - y_.low) / (y_.high - y_.low);
    return o_.height - kBottom - share * (o_.height - kTop - kBottom);
  }

  void begin() {
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" "
        "height=\"{1:g}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"currentColor\" "
        "role=\"img\" aria-label=\"{2}\">\n",
        o_.width, o_.height, escape_html(o_.title.empty() ? "curves" : o_.title));
    if (!o_.background) return;
    out_ +=
        fmt::format("<rect width=\"{:g}\" height=\"{:g}\" fill=\"white\"/>\n", o_.width, o_.height);
  }

  void draw_text(double x, double y, const char* anchor, std::string_view text,
                 std::string_view more = "") {
    out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                        anchor, more, escape_html(text));
  }

  void draw_grid() {
    double right = o_.width - kRight, bottom = o_.height - kBottom;
    for (double v : ticks_) {
      out_ += fmt::format(
          "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"currentColor\" "
          "stroke-opacity=\"0.15\"/>\n",
          left_, y(v), right, y(v));
      draw_text(left_ - 8, y(v) + 4, "end", tick_text(v), " fill-opacity=\"0.75\"");
    }
    for (double v : round_ticks(x_.low, x_.high, 8)) {
      out_ += fmt::format(
          "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" "
          "stroke=\"currentColor\" stroke-opacity=\"0.4\"/>\n",
          x(v), bottom, bottom + 4);
      draw_text(x(v), bottom + 18, "middle", tick_text(v), " fill-opacity=\"0.75\"");
    }
    out_ += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"currentColor\" "
        "stroke-opacity=\"0.4\"/>\n",
        left_, bottom, right, bottom);
    draw_text((left_ + right) / 2, o_.height - 6, "middle", o_.x_label, " fill-opacity=\"0.75\"");
  }

  void draw_line(std::span<const PlotPoint> points, const char* colour, double opacity) {
    out_ += fmt::format(
        "<polyline fill=\"none\" stroke=\"{}\" stroke-opacity=\"{:g}\" stroke-width=\"1.6\" "
        "stroke-linejoin=\"round\" points=\"",
        colour, opacity);
    for (const PlotPoint& p : points) out_ += fmt::format("{:.1f},{:.1f} ", x(p.x), y(p.y));
    out_.back() = '"';
    out_ += "/>\n";
  }

  void draw_curve(size_t i, const Curve& curve) {
    const std::vector<PlotPoint>& points = kept_[i];
    if (points.empty()) return;
    const char* colour = kColours[i % std::size(kColours)];
    bool noisy = !curve.marked && points.size() > 2 * kMeans;
    draw_line(points, colour, noisy ? 0.35 : 1);
    if (noisy) draw_line(means(curve.points, log_), colour, 1);
    if (!curve.marked && points.size() > 1) return;
    for (const PlotPoint& p : points) {
      out_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", x(p.x),
                          y(p.y), colour);
    }
  }

  // Title at the left, legend at the right of one line.
  void draw_head(std::span<const Curve> curves) {
    std::string title = o_.title + (log_ ? " (logarithmic)" : "");
    if (!o_.title.empty()) draw_text(left_, 18, "start", title, " font-weight=\"bold\"");
    if (curves.size() < 2) return;
    constexpr double kSwatch = 16, kGap = 6, kBetween = 14;
    double at = o_.width - kRight + kBetween;
    for (const Curve& c : curves) at -= kSwatch + kGap + kBetween + width_of(c.name);
    for (size_t i = 0; i < curves.size(); ++i) {
      out_ += fmt::format(
          "<line x1=\"{:.1f}\" y1=\"14\" x2=\"{:.1f}\" y2=\"14\" stroke=\"{}\" "
          "stroke-width=\"3\"/>\n",
          at, at + kSwatch, kColours[i % std::size(kColours)]);
      draw_text(at + kSwatch + kGap, 18, "start", curves[i].name);
      at += kSwatch + kGap + kBetween + width_of(curves[i].name);
    }
  }

  const PlotOptions& o_;
  std::vector<std::vector<PlotPoint>> kept_;
  Extent x_, y_;
  std::vector<double> ticks_;
  bool log_ = false;
  double left_ = 0;
  std::string out_;
};

}  // namespace

std::vector<double> round_ticks(double low, double high, int count) {
  double rough = (high - low) / count, power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (double factor : {5.0, 2.0, 1.0}) {
    if (factor * power >= rough * 0.999) step = factor * power;
  }
  std::vector<double> ticks;
  for (double n = std::ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; ++n) {
    ticks.push_back(n == 0 ? 0 : n * step);
  }
  return ticks;
}

std::vector<double> round_log_ticks(double low, double high) {
  double decades = std::log10(high / low);
  int every = std::max(1, static_cast<int>(decades / 7));
  std::vector<double> ticks;
  for (int e = static_cast<int>(std::floor(std::log10(low))); std::pow(10, e) <= high; ++e) {
    for (double factor : {1.0, 2.0, 5.0}) {
      double v = factor * std::pow(10, e);
      bool wanted = factor == 1 ? e % every == 0 : decades < 3;
      if (wanted && v >= low && v <= high) ticks.push_back(v);
    }
  }
  return ticks;
}

std::string tick_text(double v) {
  double size = std::abs(v);
  if (size >= 1e6 && size < 1e12)
    return size >= 1e9 ? fmt::format("{:.4g}G", v / 1e9) : fmt::format("{:.4g}M", v / 1e6);
  if (size >= 1e5 && size < 1e6) return fmt::format("{:.4g}k", v / 1e3);
  return fmt::format("{:.5g}", v);
}

std::string line_plot_svg(std::span<const Curve> curves, const PlotOptions& options) {
  return Plot(curves, options).svg(curves);
}

std::string loss_svg(std::vector<PlotPoint> training, std::vector<PlotPoint> validation) {
  const Curve curves[] = {{"training loss", std::move(training)},
                          {"validation loss", std::move(validation), true}};
  return line_plot_svg(curves, {.title = "Loss", .background = true, .width = 800, .height = 400});
}

}  // namespace gyre
