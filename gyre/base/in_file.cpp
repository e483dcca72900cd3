#include "gyre/base/in_file.h"

#include "gyre/base/text/printable.h"

namespace gyre {

void raise_in_file(const std::string& path, const Error& error) {
  if (std::string_view(error.what()).find(printable(path)) != std::string_view::npos) throw error;
  throw Error(error.code, error.op, path + ": " + error.message(), error.expected, error.actual);
}

}  // namespace gyre
