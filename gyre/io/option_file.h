#pragma once
#include <string>
#include <vector>

#include "gyre/base/record.h"

namespace gyre {

/// Sets fields of a record from a JSON file of options by name or alias, except those in `given`,
/// which were set explicitly, and adds the names of the fields it sets to `given`. Errors of `op`:
/// io; parse, naming the file: not a JSON object, a duplicate key; value, naming the file and the
/// key: an unknown option, suggesting a similar one, an option given twice, a value that does not
/// fit its field or is out of bounds, also of an option in `given`. Then nothing is changed.
void read_option_file(const char* op, const std::string& path, const Record& record, void* object,
                      std::vector<std::string>& given);
template <class T>
void read_option_file(const char* op, const std::string& path, T& object,
                      std::vector<std::string>& given) {
  read_option_file(op, path, record_of<T>, &object, given);
}

}  // namespace gyre
