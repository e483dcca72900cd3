#pragma once
#include "gyre/base/record.h"
#include "gyre/optim/optimizer_of.h"

namespace gyre {

struct AdafactorOptions {
  double lr = 1e-2, beta2_decay = -0.8, eps1 = 0, eps2 = 1e-3, d = 1, weight_decay = 0;
  bool maximize = false;
};
GYRE_FIELDS(AdafactorOptions, GYRE_FIELD(lr, "upper bound of the relative step", .least = 0),
            GYRE_FIELD(beta2_decay, "exponent: 1 - β2 at step t is t^beta2_decay", .most = 0),
            GYRE_FIELD(eps1, "least root of the squared gradients' average; 0: the dtype's epsilon",
                       .least = 0),
            GYRE_FIELD(eps2, "least size of the parameter that the step is relative to",
                       .least = 0),
            GYRE_FIELD(d, "largest root mean square of an update, which longer ones are scaled to",
                       .least = 1),
            GYRE_FIELD(weight_decay, "decoupled weight decay: value -= lr weight_decay value",
                       .least = 0),
            GYRE_FIELD(maximize, kMaximizeDoc));

/// The update rule of Adafactor.
struct AdafactorRule {
  using Options = AdafactorOptions;
  static constexpr const OptimizerDef& def = adafactor_optimizer;
  static size_t states(const Options&, const Tensor& parameter) {
    return parameter.rank() > 1 ? 2 : 1;
  }
  static GradientNumbers numbers(const Options&, const Optimizer::StepInfo& info) {
    return info.gradient;
  }
};

/// Adafactor (Shazeer and Stern 2018), whose state of a matrix [rows, columns] is one number for
/// each row and column: with w = t^beta2_decay, the averages r += w (mean of g² over a row - r) and
/// c, likewise over columns, estimate the mean of g² as v = r c / mean(r); a parameter of one
/// dimension has v += w (g² - v). The update u = g / √v is divided by max(1, rms(u) / d), and
/// value -= max(eps2, rms(value)) min(lr, 1 / √t) u. State "v" (r of a matrix) and, for matrices,
/// "columns". Axes before the last two are batches of matrices.
using Adafactor = OptimizerOf<AdafactorRule>;

extern template class OptimizerOf<AdafactorRule>;

}  // namespace gyre
