#include "gyre/models/measure/compress_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/base/system/file_lock.h"
#include "gyre/models/language_model.h"
#include "gyre/models/measure/calibration_text.h"
#include "gyre/models/measure/divergence.h"
#include "gyre/models/measure/model_to_compress.h"
#include "gyre/packed/compress/size_target.h"
#include "gyre/packed/packed.h"

namespace gyre {
namespace {

constexpr int64_t kMeasuredTokens = 16384;  // at most, for the KL divergence
constexpr const char* kFile = "/model.safetensors";

void require_new(const std::string& out) {
  const char* wrong = out.empty()                   ? "`out` is missing"
                      : !file_exists(out)           ? nullptr
                      : !is_directory(out)          ? "is a file"
                      : list_directory(out).empty() ? nullptr
                                                    : "is not empty";
  if (!wrong) return;
  throw Error(Code::value, "compress", out.empty() ? Message{wrong} : Message{out, " ", wrong},
              "a new folder", out);
}

// A folder that is renamed to its name when complete, and removed otherwise. Until then it is
// OUT.partial or, if that exists, OUT.partial2 and so on, with a locked file in it: where there is
// such a file that nobody locks, the process that wrote it was killed.
class NewFolder {
 public:
  explicit NewFolder(const std::filesystem::path& path) : path_(path) {
    remove_abandoned(path);
    while (!lock_) {
      partial_ = path_ + kPartial + (number_ > 1 ? std::to_string(number_) : "");
      ++number_;
      if (!file_exists(partial_)) begin();
    }
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;
  ~NewFolder() {
    if (kept_) return;
    try {
      remove_tree(partial_);
    } catch (const Error&) {  // the error that led here is the one to report
    }
  }
  [[nodiscard]] const std::string& partial() const { return partial_; }
  // Folders of killed processes that were removed.
  [[nodiscard]] const std::vector<std::string>& removed() const { return removed_; }
  void keep() {
    rename_path(partial_, path_);
    kept_ = true;
    remove_tree(path_ + kLock);  // only now, since others remove what has an unlocked file
    lock_.reset();
  }

 private:
  static constexpr const char *kPartial = ".partial", *kLock = "/.compress-lock";

  void begin() {
    create_directories(partial_);
    try {
      lock_.emplace(partial_ + kLock);
    } catch (const Error& error) {
      // another process was faster, or took the folder for one of a killed process
      if (error.code != Code::resource && file_exists(partial_)) throw;
    }
  }

  void remove_abandoned(const std::filesystem::path& path) {
    const std::filesystem::path parent = path.parent_path();
    const std::string begin = path.filename().string() + kPartial,
                      listed = parent.empty() ? "." : parent.string();
    if (!is_directory(listed)) return;
    for (const std::string& name : list_directory(listed)) {
      if (!name.starts_with(begin)) continue;
      const std::string folder = parent / name, lock = folder + kLock;
      if (!file_exists(lock)) continue;
      try {
        const FileLock mine(lock);
        remove_tree(folder);
        removed_.push_back(folder);
      } catch (const Error&) {  // it is being written, or cannot be removed: another name will do
      }
    }
  }

  std::string path_, partial_;
  int number_ = 1;
  std::optional<FileLock> lock_;
  std::vector<std::string> removed_;
  bool kept_ = false;
};

// Sets the formats of a plan so that model.safetensors is small enough.
void meet(const SizeTarget& target, const ModelToCompress& model, std::vector<PlannedTensor>& plan,
          bool has_rules, CompressReport& report) {
  report.most_bytes = target.meet(plan, report.bytes_before, has_rules,
                                  [&] { return model.saved_bytes(planned_state(plan)); });
}

CompressPolicy policy_of(const CompressOptions& options) {
  CompressPolicy policy{&codec(options.format), options.least_weights};
  for (const std::string& rule : options.policy) policy.rules.push_back(format_rule(rule));
  return policy;
}

double seconds_from(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// A text, and the model before its weights are packed.
class Calibrated {
 public:
  using Done = FunctionRef<void(const CompressProgress&)>;

  Calibrated(const std::string& folder, const LanguageModel& model, const CompressOptions& options)
      : options_(options),
        dense_(model.share()),
        window_(model.context()),
        text_(calibration_text(options.calibrate, folder, options.tokenizer, model, window_)) {}

  // What errors of the tensors of a plan cost.
  void weigh(std::vector<PlannedTensor>& plan, Done done) {
    if (options_.calibration == CalibrationMode::none) return;
    // a target may still give any format to a tensor
    const auto counts = [&](const PlannedTensor& t) {
      return t.format && (t.format->has_rings || (!options_.target.empty() && t.free));
    };
    std::vector<Tensor> weights;
    for (const PlannedTensor& t : plan) {
      if (counts(t)) weights.push_back(t.tensor);
    }
    if (weights.empty()) return;
    const CalibrationOptions options{.mode = options_.calibration,
                                     .window = window_,
                                     .windows = options_.windows,
                                     .sensitivities = !options_.target.empty()};
    std::vector<WeightCosts> costs =
        weight_costs(*dense_, weights, text_.calibrating, options, [&](int64_t n, int64_t all) {
          done({CompressProgress::calibrating, n, all});
        });
    auto cost = costs.begin();
    for (PlannedTensor& t : plan) {
      if (!counts(t)) continue;
      sides_[t.name] = std::move(cost->sides);
      t.sensitivity = cost->sensitivity;
      ++cost;
    }
  }

  Tensor pack(const PlannedTensor& t, FunctionRef<void(int64_t)> done) {
    CalibrationSides sides = std::exchange(sides_[t.name], {});
    const bool known = sides.inputs.defined() || sides.outputs.defined();
    if (!known || !t.format->has_rings) return pack_tensor(t, done);
    return packed_encode_calibrated(t.tensor, ring_format(*t.format), sides, 1, done);
  }

  void polish_words(LanguageModel& packed, Done done) const {
    const int64_t steps = options_.polish >= 0                                 ? options_.polish
                          : options_.calibration == CalibrationMode::two_sided ? 32
                                                                               : 0;
    polish(*dense_, packed, text_.calibrating, {.window = window_, .steps = steps},
           [&](int64_t n, int64_t all) {
             done({CompressProgress::polishing, n, all});
           });
  }

  // Of the packed model.
  [[nodiscard]] double kl(const LanguageModel& packed, Done done) const {
    const int64_t windows = std::max<int64_t>(1, kMeasuredTokens / window_);
    return kl_divergence(*dense_, packed, text_.measuring, window_, windows,
                         [&](int64_t n, int64_t all) {
                           done({CompressProgress::measuring, n, all});
                         });
  }

 private:
  const CompressOptions& options_;
  std::unique_ptr<LanguageModel> dense_;
  int64_t window_;
  CalibrationText text_;
  std::map<std::string, CalibrationSides> sides_;
};

}  // namespace

CompressReport compress_folder(const std::string& folder, const CompressOptions& options,
                               FunctionRef<void(const CompressProgress&)> done) {
  check_record("compress", options);
  require_new(options.out);
  const CompressPolicy policy = policy_of(options);
  std::optional<SizeTarget> target;
  if (!options.target.empty()) target.emplace(options.target);
  // without links, dots and a slash at the end, since the complete folder is renamed to it
  std::filesystem::path out = std::filesystem::weakly_canonical(options.out);
  if (!out.has_filename()) out = out.parent_path();
  const auto begin = std::chrono::steady_clock::now();
  const ModelToCompress model(folder);
  nn::Module& weights = model.module();
  weights.to(DType::f32);
  weights.eval();
  CompressReport report;
  report.unread_tokenizer = model.unread_tokenizer();
  std::vector<PlannedTensor> plan = plan_formats(weights, policy);
  if (std::ranges::none_of(plan, &PlannedTensor::format)) {
    throw Error(Code::value, "compress",
                {folder, ": no weights to pack; `least_weights` is ", options.least_weights,
                 options.policy.empty() ? "" : ", and `policy` keeps some"});
  }
  const auto has_rings = [](const PlannedTensor& t) { return t.format && t.format->has_rings; };
  if (options.polish > 0 && !target && std::ranges::none_of(plan, has_rings)) {
    throw mismatch(
        Code::value, "compress",
        {"`polish` trains weights packed in D4 to D1, T4 or T2, not in ", policy.format->name},
        "a format such as D4", policy.format->name);
  }
  report.bytes_before = static_cast<int64_t>(model.saved_bytes());
  std::optional<Calibrated> text;
  if (!options.calibrate.empty()) text.emplace(folder, model.language(), options);
  const bool has_rules = !policy.rules.empty();
  if (target) meet(*target, model, plan, has_rules, report);  // refuses what cannot be met at once
  done({});
  NewFolder made(out);  // before the work: where nothing can be written, it fails at once
  report.removed = made.removed();
  if (text) {
    text->weigh(plan, done);
    report.calibration_seconds = seconds_from(begin);
    if (target) meet(*target, model, plan, has_rules, report);
  }
  report.tensors = compress_planned(
      weights, plan,
      [&](int64_t packed, int64_t all) {
        done({CompressProgress::packing, packed, all});
      },
      [&](const PlannedTensor& t, FunctionRef<void(int64_t)> packed) {
        return text ? text->pack(t, packed) : pack_tensor(t, packed);
      });
  if (text) {
    const auto polishing = std::chrono::steady_clock::now();
    text->polish_words(model.language(), done);
    report.polish_seconds = seconds_from(polishing);
    measure_errors(weights, plan, report.tensors);
    report.kl = text->kl(model.language(), done);
  }
  model.save(made.partial());
  report.bytes = static_cast<int64_t>(file_size(made.partial() + kFile));
  int64_t packed = 0;
  for (const CompressedTensor& t : report.tensors) packed += t.packed ? t.weights : 0;
  done({CompressProgress::packing, packed, packed});  // the last call at which nothing is written
  made.keep();
  report.seconds = seconds_from(begin);
  return report;
}

}  // namespace gyre
