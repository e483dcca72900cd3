#pragma once
#include <string>

#include "gyre/base/error.h"

namespace gyre {

/// Throws `error` again, with "PATH: " before its message unless that names the file already or
/// `path` is empty.
[[noreturn]] void raise_in_file(const std::string& path, const Error& error);

/// The result of read(), which interprets the content of a file: its errors name the file.
decltype(auto) in_file(const std::string& path, auto read) {
  try {
    return read();
  } catch (const Error& error) {
    raise_in_file(path, error);
  }
}

}  // namespace gyre
