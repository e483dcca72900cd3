#include "python/core/call_errors.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace gyre::python {
namespace {

using std::string_view;

// ---- signatures, as nanobind prints them ----

// The parts of a text between separators that no bracket or quote encloses.
std::vector<string_view> parts_of(string_view text, char separator) {
  std::vector<string_view> parts;
  size_t start = 0;
  int depth = 0;
  char quote = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : separator;
    if (quote) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '[' || c == '(') {
      ++depth;
    } else if (c == ']' || c == ')') {
      --depth;
    }
    if (i < text.size() && (c != separator || depth > 0 || quote)) continue;
    string_view part = text.substr(start, i - start);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (!part.empty()) parts.push_back(part);
    start = i + 1;
  }
  return parts;
}

struct Parameter {
  string_view name, type;
  bool optional = false, by_name_only = false;
};
struct Signature {
  std::vector<Parameter> parameters;
  bool any_positional = false, any_named = false;
};

Signature signature_from(string_view line) {
  Signature s;
  const size_t open = line.find('(');
  int depth = 0;
  size_t close = open;
  for (; close < line.size(); ++close) {
    if (line[close] == '(') ++depth;
    if (line[close] == ')' && --depth == 0) break;
  }
  bool by_name_only = false;
  for (string_view part : parts_of(line.substr(open + 1, close - open - 1), ',')) {
    if (part == "/") continue;
    if (part.starts_with("**")) {
      s.any_named = true;
    } else if (part.starts_with('*')) {
      by_name_only = true;
      s.any_positional |= part.size() > 1;
    } else {
      const std::vector<string_view> halves = parts_of(part, '='), typed = parts_of(halves[0], ':');
      s.parameters.push_back(
          {typed[0], typed.size() > 1 ? typed[1] : "", halves.size() > 1, by_name_only});
    }
  }
  return s;
}

// ---- whether an object fits an annotation ----

enum class Fit { yes, maybe, no };

bool has_class(PyObject* o, string_view name) {
  const size_t dot = name.rfind('.');
  if (dot != name.npos) name.remove_prefix(dot + 1);
  for (nb::handle base : nb::borrow<nb::tuple>(Py_TYPE(o)->tp_mro)) {
    const string_view full = reinterpret_cast<PyTypeObject*>(base.ptr())->tp_name;
    if (full.substr(full.rfind('.') + 1) == name) return true;
  }
  return false;
}

Fit fit_of_one(string_view type, PyObject* o) {
  if (type.empty() || type == "typing.Any" || type == "object") return Fit::maybe;
  if (type == "None" || o == Py_None) return type == "None" && o == Py_None ? Fit::yes : Fit::no;
  if (has_class(o, type)) return Fit::yes;
  if (type == "int") return PyIndex_Check(o) && !PyFloat_Check(o) ? Fit::maybe : Fit::no;
  if (type == "float") return PyNumber_Check(o) ? Fit::maybe : Fit::no;
  if (type.starts_with("collections.abc.Callable")) return PyCallable_Check(o) ? Fit::yes : Fit::no;
  if (type.ends_with("Like") || type.find('[') != type.npos) return Fit::maybe;
  return Fit::no;
}

Fit fit_of(string_view type, PyObject* o) {
  Fit best = Fit::no;
  for (string_view one : parts_of(type, '|')) best = std::min(best, fit_of_one(one, o));
  return type.empty() ? Fit::maybe : best;
}

// ---- sentences ----

// An annotation without the modules of its names.
std::string plain(string_view type) {
  std::string text(type);
  for (const char* module : {"collections.abc.", "typing.", "gyre._gyre.", "_gyre.", "os."}) {
    for (size_t at; (at = text.find(module)) != text.npos;)
      text.erase(at, string_view(module).size());
  }
  return text.starts_with("Callable") ? "a callable" : text;
}

// "list of str" for a list with items.
std::string kind_of(PyObject* o) {
  std::string kind = Py_TYPE(o)->tp_name;
  const bool listed = PyList_CheckExact(o) || PyTuple_CheckExact(o);
  if (!listed || PySequence_Fast_GET_SIZE(o) == 0) return kind;
  return kind + " of " + Py_TYPE(PySequence_Fast_GET_ITEM(o, 0))->tp_name;
}

struct Arguments {
  PyObject* const* values;
  size_t positional;
  PyObject* names;  // null, or a tuple of str

  size_t count() const {
    return positional + (names ? static_cast<size_t>(PyTuple_GET_SIZE(names)) : 0);
  }
  std::string name(size_t i) const {
    PyObject* name = PyTuple_GET_ITEM(names, static_cast<Py_ssize_t>(i - positional));
    return nb::borrow<nb::str>(name).c_str();
  }
};

std::string expected(const Parameter& p, PyObject* got) {
  std::string name(p.name);
  if (name == "arg" || name.starts_with("arg0")) name = "argument";
  if (PyLong_Check(got) && fit_of(p.type, got) == Fit::yes) return name + " is out of range";
  return name + ": expected " + plain(p.type) + ", got " + kind_of(got);
}

std::string positions(size_t n) {
  return std::to_string(n) + (n == 1 ? " argument" : " arguments");
}

// What is wrong with a call of one signature. `self` counts as a parameter of a method.
std::string reason(const Signature& s, const Arguments& a, string_view owner) {
  const std::vector<Parameter>& all = s.parameters;
  std::vector<PyObject*> given(all.size());
  const bool method = !all.empty() && all[0].name == "self" && all[0].type.empty();
  size_t places = 0;
  while (places < all.size() && !all[places].by_name_only) ++places;
  if (a.positional > places && !s.any_positional)
    return "takes at most " + positions(places - method) + " by position, got " +
           std::to_string(a.positional - method);
  for (size_t i = 0; i < a.count(); ++i) {
    size_t place = i;
    if (i >= a.positional) {
      const std::string name = a.name(i);
      for (place = 0; place < all.size() && all[place].name != name;) ++place;
      if (place == all.size() && !s.any_named)
        return "got an unexpected keyword argument '" + name + "'";
      if (place < all.size() && given[place]) return "got " + name + " twice";
    }
    if (place < all.size()) given[place] = a.values[i];
  }
  for (size_t i = 0; i < all.size(); ++i) {
    if (!given[i] && !all[i].optional) return "missing argument " + std::string(all[i].name);
  }
  if (method && !has_class(given[0], owner))
    return "self: expected " + std::string(owner) + ", got " + kind_of(given[0]);
  for (const Fit fit : {Fit::no, Fit::maybe, Fit::yes}) {
    for (size_t i = method; i < all.size(); ++i) {
      const bool number = fit != Fit::yes || (given[i] && PyLong_Check(given[i]));
      if (given[i] && number && fit_of(all[i].type, given[i]) == fit)
        return expected(all[i], given[i]);
    }
  }
  return "the arguments do not match";
}

std::string text_of(PyObject* function, const char* attribute) {
  const nb::object text = nb::handle(function).attr(attribute);
  return nb::borrow<nb::str>(text).c_str();
}

// The signature among several for which nothing but a type is wrong, or else the last.
std::string sentence(PyObject* function, const Arguments& a, string_view theirs) {
  const std::string name = text_of(function, "__name__"), full = text_of(function, "__qualname__");
  const size_t dot = full.rfind('.');
  const std::string owner = dot == full.npos ? "" : full.substr(0, dot);
  std::string why;
  for (string_view line : parts_of(theirs, '\n')) {
    const size_t start = line.find(". ");
    if (!std::isdigit(line[0]) || start == line.npos) continue;
    why = reason(signature_from(line.substr(start + 2)), a, owner);
    if (why.find(": expected") != why.npos) break;
  }
  return (name == "__init__" ? owner : name) + ": " + why;
}

// ---- the call ----

// Replaces the pending error by a sentence where it is nanobind's list of signatures.
void explain(PyObject* function, const Arguments& a) noexcept {
  constexpr string_view kTheirs = "(): incompatible function arguments";
  if (!PyErr_ExceptionMatches(PyExc_TypeError)) return;
  try {
    nb::python_error error;
    const std::string text = nb::str(error.value()).c_str();
    if (text.find(kTheirs) != text.npos && text.starts_with(text_of(function, "__name__"))) {
      PyErr_SetString(PyExc_TypeError, sentence(function, a, text).c_str());
    } else {
      error.restore();
    }
  } catch (...) {
    raise_current();
  }
}

// nanobind's ways to call a function; which one a function object has depends on its parameters.
constexpr size_t kMostWays = 8;
vectorcallfunc theirs[kMostWays];

template <size_t I>
PyObject* explained(PyObject* function, PyObject* const* args, size_t flags, PyObject* names) {
  PyObject* result = theirs[I](function, args, flags, names);
  constexpr size_t kCount = ~size_t{0} >> 2;  // the other bits are CPython's and nanobind's flags
  if (!result) explain(function, {args, flags & kCount, names});
  return result;
}

template <size_t... I>
constexpr std::array<vectorcallfunc, kMostWays> all_explained(std::index_sequence<I...>) {
  return {explained<I>...};
}
constexpr auto kExplained = all_explained(std::make_index_sequence<kMostWays>());

void explain_function(PyObject* function) {
  const Py_ssize_t offset = Py_TYPE(function)->tp_vectorcall_offset;
  auto& way = *reinterpret_cast<vectorcallfunc*>(reinterpret_cast<char*>(function) + offset);
  for (size_t i = 0; i < kMostWays; ++i) {
    if (way == kExplained[i]) return;
    if (!theirs[i]) theirs[i] = way;
    if (way != theirs[i]) continue;
    way = kExplained[i];
    return;
  }
}

void explain_member(nb::handle member) {
  const string_view type = Py_TYPE(member.ptr())->tp_name;
  if (type == "nanobind.nb_func" || type == "nanobind.nb_method") {
    explain_function(member.ptr());
  } else if (PyObject_TypeCheck(member.ptr(), &PyProperty_Type)) {
    for (const char* part : {"fget", "fset"}) explain_member(member.attr(part));
  }
}

}  // namespace

void explain_calls(nb::handle scope) {
  const nb::object members = scope.attr("__dict__");
  const std::string own = text_of(scope.ptr(), "__name__");
  for (nb::handle name : nb::list(nb::handle(members))) {
    const nb::object member = members[name];
    explain_member(member);
    const bool part =
        PyModule_Check(member.ptr()) && text_of(member.ptr(), "__name__").starts_with(own);
    if (part || nb::type_check(member)) explain_calls(member);
  }
}

}  // namespace gyre::python
