#pragma once
#include <cstdint>

#include "gyre/base/function_ref.h"
#include "gyre/base/record.h"

namespace gyre {

/// Whether linear layers of this thread round the activations that packed weights are multiplied
/// by to 8 bits (packed_matmul_int8()), where nothing is recorded for gradients and they are not
/// f64.
bool int8_activations() noexcept;
void set_int8_activations(bool wanted) noexcept;

/// Sets it while one lives.
class Int8Activations {
 public:
  [[nodiscard]] explicit Int8Activations(bool wanted = true) : before_(int8_activations()) {
    set_int8_activations(wanted);
  }
  ~Int8Activations() { set_int8_activations(before_); }
  Int8Activations(const Int8Activations&) = delete;
  Int8Activations& operator=(const Int8Activations&) = delete;

 private:
  bool before_;
};

/// Whether a call makes such products where they are wanted.
bool takes_int8(FunctionRef<void()> call);

/// How a model's packed weights are used.
struct PackedUseOptions {
  bool int8_activations = false;
};
GYRE_FIELDS(
    PackedUseOptions,
    GYRE_FIELD(int8_activations,
               "round activations to 8 bits where weights are packed in D4 to D1, T4 or T2: "
               "faster, with a relative error of about 0.01 in each layer; an error for a "
               "model without such weights, as with q8_0 and q4_0 (GGUF)"));

}  // namespace gyre
