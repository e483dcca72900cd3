#pragma once
#include <memory>
#include <string>
#include <vector>

#include "gyre/data/data_loader.h"
#include "gyre/models/supervised/evaluation.h"
#include "gyre/models/train_options.h"
#include "gyre/nn/layer_def.h"
#include "gyre/train/trainer.h"

namespace gyre {

/// Training examples with fields "x" and "y".
struct SupervisedData {
  std::shared_ptr<const Dataset> training, validation;  ///< validation may be null
  Shape input;                                          ///< shape of one x
  Target target{};                                      ///< of y: i64, or floating-point values
  Json reading{};                                       ///< preprocessing, stored for prediction
  uint64_t checksum = 0;
  std::string text{};                ///< "60,000 images of 1x28x28, 10 classes"
  std::vector<std::string> notes{};  ///< inferred choices
};

/// The layer description of a model name: `mlp`, `cnn` (for images), `linear`, or a JSON file for
/// make_model. Empty: chosen from the data. Error{value, io, parse}.
Json model_description(const std::string& name, const SupervisedData& data);

/// Outputs of a model of any dtype for x, in f32 or wider.
Tensor outputs_of(nn::Module& model, const Tensor& x);

/// A network of layers trained for classification (cross-entropy) or regression (mean squared
/// error).
class SupervisedTask final : public TrainTask {
 public:
  /// `description` is an argument of make_model and `source` the file it comes from (or empty),
  /// named by errors. Error{value} for a model that cannot be made or does not fit the data, with
  /// its output shape. An epoch drops a last batch of one example, which batch norm cannot use.
  SupervisedTask(const TrainOptions& options, SupervisedData data, Json description,
                 const std::string& source, const nn::LayerTable& layers);

  nn::Module& model() override { return *model_; }
  Batch batch(int64_t number) override;
  BatchLoss loss(const Batch& batch) override;
  int64_t tokens_per_batch() const override { return loader_.options().batch_size; }
  const char* unit() const override { return "samples"; }
  /// The weights of the output layer: the last parameter of two or more dimensions.
  [[nodiscard]] nn::MatrixRoles matrix_roles() const override;
  std::optional<Validation> validate(TrainSink& sink) override;
  /// model.safetensors, and model.json: layers, input, target and preprocessing.
  void save(const std::string& folder) override;
  void load(const std::string& folder) override;

  [[nodiscard]] int64_t batches_per_epoch() const { return loader_.batches_per_epoch(); }
  [[nodiscard]] std::string summary();

 private:
  void require_fit();

  SupervisedData data_;
  Json description_;
  std::unique_ptr<nn::Module> model_;
  DataLoader loader_;
};

}  // namespace gyre
