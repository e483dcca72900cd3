#pragma once
#include <string>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

/// How gradcheck() compares. A gradient a and a difference quotient n agree when
/// |a - n| <= atol + rtol |n|.
struct GradcheckOptions {
  double eps = 1e-6;  ///< half the step of central differences, the step of forward ones
  double rtol = 1e-6, atol = 1e-8;
  enum Differences : uint8_t { central, forward } differences = central;
  /// up to that many output elements are checked one by one (the whole Jacobian), more by one
  /// random combination of all of them
  int64_t jacobian = 8;
  /// also the recorded pass (create_graph), against differences and against the plain pass
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

/// One input in one comparison.
struct GradcheckEntry {
  /// plain and recorded: the pass against differences; agreement: recorded against plain
  enum Kind : uint8_t { plain, recorded, agreement } kind = plain;
  int input = 0;
  bool passed = true;
  // where |a - n| is largest against what is allowed
  int64_t element = 0;  ///< of the input, row-major
  int64_t output = 0;   ///< element of all outputs joined; -1: a random combination
  double analytic = 0, numeric = 0;
  double absolute = 0, relative = 0;  ///< error there
  double largest = 0, mean = 0;       ///< absolute errors over all elements
};

struct GradcheckReport {
  bool passed = true;
  std::vector<GradcheckEntry> entries;
  explicit operator bool() const { return passed; }
  /// One line an entry: the worst element with both values, absolute and relative error, mean
  /// error.
  std::string what() const;
};

using GradcheckFunction = FunctionRef<Tensors(Inputs)>;

/// Compares the gradients of `f` by those inputs that require one with difference quotients.
/// Quotients are taken on copies of the inputs in f64, gradients in the dtypes that the inputs
/// have; outputs of any number and shape, integer ones are left out. `f` must be pure and smooth
/// within eps. Error{value} when no input requires a gradient.
GradcheckReport gradcheck(GradcheckFunction f, Inputs inputs, const GradcheckOptions& options = {});

/// The same for the gradient of `f` as a function of the inputs and of the outputs' cotangents:
/// second derivatives.
GradcheckReport gradgradcheck(GradcheckFunction f, Inputs inputs,
                              const GradcheckOptions& options = {});

}  // namespace gyre
