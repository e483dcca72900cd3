#include "gyre/models/encoder/encoder_tensors.h"

#include <algorithm>
#include <map>
#include <span>
#include <string_view>

#include "gyre/base/error.h"
#include "gyre/models/decoder/decoder_folder.h"
#include "gyre/models/files/sharded_state.h"
#include "gyre/op/node.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

// A module of folders, and ours; `second`: the other half of its rows; `beside`: a module that only
// folders with this name have.
struct ModuleName {
  std::string_view theirs, ours, second{}, beside{};
};
constexpr std::string_view kOfModern = "mlp_norm.", kOfNomic = "norm1.";
constexpr ModuleName kTables[] = {{"embeddings.word_embeddings.", "wte."},
                                  {"embeddings.tok_embeddings.", "wte.", {}, kOfModern},
                                  {"embeddings.position_embeddings.", "wpe."},
                                  {"embeddings.token_type_embeddings.", "wtt."},
                                  {"embeddings.LayerNorm.", "ln_0."},
                                  {"embeddings.norm.", "ln_0.", {}, kOfModern},
                                  {"emb_ln.", "ln_0.", {}, kOfNomic},
                                  {"final_norm.", "ln_f.", {}, kOfModern}};
constexpr ModuleName kOfLayer[] = {
    // bert, roberta, xlm-roberta
    {"attention.self.query.", "attn.c_q."},
    {"attention.self.key.", "attn.c_k."},
    {"attention.self.value.", "attn.c_v."},
    {"attention.output.dense.", "attn.c_proj."},
    {"attention.output.LayerNorm.", "ln_1."},
    {"intermediate.dense.", "mlp.c_fc."},
    {"output.dense.", "mlp.c_proj."},
    {"output.LayerNorm.", "ln_2."},
    // distilbert
    {"attention.q_lin.", "attn.c_q."},
    {"attention.k_lin.", "attn.c_k."},
    {"attention.v_lin.", "attn.c_v."},
    {"attention.out_lin.", "attn.c_proj."},
    {"sa_layer_norm.", "ln_1."},
    {"ffn.lin1.", "mlp.c_fc."},
    {"ffn.lin2.", "mlp.c_proj."},
    {"output_layer_norm.", "ln_2."},
    // modernbert; packed halves of Wi have names of their own
    {"attn_norm.", "ln_1."},
    {"attn.Wqkv.", "attn.c_attn."},
    {"attn.Wo.", "attn.c_proj."},
    {"mlp_norm.", "ln_2."},
    {"mlp.Wi.", "mlp.c_gate.", "mlp.c_fc."},
    {"mlp.Wi_input.", "mlp.c_gate."},
    {"mlp.Wi_gate.", "mlp.c_fc."},
    {"mlp.Wo.", "mlp.c_proj."},
    // nomic_bert: those of its authors, and those of transformers
    {"attn.out_proj.", "attn.c_proj."},
    {"norm1.", "ln_1."},
    {"norm2.", "ln_2."},
    {"mlp.fc11.", "mlp.c_fc."},
    {"mlp.fc12.", "mlp.c_gate."},
    {"mlp.fc2.", "mlp.c_proj."},
    {"self_attn.q_proj.", "attn.c_q."},
    {"self_attn.k_proj.", "attn.c_k."},
    {"self_attn.v_proj.", "attn.c_v."},
    {"self_attn.o_proj.", "attn.c_proj."},
    {"post_attention_layernorm.", "ln_1."},
    {"post_mlp_layernorm.", "ln_2."},
    {"mlp.up_proj.", "mlp.c_fc."},
    {"mlp.gate_proj.", "mlp.c_gate."},
    {"mlp.down_proj.", "mlp.c_proj."}};
constexpr std::string_view kLayersAt[] = {"encoder.layer.", "transformer.layer.", "encoder.layers.",
                                          "layers."};
constexpr std::string_view kModels[] = {"bert.", "roberta.", "distilbert.", "nomic_bert.",
                                        "model."};
// What models have besides the encoder: heads, and tables of numbers that follow from the options.
constexpr std::string_view kHeads[] = {"pooler.",
                                       "cls.",
                                       "lm_head.",
                                       "vocab_transform.",
                                       "vocab_layer_norm.",
                                       "vocab_projector.",
                                       "classifier.",
                                       "pre_classifier.",
                                       "qa_outputs.",
                                       "head.",
                                       "decoder.",
                                       "embeddings.position_ids",
                                       "embeddings.token_type_ids",
                                       "rotary_emb."};
constexpr std::string_view kJoint = "mlp.Wi.", kHalves[] = {"mlp.Wi_input.", "mlp.Wi_gate."};

// Older files call the weight and the bias of norms gamma and beta.
std::string modern_end(std::string_view ours, std::string_view end) {
  const bool norm = ours.starts_with("ln_");
  if (norm && end == "gamma") end = "weight";
  if (norm && end == "beta") end = "bias";
  return std::string(ours).append(end);
}

// The encoder's names of the table's line that begins the name, under `before`.
std::vector<std::string> renamed(std::string_view name, std::span<const ModuleName> table,
                                 const std::string& before) {
  for (const ModuleName& line : table) {
    if (!name.starts_with(line.theirs)) continue;
    const std::string_view end = name.substr(line.theirs.size());
    std::vector<std::string> parts{before + modern_end(line.ours, end)};
    if (!line.second.empty()) parts.push_back(before + modern_end(line.second, end));
    return parts;
  }
  return {};
}

// The names in TextEncoder of a folder's tensor, without the model's prefix; none if unknown.
std::vector<std::string> names_of(std::string_view name) {
  for (const std::string_view layers : kLayersAt) {
    if (!name.starts_with(layers)) continue;
    const std::string_view rest = name.substr(layers.size());
    const size_t dot = rest.find('.');
    if (dot == std::string_view::npos) return {};
    return renamed(rest.substr(dot + 1), kOfLayer, "h." + std::string(rest.substr(0, dot)) + ".");
  }
  return renamed(name, kTables, "");
}

std::string_view without_model(std::string_view name) {
  for (const std::string_view model : kModels) {
    if (name.starts_with(model)) return name.substr(model.size());
  }
  return name;
}

size_t common_length(std::string_view a, std::string_view b) {
  return static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

// The name that a folder with these tensors would have for one that it lacks: the line of the
// tables by what it has beside that, and by the name that is the most similar.
std::string missing_name(const std::vector<EncoderTensor>& tensors, std::string_view ours) {
  const bool in_layer = ours.starts_with("h.");
  const size_t after = in_layer ? ours.find('.', 2) + 1 : 0;
  const std::string_view module = ours.substr(after);
  std::string_view before;  // model and place of layers
  std::string best(ours);
  size_t most = 0;
  for (const EncoderTensor& t : tensors) {
    const std::string_view name = t.name, inner = without_model(name);
    before = name.substr(0, name.size() - inner.size());
    std::string_view rest = inner, layers;
    for (const std::string_view at : kLayersAt) {
      if (inner.starts_with(at)) layers = at;
    }
    if (in_layer != !layers.empty()) continue;
    if (in_layer) rest.remove_prefix(std::min(rest.size(), rest.find('.', layers.size()) + 1));
    const std::span<const ModuleName> table =
        in_layer ? std::span<const ModuleName>(kOfLayer) : std::span<const ModuleName>(kTables);
    for (const ModuleName& line : table) {
      const bool is_second = !line.second.empty() && module.starts_with(line.second);
      if (!is_second && !module.starts_with(line.ours)) continue;
      const bool is_beside = std::ranges::any_of(tensors, [&](const EncoderTensor& other) {
        return !line.beside.empty() && other.name.find(line.beside) != std::string::npos;
      });
      if (!line.beside.empty() && !is_beside) continue;
      const size_t similar = 1 + common_length(rest, line.theirs) + (is_beside ? ours.size() : 0);
      if (similar <= most) continue;
      most = similar;
      best = std::string(before).append(layers);
      if (in_layer) best.append(ours.substr(2, after - 2));
      best.append(line.theirs)
          .append(module.substr(is_second ? line.second.size() : line.ours.size()));
    }
  }
  return best;
}

// Error{value} for two tensors of a folder that are the same of the encoder, as gamma and weight.
void refuse_two_names(const std::string& folder, const std::vector<EncoderTensor>& tensors) {
  std::map<std::string_view, std::string_view> names;
  for (const EncoderTensor& t : tensors) {
    for (const std::string& part : t.parts) {
      const auto [first, added] = names.emplace(part, t.name);
      if (added) continue;
      throw Error(Code::value, "load_text_encoder",
                  {folder, ": ", first->second, " and ", t.name, " are names of one tensor"},
                  "one of them", t.name);
    }
  }
}

}  // namespace

EncoderState read_encoder_tensors(const std::string& folder, FileAccess access) {
  NoGrad scope;
  EncoderState all;
  for (NamedTensor& t : load_folder_state(folder, access)) {
    const std::string_view name = without_model(t.name);
    EncoderTensor own{t.name, names_of(name)};
    if (own.parts.size() == 2) {
      const int64_t rows = t.tensor.rank() > 0 ? t.tensor.size(0) : 1;
      if (rows % 2) {
        refuse_shape(open_model_files(folder)->place_of(t.name), "an even number of rows");
      }
      all.state.push_back({own.parts[0], slice(t.tensor, {0, 0, rows / 2, 1})});
      all.state.push_back({own.parts[1], slice(t.tensor, {0, rows / 2, rows, 1})});
    } else if (own.parts.size() == 1) {
      all.state.push_back({own.parts[0], std::move(t.tensor)});
    } else if (std::ranges::any_of(kHeads,
                                   [&](std::string_view head) { return name.starts_with(head); })) {
      own.head = std::move(t.tensor);
    } else {
      all.state.push_back(std::move(t));
    }
    all.tensors.push_back(std::move(own));
  }
  refuse_two_names(folder, all.tensors);
  return all;
}

FileTensor encoder_file_tensor(const std::string& folder, const std::vector<EncoderTensor>& tensors,
                               std::string_view name) {
  const auto files = open_model_files(folder);
  for (const EncoderTensor& t : tensors) {
    if (t.name == name || std::ranges::find(t.parts, name) != t.parts.end())
      return {files->place_of(t.name), false, std::max<int64_t>(1, std::ssize(t.parts))};
  }
  return {files->place_of(missing_name(tensors, name))};
}

std::vector<NamedTensor> encoder_file_tensors(TextEncoder& model) {
  const std::vector<NamedTensor> state = model.state_dict();
  std::vector<NamedTensor> tensors;
  for (const EncoderTensor& own : model.source().tensors) {
    if (own.parts.empty()) {
      tensors.push_back({own.name, own.head});
      continue;
    }
    std::vector<Tensor> parts;
    for (const std::string& part : own.parts) parts.push_back(find(state, part)->detach());
    if (parts.size() == 1) {
      tensors.push_back({own.name, parts[0]});
    } else if (parts[0].plain() && parts[1].plain()) {
      tensors.push_back({own.name, cat({parts[0], parts[1]}, 0)});
    } else {  // packed ones stay apart
      for (size_t i = 0; i < parts.size(); ++i) {
        std::string name = own.name;
        name.replace(name.find(kJoint), kJoint.size(), kHalves[i]);
        tensors.push_back({std::move(name), parts[i]});
      }
    }
  }
  return tensors;
}

}  // namespace gyre
