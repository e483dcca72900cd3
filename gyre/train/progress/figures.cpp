#include "gyre/train/progress/figures.h"

#include <fmt/format.h>

#include <cmath>

namespace gyre {

std::string FigureDef::text(const Figures& figures) const {
  const double number = figures.*value;
  return std::isfinite(number) ? fmt::format(fmt::runtime(format), factor * number) : "-";
}

std::string figures_text(const Figures& figures) {
  std::string text;
  for (const FigureDef& figure : kFigures) {
    if (std::isnan(figures.*figure.value)) continue;
    text += (text.empty() ? "" : ", ") + std::string(figure.label) + " " + figure.text(figures);
  }
  return text;
}

}  // namespace gyre
