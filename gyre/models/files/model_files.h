#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/base/system/file.h"
#include "gyre/io/json.h"
#include "gyre/io/named_tensor.h"

namespace gyre {

class Tokenizer;

/// Where a tensor of a model is on disk.
struct TensorPlace {
  std::string file, name;  ///< where the model has no such tensor: what it would be
  bool is_found = false;
  Shape shape{};  ///< as the file has it
  bool is_packed = false;
  bool is_transposed = false;  ///< against ModelFiles::tensors()
};

/// A language model on disk, in the terms of Hugging Face's folders: such a folder, or a single
/// file of another format.
class ModelFiles {
 public:
  virtual ~ModelFiles();

  /// The fields of config.json; of a model for images and text those of its text part, as
  /// tensors() and weights() are.
  [[nodiscard]] virtual Json config() const = 0;
  /// The file that config() comes from, for errors.
  [[nodiscard]] virtual std::string config_path() const = 0;
  /// All tensors by Hugging Face's names, in the layout of its folders. With FileAccess::map they
  /// stay in the mapped files where their bytes are used as they are.
  [[nodiscard]] virtual std::vector<NamedTensor> tensors(FileAccess access) const = 0;
  /// Where a tensor of tensors() is. `optional`: what all of its names may lack at their start.
  [[nodiscard]] virtual TensorPlace place_of(std::string_view name,
                                             std::string_view optional = {}) const;
  /// Whether the rows of q_proj and k_proj are in the order of interleaved rope: features that
  /// rotate together are neighbours, and not half a head apart.
  [[nodiscard]] virtual bool is_interleaved() const { return false; }

  /// The tokenizer that is stored with the model; null if there is none, as for single files.
  /// Errors of load_tokenizer().
  [[nodiscard]] virtual std::unique_ptr<Tokenizer> tokenizer() const;

  /// Size of the weights.
  struct Weights {
    int64_t bytes = 0, count = 0;
  };
  [[nodiscard]] virtual Weights weights() const = 0;
};

/// Opens a folder (nothing of it is read yet), a GGUF file (a name that ends in .gguf) or a model
/// of llama2.c (.bin). Errors of GgufFile and Llama2cFile.
std::unique_ptr<ModelFiles> open_model_files(const std::string& path);

/// Whether the path is a file of such a format by its name, and not a folder.
bool is_model_file(const std::string& path);

/// The tokenizer that `given` names, as open_tokenizer() takes it, or if that is empty that of a
/// model; null if it has none. Errors of these.
std::unique_ptr<Tokenizer> tokenizer_for(const std::string& model, const std::string& given);

/// The tokenizer in a file that load_tokenizer() or load_llama2c_tokenizer() reads, or that of a
/// model in a folder or file.
/// Errors: those of load_tokenizer() and open_model_files(); Error{io} for a path without any,
/// Error{value} for a model without a tokenizer.
std::unique_ptr<Tokenizer> open_tokenizer(const std::string& path);

}  // namespace gyre
