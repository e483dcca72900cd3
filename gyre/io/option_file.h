#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/base/record.h"
#include "gyre/io/json.h"

namespace gyre {

/// A JSON file of options by name. Wrong content is Error{value} of `op`, naming the file and the
/// key.
class OptionFile {
 public:
  /// Errors: io; parse, naming the file: not a JSON object, a duplicate key.
  OptionFile(const char* op, std::string path);

  /// Passes the value of a key that is not a field of the record to `read`, if present. Errors:
  /// those thrown by `read`, as Error{value}.
  void take(std::string_view key, FunctionRef<void(const Json&)> read);
  /// Sets the remaining keys as fields of the record, except those in `given`, which were set
  /// explicitly. Adds the names of the fields it sets to `given`. Errors: an unknown key,
  /// suggesting a similar one; a value that does not fit its field. Then `given` is unchanged.
  void set(const Record& record, void* object, std::vector<std::string>& given) const;
  template <class T>
  void set(T& object, std::vector<std::string>& given) const {
    set(record_of<T>, &object, given);
  }

 private:
  void require_known(const Record& record, const std::string& key) const;
  template <class F>
  void naming_the_file(F f) const;

  const char* op_;
  std::string path_;
  Json content_;
  std::vector<std::string> taken_;
};

}  // namespace gyre
