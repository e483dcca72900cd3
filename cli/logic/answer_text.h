#pragma once
#include <span>
#include <string>

#include "cli/output.h"
#include "gyre/logic/program.h"

namespace gyre {

/// {"q", "kind", "value"} of an answer to a query, with "proofs" if asked for; {"kind", "value"} of
/// a loss curve.
Json answer_json(const logic::Answer& answer);
/// Prints the query and the answers below it; arrays as NumPy does, or as array_table() where an
/// axis has symbols.
void show_answer(Output& out, const logic::Answer& answer);
/// An array of at most two axes and few elements as a table with the symbols of its axes, each line
/// indented; another one as show_answer() does.
[[nodiscard]] std::string array_table(const logic::Answer& answer);

Json report_json(const logic::StatementReport& report);
/// The first line of a statement, shortened.
[[nodiscard]] std::string shown_text(const std::string& statement);
/// Prints how statements were evaluated.
void explain(Output& out, std::span<const logic::StatementReport> reports);

}  // namespace gyre
