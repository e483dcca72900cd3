#include "python/tensor/operators.h"

#include <string_view>
#include <utility>

#include "gyre/ops/in_place.h"
#include "python/core/convert.h"

namespace gyre::python {
namespace {

// Python's operators for the symbols of the table.
struct Operator {
  const char* symbol;
  int operands, slot, in_place_slot;
};
constexpr Operator kOperators[] = {
    {"+", 2, Py_nb_add, Py_nb_inplace_add},
    {"-", 2, Py_nb_subtract, Py_nb_inplace_subtract},
    {"*", 2, Py_nb_multiply, Py_nb_inplace_multiply},
    {"/", 2, Py_nb_true_divide, Py_nb_inplace_true_divide},
    {"//", 2, Py_nb_floor_divide, Py_nb_inplace_floor_divide},
    {"%", 2, Py_nb_remainder, Py_nb_inplace_remainder},
    {"**", 2, Py_nb_power, Py_nb_inplace_power},
    {"@", 2, Py_nb_matrix_multiply, 0},
    {"&", 2, Py_nb_and, Py_nb_inplace_and},
    {"|", 2, Py_nb_or, Py_nb_inplace_or},
    {"^", 2, Py_nb_xor, Py_nb_inplace_xor},
    {"<<", 2, Py_nb_lshift, Py_nb_inplace_lshift},
    {">>", 2, Py_nb_rshift, Py_nb_inplace_rshift},
    {"-", 1, Py_nb_negative, 0},
    {"~", 1, Py_nb_invert, 0},
    {"||", 1, Py_nb_absolute, 0},
};
constexpr const char* kComparisons[] = {"<", "<=", "==", "!=", ">", ">="};  // Py_LT, Py_LE, ...

const OpDef* ops[std::size(kOperators)];
const OpDef* comparisons[std::size(kComparisons)];

bool is_operand(PyObject* o) {
  // a named tuple, such as x.max(0), is no list of numbers
  return as_tensor(o) || PyFloat_Check(o) || PyLong_Check(o) || PyList_Check(o) ||
         PyTuple_CheckExact(o) || is_array(o);
}

// As soon as the GIL is released, another thread may assign other tensors to the operand objects:
// long calls hold references, short calls keep the GIL.
PyObject* apply_tensors(const OpDef& op, const auto&... in) {
  if ((in.numel() + ...) < kLong) return new_tensor(apply_one(op, {in...}));
  const Tensor held[] = {in...};
  return new_tensor(unlocked([&] { return apply_one(op, held); }));
}

PyObject* apply_pair(const OpDef* op, PyObject* x, PyObject* y) {
  if (!op || !is_operand(x) || !is_operand(y)) Py_RETURN_NOTIMPLEMENTED;
  return guarded([&] {
    const Tensor *left = as_tensor(x), *right = as_tensor(y);
    if (left && right) return apply_tensors(*op, *left, *right);
    if (left) return apply_tensors(*op, *left, tensor_of(y, floats_beside(*left)));
    return apply_tensors(*op, tensor_of(x, floats_beside(*right)), *right);
  });
}

template <size_t I>
PyObject* binary(PyObject* x, PyObject* y) {
  return apply_pair(ops[I], x, y);
}
template <size_t I>
PyObject* power(PyObject* x, PyObject* y, PyObject* modulus) {
  if (modulus != Py_None) Py_RETURN_NOTIMPLEMENTED;
  return apply_pair(ops[I], x, y);
}
template <size_t I>
PyObject* unary(PyObject* x) {
  return guarded([&] { return apply_tensors(*ops[I], *as_tensor(x)); });
}
PyObject* positive(PyObject* x) { return Py_NewRef(x); }

constexpr size_t place_of(int slot) {
  size_t i = 0;
  while (kOperators[i].slot != slot) ++i;
  return i;
}
PyObject* quotient_and_rest(PyObject* x, PyObject* y) {
  PyObject* quotient = apply_pair(ops[place_of(Py_nb_floor_divide)], x, y);
  if (!quotient || quotient == Py_NotImplemented) return quotient;
  PyObject* rest = apply_pair(ops[place_of(Py_nb_remainder)], x, y);
  PyObject* both = rest ? PyTuple_Pack(2, quotient, rest) : nullptr;
  Py_DECREF(quotient);
  Py_XDECREF(rest);
  return both;
}

PyObject* write_pair(const OpDef* op, PyObject* x, PyObject* y) {
  if (!op || !is_operand(y)) Py_RETURN_NOTIMPLEMENTED;
  return guarded([&] {
    const Tensor& to = *as_tensor(x);
    const Tensor in[] = {to, tensor_of(y, floats_beside(to))};
    unlocked_if_long(in[0].numel() + in[1].numel(), [&] { apply_in_place(*op, in); });
    return Py_NewRef(x);
  });
}
template <size_t I>
PyObject* write(PyObject* x, PyObject* y) {
  return write_pair(ops[I], x, y);
}
template <size_t I>
PyObject* write_power(PyObject* x, PyObject* y, PyObject*) {
  return write_pair(ops[I], x, y);
}

PyObject* compare(PyObject* x, PyObject* y, int which) {
  return apply_pair(comparisons[which], x, y);
}

constexpr size_t kMostSlots = 2 * std::size(kOperators) + 3;
PyType_Slot slots[kMostSlots];

template <size_t I>
size_t fill(size_t n) {
  constexpr Operator o = kOperators[I];
  constexpr bool kPower = o.slot == Py_nb_power;
  void* function = o.operands == 1 ? reinterpret_cast<void*>(unary<I>)
                   : kPower        ? reinterpret_cast<void*>(power<I>)
                                   : reinterpret_cast<void*>(binary<I>);
  slots[n++] = {o.slot, function};
  if (o.in_place_slot) {
    slots[n++] = {o.in_place_slot, kPower ? reinterpret_cast<void*>(write_power<I>)
                                          : reinterpret_cast<void*>(write<I>)};
  }
  return n;
}

template <size_t... I>
size_t fill_all(std::index_sequence<I...>) {
  size_t n = 0;
  ((n = fill<I>(n)), ...);
  return n;
}

const OpDef* find_symbol(const OpTable& table, std::string_view symbol, size_t operands) {
  for (const OpDef* op : table.ops) {
    if (op->symbol && symbol == op->symbol && op->args.size() == operands) return op;
  }
  return nullptr;
}

}  // namespace

std::span<PyType_Slot> operator_slots() {
  size_t n = fill_all(std::make_index_sequence<std::size(kOperators)>());
  slots[n++] = {Py_nb_positive, reinterpret_cast<void*>(positive)};
  slots[n++] = {Py_nb_divmod, reinterpret_cast<void*>(quotient_and_rest)};
  slots[n++] = {Py_tp_richcompare, reinterpret_cast<void*>(compare)};
  return {slots, n};
}

void bind_operators(const OpTable& table) {
  for (size_t i = 0; i < std::size(kOperators); ++i) {
    ops[i] = find_symbol(table, kOperators[i].symbol, static_cast<size_t>(kOperators[i].operands));
  }
  for (size_t i = 0; i < std::size(kComparisons); ++i) {
    comparisons[i] = find_symbol(table, kComparisons[i], 2);
  }
}

}  // namespace gyre::python
