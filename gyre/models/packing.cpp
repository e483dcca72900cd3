#include "gyre/models/packing.h"

#include <fmt/format.h>

#include <algorithm>

#include "gyre/base/system/file.h"
#include "gyre/packed/packed.h"
#include "gyre/packed/packed_file.h"
#include "gyre/train/progress/text_progress.h"

namespace gyre {
namespace {

void add(Packing& to, const std::string& format, int64_t weights, int64_t bytes) {
  ++to.packed_tensors;
  to.packed_weights += weights;
  to.packed_bytes += bytes;
  if (std::ranges::find(to.formats, format) == to.formats.end()) to.formats.push_back(format);
}

}  // namespace

Packing packing_of(nn::Module& model) {
  Packing packing;
  for (const Tensor& t : model.parameters()) {
    ++packing.tensors;
    packing.weights += t.numel();
    if (!is_packed(t)) continue;
    const PackedStorage& storage = packed_storage(t);
    add(packing, storage.layout.format->name, t.numel(), static_cast<int64_t>(storage.bytes));
  }
  return packing;
}

Packing packing_of(const std::string& path) {
  Packing packing;
  if (!file_exists(path)) return packing;
  const SafetensorsFile file(path, Verify::structure);
  const std::vector<PackedEntry> packed = packed_entries(file);
  for (const PackedEntry& entry : packed) {
    ++packing.tensors;
    packing.weights += numel(entry.shape);
    add(packing, entry.format, numel(entry.shape), static_cast<int64_t>(packed_bytes(file, entry)));
  }
  for (const SafetensorsEntry& entry : file.entries()) {
    if (is_part(packed, entry.name)) continue;
    ++packing.tensors;
    packing.weights += numel(entry.shape);
  }
  return packing;
}

std::string packing_text(const Packing& p) {
  return fmt::format("packed: {} of {} tensors, {} of {} weights in {}, {:.2f} bytes each",
                     p.packed_tensors, p.tensors, grouped(p.packed_weights), grouped(p.weights),
                     format_names(p.formats),
                     static_cast<double>(p.packed_bytes) / static_cast<double>(p.packed_weights));
}

std::string format_names(const std::vector<std::string>& formats) {
  std::string text;
  for (const std::string& format : formats) text += (text.empty() ? "" : ", ") + format;
  return text;
}

}  // namespace gyre
