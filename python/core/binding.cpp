#include "python/core/binding.h"

#include <cstring>

#include "python/core/attributes.h"
#include "python/core/convert.h"
#include "python/core/nested_lists.h"
#include "python/core/records.h"

namespace gyre::python {
namespace {

bool is_absent(PyObject* operand) { return !operand || operand == Py_None; }
bool may_be_tensor(PyObject* o) { return is_array(o) || o == Py_None || is_list(o); }

}  // namespace

Binding::Binding(const OpDef& op, std::string name) : op_(op), name_(std::move(name)) {
  if (op_.attrs) attrs_ = Ref<OpenAttrs>(new OpenAttrs(*op_.attrs));
}

bool takes_all_numbers(const Record& attrs, const Field& field) {
  bool last = &field == &attrs.fields.back();
  bool alone = attrs.fields.size() == 1 || (!last && (&field)[1].type == Field::dtype);
  return alone && field.type == Field::shape;
}

void Binding::call(PyObject* const* args, size_t n, PyObject* keywords) {
  positional(args, n);
  Py_ssize_t named = keywords ? PyTuple_GET_SIZE(keywords) : 0;
  for (Py_ssize_t i = 0; i < named; ++i) {
    keyword(PyTuple_GET_ITEM(keywords, i), args[n + static_cast<size_t>(i)]);
  }
}

void Binding::positional(PyObject* const* args, size_t n) {
  size_t i = 0;
  if (op_.args.variadic()) {
    i = leading(args, n);
  } else {
    for (; i < n && i < op_.args.size(); ++i) put_operand(i, args[i]);
  }
  for (; i < n; i += attribute(args + i, n - i)) {
  }
}

void Binding::keyword(PyObject* name, PyObject* value) {
  std::string key = nb::cast<std::string>(nb::handle(name));
  for (size_t i = 0; i < op_.args.size(); ++i) {
    if (key != op_.args[i].name && !is_spelling(key, op_.args[i].name)) continue;
    if (!op_.args[i].variadic) return put_operand(i, value);
    if (!operands_.empty()) wrong_call("got " + key + " twice");
    leading(&value, 1);
    return;
  }
  const Field* field = op_.attrs ? field_called(*op_.attrs, key) : nullptr;
  if (!field && value == Py_None && (key == "dtype" || key == "out")) return;
  if (!field) wrong_call("got an unexpected keyword argument '" + key + "'");
  set(*field, value);
}

std::span<PyObject* const> Binding::operands() {
  while (!op_.args.variadic() && !operands_.empty() && is_absent(operands_.back()))
    operands_.pop_back();
  return {operands_.data(), operands_.size()};
}

bool Binding::would_draw() const {
  if (!op_.words) return false;
  return !(given_ >> (find_field(*op_.attrs, "seed") - op_.attrs->fields.data()) & 1);
}

void Binding::draw(const Generator& from) {
  const Field *seed = find_field(*op_.attrs, "seed"), *offset = find_field(*op_.attrs, "offset");
  if (given_ >> (offset - op_.attrs->fields.data()) & 1) wrong_call("got offset without seed");
  auto* memory = static_cast<std::byte*>(attrs_->memory);
  std::memcpy(memory + seed->offset, &from.seed, 8);
  std::memcpy(memory + offset->offset, &from.offset, 8);
}

void Binding::wrong_call(const Message& why) const {
  std::string known;
  for (const Arg& a : op_.args) known += std::string(known.empty() ? "" : ", ") + a.name;
  for (size_t i = 0; op_.attrs && i < op_.attrs->fields.size(); ++i) {
    known += std::string(known.empty() ? "" : ", ") + op_.attrs->fields[i].name;
  }
  wrong_type({name_, "(", known, ") ", why});
}

void Binding::put_operand(size_t i, PyObject* value) {
  while (operands_.size() <= i) operands_.push_back(nullptr);
  if (!is_absent(operands_[i])) wrong_call({"got ", op_.args[i].name, " twice"});
  operands_[i] = value;
}

// Takes any number of tensors, separate or as one list; a str may come first (einsum).
size_t Binding::leading(PyObject* const* args, size_t n) {
  size_t i = 0;
  while (i < n && PyUnicode_Check(args[i])) i += attribute(args + i, 1);
  bool only = i + 1 == n || (i + 1 < n && !may_be_tensor(args[i + 1]));
  if (only && is_list(args[i])) {
    list_ = items_of(args[i]);
    for (nb::handle item : nb::borrow<nb::tuple>(list_)) operands_.push_back(item.ptr());
    return i + 1;
  }
  while (i < n && may_be_tensor(args[i])) operands_.push_back(args[i++]);
  return i;
}

void Binding::set(const Field& field, PyObject* value) {
  uint64_t bit = uint64_t{1} << (&field - op_.attrs->fields.data());
  if (given_ & bit) wrong_call({"got ", field.name, " twice"});
  given_ |= bit;
  set_field(field, attrs_->memory, value);
}

// Sets the next attribute from the next positional arguments; returns how many it took.
size_t Binding::attribute(PyObject* const* args, size_t n) {
  size_t fields = op_.attrs ? op_.attrs->fields.size() : 0, next = 0;
  while (next < fields && (given_ >> next & 1)) ++next;
  if (next == fields) wrong_call("got too many arguments");
  const Field& field = op_.attrs->fields[next];
  size_t numbers = 0;
  while (numbers < n && PyIndex_Check(args[numbers]) && !as_tensor(args[numbers])) ++numbers;
  if (!takes_all_numbers(*op_.attrs, field) || numbers < 2) {
    set(field, args[0]);
    return 1;
  }
  set(field, new_tuple(numbers, [&](size_t i) { return Py_NewRef(args[i]); }).ptr());
  return numbers;
}

}  // namespace gyre::python
