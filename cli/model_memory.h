#pragma once
#include <cstdint>
#include <string>

#include "gyre/base/record.h"
#include "gyre/io/json.h"

namespace gyre {

/// Memory of a command that runs a model.
struct ModelMemory {
  int64_t weight_bytes = 0, weight_bytes_f32 = 0, peak_memory_bytes = 0;
};
GYRE_FIELDS(ModelMemory,
            GYRE_FIELD(weight_bytes, "bytes of the weights in model.safetensors, header excluded"),
            GYRE_FIELD(weight_bytes_f32, "bytes that the weights take unpacked as f32"),
            GYRE_FIELD(peak_memory_bytes,
                       "peak resident memory of the process, less what it had before the model was "
                       "opened and what a text to measure takes: weights, pages of mapped files, "
                       "activations and code; 0: unknown"));

/// Measures it, from before a model is opened.
class ModelMemoryMeter {
 public:
  ModelMemoryMeter();
  /// What is allocated between these two calls does not count.
  void pause();
  void resume();
  /// What was used until now for the model of a folder. Errors of SafetensorsFile and
  /// packed_entries().
  [[nodiscard]] ModelMemory used(const std::string& folder) const;

 private:
  [[nodiscard]] int64_t peak() const;

  int64_t before_, peak_ = 0;  // peak_: until the last pause
  int64_t held_ = 0;           // at the last pause
};

/// Adds the fields to a JSON object.
void add_memory(Json& to, const ModelMemory& memory);
/// "peak memory 12 MB beyond that before the model was opened; weights 3.6 MB, 28 MB as f32"
std::string memory_text(const ModelMemory& memory);

}  // namespace gyre
