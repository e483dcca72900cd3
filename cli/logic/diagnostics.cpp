#include "cli/logic/diagnostics.h"

#include <algorithm>
#include <cstdio>

#include "cli/output.h"
#include "gyre/base/text/counted.h"
#include "gyre/base/text/utf8.h"

namespace gyre {

Json diagnostics_json(std::span<const logic::LocatedDiagnostic> diagnostics) {
  Json list = Json::array();
  for (const logic::LocatedDiagnostic& d : diagnostics) {
    const logic::Diagnostic& what = d.diagnostic;
    Json j = Json::object();
    j["file"] = utf8_lossy(d.path);
    j["line"] = d.where.line;
    j["column"] = d.where.column;
    j["severity"] = logic::is_warning(what.code) ? "warning" : "error";
    j["code"] = logic::name_of(what.code);
    j["message"] = utf8_lossy(what.message);
    j["note"] = utf8_lossy(what.note);
    j["help"] = utf8_lossy(what.suggestion);
    list.push_back(std::move(j));
  }
  return list;
}

int complain(const logic::ProgramError& error, bool json) {
  const std::span<const logic::LocatedDiagnostic> all = error.diagnostics();
  if (json) {
    Json whole = error_json({kFailed, code_name(error.code), "", error.message(), "", "", ""});
    whole["diagnostics"] = diagnostics_json(all);
    std::fprintf(stderr, "%s\n", whole.dump().c_str());
    return kFailed;
  }
  for (const logic::LocatedDiagnostic& d : all) {
    std::fprintf(stderr, "%s\n", logic::text_of(d).c_str());
  }
  const auto errors = std::count_if(
      all.begin(), all.end(), [](const auto& d) { return !logic::is_warning(d.diagnostic.code); });
  return complain({kFailed, code_name(error.code), "", counted(errors, "error"), "", "", ""},
                  false);
}

}  // namespace gyre
