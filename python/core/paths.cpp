#include "python/core/paths.h"

#include "gyre/base/error.h"

namespace gyre::python {

std::string path_of(nb::handle path) {
  nb::object bytes = nb::module_::import_("os").attr("fsencode")(path);
  std::string text(nb::cast<nb::bytes>(bytes).c_str(), nb::len(bytes));
  if (text.find('\0') != text.npos)
    throw Error(Code::value, "files", "a path must not contain null bytes");
  return text;
}

}  // namespace gyre::python
