#include "gyre/train/out_folder.h"

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/base/system/mapped_file.h"

namespace gyre {
namespace {

constexpr const char *kLock = ".lock", *kLog = "log.jsonl";

}  // namespace

OutFolder::OutFolder(std::string path) : path_(std::move(path)), made_(!file_exists(path_)) {
  create_directories(path_);
  try {
    lock_.emplace(path_ + "/" + kLock);
    removed_.emplace(*lock_, made_ ? path_.c_str() : nullptr);
    remove_unfinished_files(path_);
  } catch (const Error& error) {
    if (error.code != Code::resource) throw;
    throw Error(Code::resource, "lock", "in use by another training run: " + path_);
  }
}

void OutFolder::require_free(const char* op, const std::vector<const char*>& names,
                             const std::string& member) const {
  auto refuse_over = [&](const std::string& name) {
    throw Error(Code::value, op,
                path_ + " has no checkpoint to `resume` from, and its " + name +
                    " would be overwritten; choose another `out`, or move " + name + " away",
                "a new folder", path_);
  };
  auto holds = [&](const std::string& name) {
    const std::string file = path_ + "/" + name;
    return file_exists(file) && file_size(file) > 0;
  };
  for (const char* name : names) {
    if (holds(name)) refuse_over(name);
  }
  const std::string entry = "{\"" + member + "\":";
  if (holds(kLog) && !MappedFile(path_ + "/" + kLog).text().starts_with(entry)) refuse_over(kLog);
}

OutFolder::~OutFolder() {
  try {
    if (made_ && list_directory(path_) == std::vector<std::string>{kLock}) remove_tree(path_);
  } catch (const Error&) {  // cleaning up is best effort
  }
}

}  // namespace gyre
