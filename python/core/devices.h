#pragma once
#include "gyre/tensor/tensor.h"
#include "python/core/errors.h"

namespace gyre::python {

/// Adds the class gyre.device and the functions of the default device.
void add_devices(nb::module_& m);

/// gyre.device(...), "cpu", "cuda:1", "best", or None for the default device. DeviceError,
/// UnavailableError.
Device device_from(nb::handle o);

/// Whether the argument names a device rather than a dtype.
bool names_device(nb::handle o);

}  // namespace gyre::python
