#include <cmath>

#include "cli/command.h"
#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/base/text/ascii.h"
#include "gyre/base/text/counted.h"
#include "gyre/base/text/printable.h"
#include "gyre/io/npy.h"
#include "gyre/models/supervised/predictor.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/registry/layer_table.h"

namespace gyre {

struct PredictOptions {
  std::string out{};
  bool probabilities = false;
  UnknownTableValues unknown = UnknownTableValues::missing;
};
GYRE_FIELDS(PredictOptions,
            GYRE_FIELD(out,
                       "write to FILE.csv, .json or .npz (arrays `prediction` and, for classes, "
                       "`probability`) instead of standard output",
                       .metavar = "FILE"),
            GYRE_FIELD(probabilities, "print the probabilities of all classes"),
            GYRE_FIELD(unknown,
                       "table values that the training data lack (new categories, text among "
                       "numbers): predict as if missing, with a warning, or fail"));

namespace {

// A CSV field quoted as in RFC 4180.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// Predictions as text, row by row.
class Rows {
 public:
  Rows(const Target& target, const Predictions& p, bool all)
      : target_(target), all_(all), values_(to_vector<double>(to(p.values, DType::f64))) {
    if (p.probabilities.defined()) probabilities_ = to_vector<float>(p.probabilities);
  }

  [[nodiscard]] size_t count() const {
    return values_.size() / (target_.classes.empty() ? outputs() : 1);
  }

  [[nodiscard]] std::string header() const {
    if (target_.classes.empty()) {
      std::string line;
      for (size_t i = 0; i < outputs(); ++i) {
        std::string name = target_.name;
        if (outputs() > 1) name += std::to_string(i + 1);
        line += (i ? "," : "") + csv_field(name);
      }
      return line + "\n";
    }
    std::string line = csv_field(target_.name);
    if (!all_) return line + ",probability\n";
    for (const std::string& c : target_.classes) line += "," + csv_field(c);
    return line + "\n";
  }

  [[nodiscard]] std::string line(size_t row) const {
    std::string line;
    if (target_.classes.empty()) {
      for (size_t i = 0; i < outputs(); ++i) {
        line += fmt::format("{}{:.9g}", i ? "," : "", values_[row * outputs() + i]);
      }
      return line + "\n";
    }
    const auto likeliest = static_cast<size_t>(values_[row]);
    line = csv_field(target_.classes[likeliest]);
    for (size_t c = 0; c < outputs(); ++c) {
      if (all_ || c == likeliest) {
        line += fmt::format(",{:.6g}", probabilities_[row * outputs() + c]);
      }
    }
    return line + "\n";
  }

  [[nodiscard]] Json json(size_t row) const {
    if (!target_.classes.empty()) return Json(target_.classes[static_cast<size_t>(values_[row])]);
    if (outputs() == 1) return Json(values_[row]);
    Json list = Json::array();
    for (size_t i = 0; i < outputs(); ++i) list.push_back(values_[row * outputs() + i]);
    return list;
  }

  [[nodiscard]] Json probabilities_json(size_t row) const {
    Json list = Json::array();
    for (size_t c = 0; c < outputs(); ++c) {
      list.push_back(static_cast<double>(probabilities_[row * outputs() + c]));
    }
    return list;
  }

 private:
  [[nodiscard]] size_t outputs() const { return static_cast<size_t>(target_.outputs); }
  const Target& target_;
  bool all_;
  std::vector<double> values_;
  std::vector<float> probabilities_;
};

Json answer(const Rows& rows, const Predictions& p, bool with_probabilities) {
  Json j = Json::object(), predictions = Json::array(), probabilities = Json::array();
  for (size_t row = 0; row < rows.count(); ++row) {
    predictions.push_back(rows.json(row));
    if (with_probabilities) probabilities.push_back(rows.probabilities_json(row));
  }
  j["predictions"] = std::move(predictions);
  if (with_probabilities) j["probabilities"] = std::move(probabilities);
  for (const FigureDef& f : kFigures) {
    if (!std::isnan(p.figures.*f.value)) j[f.name] = p.figures.*f.value;
  }
  return j;
}

void require_format(const std::string& path) {
  for (const char* known : {".csv", ".json", ".npz"}) {
    if (lower_case(path).ends_with(known)) return;
  }
  throw UsageError("--out: expected a file that ends in .csv, .json or .npz, got '" + path + "'");
}

void write(const std::string& path, const Rows& rows, const Predictions& p, bool probabilities) {
  if (lower_case(path).ends_with(".json")) {
    return write_file_atomic(path, answer(rows, p, probabilities).dump() + "\n");
  }
  if (lower_case(path).ends_with(".npz")) {
    std::vector<NamedTensor> arrays{{"prediction", p.values}};
    if (p.probabilities.defined()) arrays.push_back({"probability", p.probabilities});
    return write_npz(path, arrays);
  }
  std::string text = rows.header();
  for (size_t row = 0; row < rows.count(); ++row) text += rows.line(row);
  write_file_atomic(path, text);
}

// Predictions do not overwrite what they are made from.
void require_apart(const std::string& path, const std::string& model, const std::string& data) {
  const bool in_model = same_file(path, model + "/model.json");
  if (!in_model && !same_file(path, data)) return;
  throw UsageError("--out: '" + path + "' is " + (in_model ? "the model" : "the data") +
                   "; choose another file");
}

int run_predict(const Invocation& call) {
  const auto& options = call.as<PredictOptions>();
  if (!options.out.empty()) {
    require_format(options.out);
    require_apart(options.out, call.operands[0], call.operands[1]);
  }
  Predictor predictor(call.operands[0], layer_table());
  const bool classes = !predictor.target().classes.empty();
  if (options.probabilities && !classes) {
    throw UsageError("--probabilities: expected a classifier, but the model predicts numbers");
  }
  const Predictions p = predictor.of(call.operands[1], options.unknown);
  for (const std::string& note : p.notes) {
    fmt::print(stderr, "warning: {}\n", printable(note));
  }
  const Rows rows(predictor.target(), p, options.probabilities);
  if (!options.out.empty()) write(options.out, rows, p, options.probabilities);
  if (call.json) {
    call.out.json(answer(rows, p, options.probabilities));
    return kDone;
  }
  if (options.out.empty()) {
    call.out.text(printable_lines(rows.header()));
    for (size_t row = 0; row < rows.count(); ++row) call.out.text(printable_lines(rows.line(row)));
  } else {
    call.out.print("{}: {}\n", options.out,
                   counted(static_cast<int64_t>(rows.count()), "prediction"));
  }
  if (const std::string figures = figures_text(p.figures); !figures.empty()) {
    call.out.flush();
    fmt::print(stderr, "metrics against {} in the data: {}\n", printable(predictor.target().name),
               figures);
  }
  return kDone;
}

}  // namespace

const Command predict_command{
    "predict",
    "predict classes or values for new images, arrays or table rows",
    "gyre predict model new.csv",
    {"DIR DATA",
     "a folder with model.json and model.safetensors; data of the kind it was trained on", 2, 2},
    record_of<PredictOptions>,
    run_predict};

}  // namespace gyre
