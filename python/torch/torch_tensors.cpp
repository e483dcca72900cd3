#include "python/torch/torch_tensors.h"

#include "gyre/tensor/dlpack.h"

namespace gyre::python {
namespace {

// The layout from DLPack's header.
struct ExchangeTable {
  uint32_t major, minor;
  ExchangeTable* older;
  int (*allocate)(dlpack::Array*, dlpack::VersionedManaged**, void*,
                  void (*)(void*, const char*, const char*));
  int (*from_object)(void* object, dlpack::VersionedManaged** out);
  int (*to_object)(dlpack::VersionedManaged* array, void** object);
  int (*view_of_object)(void* object, dlpack::Array* out);
  int (*stream_of_device)(int32_t type, int32_t id, void** stream);
};

const ExchangeTable* table = nullptr;

}  // namespace

void set_torch_tensor(nb::handle tensor_class) {
  nb::object capsule = nb::getattr(tensor_class, "__dlpack_c_exchange_api__", nb::none());
  const void* found = PyCapsule_CheckExact(capsule.ptr())
                          ? PyCapsule_GetPointer(capsule.ptr(), "dlpack_exchange_api")
                          : nullptr;
  if (!found && PyErr_Occurred()) throw nb::python_error();
  const auto* t = static_cast<const ExchangeTable*>(found);
  while (t && t->major > 1) t = t->older;
  if (!t || t->major != 1)
    wrong_type("torch.Tensor has no DLPack 1 exchange API; install PyTorch 2.10 or newer");
  table = t;
}

Tensor from_torch(PyObject* tensor) {
  dlpack::VersionedManaged* array = nullptr;
  if (table->from_object(tensor, &array)) throw nb::python_error();
  try {
    return from_dlpack(array);
  } catch (const Error&) {
    if (array->release) array->release(array);
    throw;
  }
}

nb::object to_torch(const Tensor& t) {
  dlpack::VersionedManaged* array = to_dlpack_versioned(t);
  void* object = nullptr;
  if (table->to_object(array, &object)) throw nb::python_error();
  return nb::steal(static_cast<PyObject*>(object));
}

}  // namespace gyre::python
