#include "gyre/models/supervised/predictor.h"

#include <algorithm>
#include <cmath>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/base/system/file.h"
#include "gyre/data/images.h"
#include "gyre/io/json.h"
#include "gyre/io/npy.h"
#include "gyre/io/safetensors.h"
#include "gyre/models/supervised/array_examples.h"
#include "gyre/models/supervised/supervised_task.h"
#include "gyre/nn/init.h"
#include "gyre/nn/make_layer.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/norm/norm.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

[[noreturn]] void refuse_prediction(const Message& message) {
  throw Error(Code::value, "predict", message);
}

Json description_in(const std::string& folder) {
  const std::string path = folder + "/model.json";
  if (!file_exists(path) && file_exists(folder + "/config.json")) {
    refuse_prediction(folder + " holds a language model; use `gyre generate`");
  }
  if (!file_exists(path))
    throw Error(Code::io, "predict", folder + " holds no model for predict (no model.json)");
  return Json::read(path);
}

DataKind kind_of(const Json& reading) {
  const std::string name = reading.at("kind").as_string("kind");
  for (DataKind kind : {DataKind::images, DataKind::arrays, DataKind::table}) {
    if (name == kind_name(kind)) return kind;
  }
  throw Error(Code::parse, "predict", "models of " + name + " are not supported");
}

/// The rows whose target is known: no class of -1, no value of NaN.
Tensor known_rows(const Tensor& y, bool classes) {
  std::vector<int64_t> rows;
  if (is_floating(y.dtype()) && y.rank() == 1) {
    const auto values = to_vector<double>(y);
    for (size_t i = 0; i < values.size(); ++i) {
      if (!std::isnan(values[i])) rows.push_back(static_cast<int64_t>(i));
    }
  } else if (y.rank() == 1 && classes) {
    const auto values = to_vector<int64_t>(y);
    for (size_t i = 0; i < values.size(); ++i) {
      if (values[i] >= 0) rows.push_back(static_cast<int64_t>(i));
    }
  } else {
    for (int64_t i = 0; i < y.size(0); ++i) rows.push_back(i);
  }
  return tensor(rows, {static_cast<int64_t>(rows.size())});
}

Tensor first_of(const std::vector<NamedTensor>& file, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    for (const NamedTensor& field : file) {
      if (field.name == name) return field.tensor;
    }
  }
  return {};
}

}  // namespace

Predictor::Predictor(const std::string& folder, const nn::LayerTable& layers) : folder_(folder) {
  const Json json = description_in(folder);
  in_file(folder + "/model.json", [&] { read_description(json, layers); });
  const SafetensorsFile weights(folder + "/model.safetensors");
  const std::vector<NamedTensor> parameters = model_->named_parameters();
  const SafetensorsEntry* first = parameters.empty() ? nullptr : weights.find(parameters[0].name);
  if (first) model_->to(first->dtype());  // dtype of the saved weights
  in_file(weights.path(), [&] { model_->lend_state(weights); });
  model_->eval();
}

void Predictor::read_description(const Json& json, const nn::LayerTable& layers) {
  const Json& reading = json.at("reading");
  kind_ = kind_of(reading);
  if (kind_ == DataKind::arrays) pixels_ = reading.at("pixels").as_boolean("pixels");
  if (kind_ == DataKind::table) {
    encoding_ = TableEncoding::from_json(reading);
    has_header_ = reading.at("header").as_boolean("header");
  }
  target_ = Target::from_json(json.at("target"));
  nn::Unfilled scope;
  model_ = nn::make_model(layers, json.at("model"));
}

Predictions Predictor::of(const Tensor& x, const Tensor& y) {
  const Examples examples =
      kind_ == DataKind::table ? Examples{encoding_.encode(x), y} : array_examples(x, y);
  return of_examples(examples.x, examples.y);
}

Predictions Predictor::of_examples(const Tensor& x, const Tensor& y) {
  if (y.defined() && (x.rank() == 0 || y.rank() == 0 || x.size(0) != y.size(0))) {
    throw Error(Code::shape, "predict",
                {"x and y must have the same number of examples, got shapes ", x.shape(), " and ",
                 y.shape()},
                x.shape(), y.shape());
  }
  NoGrad off;
  constexpr int64_t kAtOnce = 256;
  Evaluation evaluation(target_);
  std::vector<Tensor> values, probabilities;
  // one batch even without rows, so that the results have their shapes
  for (int64_t at = 0; at == 0 || at < x.size(0); at += kAtOnce) {
    const SliceAttrs part{.axis = 0, .start = at, .stop = std::min(at + kAtOnce, x.size(0))};
    const Tensor outputs = on_device(outputs_of(*model_, slice(x, part)), {});
    if (outputs.rank() != 2 || outputs.size(1) != target_.outputs) {
      throw mismatch(Code::value, "predict",
                     {folder_, "/model.json: the target has ", target_.outputs,
                      " outputs, but the model's must be [rows, ", target_.outputs, "]"},
                     target_.outputs, outputs.shape());
    }
    values.push_back(target_.read(outputs));
    if (!target_.classes.empty()) probabilities.push_back(softmax(to(outputs, DType::f32), 1));
    if (!y.defined() || x.size(0) == 0) continue;
    const Tensor rows = known_rows(slice(y, part), !target_.classes.empty());
    if (rows.numel() > 0) {
      evaluation.add(index_select(outputs, 0, rows), index_select(slice(y, part), 0, rows));
    }
  }
  Predictions p;
  p.values = cat(values, 0);
  if (!probabilities.empty()) p.probabilities = cat(probabilities, 0);
  p.figures = evaluation.figures();
  return p;
}

Predictions Predictor::of(const std::string& source, UnknownTableValues unknown) {
  Examples examples = read(source, unknown);
  Predictions p = of_examples(examples.x, examples.y);
  p.notes = std::move(examples.notes);
  return p;
}

Predictor::Examples Predictor::read(const std::string& source, UnknownTableValues unknown) const {
  const DataKind given = data_kind({&source, 1});
  if (given != kind_) {
    refuse_prediction("the model in " + folder_ + " was trained on " + kind_name(kind_) + ", but " +
                      source + " holds " + kind_name(given));
  }
  if (kind_ == DataKind::table) return read_table(source, unknown);
  return kind_ == DataKind::arrays ? read_arrays(source) : read_images(source);
}

Predictor::Examples Predictor::read_table(const std::string& path,
                                          UnknownTableValues unknown) const {
  const CsvHeader header = has_header_ ? CsvHeader::present : CsvHeader::absent;
  const CsvTable table = read_csv(path, encoding_.csv({.header = header}), encoding_.texts());
  const bool has_target =
      std::any_of(table.columns.begin(), table.columns.end(),
                  [&](const CsvColumn& column) { return column.name == encoding_.target; });
  Examples examples;
  auto* notes = unknown == UnknownTableValues::missing ? &examples.notes : nullptr;
  examples.x = encoding_.encode(table, notes);
  if (has_target) examples.y = encoding_.encode_target(table, notes);
  return examples;
}

Predictor::Examples Predictor::read_arrays(const std::string& path) const {
  const std::vector<NamedTensor> file = read_npz(path);
  const Tensor x = first_of(file, {"x_test", "x"});
  if (!x.defined()) refuse_prediction(path + ": no array x_test or x");
  const bool parts = first_of(file, {"x_test"}).defined();
  return array_examples(x, parts ? first_of(file, {"y_test"}) : first_of(file, {"y"}));
}

Predictor::Examples Predictor::array_examples(const Tensor& x, const Tensor& y) const {
  const bool pixels = x.dtype() == DType::u8;
  if (kind_ == DataKind::arrays && pixels != pixels_) {
    refuse_prediction(
        "the model in " + folder_ + " was trained on " +
        (pixels ? "numbers, but x holds pixels (u8)" : "pixels (u8), but x holds numbers"));
  }
  return {array_inputs(x, "x"),
          y.defined() ? class_numbers(target_, array_targets(y, "y")) : Tensor()};
}

Predictor::Examples Predictor::read_images(const std::string& source) const {
  const std::string path = source.substr(source.find(':') + 1);
  auto read = [&] {
    try {
      return mnist(path, ImagePart::test);
    } catch (const Error& error) {
      if (error.code != Code::io) throw;
      return mnist(path, ImagePart::training);
    }
  }();
  return {(*read)["x"], class_numbers(target_, (*read)["y"])};
}

}  // namespace gyre
