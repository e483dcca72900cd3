#include "python/core/devices.h"

#include <nanobind/operators.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace gyre::python {
namespace {

using namespace nb::literals;

const char* type_of(Device device) { return device.kind == Device::cpu ? "cpu" : "cuda"; }

// The devices that `with` statements replaced, of this thread.
std::vector<Device>& replaced() {
  thread_local std::vector<Device> before;
  return before;
}

// A device, its name, or an object whose text is one, such as torch.device.
Device named_device(nb::handle o) {
  if (nb::isinstance<Device>(o)) return nb::cast<Device>(o);
  const std::string text = nb::str(o).c_str();
  if (!PyUnicode_Check(o.ptr()) && text.find_first_of(" \n") != text.npos)
    wrong_type(
        {"expected a device such as \"cpu\" or \"cuda:0\", got ", Py_TYPE(o.ptr())->tp_name});
  return device_of(text);
}

}  // namespace

Device device_from(nb::handle o) {
  if (o.is_none()) return default_device();
  const Device device = named_device(o);
  require_available(device, "device");
  return device;
}

bool names_device(nb::handle o) {
  if (nb::isinstance<Device>(o)) return true;
  if (nb::isinstance<DType>(o) || nb::isinstance<Tensor>(o)) return false;
  const std::string text = nb::cast<std::string>(nb::str(o));  // of torch.device, too
  return text.starts_with("cpu") || text.starts_with("cuda") || text == "best";
}

void add_devices(nb::module_& m) {
  nb::class_<Device>(
      m, "device",
      "A device: device(\"cpu\"), device(\"cuda:0\"), or device(\"best\") for an "
      "accelerator if there is one. Equal to its full name. In a `with` statement it "
      "is the default device, of the whole process.")
      .def(
          "__init__", [](Device* self, nb::handle name) { new (self) Device(named_device(name)); },
          "name"_a, nb::sig("def __init__(self, name: str | device) -> None"))
      .def_prop_ro("type", type_of, "kind of device, cpu or cuda")
      .def_prop_ro(
          "index", [](Device d) { return d.index; }, "number among the devices of its type")
      .def("__str__", [](Device d) { return to_string(d); })
      .def("__repr__", [](Device d) { return "device('" + to_string(d) + "')"; })
      .def(
          "__eq__",
          [](Device d, nb::handle other) {
            return nb::isinstance<Device>(other) ? d == nb::cast<Device>(other)
                                                 : nb::isinstance<nb::str>(other) &&
                                                       to_string(d) == nb::cast<std::string>(other);
          },
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](Device d) { return nb::hash(nb::cast(to_string(d))); })
      .def(
          "__reduce__",
          [](nb::handle self) {
            return nb::make_tuple(self.type(), nb::make_tuple(nb::str(self)));
          },
          nb::sig("def __reduce__(self) -> typing.Any"))
      .def(
          "__enter__",
          [](nb::handle self) {
            const Device before = default_device();
            set_default_device(nb::cast<Device>(self));
            replaced().push_back(before);
            return nb::borrow(self);
          },
          nb::sig("def __enter__(self) -> device"))
      .def(
          "__exit__",
          [](Device, const nb::args&) {
            if (replaced().empty())
              throw Error(Code::value, "device", "expected a `with` statement that has begun");
            set_default_device(replaced().back());
            replaced().pop_back();
          },
          nb::sig("def __exit__(self, *exception: typing.Any) -> None"));
  m.def(
      "devices",
      [] {
        const auto all = available_devices();
        return std::vector<Device>(all.begin(), all.end());
      },
      "Devices that can be used; the first is the CPU.");
  m.def("get_default_device", default_device,
        "Device of new tensors and layers; at first GYRE_DEVICE, or the CPU.");
  m.def(
      "set_default_device", [](nb::handle d) { set_default_device(device_from(d)); }, "device"_a,
      nb::sig("def set_default_device(device: str | device) -> None"),
      "Sets the device of new tensors and layers, of the whole process.");
}

}  // namespace gyre::python
