#pragma once
#include <string>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/base/record.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

/// Finite differences (f(x + a) - f(x - b)) / (a + b): a = b = eps, b = 0 or a = 0. Those of one
/// side are for functions that end or have a kink at x.
enum class Differences : uint8_t { central, forward, backward };
inline constexpr const char* kDifferencesNames[] = {"central", "forward", "backward"};
template <>
inline constexpr std::span<const char* const> kChoices<Differences> = kDifferencesNames;

/// Options of gradcheck(). A gradient a and a finite difference n agree when
/// |a - n| <= atol + rtol |n|.
struct GradcheckOptions {
  double eps = 1e-6, rtol = 1e-6, atol = 1e-8;
  Differences differences = Differences::central;
  int64_t jacobian = 8;
  bool both_passes = true, verbose = false;

  /// For gradients computed in f16 or bf16.
  static GradcheckOptions half() {
    GradcheckOptions o;
    o.eps = 1e-2;
    o.rtol = 1e-2;
    o.atol = 1e-3;
    return o;
  }
};
GYRE_FIELDS(GradcheckOptions, GYRE_FIELD(eps, "step of the finite differences", .above = 0),
            GYRE_FIELD(rtol, "relative tolerance", .least = 0),
            GYRE_FIELD(atol, "absolute tolerance", .least = 0),
            GYRE_FIELD(differences, "difference quotient: central, or of one side of the inputs"),
            GYRE_FIELD(jacobian,
                       "up to this many output elements, check the whole Jacobian; with more, one "
                       "random linear combination of them",
                       .least = 0),
            GYRE_FIELD(both_passes,
                       "also check the recorded pass (create_graph), against differences and "
                       "against the plain pass"),
            GYRE_FIELD(verbose, "print the report"));

/// The result of one comparison for one input.
struct GradcheckEntry {
  /// plain, recorded: that pass against differences; agreement: recorded against plain
  enum Kind : uint8_t { plain, recorded, agreement } kind = plain;
  int input = 0;
  bool passed = true;
  // the element with the largest |a - n| relative to its tolerance
  int64_t element = 0;  ///< of the input, row-major
  int64_t output = 0;   ///< index into all outputs, concatenated; -1: a random combination
  double analytic = 0, numeric = 0;
  double absolute = 0, relative = 0;  ///< errors of that element
  double largest = 0, mean = 0;       ///< absolute errors over all elements
};

struct GradcheckReport {
  bool passed = true;
  std::vector<GradcheckEntry> entries;
  explicit operator bool() const { return passed; }
  /// One line per entry: the worst element with both values, absolute and relative error, mean
  /// error.
  std::string what() const;
};

using GradcheckFunction = FunctionRef<Tensors(Inputs)>;

/// Compares the gradients of `f` with respect to the inputs that require grad with finite
/// differences. Differences are taken on f64 copies of the inputs, gradients in the inputs' own
/// dtypes; any number and shape of outputs, integer outputs are skipped. `f` must be pure, and
/// smooth within eps, on the side of the differences. Error{value} when no input requires grad and
/// for options out of bounds.
GradcheckReport gradcheck(GradcheckFunction f, Inputs inputs, const GradcheckOptions& options = {});

/// Second derivatives: gradcheck() of the gradient of `f` as a function of the inputs and of the
/// output cotangents.
GradcheckReport gradgradcheck(GradcheckFunction f, Inputs inputs,
                              const GradcheckOptions& options = {});

}  // namespace gyre
