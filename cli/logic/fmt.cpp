#include <algorithm>

#include "cli/command.h"
#include "gyre/base/system/file.h"
#include "gyre/base/text/counted.h"
#include "gyre/base/text/printable.h"
#include "gyre/base/text/utf8.h"
#include "gyre/logic/syntax/diagnostic.h"
#include "gyre/logic/syntax/format.h"

namespace gyre {

struct FmtOptions {
  bool write = false, check = false;
};
GYRE_FIELDS(FmtOptions, GYRE_FIELD(write, "rewrite the files that are not formatted"),
            GYRE_FIELD(check,
                       "list the files that are not formatted; exit code 1 if there are any"));

namespace {

struct FormattedFile {
  std::string path;
  std::string text;  // formatted
  bool changed;
};

// All files, so that none is written if one has errors. ProgramError with the errors of all.
std::vector<FormattedFile> format_files(const std::vector<std::string>& paths) {
  std::vector<FormattedFile> files;
  std::vector<logic::LocatedDiagnostic> diagnostics;
  for (const std::string& path : paths) {
    const bool is_input = path == "-";
    const std::string name = is_input ? "<stdin>" : path;
    std::string text = read_file(is_input ? "/dev/stdin" : path);
    try {
      std::string formatted = logic::format_program({name, text});
      const bool changed = formatted != text;
      files.push_back({name, std::move(formatted), changed});
    } catch (const logic::ProgramError& error) {
      diagnostics.insert(diagnostics.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  if (!diagnostics.empty()) throw logic::ProgramError(std::move(diagnostics));
  return files;
}

Json files_json(const std::vector<FormattedFile>& files, bool with_text) {
  Json list = Json::array();
  for (const FormattedFile& file : files) {
    Json j = Json::object();
    j["file"] = utf8_lossy(file.path);
    j["changed"] = file.changed;
    if (with_text) j["text"] = utf8_lossy(file.text);
    list.push_back(std::move(j));
  }
  Json whole = Json::object();
  whole["files"] = std::move(list);
  return whole;
}

int run_fmt(const Invocation& call) {
  const auto& options = call.as<FmtOptions>();
  if (options.write && options.check) {
    throw UsageError("--write and --check exclude each other", "give one of them.");
  }
  if (options.write &&
      std::find(call.operands.begin(), call.operands.end(), "-") != call.operands.end()) {
    throw UsageError("--write takes files, got '-' for standard input", "give a file.");
  }
  const std::vector<FormattedFile> files = format_files(call.operands);
  const bool prints = !options.write && !options.check;
  int64_t changed = 0;
  for (const FormattedFile& file : files) {
    if (options.write && file.changed) write_file_atomic(file.path, file.text);
    if (prints && !call.json) call.out.data(file.text);
    if (!prints && !call.json && file.changed) call.out.print("{}\n", printable(file.path));
    changed += file.changed;
  }
  if (call.json) call.out.json(files_json(files, prints));
  if (!options.check || changed == 0) return kDone;
  call.out.flush();
  const std::string message = counted(changed, "file") + (changed == 1 ? " is" : " are");
  return complain(
      {kFailed, "value", "", message + " not formatted", "run `gyre fmt --write`", "", ""},
      call.json);
}

}  // namespace

const Command fmt_command{"fmt",
                          "format programs (.tl)",
                          "gyre fmt program.tl --write",
                          {"FILE", "programs to format; -: standard input", 1, kAny},
                          record_of<FmtOptions>,
                          run_fmt};

}  // namespace gyre
