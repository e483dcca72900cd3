#include "gyre/models/measure/compress_folder.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/models/language_model.h"

namespace gyre {
namespace {

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

// A folder that is renamed to its name when complete, and removed otherwise.
class NewFolder {
 public:
  explicit NewFolder(const std::string& path) : path_(path), partial_(path + ".partial") {
    for (int i = 2; file_exists(partial_); ++i) partial_ = path + ".partial" + std::to_string(i);
    create_directories(partial_);
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
  void keep() {
    rename_path(partial_, path_);
    kept_ = true;
  }

 private:
  std::string path_, partial_;
  bool kept_ = false;
};

}  // namespace

CompressReport compress_folder(const std::string& folder, const CompressOptions& options,
                               FunctionRef<void(int64_t, int64_t)> done) {
  check_record("compress", options);
  require_new(options.out);
  // without links, dots and a slash at the end, since the complete folder is renamed to it
  std::filesystem::path out = std::filesystem::weakly_canonical(options.out);
  if (!out.has_filename()) out = out.parent_path();
  const auto begin = std::chrono::steady_clock::now();
  const auto model = load_language_model(folder, FileAccess::map);
  model->to(DType::f32);
  NewFolder made(out);  // first: where nothing can be written, it fails at once
  CompressReport report;
  report.tensors = compress(
      *model, {&ring_formats()[static_cast<size_t>(options.format)], options.least_weights}, done);
  if (std::ranges::none_of(report.tensors, &CompressedTensor::packed)) {
    throw Error(Code::value, "compress",
                {folder, ": no weights to pack; `least_weights` is ", options.least_weights});
  }
  for (const CompressedTensor& t : report.tensors)
    report.bytes_before += t.weights * static_cast<int64_t>(sizeof(float));
  model->save(made.partial(), nullptr);
  if (const std::string tokenizer = folder + "/tokenizer.json"; file_exists(tokenizer))
    write_file_atomic(made.partial() + "/tokenizer.json", read_file(tokenizer));
  report.bytes = static_cast<int64_t>(file_size(made.partial() + kFile));
  made.keep();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

}  // namespace gyre
