#pragma once
#include <cstdint>

#include "gyre/base/function_ref.h"
#include "gyre/op/op_def.h"
#include "gyre/optim/rules/optim_tile.h"

// Ops over lists of tensors. Those that overwrite them run by write(), each in one parallel loop:
//   rule_step        in: numbers [n, k] (f64, k constants of each parameter), n gradients
//                    out: for each parameter its value, its f32 master weights (empty unless it has
//                    16 bits) and its state (empty where unused)
//   ema_update       in: gain [1] (f64), n values; out: n averages: each += gain (value - average)
//   scale_gradients  in: numbers [2] (f64: GradientNumbers), n gradients; out: the same gradients
//   total_norm       in: n tensors; out: their L2 norm together [] (f64); apply() runs it
// All tensors of a parameter are contiguous and have as many elements.

namespace gyre {

#define OP(name) extern const OpDef name##_def;
#define STEP(rule, Rule, ...) OP(rule##_step)
#include "gyre/optim/rules/optim_ops.def"
#undef STEP
#undef OP

struct TotalNormAttrs {
  bool finite_only = false;
};
GYRE_FIELDS(TotalNormAttrs, GYRE_FIELD(finite_only, "count non-finite elements as 0"));

/// The elements of many tensors in chunks of fixed size, so that one parallel loop covers them all,
/// whatever their lengths. Chunks depend on the sizes only.
class Chunks {
 public:
  struct Chunk {
    size_t tensor;
    int64_t begin, count;  ///< elements
    int64_t number;        ///< index among all chunks
    /// The first element of the chunk in a contiguous tensor of the same size; null for an empty
    /// View.
    std::byte* in(const View& v) const {
      return v.data ? v.data + begin * static_cast<int64_t>(size_of(v.dtype)) : nullptr;
    }
  };

  /// The chunks of `tensors`. `scratch` holds scratch_bytes() of them.
  Chunks(std::span<const View> tensors, std::byte* scratch);
  /// For OpDef::scratch: what the chunks of all operands take, and a double for each of them.
  static size_t scratch_bytes(const void* attrs, Inputs in);

  /// Runs body(chunk) for all chunks on the thread pool.
  void run(FunctionRef<void(const Chunk& chunk)> body) const;
  /// The sum of body(chunk) over all chunks, in their order.
  double sum(FunctionRef<double(const Chunk& chunk)> body) const;

 private:
  std::span<const View> tensors_;
  int64_t* first_;  // number of the first chunk of each tensor, and of all chunks
  double* sums_;    // by chunk
};

inline constexpr Arg kStepArgs[] = {{"numbers"}, {.name = "gradients", .variadic = true}};
/// Outputs of a step op before the state of a parameter: value and master.
inline constexpr size_t kBeforeState = 2;

/// Elements of one parameter in a step.
struct StepPart {
  DType value, gradient;
  const double* numbers;  ///< the constants of the parameter
  StepArrays arrays;
  int64_t n;  ///< elements
};

/// The kernel of a step op on the CPU with `count` constants: `update` gets parts of parameters,
/// on the threads of the pool. Code::value unless `numbers` is an f64 tensor [n, count].
Status run_steps(const OpDef& op, const KernelArgs& args, size_t count,
                 FunctionRef<void(const StepPart& part)> update) noexcept;

}  // namespace gyre
