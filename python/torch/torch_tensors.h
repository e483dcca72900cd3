#pragma once
#include "gyre/tensor/tensor.h"
#include "python/core/errors.h"

// PyTorch's tensors without PyTorch's headers: uses the table of C functions in the class
// torch.Tensor (__dlpack_c_exchange_api__ of DLPack 1.3), which takes a tenth of the time of
// __dlpack__.

namespace gyre::python {

/// Sets the class torch.Tensor; must be called first. TypeError if the class has no such table.
void set_torch_tensor(nb::handle tensor_class);

/// A tensor that shares the memory of a torch.Tensor, detached. Errors: PyTorch's for a tensor that
/// DLPack cannot describe; those of from_dlpack().
Tensor from_torch(PyObject* tensor);
/// A torch.Tensor that shares the memory of t.
nb::object to_torch(const Tensor& t);

}  // namespace gyre::python
