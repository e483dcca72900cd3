#pragma once
#include <string>
#include <vector>

#include "gyre/io/gguf/gguf.h"
#include "gyre/models/files/model_files.h"

namespace gyre {

struct GgufArchitecture;

/// The language model in a GGUF file, by its metadata. Plain tensors keep their dtype; matrices in
/// Q8_0 and Q4_0 are packed tensors over their blocks (q8_0, q4_0), with their rows as outputs;
/// other quantised ones become f16.
class GgufModel : public ModelFiles {
 public:
  /// Errors of GgufFile; Error{unsupported} for another general.architecture than those of
  /// gguf_architectures.
  explicit GgufModel(const std::string& path);

  /// Error{value} naming a field that is missing; Error{unsupported} for what would change the
  /// results and is not computed, by key and value.
  [[nodiscard]] Json config() const override;
  [[nodiscard]] std::string config_path() const override { return file_.path(); }
  /// Error{unsupported} for a tensor that the architecture does not have.
  [[nodiscard]] std::vector<NamedTensor> tensors(FileAccess access) const override;
  [[nodiscard]] TensorPlace place_of(std::string_view name,
                                     std::string_view optional = {}) const override;
  [[nodiscard]] bool is_interleaved() const override;
  [[nodiscard]] std::unique_ptr<Tokenizer> tokenizer() const override;
  [[nodiscard]] Weights weights() const override;

  [[nodiscard]] const GgufFile& file() const { return file_; }

 private:
  // Whether the tensor of that Hugging Face name, [in, out] there, is [out, in] in the file.
  [[nodiscard]] bool is_transposed(std::string_view name) const;

  GgufFile file_;
  const GgufArchitecture* architecture_;
};

}  // namespace gyre
