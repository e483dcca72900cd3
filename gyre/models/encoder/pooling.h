#pragma once
#include <string>

#include "gyre/base/record.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

/// How the hidden states of a text become one vector: as the folder states, by their mean, the
/// first (of the CLS token), the last, the largest of each feature, or not at all.
enum class Pooling : uint8_t { stated, mean, cls, last, max, none };
inline constexpr const char* kPoolingNames[] = {"stated", "mean", "cls", "last", "max", "none"};
template <>
inline constexpr std::span<const char* const> kChoices<Pooling> = kPoolingNames;

/// What a folder states of its vectors.
struct StatedVectors {
  Pooling pooling = Pooling::mean;
  bool normalize = false;
  int64_t max_tokens = 0;  ///< of a text (`max_seq_length`); 0: not stated
  std::string encoder{};   ///< the folder of the encoder
};

/// That of a folder as sentence-transformers writes it: modules.json, and the config.json of its
/// Pooling. Without modules.json mean pooling, as sentence-transformers has it. Error{unsupported}
/// naming what it cannot do: another module, several modes or another one, do_lower_case;
/// Error{value} for a path that leaves the folder, modules in another order, and a max_seq_length
/// below 1; Error{io, parse}.
StatedVectors stated_vectors(const std::string& folder);

/// Copies modules.json and the configs of modules, if there are any, for an encoder that is in the
/// folder itself. Errors of stated_vectors().
void copy_stated_vectors(const std::string& from, const std::string& to);

/// [rows, width] of hidden states [rows, tokens, width] and the lengths [rows] (i64) of the rows.
/// `pooling` is not stated or none.
Tensor pooled(const Tensor& hidden, const Tensor& lengths, Pooling pooling);

}  // namespace gyre
