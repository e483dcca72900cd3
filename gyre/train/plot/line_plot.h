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
  bool marked = false;  ///< with a marker at every point
};

/// Scale of an axis; `automatic` is logarithmic if all values are positive and the largest is at
/// least 50 times the smallest.
enum class AxisScale : uint8_t { automatic, linear, logarithmic };

struct PlotOptions {
  std::string title{};
  std::string x_label = "step";
  AxisScale y_scale = AxisScale::automatic;
  bool background = false;  ///< white; otherwise transparent, in the page's text colour
  double width = 640, height = 300;
};

/// Curves as SVG with round axis ticks and, for several curves, a legend. Points that are not
/// finite or not positive on a logarithmic axis are omitted. A long curve is reduced to the minimum
/// and maximum of each of 500 segments. Unmarked curves of more than 200 points are drawn pale
/// under the means of 100 segments.
std::string line_plot_svg(std::span<const Curve> curves, const PlotOptions& options = {});
/// Loss curves of a run against steps, in a plot of their own: the validation loss with markers.
std::string loss_svg(std::vector<PlotPoint> training, std::vector<PlotPoint> validation);

/// About `count` axis ticks: multiples of 1, 2 or 5 times a power of ten in [low, high]; for
/// low < high.
std::vector<double> round_ticks(double low, double high, int count);
/// Ticks of a logarithmic axis: powers of ten, with 2 and 5 times these if they are few.
std::vector<double> round_log_ticks(double low, double high);
/// A tick label: "0.05", "2500", "120k", "1.5M", "2e-05".
std::string tick_text(double value);

}  // namespace gyre
