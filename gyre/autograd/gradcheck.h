#pragma once
#include <string>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

/// Options of gradcheck(). A gradient a and a finite difference n agree when
/// |a - n| <= atol + rtol |n|.
struct GradcheckOptions {
  double eps = 1e-6;  ///< step: x +- eps for central, x + eps for forward differences
  double rtol = 1e-6, atol = 1e-8;
  enum Differences : uint8_t { central, forward } differences = central;
  /// up to this many output elements, check the whole Jacobian; more: one random linear combination
  /// of the outputs
  int64_t jacobian = 8;
  /// also check the recorded pass (create_graph), against differences and against the plain pass
  bool both_passes = true;
  /// print what() to standard output
  bool verbose = false;

  /// For gradients computed in f16 or bf16.
  static GradcheckOptions half() {
    GradcheckOptions o;
    o.eps = 1e-2;
    o.rtol = 1e-2;
    o.atol = 1e-3;
    return o;
  }
};

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
/// smooth within eps. Error{value} when no input requires grad.
GradcheckReport gradcheck(GradcheckFunction f, Inputs inputs, const GradcheckOptions& options = {});

/// Second derivatives: gradcheck() of the gradient of `f` as a function of the inputs and of the
/// output cotangents.
GradcheckReport gradgradcheck(GradcheckFunction f, Inputs inputs,
                              const GradcheckOptions& options = {});

}  // namespace gyre
