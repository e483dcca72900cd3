#include "gyre/logic/syntax/diagnostic.h"

#include <algorithm>
#include <tuple>

#include "gyre/base/text/printable.h"

namespace gyre::logic {
namespace {

constexpr DiagnosticInfo kCodes[] = {
#define GYRE_LOGIC_CODE(code, summary) {DiagnosticCode::code, #code, summary},
#include "gyre/logic/syntax/codes.def"
#undef GYRE_LOGIC_CODE
};

constexpr size_t kMostShown = 100;  // diagnostics of one program

const LocatedDiagnostic& first_error(const std::vector<LocatedDiagnostic>& all) {
  for (const LocatedDiagnostic& one : all) {
    if (!is_warning(one.diagnostic.code)) return one;
  }
  return all.front();
}

}  // namespace

std::span<const DiagnosticInfo> diagnostic_codes() { return kCodes; }
const char* name_of(DiagnosticCode code) { return kCodes[static_cast<size_t>(code)].name; }
bool is_warning(DiagnosticCode code) { return name_of(code)[0] == 'W'; }

std::string headline_of(const LocatedDiagnostic& d) {
  const Diagnostic& what = d.diagnostic;
  return printable(
      d.path + ':' + std::to_string(d.where.line) + ':' + std::to_string(d.where.column) + ": " +
      (is_warning(what.code) ? "warning[" : "error[") + name_of(what.code) + "]: " + what.message);
}

std::string text_of(const LocatedDiagnostic& d) {
  const Diagnostic& what = d.diagnostic;
  std::string text = headline_of(d);
  if (!d.excerpt.empty()) text += '\n' + d.excerpt;
  if (!what.note.empty()) text += "\n  note: " + printable(what.note);
  if (!what.suggestion.empty()) text += "\n  help: " + printable(what.suggestion);
  return text;
}

ProgramError::ProgramError(std::vector<LocatedDiagnostic> diagnostics)
    : Error(Code::parse, "", headline_of(first_error(diagnostics))),
      diagnostics_(std::move(diagnostics)) {}

void Diagnostics::add(Diagnostic diagnostic) {
  if (diagnostic.message.empty()) return;
  const bool repeats = std::any_of(found_.begin(), found_.end(), [&](const Diagnostic& d) {
    return d.code == diagnostic.code && d.message == diagnostic.message &&
           d.place.file == diagnostic.place.file && d.place.begin == diagnostic.place.begin;
  });
  if (repeats) return;
  if (!is_warning(diagnostic.code)) ++errors_;
  if (found_.size() < kMostShown) found_.push_back(std::move(diagnostic));
}

std::vector<LocatedDiagnostic> Diagnostics::located() const {
  std::vector<Diagnostic> sorted = found_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.place.file, a.place.begin) < std::tie(b.place.file, b.place.begin);
  });
  std::vector<LocatedDiagnostic> all;
  for (Diagnostic& d : sorted) {
    const Place place = d.place;
    all.push_back({std::move(d), (*sources_)[place.file].path, sources_->where(place),
                   sources_->excerpt(place)});
  }
  return all;
}

void Diagnostics::check() const {
  if (has_errors()) throw ProgramError(located());
}

void refuse_silently() { throw Refused{{DiagnosticCode::E0101, {}, {}}}; }

void refuse(DiagnosticCode code, Place place, const Message& message, const Message& note,
            const Message& suggestion) {
  throw Refused{{code, place, message.text, note.text, suggestion.text}};
}

}  // namespace gyre::logic
