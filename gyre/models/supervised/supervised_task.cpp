#include "gyre/models/supervised/supervised_task.h"

#include <fmt/format.h>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/base/system/file.h"
#include "gyre/models/prepared_task.h"
#include "gyre/nn/init.h"
#include "gyre/nn/make_layer.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/train/progress/text_progress.h"

namespace gyre {
namespace {

Json layer(const char* name) {
  Json j = Json::object();
  j["layer"] = name;
  return j;
}

Json linear_layer(int64_t in, int64_t out) {
  Json j = layer("Linear");
  j["in"] = in;
  j["out"] = out;
  return j;
}

// A same-padding convolution, an activation and 2x2 pooling.
void add_convolution(Json& layers, int64_t in, int64_t out) {
  Json conv = layer("Conv2d"), pool = layer("MaxPool2d");
  conv["in"] = in;
  conv["out"] = out;
  conv["kernel"] = 3;
  conv["padding"] = 1;
  pool["kernel"] = 2;
  layers.push_back(std::move(conv));
  layers.push_back(layer("ReLU"));
  layers.push_back(std::move(pool));
}

Json flattened(const SupervisedData& data) {
  Json layers = Json::array();
  if (data.input.rank != 1) layers.push_back(layer("Flatten"));
  return layers;
}

Json perceptron(const SupervisedData& data) {
  constexpr int64_t kHidden = 256;
  Json layers = flattened(data);
  layers.push_back(linear_layer(numel(data.input), kHidden));
  layers.push_back(layer("SiLU"));
  layers.push_back(linear_layer(kHidden, kHidden));
  layers.push_back(layer("SiLU"));
  layers.push_back(linear_layer(kHidden, data.target.outputs));
  return layers;
}

Json convolutions(const SupervisedData& data) {
  constexpr int64_t kFirst = 16, kSecond = 32, kHidden = 128;
  if (data.input.rank != 3 || data.input[1] < 4 || data.input[2] < 4) {
    refuse_training({"`model` cnn needs images of at least 4x4, got examples of ", data.input});
  }
  Json layers = Json::array();
  add_convolution(layers, data.input[0], kFirst);
  add_convolution(layers, kFirst, kSecond);
  layers.push_back(layer("Flatten"));
  layers.push_back(linear_layer(kSecond * (data.input[1] / 4) * (data.input[2] / 4), kHidden));
  layers.push_back(layer("ReLU"));
  layers.push_back(linear_layer(kHidden, data.target.outputs));
  return layers;
}

DType dtype_of(nn::Module& model) {
  for (const Tensor& p : model.parameters()) {
    if (is_floating(p.dtype())) return p.dtype();
  }
  return DType::f32;
}

Generator seeded(const TrainOptions& o) { return {static_cast<uint64_t>(o.trainer.run.seed), 0}; }

// Makes the model of a description; errors name its source.
std::unique_ptr<nn::Module> made(const nn::LayerTable& layers, const Json& description,
                                 const std::string& source, Generator* generator) {
  return in_file(source, [&] { return nn::make_model(layers, description, generator); });
}

LoaderOptions loader_options(const TrainOptions& o, int64_t examples) {
  const int64_t batch = o.trainer.batch.size;
  return {.batch_size = batch,
          .shuffle = true,
          .drop_last = examples > batch && examples % batch == 1,
          .num_workers = o.data.num_workers,
          .seed = o.trainer.run.seed};
}

}  // namespace

Json model_description(const std::string& name, const SupervisedData& data) {
  bool images = data.input.rank == 3 && data.input[1] >= 4 && data.input[2] >= 4;
  if (name == "cnn" || (name.empty() && images)) return convolutions(data);
  if (name == "mlp" || name.empty()) return perceptron(data);
  if (name == "linear") {
    Json layers = flattened(data);
    layers.push_back(linear_layer(numel(data.input), data.target.outputs));
    return layers;
  }
  if (!file_exists(name)) {
    refuse_training("`model` must be mlp, cnn, linear or a JSON file; no such file: '" + name +
                    "'");
  }
  return Json::read(name, {.unique_keys = true});
}

SupervisedTask::SupervisedTask(const TrainOptions& o, SupervisedData data, Json description,
                               const std::string& source, const nn::LayerTable& layers)
    : data_(std::move(data)),
      description_(std::move(description)),
      loader_(data_.training, loader_options(o, data_.training->size())) {
  Generator generator = seeded(o);
  nn::Unfilled scope(o.trainer.checkpoints.resume);  // load() follows
  model_ = made(layers, description_, source, &generator);
  if (!o.trainer.checkpoints.resume) require_fit();
}

void SupervisedTask::require_fit() {
  NoGrad off;
  model_->eval();
  Tensor x = data_.training->batch(std::vector<int64_t>{0})["x"], y;
  try {
    y = outputs_of(*model_, x);
  } catch (const Error& error) {
    const std::string shape = to_string(data_.input),
                      features = data_.input.rank == 1 ? " features: " : " shape: ";
    throw Error(error.code, "train",
                "the model does not accept examples of " + shape + features + error.what(),
                error.expected, error.actual);
  }
  model_->train();
  Shape wanted{1, data_.target.outputs};
  if (!(y.shape() == wanted)) {
    throw Error(Code::value, "train",
                fmt::format("the model's output for one example is {}, expected {}",
                            to_string(y.shape()), to_string(wanted)),
                wanted, y.shape());
  }
}

Tensor outputs_of(nn::Module& model, const Tensor& x) {
  Tensor in = on_device(is_floating(x.dtype()) ? to(x, dtype_of(model)) : x, model.device());
  Tensor out = model.forward({&in, 1})[0];
  return size_of(out.dtype()) == 2 ? to(out, DType::f32) : out;
}

nn::MatrixRoles SupervisedTask::matrix_roles() const {
  nn::MatrixRoles roles;
  for (const Tensor& p : model_->parameters()) {
    if (p.rank() >= 2) roles.tables = {p};
  }
  return roles;
}

Batch SupervisedTask::batch(int64_t number) {
  if (number != loader_.cursor()) loader_.seek(number);
  return loader_.next();
}

BatchLoss SupervisedTask::loss(const Batch& batch) {
  auto rows = static_cast<double>(batch["x"].size(0));
  return {data_.target.loss(outputs_of(*model_, batch["x"]), batch["y"]),
          rows / static_cast<double>(loader_.options().batch_size)};
}

std::optional<Validation> SupervisedTask::validate(TrainSink& sink) {
  Validation result;
  result.measured = data_.validation != nullptr;
  if (!result.measured) return result;
  NoGrad off;
  constexpr int64_t kAtOnce = 256;
  DataLoader all(data_.validation, {.batch_size = kAtOnce});
  Evaluation evaluation(data_.target);
  for (int64_t i = 0; i < all.batches_per_epoch(); ++i) {
    if (sink.stop_wanted()) return {};
    Batch batch = all.next();
    evaluation.add(on_device(outputs_of(*model_, batch["x"]), {}), batch["y"]);
  }
  result.figures = evaluation.figures();
  return result;
}

void SupervisedTask::save(const std::string& folder) {
  write_safetensors(folder + "/model.safetensors", model_->state_dict());
  Json j = Json::object(), input = Json::array();
  for (int64_t size : data_.input) input.push_back(size);
  j["format"] = 1;
  j["model"] = description_;
  j["input"] = std::move(input);
  j["target"] = data_.target.to_json();
  j["reading"] = data_.reading;
  write_file_atomic(folder + "/model.json", j.dump(2) + "\n");
}

void SupervisedTask::load(const std::string& folder) {
  model_->load_state_dict(
      SafetensorsFile(folder + "/model.safetensors", Verify::checksum, FileAccess::map));
}

std::string SupervisedTask::summary() {
  return fmt::format("{}; {} parameters", data_.text, grouped(model_->parameter_count()));
}

}  // namespace gyre
