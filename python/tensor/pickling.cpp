#include <cstring>
#include <string>

#include "gyre/base/xxhash64.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/gradient/factored.h"
#include "gyre/packed/packed.h"
#include "gyre/tensor/kind.h"
#include "python/core/convert.h"
#include "python/tensor/packed_tensor.h"
#include "python/tensor/tensor_class.h"

// Support for Python's copy and pickle modules.

namespace gyre::python {
namespace {

using namespace nb::literals;

[[noreturn]] void refuse(Code code, const Message& why) { throw Error(code, "pickle", why); }

void check_has_values(const Tensor& t) {
  if (!has_kind_values(t)) require_readable(t, "pickle");
  if (t.tracked() && !t.requires_grad()) {
    refuse(Code::value,
           "a tensor tracked by autograd cannot be copied or pickled unless it is a leaf; use "
           "detach() first");
  }
}

// The values as a new leaf tensor.
Tensor leaf_like(const Tensor& t) {
  check_has_values(t);
  NoGrad off;
  Tensor copy = t.plain() ? clone(t) : copy_of_kind(t);
  if (t.requires_grad()) copy.set_requires_grad();
  return copy;
}

nb::object deep_copy(nb::handle self, const nb::dict& memo) {
  const Tensor& t = tensor_of_self(self);
  Tensor copy = leaf_like(t);
  if (is_factored(t.grad())) {
    copy.set_grad(t.grad().detach());  // its factors never change
  } else if (t.grad().defined()) {
    copy.set_grad(leaf_like(t.grad().detach()));
  }
  nb::object result = tensor_object(std::move(copy));
  memo[nb::module_::import_("builtins").attr("id")(self)] = result;
  return result;
}

// Stands before the format in place of a dtype.
constexpr std::string_view kPackedIn = "packed in ";

// Covers everything in the pickle, since pickle itself does not detect damaged bytes.
uint64_t checksum_of(const std::string& dtype, const Shape& shape, bool requires_grad,
                     std::span<const std::byte> bytes) {
  std::string head = dtype + to_string(shape) + (requires_grad ? "+" : "-");
  Xxhash64 hash;
  hash.update(std::as_bytes(std::span(head)));
  hash.update(bytes);
  return hash.digest();
}

Tensor restored(const std::string& dtype, const Shape& shape, bool requires_grad,
                std::span<const std::byte> bytes, uint64_t checksum) {
  const bool packed = dtype.starts_with(kPackedIn);
  Tensor t;
  if (packed) {
    const Codec& format = codec(std::string_view(dtype).substr(kPackedIn.size()));
    if (packed_layout(format, shape, "pickle").bytes() == bytes.size())
      t = empty_packed(format, shape, "pickle");
  } else {
    Meta meta;
    meta.shape = shape;
    meta.dtype = dtype_of(dtype);
    check_shape(meta.shape, size_of(meta.dtype), "pickle");
    if (static_cast<size_t>(numel(meta.shape)) * size_of(meta.dtype) == bytes.size())
      t = empty(meta);
  }
  if (!t.defined())
    refuse(Code::parse, {shape, " of ", dtype, " does not match ", bytes.size(), " bytes"});
  if (checksum_of(dtype, shape, requires_grad, bytes) != checksum) {
    refuse(Code::parse, "checksum mismatch: the pickled bytes are damaged");
  }
  // new packed weights have headers and words in one piece
  std::memcpy(packed ? packed_storage(t).memory->data : t.bytes(), bytes.data(), bytes.size());
  if (packed) check_packed(packed_storage(t), "pickle");
  if (requires_grad) t.set_requires_grad();
  return t;
}

PyObject* restore(PyObject*, PyObject* args) {
  return guarded([&] {
    const char* dtype = nullptr;
    PyObject *shape = nullptr, *elements = nullptr;
    int requires_grad = 0;
    unsigned long long checksum = 0;
    if (!PyArg_ParseTuple(args, "sOpSK", &dtype, &shape, &requires_grad, &elements, &checksum)) {
      throw nb::python_error();
    }
    std::span<const char> bytes(PyBytes_AS_STRING(elements),
                                static_cast<size_t>(PyBytes_GET_SIZE(elements)));
    return new_tensor(
        restored(dtype, shape_from(shape), requires_grad != 0, std::as_bytes(bytes), checksum));
  });
}

// A builtin function, which pickle finds by its name.
PyMethodDef kRestore = {"_tensor_of_pickle", restore, METH_VARARGS,
                        "(dtype, shape, requires_grad, elements, checksum)"};

nb::object reduced(const Tensor& t) {
  check_has_values(t);
  NoGrad off;
  const Tensor rows = is_packed(t) ? t : contiguous(t);
  const std::vector<std::byte> words =
      is_packed(t) ? packed_storage(t).stored() : std::vector<std::byte>();
  const size_t size = bytes_of(rows);
  std::span<const std::byte> bytes(is_packed(t) ? words.data() : rows.bytes(), size);
  std::string dtype = name_of(t.dtype());
  if (is_packed(t)) dtype = std::string(kPackedIn) + packed_storage(t).layout.format->name;
  uint64_t checksum = checksum_of(dtype, t.shape(), t.requires_grad(), bytes);
  nb::object restore = nb::module_::import_("gyre._gyre").attr(kRestore.ml_name);
  return nb::make_tuple(
      restore,
      nb::make_tuple(dtype, nb::steal(shape_object(t.shape())), t.requires_grad(),
                     nb::bytes(reinterpret_cast<const char*>(bytes.data()), size), checksum));
}

}  // namespace

void add_pickling(nb::module_& m, TensorClass& c) {
  c.def(
       "__copy__", [](const Tensor& t) { return tensor_object(leaf_like(t)); },
       nb::sig("def __copy__(self) -> Tensor"))
      .def("__deepcopy__", deep_copy, "memo"_a,
           nb::sig("def __deepcopy__(self, memo: dict[int, typing.Any]) -> Tensor"))
      .def("__reduce__", reduced, nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"));
  nb::object module_name = m.attr("__name__");
  nb::object function = nb::steal(PyCFunction_NewEx(&kRestore, nullptr, module_name.ptr()));
  if (!function.is_valid()) throw nb::python_error();
  m.attr(kRestore.ml_name) = function;
}

}  // namespace gyre::python
