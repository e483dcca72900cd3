#include "gyre/train/plot/loss_plot.h"

#include "gyre/train/plot/line_plot.h"

namespace gyre {
namespace {

std::vector<PlotPoint> plotted(std::span<const LossPoint> points) {
  std::vector<PlotPoint> out;
  for (const LossPoint& p : points) out.push_back({p.step, p.loss});
  return out;
}

}  // namespace

std::string loss_svg(std::span<const LossPoint> training, std::span<const LossPoint> validation) {
  Curve curves[] = {{"training loss", plotted(training)},
                    {"validation loss", plotted(validation), true}};
  return line_plot_svg(curves, {.title = "Loss", .background = true, .width = 800, .height = 400});
}

}  // namespace gyre
