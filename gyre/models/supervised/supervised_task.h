#pragma once
#include <memory>
#include <string>
#include <vector>

#include "gyre/data/data_loader.h"
#include "gyre/models/supervised/evaluation.h"
#include "gyre/nn/layer_def.h"
#include "gyre/train/trainer.h"

namespace gyre {

/// Examples with fields "x" and "y" to learn from.
struct SupervisedData {
  std::shared_ptr<const Dataset> training, validation;  ///< no validation: null
  Shape input;                                          ///< of one x
  Target target{};                                      ///< what y are: i64, or floating values
  Json reading{};                                       ///< how other data are read in the same way
  uint64_t checksum = 0;
  std::string text{};                ///< "60,000 images of 1x28x28, 10 classes"
  std::vector<std::string> notes{};  ///< what was guessed
};

/// The description of a model of that name: `mlp`, `cnn` (for images), `linear`, or a JSON file
/// that make_model takes. Empty: what suits the data. Error{value, io, parse}.
Json model_description(const std::string& name, const SupervisedData& data);

/// What a model of any dtype says of examples x, f32 at least.
Tensor outputs_of(nn::Module& model, const Tensor& x);

/// A network of layers that learns classes (cross entropy) or values (mean squared error).
class SupervisedTask final : public TrainTask {
 public:
  /// `description` as make_model takes it, `source` the file that it is of, which its errors name,
  /// or empty. Error{value} for a model that cannot be made or does not fit the data, with what it
  /// gives. An epoch leaves out a last batch of one example, which has no variance to normalise by.
  SupervisedTask(const TrainOptions& options, SupervisedData data, Json description,
                 const std::string& source, const nn::LayerTable& layers);

  nn::Module& model() override { return *model_; }
  BatchLoss loss(int64_t number) override;
  int64_t tokens_per_batch() const override { return loader_.options().batch; }
  const char* unit() const override { return "samples"; }
  std::optional<Validation> validate(TrainSink& sink) override;
  /// model.safetensors, and model.json: layers, input, target and how data are read.
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
