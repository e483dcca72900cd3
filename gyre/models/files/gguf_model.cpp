#include "gyre/models/files/gguf_model.h"

#include <string_view>
#include <utility>

#include "gyre/models/files/gguf_architecture.h"
#include "gyre/models/files/gguf_tokenizer.h"
#include "gyre/op/node.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/packed.h"

namespace gyre {
namespace {

// The format whose blocks a type has; null for others.
const Codec* blocks_of(const GgufType& type) {
  constexpr std::pair<std::string_view, PackedFormat> kBlocks[] = {{"Q8_0", PackedFormat::q8_0},
                                                                   {"Q4_0", PackedFormat::q4_0}};
  for (const auto& [name, format] : kBlocks) {
    if (name == type.name) return &codec(format);
  }
  return nullptr;
}

}  // namespace

GgufModel::GgufModel(const std::string& path)
    : file_(path), architecture_(&gguf_architecture(file_)) {}

Json GgufModel::config() const { return gguf_config(file_, *architecture_); }

bool GgufModel::is_interleaved() const { return architecture_->is_interleaved; }

// Hugging Face's GPT-2 stores its weights [in, out].
bool GgufModel::is_transposed(std::string_view name) const {
  return architecture_->is_gpt2 && name.starts_with("h.") && name.ends_with(".weight");
}

std::vector<NamedTensor> GgufModel::tensors(FileAccess access) const {
  NoGrad scope;
  std::vector<NamedTensor> state;
  for (const GgufEntry& entry : file_.entries()) {
    std::string name = gguf_tensor_name(file_, *architecture_, entry.name);
    if (name.empty()) continue;
    const Codec* blocks = entry.shape.rank < 2 ? nullptr : blocks_of(*entry.type);
    if (blocks && numel(entry.shape) > 0) {
      const Tensor bytes = file_.bytes(entry, access);
      state.push_back({std::move(name), packed_of_bytes(*blocks, entry.shape, bytes)});
      continue;
    }
    Tensor t = file_.load(entry, access, DType::f16);
    if (architecture_->has_norm_offset && name.ends_with("norm.weight")) t = t - 1.0;
    if (t.rank() == 2 && is_transposed(name)) t = transpose(t, 0, 1);
    state.push_back({std::move(name), std::move(t)});
  }
  return state;
}

TensorPlace GgufModel::place_of(std::string_view name, std::string_view optional) const {
  if (architecture_->is_gpt2 && name.starts_with(optional)) name.remove_prefix(optional.size());
  for (const GgufEntry& entry : file_.entries()) {
    if (gguf_tensor_name(file_, *architecture_, entry.name) == name) {
      const bool is_packed = entry.shape.rank >= 2 && blocks_of(*entry.type);
      return {file_.path_of(entry), entry.name, true,
              entry.shape,          is_packed,  !is_packed && is_transposed(name)};
    }
  }
  return {file_.path(), gguf_name_of(*architecture_, name)};
}

std::unique_ptr<Tokenizer> GgufModel::tokenizer() const { return tokenizer_of(file_); }

ModelFiles::Weights GgufModel::weights() const {
  Weights all;
  for (const GgufEntry& entry : file_.entries()) {
    all.bytes += static_cast<int64_t>(entry.bytes);
    all.count += numel(entry.shape);
  }
  return all;
}

}  // namespace gyre
