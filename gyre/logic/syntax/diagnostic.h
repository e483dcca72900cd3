#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/base/error.h"
#include "gyre/logic/syntax/source.h"

namespace gyre::logic {

/// The codes of diagnostics, from codes.def.
enum class DiagnosticCode : uint8_t {
#define GYRE_LOGIC_CODE(code, summary) code,
#include "gyre/logic/syntax/codes.def"
#undef GYRE_LOGIC_CODE
};

/// A code with its name and what it is about.
struct DiagnosticInfo {
  DiagnosticCode code;
  const char *name, *summary;
};
/// All codes, in the order of their values.
[[nodiscard]] std::span<const DiagnosticInfo> diagnostic_codes();
[[nodiscard]] const char* name_of(DiagnosticCode code);
/// Whether the program can run nevertheless.
[[nodiscard]] bool is_warning(DiagnosticCode code);

/// What is wrong with a program, and where.
struct Diagnostic {
  DiagnosticCode code;
  Place place{};
  std::string message;
  std::string note{};        ///< why, or where the other place is
  std::string suggestion{};  ///< what to write instead
};

/// A diagnostic with its place as line and column.
struct LocatedDiagnostic {
  Diagnostic diagnostic;
  std::string path;
  LineColumn where{1, 1};
  std::string excerpt{};  ///< the line and a caret
};

/// "FILE:LINE:COLUMN: error[E0101]: MESSAGE" on one line.
[[nodiscard]] std::string headline_of(const LocatedDiagnostic& diagnostic);
/// The headline, the line with a caret, note and suggestion, without a last newline.
[[nodiscard]] std::string text_of(const LocatedDiagnostic& diagnostic);

/// A program with errors. Its message is the headline of the first one.
class ProgramError : public Error {
 public:
  explicit ProgramError(std::vector<LocatedDiagnostic> diagnostics);
  /// All of them and all warnings, by place; at least one is an error.
  [[nodiscard]] const std::vector<LocatedDiagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<LocatedDiagnostic> diagnostics_;
};

/// Collects the diagnostics of a program.
class Diagnostics {
 public:
  explicit Diagnostics(const Sources& sources) : sources_(&sources) {}
  /// Left out if it repeats another one: five open blocks miss one brace each at one place.
  void add(Diagnostic diagnostic);
  [[nodiscard]] bool has_errors() const { return errors_ > 0; }
  [[nodiscard]] size_t errors() const { return errors_; }
  /// By file and place, at most 100.
  [[nodiscard]] std::vector<LocatedDiagnostic> located() const;
  /// ProgramError if there are errors.
  void check() const;

 private:
  const Sources* sources_;
  std::vector<Diagnostic> found_;
  size_t errors_ = 0;
};

/// Ends the analysis of a statement; caught where statements are visited. Without a message: what
/// is wrong is said elsewhere, such as for a name whose definition has an error.
struct Refused {
  Diagnostic diagnostic;
};
[[noreturn]] void refuse_silently();
[[noreturn]] void refuse(DiagnosticCode code, Place place, const Message& message,
                         const Message& note = {}, const Message& suggestion = {});

}  // namespace gyre::logic
