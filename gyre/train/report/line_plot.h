#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gyre {

struct PlotPoint {
  double x, y;
};

/// A line through points in ascending order of x.
struct Curve {
  std::string name;
  std::vector<PlotPoint> points;
  bool marked = false;  ///< with a dot at every point
};

/// How an axis runs; `automatic` is logarithmic where all values are above 0 and the largest is at
/// least 50 times the smallest.
enum class AxisScale : uint8_t { automatic, linear, logarithmic };

struct PlotOptions {
  std::string title{};
  std::string x_label = "step";
  AxisScale y_scale = AxisScale::automatic;
  bool background = false;  ///< white; without it text and grid take the colour of the page's text
  double width = 640, height = 300;
};

/// Curves as SVG, with round numbers at the axes and a legend where there are several. Points that
/// are not finite, and those a logarithmic axis cannot show, are left out; of a long curve the
/// highest and the lowest of each of 500 stretches are drawn. Curves of more than 200 points are
/// pale under the means of 100 stretches, unless they are marked.
std::string line_plot_svg(std::span<const Curve> curves, const PlotOptions& options = {});

/// Round numbers, about `count` of them: multiples of 1, 2 or 5 times a power of ten that lie in
/// [low, high]; for low < high.
std::vector<double> round_ticks(double low, double high, int count);
/// The same for a logarithmic axis: powers of ten, with 2 and 5 times these where they are few.
std::vector<double> round_log_ticks(double low, double high);
/// A number at an axis: "0.05", "2500", "120k", "1.5M", "2e-05".
std::string tick_text(double value);

}  // namespace gyre
