#pragma once
#include "gyre/tensor/tensor.h"
#include "python/core/errors.h"

// PyTorch's tensors without PyTorch's headers: by the table of C functions that the class
// torch.Tensor carries (__dlpack_c_exchange_api__ of DLPack 1.3), which costs a tenth of
// __dlpack__.

namespace gyre::python {

/// Tells of the class torch.Tensor; before it nothing else here may be called. TypeError when the
/// class has no such table.
void set_torch_tensor(nb::handle tensor_class);

/// A tensor over the memory of a torch.Tensor, without its history. Errors: PyTorch's for a tensor
/// that DLPack cannot describe; those of from_dlpack().
Tensor from_torch(PyObject* tensor);
/// A torch.Tensor over the memory of t.
nb::object to_torch(const Tensor& t);

}  // namespace gyre::python
