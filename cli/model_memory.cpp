#include "cli/model_memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "gyre/base/system/memory.h"
#include "gyre/io/record_json.h"
#include "gyre/models/files/model_files.h"

namespace gyre {

ModelMemoryMeter::ModelMemoryMeter() : before_(static_cast<int64_t>(resident_bytes())) {
  reset_peak_resident();
}

int64_t ModelMemoryMeter::peak() const {
  const auto now = static_cast<int64_t>(peak_resident_bytes());
  return now > 0 && before_ > 0 ? std::max(peak_, now - before_) : 0;
}

void ModelMemoryMeter::pause() {
  peak_ = peak();
  held_ = static_cast<int64_t>(resident_bytes()) - before_;
}

void ModelMemoryMeter::resume() {
  return_free_memory();  // else the model would use it again unseen
  before_ = static_cast<int64_t>(resident_bytes()) - held_;
  reset_peak_resident();
}

ModelMemory ModelMemoryMeter::used(const std::string& folder) const {
  ModelMemory memory;
  memory.peak_memory_bytes = peak();  // read before the file is opened again
  const ModelFiles::Weights weights = open_model_files(folder)->weights();
  memory.weight_bytes = weights.bytes;
  memory.weight_bytes_f32 = weights.count * static_cast<int64_t>(sizeof(float));
  return memory;
}

void add_memory(Json& to, const ModelMemory& memory) {
  const Json fields = record_to_json(memory);
  for (const Json::Member& field : fields.as_object()) to[field.key] = field.value;
}

std::string memory_text(const ModelMemory& memory) {
  const auto text = [](int64_t bytes) { return size_text(static_cast<double>(bytes)); };
  const std::string peak =
      memory.peak_memory_bytes > 0
          ? text(memory.peak_memory_bytes) + " beyond that before the model was opened"
          : "unknown";
  return fmt::format("peak memory {}; weights {}, {} as f32", peak, text(memory.weight_bytes),
                     text(memory.weight_bytes_f32));
}

}  // namespace gyre
