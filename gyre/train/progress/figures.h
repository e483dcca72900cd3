#pragma once
#include <limits>
#include <string>

#include "gyre/base/record.h"

namespace gyre {

/// Metrics of a validation; NaN: not measured.
struct Figures {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  double loss = kNone;  ///< training objective: nats per token or example, or squared error
  double bits_per_byte = kNone;  ///< of text
  double accuracy = kNone;       ///< fraction of correct classes
  double mae = kNone;            ///< mean absolute error in the target's units
  double r2 = kNone;             ///< coefficient of determination R^2
};
GYRE_FIELDS(Figures, GYRE_FIELD(loss, "loss of the last validation"),
            GYRE_FIELD(bits_per_byte, "bits per byte of text, in the last validation"),
            GYRE_FIELD(accuracy, "accuracy, in the last validation"),
            GYRE_FIELD(mae, "mean absolute error, in the last validation"),
            GYRE_FIELD(r2, "coefficient of determination R^2, in the last validation"));

/// A metric: its name in files and how it is displayed.
struct FigureDef {
  const char *name, *label;
  double Figures::*value;
  double factor;       ///< applied for display
  const char* format;  ///< of the number

  /// "97.50 %"; "-" for NaN and infinities.
  [[nodiscard]] std::string text(const Figures& figures) const;
};
inline constexpr FigureDef kFigures[] = {
    {"loss", "loss", &Figures::loss, 1, "{:.4f}"},
    {"bits_per_byte", "bits per byte", &Figures::bits_per_byte, 1, "{:.4f}"},
    {"accuracy", "accuracy", &Figures::accuracy, 100, "{:.2f} %"},
    {"mae", "mean absolute error", &Figures::mae, 1, "{:.4g}"},
    {"r2", "R²", &Figures::r2, 1, "{:.4f}"}};

/// "loss 1.2345, accuracy 97.50 %": the metrics that were measured.
std::string figures_text(const Figures& figures);

}  // namespace gyre
