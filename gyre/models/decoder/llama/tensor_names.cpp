#include "gyre/models/decoder/llama/tensor_names.h"

#include <span>
#include <string_view>

#include "gyre/models/decoder/decoder_folder.h"
#include "gyre/op/node.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/packed.h"

namespace gyre::llama {
namespace {

struct Name {
  std::string_view ours, theirs;
};
constexpr Name kWhole[] = {
    {"wte.", "model.embed_tokens."}, {"ln_f.", "model.norm."}, {"lm_head.", "lm_head."}};
constexpr Name kLayer[] = {
    {"attn.c_attn.", "self_attn.qkv_proj."}, {"attn.c_q.", "self_attn.q_proj."},
    {"attn.c_k.", "self_attn.k_proj."},      {"attn.c_v.", "self_attn.v_proj."},
    {"attn.c_proj.", "self_attn.o_proj."},   {"attn.ln_q.", "self_attn.q_norm."},
    {"attn.ln_k.", "self_attn.k_norm."},     {"mlp.c_gate.", "mlp.gate_proj."},
    {"mlp.c_fc.", "mlp.up_proj."},           {"mlp.c_proj.", "mlp.down_proj."}};
constexpr Name kBefore[] = {{"ln_1.", "input_layernorm."}, {"ln_2.", "post_attention_layernorm."}};
constexpr Name kAfter[] = {{"ln_1_after.", "post_attention_layernorm."},
                           {"ln_2_after.", "post_feedforward_layernorm."}};
constexpr Name kBoth[] = {{"ln_1.", "input_layernorm."},
                          {"ln_1_after.", "post_attention_layernorm."},
                          {"ln_2.", "pre_feedforward_layernorm."},
                          {"ln_2_after.", "post_feedforward_layernorm."}};
constexpr std::string_view kModel = "model.", kTheirLayers = "model.layers.", kOurLayers = "h.";
constexpr std::string_view kGateUp = "mlp.gate_up_proj.", kTheirGate = "mlp.gate_proj.",
                           kTheirUp = "mlp.up_proj.", kGate = "mlp.c_gate.", kUp = "mlp.c_fc.";

std::span<const Name> norms_of(NormPlace place) {
  if (place == NormPlace::before) return kBefore;
  return place == NormPlace::after ? std::span<const Name>(kAfter) : kBoth;
}

// The name with the part `from` of the table's line replaced by `to`, or empty.
std::string renamed(std::string_view name, std::span<const Name> table,
                    std::string_view Name::*from, std::string_view Name::*to) {
  for (const Name& line : table) {
    if (name.starts_with(line.*from)) {
      std::string whole(line.*to);
      return whole.append(name.substr((line.*from).size()));
    }
  }
  return {};
}

// A tensor's name in the other form; unknown ones stay, so that errors show them.
std::string other_name(std::string_view name, NormPlace place, bool to_ours) {
  const auto from = to_ours ? &Name::theirs : &Name::ours,
             to = to_ours ? &Name::ours : &Name::theirs;
  const std::string_view before = to_ours ? kTheirLayers : kOurLayers,
                         after = to_ours ? kOurLayers : kTheirLayers;
  if (!name.starts_with(before)) {
    const std::string found = renamed(name, kWhole, from, to);
    return found.empty() ? std::string(name) : found;
  }
  const std::string_view rest = name.substr(before.size());
  const size_t dot = rest.find('.');
  if (dot == std::string_view::npos) return std::string(name);
  std::string found = renamed(rest.substr(dot + 1), kLayer, from, to);
  if (found.empty()) found = renamed(rest.substr(dot + 1), norms_of(place), from, to);
  if (found.empty()) return std::string(name);
  return std::string(after).append(rest.substr(0, dot + 1)).append(found);
}

// Rows for interleaved rope in the order for rope by halves.
Tensor in_halves(const Tensor& rows, int64_t heads) {
  const int64_t n = rows.rank() > 0 ? rows.size(0) : 0;
  if (n == 0 || n % (2 * heads)) return rows;  // of another shape, which loading refuses
  if (is_packed(rows)) {
    const int64_t half = n / heads / 2;
    std::vector<int64_t> order;
    for (int64_t first = 0; first < n; first += 2 * half) {
      for (const int64_t second : {0, 1}) {
        for (int64_t i = 0; i < half; ++i) order.push_back(first + 2 * i + second);
      }
    }
    return packed_row_copies(rows, order);
  }
  const Tensor pairs = reshape(rows, {heads, n / heads / 2, 2, rows.numel() / n});
  return reshape(contiguous(transpose(pairs, 1, 2)), rows.shape());
}

Tensor some_rows(const Tensor& t, int64_t first, int64_t last) {
  return is_packed(t) && first < last ? packed_row_range(t, first, last)
                                      : slice(t, {0, first, last, 1});
}

}  // namespace

std::vector<NamedTensor> read_tensors(const ModelFiles& files, const DecoderOptions& o,
                                      FileAccess access) {
  NoGrad scope;
  std::vector<NamedTensor> state;
  for (NamedTensor& t : files.tensors(access)) {
    if (t.name.ends_with(".inv_freq")) continue;
    const bool bare = !t.name.starts_with(kModel) && !t.name.starts_with("lm_head.");
    std::string name = bare ? std::string(kModel) + t.name : t.name;
    if (const size_t at = name.find(kGateUp); at != std::string::npos && t.tensor.rank() > 0) {
      const int64_t rows = t.tensor.size(0), half = rows / 2;
      const std::string layer = other_name(name.substr(0, at) + "mlp.gate_proj.", {}, true);
      const std::string before = layer.substr(0, layer.find("mlp.")),
                        end = name.substr(at + kGateUp.size());
      state.push_back({before + std::string(kGate) + end, some_rows(t.tensor, 0, half)});
      state.push_back({before + std::string(kUp) + end, some_rows(t.tensor, half, rows)});
      continue;
    }
    const bool moved = files.is_interleaved() && !o.details.rope_interleaved;
    if (moved && name.find("self_attn.q_proj.") != std::string::npos)
      t.tensor = in_halves(t.tensor, o.heads);
    if (moved && name.find("self_attn.k_proj.") != std::string::npos)
      t.tensor = in_halves(t.tensor, o.key_heads());
    name = other_name(name, o.norm_place, true);
    state.push_back({std::move(name), std::move(t.tensor)});
  }
  if (o.tie_embeddings)
    std::erase_if(state, [](const NamedTensor& t) { return t.name == "lm_head.weight"; });
  return state;
}

FileTensor file_tensor(const ModelFiles& files, const DecoderOptions& o, std::string_view name,
                       bool joint) {
  const std::string theirs = other_name(name, o.norm_place, false);
  for (const std::string_view half : {kTheirGate, kTheirUp}) {
    const size_t at = theirs.find(half);
    if (at == std::string::npos || !joint) continue;
    const TensorPlace apart = files.place_of(theirs, kModel);  // as packed ones are
    if (apart.is_found) return {apart};
    const std::string end = theirs.substr(at + half.size());
    return {files.place_of(theirs.substr(0, at) + std::string(kGateUp) + end, kModel), false, 2};
  }
  return {files.place_of(theirs, kModel)};
}

std::vector<NamedTensor> file_tensors(Decoder& model, bool joint) {
  std::vector<NamedTensor> tensors, state = model.state_dict();
  for (const NamedTensor& t : state) {
    const bool joined = joint && t.tensor.plain();  // packed ones stay apart
    if (joined && t.name.find(kUp) != std::string::npos) continue;
    if (const size_t at = t.name.find(kGate); joined && at != std::string::npos) {
      const std::string layer = t.name.substr(0, at), end = t.name.substr(at + kGate.size());
      const Tensor* up = find(state, layer + std::string(kUp) + end);
      const std::string theirs = other_name(layer + std::string(kGate), {}, false);
      tensors.push_back({theirs.substr(0, theirs.find("mlp.")) + std::string(kGateUp) + end,
                         cat({t.tensor.detach(), up->detach()}, 0)});
      continue;
    }
    tensors.push_back({other_name(t.name, model.options().norm_place, false), t.tensor.detach()});
  }
  return tensors;
}

}  // namespace gyre::llama
