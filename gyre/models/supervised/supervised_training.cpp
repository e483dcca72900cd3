#include "gyre/models/prepared_task.h"

#include <fmt/format.h>

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/base/system/file.h"
#include "gyre/base/text/counted.h"
#include "gyre/base/xxhash64.h"
#include "gyre/data/images.h"
#include "gyre/data/table/table.h"
#include "gyre/io/npy.h"
#include "gyre/io/row_major_bytes.h"
#include "gyre/models/data_kind.h"
#include "gyre/models/supervised/array_examples.h"
#include "gyre/models/supervised/supervised_task.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/train/progress/text_progress.h"

namespace gyre {
namespace {

using Fields = std::vector<NamedTensor>;

uint64_t checksum_of(std::span<const NamedTensor> fields) {
  Xxhash64 hash;
  for (const NamedTensor& field : fields) {
    row_major_bytes(field.tensor, [&](std::span<const std::byte> bytes) { hash.update(bytes); });
  }
  return hash.digest();
}

Shape row_shape(const Tensor& x) {
  Shape shape;
  for (int i = 1; i < x.rank(); ++i) shape.push_back(x.size(i));
  return shape;
}

// Examples with class indices instead of labels.
std::shared_ptr<const TensorDataset> numbered(const Target& target, const Tensor& x,
                                              const Tensor& y) {
  return std::make_shared<TensorDataset>(Fields{{"x", x}, {"y", class_numbers(target, y)}});
}

// Splits off a validation part, always the same for the same data.
constexpr uint64_t kSplitSeed = 1000;

void cut(SupervisedData& d, std::shared_ptr<const TensorDataset> all, double fraction) {
  d.checksum = checksum_of(all->fields());
  const RowSplit rows = split_rows(all->size(), fraction, kSplitSeed);
  if (rows.training.empty() && all->size() > 0) {
    refuse_training(fmt::format("`val_fraction` {} leaves none of {} for training; set a smaller "
                                "`val_fraction`",
                                fraction, counted(all->size(), "example")),
                    "a smaller fraction", fraction);
  }
  if (d.target.classes.empty()) {
    const auto count = static_cast<int64_t>(rows.training.size());
    d.target.measure(index_select((*all)["y"], 0, tensor(rows.training, {count})));
  }
  DatasetSplit parts = split(std::move(all), fraction, kSplitSeed);
  d.training = parts.training;
  if (parts.validation->size() > 0) d.validation = parts.validation;
}

// A separate validation part.
void keep(SupervisedData& d, std::shared_ptr<const TensorDataset> training,
          std::shared_ptr<const TensorDataset> validation) {
  const Tensor &x = (*training)["x"], &y = (*training)["y"];
  const Tensor &other = (*validation)["x"], &wanted = (*validation)["y"];
  if (validation->size() == 0) refuse_training("the validation part is empty");
  if (!(row_shape(x) == row_shape(other)) || !(row_shape(y) == row_shape(wanted)) ||
      is_floating(y.dtype()) != is_floating(wanted.dtype())) {
    refuse_training(fmt::format(
        "training examples are {} and {} {}, validation examples {} and {} {}",
        to_string(row_shape(x)), to_string(row_shape(y)), name_of(y.dtype()),
        to_string(row_shape(other)), to_string(row_shape(wanted)), name_of(wanted.dtype())));
  }
  d.checksum = checksum_of(training->fields()) ^ (checksum_of(validation->fields()) << 1);
  if (d.target.classes.empty()) d.target.measure(y);
  d.training = std::move(training);
  d.validation = std::move(validation);
}

std::string learned(const Target& target) {
  if (!target.classes.empty()) {
    return target.classes.size() == 1
               ? target.name + " (1 class)"
               : fmt::format("{} ({} classes)", target.name, target.classes.size());
  }
  return target.outputs == 1 ? target.name + " (1 value)"
                             : fmt::format("{} ({} values)", target.name, target.outputs);
}

void describe(SupervisedData& d, const char* what) {
  const int64_t count = d.training->size();
  d.text = fmt::format("{} {}{} of {}, target {}", grouped(count), what, count == 1 ? "" : "s",
                       to_string(d.input), learned(d.target));
  if (d.validation) d.text += fmt::format("; {} for validation", grouped(d.validation->size()));
}

const Tensor* found(const Fields& fields, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    for (const NamedTensor& f : fields) {
      if (f.name == name) return &f.tensor;
    }
  }
  return nullptr;
}

// Warns about arrays that are probably not what was meant.
void note_arrays(const std::string& path, const Tensor& x, const Target& target,
                 SupervisedData& d) {
  const auto classes = static_cast<int64_t>(target.classes.size());
  if (classes > 20 && 2 * classes > x.size(0)) {
    d.notes.push_back(fmt::format(
        "{}: y holds integers, which are taken as labels: {} classes in {} examples; make y "
        "floating point "
        "for regression",
        path, grouped(classes), grouped(x.size(0))));
  }
  constexpr double kFar = 10;
  if (x.rank() != 2 || x.dtype() == DType::u8 || x.numel() == 0) return;
  const Tensor size = sqrt(mean(square(to(x, DType::f64)), 0));
  const double least = min(size).item(), most = max(size).item();
  if (most <= kFar && (least >= 1 / kFar || least == 0)) return;
  d.notes.push_back(fmt::format(
      "{}: the features of x differ widely in scale, or are far from 1 (root mean square "
      "{:.3g} to "
      "{:.3g}); standardise them, (x - mean) / deviation, for faster training",
      path, least, most));
}

SupervisedData arrays(const TrainOptions& o) {
  const Fields file = read_npz(o.data.sources[0]);
  const Tensor* x = found(file, {"x_train", "x"});
  const Tensor* y = found(file, {"y_train", "y"});
  const Tensor *x_test = found(file, {"x_test"}), *y_test = found(file, {"y_test"});
  if (!x || !y)
    refuse_training(o.data.sources[0] + " must hold arrays x and y, or x_train and y_train");
  if (!x_test != !y_test)
    refuse_training(o.data.sources[0] + " must hold both x_test and y_test, or neither");
  SupervisedData d;
  const Tensor targets = array_targets(*y, "y");
  d.target = array_target(targets);
  d.reading["pixels"] = x->dtype() == DType::u8;
  auto training = numbered(d.target, array_inputs(*x, "x"), targets);
  note_arrays(o.data.sources[0], *x, d.target, d);
  d.input = row_shape((*training)["x"]);
  if (x_test) {
    keep(d, training,
         numbered(d.target, array_inputs(*x_test, "x_test"), array_targets(*y_test, "y_test")));
  } else {
    cut(d, training, o.data.val_fraction);
  }
  describe(d, "example");
  return d;
}

// Whether no file of a part exists.
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
  const std::string path = o.data.sources[0].substr(kScheme.size());
  bool no_training = absent(path, "train"), no_test = absent(path, "t10k");
  // a folder with only one part uses it for training
  auto read = mnist(path, no_training && !no_test ? ImagePart::test : ImagePart::training);
  SupervisedData d;
  d.input = row_shape((*read)["x"]);
  d.target = array_target((*read)["y"]);
  d.target.name = "labels";
  auto training = numbered(d.target, (*read)["x"], (*read)["y"]);
  if (no_training && !no_test) {
    d.notes.push_back(path +
                      ": no file is called train-*, so the test images (t10k-*) are split into "
                      "training and validation parts");
  }
  if (no_training || no_test) {
    cut(d, training, o.data.val_fraction);
  } else {
    auto test = mnist(path, ImagePart::test);
    keep(d, training, numbered(d.target, (*test)["x"], (*test)["y"]));
  }
  describe(d, "image");
  return d;
}

SupervisedData table(const TrainOptions& o) {
  TableOptions options = o.table;
  options.held_back = o.data.val_fraction;
  options.seed = static_cast<int64_t>(kSplitSeed);
  Table read = read_table(o.data.sources[0], options);
  SupervisedData d;
  d.input = {read.encoding.features()};
  d.target.name = read.encoding.target;
  d.target.classes = read.encoding.classes;
  d.target.outputs = std::max<int64_t>(1, static_cast<int64_t>(d.target.classes.size()));
  d.reading = read.encoding.to_json();
  d.reading["header"] = read.has_header;
  d.notes = std::move(read.notes);
  cut(d, read.data, o.data.val_fraction);
  describe(d, "row");
  return d;
}

}  // namespace

PreparedTask prepare_supervised(const TrainOptions& o, const StartPoint& from,
                                const nn::LayerTable& layers, TrainSink& sink) {
  sink.preparing("reading the data", 0, 0);
  DataKind kind = data_kind(o.data.sources);
  SupervisedData data = kind == DataKind::images   ? images(o)
                        : kind == DataKind::arrays ? arrays(o)
                                                   : table(o);
  for (const std::string& note : data.notes) sink.warned(note);
  PreparedTask prepared;
  prepared.checksum = data.checksum;
  prepared.validates = data.validation != nullptr;
  data.reading["kind"] = kind_name(kind);
  from.require_same(prepared.checksum);
  // the model file may have changed since
  const bool anew = from.checkpoint.empty();
  const std::string source = anew ? o.model : from.checkpoint + "/model.json";
  Json description = anew ? model_description(source, data)
                          : in_file(source, [&] { return Json::read(source).at("model"); });
  auto task =
      std::make_unique<SupervisedTask>(o, std::move(data), std::move(description), source, layers);
  prepared.batches_per_epoch = task->batches_per_epoch();
  prepared.summary = task->summary();
  prepared.task = std::move(task);
  return prepared;
}

}  // namespace gyre
