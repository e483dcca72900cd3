#include "python/core/json_object.h"

#include <string>

namespace gyre::python {

nb::object json_object(const Json& value) {
  return nb::module_::import_("json").attr("loads")(value.dump());
}

Json json_of(nb::handle o) {
  return Json::parse(nb::cast<std::string>(nb::module_::import_("json").attr("dumps")(o)));
}

}  // namespace gyre::python
