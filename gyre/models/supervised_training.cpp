#include "gyre/models/supervised_training.h"

#include <fmt/format.h>

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/base/file.h"
#include "gyre/base/xxhash64.h"
#include "gyre/data/images.h"
#include "gyre/data/table.h"
#include "gyre/io/npy.h"
#include "gyre/models/data_kind.h"
#include "gyre/models/supervised_task.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/train/text_progress.h"

namespace gyre {
namespace {

using Fields = std::vector<NamedTensor>;

[[noreturn]] void refuse(const std::string& message) { throw Error(Code::value, "train", message); }

uint64_t checksum_of(std::span<const NamedTensor> fields) {
  Xxhash64 hash;
  for (const NamedTensor& field : fields) {
    Tensor t = contiguous(field.tensor);
    hash.update({t.bytes(), static_cast<size_t>(t.numel()) * size_of(t.dtype())});
  }
  return hash.digest();
}

Shape row_shape(const Tensor& x) {
  Shape shape;
  for (int i = 1; i < x.rank(); ++i) shape.push_back(x.size(i));
  return shape;
}

// Holds back a part for validation, always the same for the same data.
void cut(SupervisedData& d, const TensorDataset& all, std::shared_ptr<const Dataset> shared,
         double fraction) {
  constexpr uint64_t kSeed = 1000;
  d.checksum = checksum_of(all.fields());
  DatasetSplit parts = split(std::move(shared), fraction, kSeed);
  d.training = parts.training;
  if (parts.validation->size() > 0) d.validation = parts.validation;
}

void count_classes(SupervisedData& d, const Tensor& y) {
  double least = y.numel() ? min(y).item() : 0, most = y.numel() ? max(y).item() : 0;
  constexpr double kMostClasses = 100000;
  if (least < 0 || most >= kMostClasses) {
    refuse(fmt::format("y are classes from 0 on, at most {:.0f}; there are {:.0f} to {:.0f}",
                       kMostClasses, least, most));
  }
  d.outputs = static_cast<int64_t>(most) + 1;
  for (int64_t i = 0; i < d.outputs; ++i) d.classes.push_back(std::to_string(i));
}

// Both parts are of one kind, so that a validation does not fail after an epoch.
void require_like(const TensorDataset& training, const TensorDataset& other, int64_t classes) {
  const Tensor &x = training["x"], &y = training["y"], &ox = other["x"], &oy = other["y"];
  if (other.size() == 0) refuse("the part to validate with holds nothing");
  if (!(row_shape(x) == row_shape(ox)) || is_floating(y.dtype()) != is_floating(oy.dtype())) {
    refuse(fmt::format("examples to train with are {} {}, those to validate with {} {}",
                       to_string(row_shape(x)), name_of(y.dtype()), to_string(row_shape(ox)),
                       name_of(oy.dtype())));
  }
  if (is_floating(y.dtype())) return;
  if (double least = min(oy).item(), most = max(oy).item();
      least < 0 || most >= static_cast<double>(classes)) {
    refuse(fmt::format("classes to validate with are {:.0f} to {:.0f}, there are {} to train with",
                       least, most, classes));
  }
}

// A part of its own for validation.
void keep(SupervisedData& d, std::shared_ptr<const TensorDataset> training,
          std::shared_ptr<const TensorDataset> validation) {
  require_like(*training, *validation, d.outputs);
  d.checksum = checksum_of(training->fields()) ^ (checksum_of(validation->fields()) << 1);
  d.training = std::move(training);
  d.validation = std::move(validation);
}

void describe(SupervisedData& d, const char* what) {
  d.text = fmt::format("{} {} of {}, {}", grouped(d.training->size()), what, to_string(d.input),
                       d.classes.empty() ? fmt::format("{} to predict", d.outputs)
                                         : fmt::format("{} classes", d.outputs));
  if (d.validation) d.text += fmt::format("; {} held back", grouped(d.validation->size()));
}

const Tensor* found(const Fields& fields, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    for (const NamedTensor& f : fields) {
      if (f.name == name) return &f.tensor;
    }
  }
  return nullptr;
}

SupervisedData arrays(const TrainOptions& o) {
  const Fields file = read_npz(o.data[0]);
  const Tensor* x = found(file, {"x_train", "x"});
  const Tensor* y = found(file, {"y_train", "y"});
  const Tensor *x_test = found(file, {"x_test"}), *y_test = found(file, {"y_test"});
  if (!x || !y) refuse(o.data[0] + " has no arrays x and y, or x_train and y_train");
  if (!x_test != !y_test) refuse(o.data[0] + " has one of x_test and y_test, both are needed");
  auto examples = [](const Tensor& inputs, const Tensor& targets) {
    bool classes = !is_floating(targets.dtype());
    return std::make_shared<TensorDataset>(
        Fields{{"x", is_floating(inputs.dtype()) ? inputs : to(inputs, DType::f32)},
               {"y", classes ? to(targets, DType::i64) : targets}});
  };
  auto all = examples(*x, *y);
  SupervisedData d;
  d.input = row_shape(*x);
  if (is_floating(y->dtype())) {
    d.outputs = y->size(0) ? y->numel() / y->size(0) : 1;
  } else {
    count_classes(d, *y);
  }
  if (x_test) {
    keep(d, all, examples(*x_test, *y_test));
  } else {
    cut(d, *all, all, o.val_fraction);
  }
  describe(d, "examples");
  return d;
}

// A part of which no file is there.
bool absent(const std::string& path, const char* part) {
  if (!is_directory(path)) return false;
  for (const std::string& name : list_directory(path)) {
    if (name.starts_with(std::string(part) + "-images-idx3-ubyte") ||
        name.starts_with(std::string(part) + "-labels-idx1-ubyte")) {
      return false;
    }
  }
  return true;
}

SupervisedData images(const TrainOptions& o) {
  constexpr std::string_view kScheme = "mnist:";
  const std::string path = o.data[0].substr(kScheme.size());
  bool no_training = absent(path, "train"), no_test = absent(path, "t10k");
  // a folder that holds one part only gives that for training
  auto training = mnist(path, no_training && !no_test ? ImagePart::test : ImagePart::training);
  SupervisedData d;
  d.input = row_shape((*training)["x"]);
  count_classes(d, (*training)["y"]);
  if (no_training || no_test) {
    cut(d, *training, training, o.val_fraction);
  } else {
    keep(d, training, mnist(path, ImagePart::test));
  }
  describe(d, "images");
  return d;
}

SupervisedData table(const TrainOptions& o) {
  Table read =
      read_table(o.data[0], TableOptions{.target = o.target, .without = o.without, .task = o.task});
  SupervisedData d;
  d.input = {read.encoding.features()};
  d.classes = read.encoding.classes;
  d.outputs = std::max<int64_t>(1, static_cast<int64_t>(d.classes.size()));
  d.reading = read.encoding.to_json();
  cut(d, *read.data, read.data, o.val_fraction);
  describe(d, "rows");
  return d;
}

}  // namespace

PreparedTask prepare_supervised(const TrainOptions& o, const Beginning& from,
                                const nn::LayerTable& layers, TrainSink& sink) {
  sink.preparing("reading the data", 0, 0);
  DataKind kind = data_kind(o.data);
  SupervisedData data = kind == DataKind::images   ? images(o)
                        : kind == DataKind::arrays ? arrays(o)
                                                   : table(o);
  PreparedTask prepared;
  prepared.checksum = data.checksum;
  from.require_same(prepared.checksum);
  // the file of the model may have changed since
  Json description = from.checkpoint.empty()
                         ? model_description(o.model, data)
                         : Json::read(from.checkpoint + "/model.json").at("model");
  auto task = std::make_unique<SupervisedTask>(o, std::move(data), std::move(description), layers);
  prepared.batches_per_epoch = task->batches_per_epoch();
  prepared.summary = task->summary();
  prepared.task = std::move(task);
  return prepared;
}

}  // namespace gyre
