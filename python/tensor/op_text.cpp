#include "python/tensor/op_text.h"

#include <fmt/format.h>

#include <cmath>

#include "gyre/registry/op_table.h"
#include "python/core/attributes.h"
#include "python/core/records.h"

namespace gyre::python {
namespace {

// A default value as source text; shapes of one size without parentheses, which inspect drops.
std::string written(const nb::object& value) {
  bool is_one = nb::isinstance<nb::tuple>(value) && nb::len(value) == 1;
  return nb::cast<std::string>(nb::repr(is_one ? nb::object(value[0]) : value));
}

std::string default_of(const Arg& a) {
  return std::isnan(a.otherwise) ? "None" : fmt::format("{}", a.otherwise);
}

// An optional argument before a required one must be given, as None.
bool may_be_left_out(const OpDef& op, const Arg& a) {
  for (const Arg* later = &a + 1; later < op.args.end(); ++later) {
    if (!later->optional && !later->variadic) return false;
  }
  return a.optional && !a.variadic;
}

std::string line_of(const OpDef& op, const Arg& a) {
  std::string kind = a.variadic ? "any number of tensors" : "tensor";
  if (may_be_left_out(op, a)) {
    kind += ", " + default_of(a) + " by default";
  } else if (a.optional && !a.variadic) {
    kind += " or None";
  }
  return fmt::format("    {}: {}\n", a.name, kind);
}

std::string line_of(const Field& field, const nb::object& otherwise) {
  std::string choices;
  for (const char* c : field.choices) choices += (choices.empty() ? "" : ", ") + std::string(c);
  return fmt::format("    {}: {}{} ({}, default {})\n", field.name, field.doc,
                     choices.empty() ? "" : ": " + choices, type_name_of(field),
                     written(otherwise));
}

std::string results_of(const OpDef& op) {
  if (op.outputs.empty()) return "a tuple of any length";
  std::string names;
  for (int i = 0; i < op.visible; ++i) {
    names += (i ? ", " : "") + std::string(op.outputs[static_cast<size_t>(i)]);
  }
  return names;
}

}  // namespace

nb::dict defaults_of(const OpDef& op) {
  if (!op.attrs) return nb::dict();
  return values_of(*op.attrs, OpenAttrs(*op.attrs).memory);
}

std::string signature_of(const OpDef& op) {
  std::string text = "(";
  const auto add = [&](const std::string& part) { text += (text.size() > 1 ? ", " : "") + part; };
  for (const Arg& a : op.args) {
    add((a.variadic ? "*" : "") + std::string(a.name) +
        (may_be_left_out(op, a) ? "=" + default_of(a) : ""));
  }
  nb::dict defaults = defaults_of(op);
  for (size_t i = 0; op.attrs && i < op.attrs->fields.size(); ++i) {
    const char* name = op.attrs->fields[i].name;
    add(std::string(name) + "=" + written(nb::object(defaults[name])));
  }
  return text + ")";
}

std::string page_of(const OpDef& op) {
  std::string text = std::string(op.doc) + "\n\n";
  for (const Arg& a : op.args) text += line_of(op, a);
  nb::dict defaults = defaults_of(op);
  for (size_t i = 0; op.attrs && i < op.attrs->fields.size(); ++i) {
    const Field& f = op.attrs->fields[i];
    text += line_of(f, nb::object(defaults[f.name]));
  }
  text += "\nResult: " + results_of(op) + ". ";
  text += op.is_discrete        ? "No gradient: results are discrete."
          : op.differentiable() ? "Differentiable."
                                : "No gradient.";
  return text + " Error bound: " + error_bound(op) + ".";
}

}  // namespace gyre::python
