#pragma once
#include <cstdlib>
#include <string>

// Data that tests and benches read, where they are: tests/README.md says which.

namespace gyre {

/// The path of a file or folder below the folder that GYRE_TEST_DATA names, by default tests/data
/// of the working directory, which for tests is the project's root.
inline std::string test_data(const std::string& path) {
  const char* folder = std::getenv("GYRE_TEST_DATA");
  return std::string(folder && *folder ? folder : "tests/data") + "/" + path;
}

/// Why a test is skipped that does not find them.
inline std::string no_test_data(const std::string& path) {
  return path + " is not there; GYRE_TEST_DATA names the folder of such data";
}

}  // namespace gyre
