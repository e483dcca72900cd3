#pragma once
#include <string>

#include "gyre/base/philox.h"
#include "gyre/op/op_def.h"
#include "python/core/errors.h"

namespace gyre::python {

/// Whether an attribute takes all following positional numbers: a shape that is the only attribute,
/// or after which no number may follow, as in reshape(x, 2, 3) and rand(2, 3).
bool takes_all_numbers(const Record& attrs, const Field& field);

/// The arguments of one call of an op, bound to its tensors and attributes. Positional: tensors,
/// then attributes; any of them by keyword, including alternative spellings. A variadic argument
/// takes separate tensors or one list of them; the sizes of a shape may be separate arguments where
/// no number may follow. dtype=None and out=None, which NumPy passes to methods, are ignored.
/// Objects are borrowed. TypeError with the op's signature if the arguments do not match.
class Binding {
 public:
  /// `name` is the op's name as the caller wrote it.
  Binding(const OpDef& op, std::string name);

  void positional(PyObject* const* args, size_t n);
  void keyword(PyObject* name, PyObject* value);
  /// All arguments of a vectorcall.
  void call(PyObject* const* args, size_t n, PyObject* keywords);

  /// The op's tensors in order; null or None: absent. There is no trailing None unless the last
  /// argument is variadic.
  std::span<PyObject* const> operands();
  const Ref<OpenAttrs>& attrs() const { return attrs_; }

  /// Whether the op is random and the call gives no seed.
  bool would_draw() const;
  /// Sets seed and offset of such a call to the state of a generator.
  void draw(const Generator& from);

 private:
  const OpDef& op_;
  std::string name_;
  SmallVector<PyObject*, 4> operands_;
  nb::object list_;  // keeps operands from a list alive
  Ref<OpenAttrs> attrs_;
  uint64_t given_ = 0;  // bit mask of fields that were set

  [[noreturn]] void wrong_call(const Message& why) const;
  void put_operand(size_t i, PyObject* value);
  size_t leading(PyObject* const* args, size_t n);
  void set(const Field& field, PyObject* value);
  size_t attribute(PyObject* const* args, size_t n);
};

}  // namespace gyre::python
