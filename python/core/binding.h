#pragma once
#include <string>
#include <string_view>
#include <utility>

#include "gyre/base/philox.h"
#include "gyre/op/op_def.h"
#include "python/core/errors.h"

namespace gyre::python {

/// Whether an attribute takes all numbers that follow by position: a shape that is the only one or
/// after which no number may stand, as in reshape(x, 2, 3) and rand(2, 3).
bool takes_all_numbers(const Record& attrs, const Field& field);

/// What one call of an op was given, bound to its arguments and attributes: tensors and then
/// attributes by position, any of them by name, in other spellings too; tensors one by one or a
/// list of them for a variadic argument; the sizes of a shape one by one where no number may
/// follow it. dtype=None and out=None, which NumPy's functions hand to methods of their argument,
/// say nothing. The objects stay the caller's. TypeError that shows the op's signature for what
/// does not fit.
class Binding {
 public:
  /// `name` is what the caller calls the op.
  Binding(const OpDef& op, std::string name);

  void positional(PyObject* const* args, size_t n);
  void keyword(PyObject* name, PyObject* value);
  /// All of a vectorcall.
  void call(PyObject* const* args, size_t n, PyObject* keywords);

  /// What was given for the op's tensors, in its order; null or None: absent. None absent at the
  /// end unless the last argument is variadic.
  std::span<PyObject* const> operands();
  const Ref<OpenAttrs>& attrs() const { return attrs_; }

  /// Whether it is a random op and the call names no seed.
  bool would_draw() const;
  /// Sets seed and offset of such a call to where a generator is.
  void draw(const Generator& from);

 private:
  const OpDef& op_;
  std::string name_;
  SmallVector<PyObject*, 4> operands_;
  nb::object list_;  // holds operands that came in a list
  Ref<OpenAttrs> attrs_;
  uint64_t given_ = 0;  // fields

  [[noreturn]] void wrong_call(const std::string& why) const;
  void put_operand(size_t i, PyObject* value);
  size_t leading(PyObject* const* args, size_t n);
  void set(const Field& field, PyObject* value);
  size_t attribute(PyObject* const* args, size_t n);
};

}  // namespace gyre::python
