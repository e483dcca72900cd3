#include "cli/logic/answer_text.h"

#include <algorithm>
#include <cmath>

#include "gyre/base/text/printable.h"
#include "gyre/base/text/utf8.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/print.h"

namespace gyre {
namespace {

using logic::Answer;

Json values_json(const std::vector<double>& values, const Shape& shape, int axis, size_t& at) {
  if (axis == shape.rank) {
    const double v = values[at++];
    return std::isfinite(v) ? Json(v) : Json();
  }
  Json list = Json::array();
  for (int64_t i = 0; i < shape[axis]; ++i)
    list.push_back(values_json(values, shape, axis + 1, at));
  return list;
}

Json symbol_json(const logic::Symbol& s) {
  if (s.is_integer && s.text.size() < 19) return Json(static_cast<int64_t>(std::stoll(s.text)));
  return Json(s.text);
}

Json proof_json(const logic::Proof& p) {
  Json j = Json::object();
  j["atom"] = p.atom;
  if (!p.rule.empty()) {
    j["rule"] = p.rule;
    j["line"] = p.line;
    j["because"] = Json::array();
    for (const logic::Proof& b : p.because) j["because"].push_back(proof_json(b));
  }
  return j;
}

void show_proof(Output& out, const logic::Proof& p, size_t indent) {
  const std::string atom = std::string(indent, ' ') + printable(p.atom);
  if (p.rule.empty())
    out.print("{}\n", atom);
  else
    out.print("{:<40}  line {}: {}\n", atom, p.line, printable(p.rule));
  for (const logic::Proof& b : p.because) show_proof(out, b, indent + 2);
}

// Characters, for the width of a column.
size_t width_of(std::string_view text) {
  size_t count = 0;
  for (size_t at = 0; at < text.size(); at += decode_utf8(text, at).length) ++count;
  return count;
}

// Lines of these cells: the first column to the left, numbers to the right.
std::string aligned_columns(const std::vector<std::vector<std::string>>& cells) {
  std::vector<size_t> widths(cells[0].size());
  for (const std::vector<std::string>& row : cells) {
    for (size_t j = 0; j < row.size(); ++j) widths[j] = std::max(widths[j], width_of(row[j]));
  }
  std::string text;
  for (const std::vector<std::string>& row : cells) {
    std::string line = " ";
    for (size_t j = 0; j < row.size(); ++j) {
      const std::string space(widths[j] - width_of(row[j]), ' ');
      line += (j == 0 ? " " : "  ") + (j == 0 ? row[j] + space : space + row[j]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    if (!line.empty()) text += line + "\n";
  }
  return text;
}

// Counts in full.
std::string number_text(const Tensor& value) { return fmt::format("{:.12g}", value.item()); }

// The symbol of an element of an axis, or its number.
std::string label_of(const logic::AnswerAxis& axis, int64_t i) {
  const auto at = static_cast<size_t>(i);
  return axis.symbols.empty() ? std::to_string(i) : printable(axis.symbols[at]);
}

// As NumPy prints it, indented.
std::string array_text(const Tensor& values) {
  std::string text = "  ";
  for (const char c : to_string(values)) text += c == '\n' ? "\n  " : std::string(1, c);
  return text + "\n";
}

std::string axis_names(const std::vector<logic::AnswerAxis>& axes) {
  std::string text;
  for (const logic::AnswerAxis& axis : axes)
    text += (text.empty() ? "" : " \\ ") + printable(axis.name);
  return text;
}

}  // namespace

Json answer_json(const Answer& a) {
  constexpr const char* kKinds[] = {"tuples", "bool", "array", "loss_curve"};
  Json j = Json::object();
  if (a.kind != Answer::loss_curve) j["q"] = a.query;
  j["kind"] = kKinds[a.kind];
  if (a.kind == Answer::boolean) {
    j["value"] = a.holds;
  } else if (a.kind == Answer::tuples) {
    j["value"] = Json::array();
    for (const auto& row : a.rows) {
      Json list = Json::array();
      for (const logic::Symbol& s : row) list.push_back(symbol_json(s));
      j["value"].push_back(std::move(list));
    }
  } else {
    size_t at = 0;
    j["value"] = values_json(to_vector<double>(a.values), a.values.shape(), 0, at);
  }
  if (!a.proofs.empty()) {
    j["proofs"] = Json::array();
    for (const logic::Proof& p : a.proofs) j["proofs"].push_back(proof_json(p));
  }
  return j;
}

void show_answer(Output& out, const Answer& a) {
  if (a.kind == Answer::loss_curve) {
    const std::vector<double> losses = to_vector<double>(a.values);
    out.print("learn: {} epochs, objective {:.6g} to {:.6g}\n", losses.size(), losses.front(),
              losses.back());
    return;
  }
  out.print("{}\n", out.heading(printable(a.query)));
  if (a.kind == Answer::boolean) out.print("  {}\n", a.holds ? "true" : "false");
  const bool has_symbols = std::any_of(a.axes.begin(), a.axes.end(),
                                       [](const auto& axis) { return !axis.symbols.empty(); });
  if (a.kind == Answer::array) {
    if (has_symbols)
      out.print("{}", array_table(a));
    else
      out.print("{}",
                a.values.rank() == 0 ? "  " + number_text(a.values) + "\n" : array_text(a.values));
  }
  for (const logic::Proof& p : a.proofs) show_proof(out, p, 2);
  if (a.kind != Answer::tuples || !a.proofs.empty()) return;
  for (const auto& row : a.rows) {
    std::string line;
    for (const logic::Symbol& s : row) line += (line.empty() ? "  " : ", ") + printable(s.text);
    out.print("{}\n", line);
  }
  out.print("  {} {}\n", a.rows.size(), a.rows.size() == 1 ? "answer" : "answers");
}

std::string array_table(const Answer& a) {
  constexpr int64_t kMostRows = 40, kMostColumns = 12;
  const Shape shape = a.values.shape();
  if (shape.rank == 0) return "  " + number_text(a.values) + "\n";
  const bool is_table = shape.rank == 1 || shape.rank == 2;
  const int64_t rows = is_table ? shape[0] : 1, columns = shape.rank == 2 ? shape[1] : 1;
  if (!is_table || rows > kMostRows || columns > kMostColumns) return array_text(a.values);
  const std::vector<double> values = to_vector<double>(a.values);
  std::vector<std::vector<std::string>> cells;
  std::vector<std::string> row{axis_names(a.axes)};
  for (int64_t j = 0; j < columns; ++j)
    row.push_back(shape.rank == 2 ? label_of(a.axes[1], j) : "");
  cells.push_back(row);
  for (int64_t i = 0; i < rows; ++i) {
    row = {label_of(a.axes[0], i)};
    for (int64_t j = 0; j < columns; ++j)
      row.push_back(fmt::format("{:.6g}", values[static_cast<size_t>(i * columns + j)]));
    cells.push_back(row);
  }
  return aligned_columns(cells);
}

Json report_json(const logic::StatementReport& r) {
  Json j = Json::object();
  j["file"] = r.path;
  j["line"] = r.line;
  j["text"] = r.text;
  j["runs"] = r.runs;
  j["seconds"] = r.seconds;
  j["result"] = r.result;
  j["plan"] = Json::array();
  for (const std::string& line : r.plan) j["plan"].push_back(line);
  return j;
}

std::string shown_text(const std::string& text) {
  constexpr size_t kMost = 80;
  std::string line = text.substr(0, text.find('\n'));
  if (line.size() < text.size() || line.size() > kMost) line = line.substr(0, kMost) + " ..";
  return printable(line);
}

void explain(Output& out, std::span<const logic::StatementReport> reports) {
  for (const logic::StatementReport& r : reports) {
    out.print("{}\n", out.heading(fmt::format("{}:{}  {}", r.path, r.line, shown_text(r.text))));
    if (r.runs == 0) out.print("  not evaluated: nothing asked for its value\n");
    for (const std::string& line : r.plan) out.print("  {}\n", printable(line));
    if (!r.result.empty()) out.print("  result: {}\n", r.result);
  }
}

}  // namespace gyre
