#pragma once
#include <limits>
#include <string>

namespace gyre {

/// What a validation measures; NaN what it does not.
struct Figures {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  double loss = kNone;           ///< that is trained for: nats a token or an example, or squares
  double bits_per_byte = kNone;  ///< of texts
  double accuracy = kNone;       ///< share of right classes
  double mae = kNone;            ///< mean absolute error of numbers, in their units
  double r2 = kNone;             ///< share of the variance of numbers that is explained
};

/// One of the figures: its name in files, and how people read it.
struct FigureDef {
  const char *name, *label;
  double Figures::*value;
  double factor;       ///< of what is shown
  const char* format;  ///< of a number

  /// "97.50 %"; "-" for NaN and infinities.
  [[nodiscard]] std::string text(const Figures& figures) const;
};
inline constexpr FigureDef kFigures[] = {
    {"loss", "loss", &Figures::loss, 1, "{:.4f}"},
    {"bits_per_byte", "bits a byte", &Figures::bits_per_byte, 1, "{:.4f}"},
    {"accuracy", "accuracy", &Figures::accuracy, 100, "{:.2f} %"},
    {"mae", "mean absolute error", &Figures::mae, 1, "{:.4g}"},
    {"r2", "R²", &Figures::r2, 1, "{:.4f}"}};

/// "loss 1.2345, accuracy 97.50 %": those that were measured.
std::string figures_text(const Figures& figures);

}  // namespace gyre
