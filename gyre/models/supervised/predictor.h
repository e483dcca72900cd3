#pragma once
#include <memory>
#include <string>

#include "gyre/data/table.h"
#include "gyre/models/data_kind.h"
#include "gyre/models/supervised/evaluation.h"
#include "gyre/nn/layer_def.h"

namespace gyre {

/// What a model says of examples.
struct Predictions {
  Tensor values{};         ///< numbers of classes, [N] i64, or values, [N, K] f64
  Tensor probabilities{};  ///< of the classes, [N, classes] f32; none of values
  Figures figures{};       ///< where the data say what is right
};

/// A network that `train` has made of images, arrays or a table, with all that is needed to read
/// other data in the same way.
class Predictor {
 public:
  /// The model in a folder: model.json and model.safetensors. Errors: io, parse, value.
  Predictor(const std::string& folder, const nn::LayerTable& layers);

  [[nodiscard]] const Target& target() const { return target_; }
  [[nodiscard]] DataKind kind() const { return kind_; }
  [[nodiscard]] nn::Module& model() { return *model_; }

  /// Of examples x, [N, ...], and what is right, if known; not recorded. They are read as those of
  /// a file: array_inputs and array_targets; of a table, x are rows of the numbers in its columns
  /// (TableEncoding::encode), and y the values or the numbers of the classes. Errors: shape, where
  /// x and y are not equally many; those of reading and of the layers.
  [[nodiscard]] Predictions of(const Tensor& x, const Tensor& y = {});
  /// Of the examples in such a source as the model was trained on: mnist:FOLDER (its test part if
  /// it has one), FILE.npz (x_test or x) or a table, whose target need not be there. Errors: value
  /// for another kind of data, and those of reading them.
  [[nodiscard]] Predictions of(const std::string& source);

 private:
  struct Examples {
    Tensor x, y;
  };
  Examples read(const std::string& source) const;
  Examples read_table(const std::string& path) const;
  Examples read_arrays(const std::string& path) const;
  Examples array_examples(const Tensor& x, const Tensor& y) const;
  Predictions of_examples(const Tensor& x, const Tensor& y);
  Examples read_images(const std::string& source) const;

  std::string folder_;
  DataKind kind_;
  bool pixels_ = false;     // of arrays: they were u8
  TableEncoding encoding_;  // of tables
  bool has_header_ = false;
  Target target_;
  std::unique_ptr<nn::Module> model_;
};

}  // namespace gyre
