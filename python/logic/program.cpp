#include "gyre/logic/program.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <string>
#include <vector>

#include "gyre/base/system/interrupt.h"
#include "gyre/ops/create/create.h"
#include "gyre/registry/op_table.h"
#include "gyre/registry/optimizer_table.h"
#include "python/core/convert.h"
#include "python/core/dtypes.h"
#include "python/core/named_tensors.h"
#include "python/module.h"

namespace gyre::python {
namespace {

using namespace nb::literals;
using logic::Answer;
using logic::Symbol;

Symbol symbol_of(nb::handle value) {
  if (nb::isinstance<nb::str>(value)) return {nb::cast<std::string>(value), false, true, {}};
  return {std::to_string(integer_of(value.ptr())), true, false, {}};
}

// Any iterable of tuples of strings and integers.
logic::NamedTuples tuples_of(const std::string& name, nb::handle rows) {
  logic::NamedTuples tuples{name};
  bool first = true;
  for (nb::handle row : nb::iter(rows)) {
    size_t length = 0;
    if (nb::isinstance<nb::str>(row) || nb::isinstance<nb::int_>(row)) {
      tuples.symbols.push_back(symbol_of(row));
      length = 1;
    } else {
      for (nb::handle value : nb::iter(row)) {
        tuples.symbols.push_back(symbol_of(value));
        ++length;
      }
    }
    if (first) tuples.arity = length;
    if (length != tuples.arity) {
      throw mismatch(Code::shape, "Program",
                     {"the tuples of '", name, "' have ", tuples.arity, " values"},
                     std::to_string(tuples.arity), std::to_string(length));
    }
    first = false;
  }
  return tuples;
}

nb::dict proof_object(const logic::Proof& p) {
  nb::dict d;
  d["atom"] = p.atom;
  if (p.rule.empty()) return d;
  d["rule"] = p.rule;
  d["line"] = p.line;
  nb::list because;
  for (const logic::Proof& b : p.because) because.append(proof_object(b));
  d["because"] = because;
  return d;
}

// A bool, a tensor, or for tuples ([variables], [tuples]).
nb::object answer_object(const Answer& a) {
  if (a.kind == Answer::boolean) return nb::bool_(a.holds);
  if (a.kind != Answer::tuples) return tensor_object(a.values);
  nb::list variables;
  for (const std::string& v : a.variables) variables.append(nb::str(v.c_str(), v.size()));
  nb::list rows;
  for (const std::vector<Symbol>& row : a.rows) {
    nb::list values;
    for (const Symbol& s : row) {
      if (s.is_integer && s.text.size() < 19)
        values.append(nb::int_(std::stoll(s.text)));
      else
        values.append(nb::str(s.text.c_str(), s.text.size()));
    }
    rows.append(nb::tuple(values));
  }
  return nb::make_tuple(variables, rows);
}

MatrixUse matrices_of(nb::handle layout) {
  if (layout.is_none()) return MatrixUse::decide;
  const auto name = nb::cast<std::string>(layout);
  if (name == "bits") return MatrixUse::always;
  if (name == "rows") return MatrixUse::never;
  throw Error(Code::value, "Program", {"layout is 'rows', 'bits' or None, got '", name, "'"});
}

void set_limit(logic::ProgramOptions& options, const std::string& name, nb::handle value) {
  if (value.is_none()) return;
  const auto count = [&](int64_t& limit) { limit = integer_of(value.ptr()); };
  if (name == "max_seconds") options.max_seconds = nb::cast<double>(value);
  if (name == "max_bytes") count(options.max_bytes);
  if (name == "max_tuples") count(options.max_tuples);
  if (name == "max_iterations") count(options.max_iterations);
}

class PyProgram {
  // Without the GIL: other threads may run, but a program has one user at a time.
  template <class F>
  auto guarded(const F& f) {
    if (busy_.exchange(true))
      throw Error(Code::value, "Program", "another thread uses this program");
    struct Done {
      std::atomic<bool>& busy;
      ~Done() { busy = false; }
    } done{busy_};
    stop_ = false;
    try {
      const InterruptFlag interrupts(stop_);
      nb::gil_scoped_release release;
      return f();
    } catch (const logic::Stopped&) {
      if (PyErr_CheckSignals() == 0) PyErr_SetNone(PyExc_KeyboardInterrupt);  // not the main thread
      throw nb::python_error();
    }
  }

 public:
  PyProgram(const std::string& text, const std::string& path, nb::dict inputs, nb::object dtype,
            nb::object seed, nb::object layout, nb::dict limits) {
    logic::ProgramOptions options;
    options.stop = &stop_;
    if (!dtype.is_none()) options.dtype = dtype_from(dtype.ptr());
    for (auto [key, value] : limits) set_limit(options, nb::cast<std::string>(key), value);
    if (!seed.is_none()) options.seed = integer_of(seed.ptr());
    options.matrices = matrices_of(layout);
    options.print = [](std::string_view line) {
      nb::gil_scoped_acquire acquire;
      nb::print(nb::str(line.data(), line.size()));
    };
    logic::ProgramInputs given;
    for (auto [key, value] : inputs) {
      const auto name = nb::cast<std::string>(key);
      if (as_tensor(value.ptr()) || is_array(value.ptr()) || nb::isinstance<nb::float_>(value)) {
        given.tensors.push_back({name, tensor_of(value.ptr(), DType::f64)});
      } else {
        given.relations.push_back(tuples_of(name, value));
      }
    }
    program_ = std::make_unique<logic::Program>(
        logic::Program::parse(text, path, op_table(), optimizer_table(), options, given));
  }

  nb::list run() {
    const std::vector<Answer> answers = guarded([&] { return program_->run(); });
    nb::list all;
    for (const Answer& a : answers) {
      if (a.kind == Answer::loss_curve)
        all.append(nb::make_tuple("learn", answer_object(a)));
      else
        all.append(nb::make_tuple(a.query, answer_object(a)));
    }
    return all;
  }
  nb::object query(const std::string& text) {
    return answer_object(guarded([&] { return program_->query(text); }));
  }
  nb::list why(const std::string& text) {
    const Answer a = guarded([&] { return program_->query(text + " @why"); });
    nb::list all;
    for (const logic::Proof& p : a.proofs) all.append(proof_object(p));
    return all;
  }
  nb::object tensor(const std::string& name) {
    return tensor_object(guarded([&] { return program_->tensor(name); }));
  }
  void bind(const std::string& name, nb::handle value) {
    const Tensor t = tensor_of(value.ptr(), DType::f64);
    guarded([&] { program_->bind(name, t); });
  }
  void add(const std::string& name, nb::handle rows) {
    const logic::NamedTuples tuples = tuples_of(name, rows);
    if (!tuples.symbols.empty()) guarded([&] { program_->add(tuples); });
  }
  std::vector<std::string> names() { return program_->names(); }
  bool contains(const std::string& name) { return program_->contains(name); }
  void forget() {
    guarded([&] { program_->forget(); });
  }
  nb::list warnings() const {
    nb::list all;
    for (const logic::LocatedDiagnostic& d : program_->warnings())
      all.append(nb::str(logic::text_of(d).c_str()));
    return all;
  }

 private:
  std::unique_ptr<logic::Program> program_;
  std::atomic<bool> busy_ = false, stop_ = false;
};

}  // namespace

void add_logic(nb::module_ m) {
  nb::class_<PyProgram>(m, "Program")
      .def(nb::init<const std::string&, const std::string&, nb::dict, nb::object, nb::object,
                    nb::object, nb::dict>(),
           "text"_a, "path"_a, "inputs"_a, "dtype"_a.none(), "seed"_a.none(), "layout"_a.none(),
           "limits"_a)
      .def("run", &PyProgram::run)
      .def("query", &PyProgram::query, "text"_a)
      .def("why", &PyProgram::why, "text"_a)
      .def("tensor", &PyProgram::tensor, "name"_a)
      .def("bind", &PyProgram::bind, "name"_a, "value"_a)
      .def("add", &PyProgram::add, "relation"_a, "tuples"_a)
      .def("names", &PyProgram::names)
      .def("contains", &PyProgram::contains, "name"_a)
      .def("forget", &PyProgram::forget)
      .def("warnings", &PyProgram::warnings);
}

}  // namespace gyre::python
