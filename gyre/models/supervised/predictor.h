#pragma once
#include <memory>
#include <string>

#include "gyre/data/table/table.h"
#include "gyre/models/data_kind.h"
#include "gyre/models/supervised/evaluation.h"
#include "gyre/nn/layer_def.h"

namespace gyre {

/// What to do with values of a table that its encoding does not know.
enum class UnknownTableValues : uint8_t {
  missing,  ///< take them as missing, and note each different one
  error,
};
inline constexpr const char* kUnknownTableValuesNames[] = {"missing", "error"};
template <>
inline constexpr std::span<const char* const> kChoices<UnknownTableValues> =
    kUnknownTableValuesNames;

/// Predictions for examples.
struct Predictions {
  Tensor values{};         ///< class indices, [N] i64, or values, [N, K] f64
  Tensor probabilities{};  ///< class probabilities, [N, classes] f32; undefined for values
  Figures figures{};       ///< of the rows with known targets, if there are any
  std::vector<std::string> notes{};  ///< values of a table that were taken as missing
};

/// A trained network for images, arrays or a table, with the preprocessing of its training data.
class Predictor {
 public:
  /// Loads a model folder: model.json and model.safetensors. Errors: io, parse, value.
  Predictor(const std::string& folder, const nn::LayerTable& layers);

  [[nodiscard]] const Target& target() const { return target_; }
  [[nodiscard]] DataKind kind() const { return kind_; }
  [[nodiscard]] nn::Module& model() { return *model_; }

  /// Predicts for examples x, [N, ...], with metrics if targets y are given; not recorded. Both are
  /// read as those of a file (array_inputs, array_targets); for a table, x are rows of encoded
  /// columns (TableEncoding::encode) and y the values or class indices. Errors: shape, if x and y
  /// differ in number; those of reading and of the layers.
  [[nodiscard]] Predictions of(const Tensor& x, const Tensor& y = {});
  /// Predicts for a source of the kind the model was trained on: mnist:FOLDER (its test part if
  /// present), FILE.npz (x_test or x) or a table, whose target column may be missing. Errors: value
  /// for another kind of data, and those of reading.
  [[nodiscard]] Predictions of(const std::string& source,
                               UnknownTableValues unknown = UnknownTableValues::error);

 private:
  struct Examples {
    Tensor x, y;
    std::vector<std::string> notes{};
  };
  void read_description(const Json& json, const nn::LayerTable& layers);
  Examples read(const std::string& source, UnknownTableValues unknown) const;
  Examples read_table(const std::string& path, UnknownTableValues unknown) const;
  Examples read_arrays(const std::string& path) const;
  Examples array_examples(const Tensor& x, const Tensor& y) const;
  Predictions of_examples(const Tensor& x, const Tensor& y);
  Examples read_images(const std::string& source) const;

  std::string folder_;
  DataKind kind_;
  bool pixels_ = false;     // of arrays: x was u8
  TableEncoding encoding_;  // of tables
  bool has_header_ = false;
  Target target_;
  std::unique_ptr<nn::Module> model_;
};

}  // namespace gyre
