#pragma once
#include <string>
#include <vector>

#include "gyre/io/file_mapping.h"
#include "gyre/models/files/model_files.h"

namespace gyre {

/// A model of Karpathy's llama2.c in the format of its export "version 0": seven i32 sizes, then
/// the weights in f32, those of one kind for all layers together. Query and key rows are for
/// interleaved rope.
class Llama2cFile : public ModelFiles {
 public:
  /// Error{io}; Error{parse} for sizes that do not fit together or with the length of the file;
  /// Error{unsupported} for later versions and for checkpoints of PyTorch.
  explicit Llama2cFile(const std::string& path);

  [[nodiscard]] Json config() const override;
  [[nodiscard]] std::string config_path() const override { return path_; }
  [[nodiscard]] std::vector<NamedTensor> tensors(FileAccess access) const override;
  [[nodiscard]] bool is_interleaved() const override { return true; }
  /// Of `tokN.bin` beside it, where N is the size of the vocabulary, or `tokenizer.bin`.
  [[nodiscard]] std::unique_ptr<Tokenizer> tokenizer() const override;
  [[nodiscard]] Weights weights() const override;

 private:
  struct Sizes {
    int64_t width, inner, layers, heads, kv_heads, vocab, context;
    bool tied;
  };
  struct Place {
    std::string name;
    Shape shape;
    uint64_t begin;
  };
  [[nodiscard]] Sizes read_sizes() const;
  [[nodiscard]] std::vector<Place> places() const;

  std::string path_;
  Ref<FileMapping> mapping_;
  Sizes sizes_;
};

}  // namespace gyre
