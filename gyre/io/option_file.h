#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/base/record.h"
#include "gyre/io/json.h"

namespace gyre {

/// A JSON file of options by their names. What it says wrongly is Error{value} of `op`, naming the
/// file and the key.
class OptionFile {
 public:
  /// Errors: io; parse, naming the file: no JSON object, a key that comes twice.
  OptionFile(const char* op, std::string path);

  /// Hands the value of a key that is no field of the record to `read`, if it is there. Errors:
  /// those that `read` throws of it, as Error{value}.
  void take(std::string_view key, FunctionRef<void(const Json&)> read);
  /// Sets the fields that are named by keys that were not taken, but those in `given`, which were
  /// set by hand. The names of those that are set join `given`. Errors: a key that names neither,
  /// telling one that is like it; a value that does not fit its field. Then `given` is what it was.
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
