#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "gyre/base/record.h"

namespace gyre {

/// Fields of a record as command-line options.

/// "--weight-decay".
std::string option_name(std::string_view field);
inline std::string option_name(const Field& field) { return option_name(field.name); }
/// Replaces `field` in a message by the name of its option, for each field of the record.
std::string with_options(std::string message, const Record& record);
/// The placeholder of a value in the help: "N", "X", "TEXT", "a|b".
std::string value_name(const Field& field);
/// The value of a field as text; empty for an empty text.
std::string value_text(const Record& record, const Field& field, const void* object);
/// Sets a field from one text, or a list from several. Throws UsageError naming the option.
void set_option(const Record& record, const Field& field, void* object,
                const std::vector<std::string>& texts);

}  // namespace gyre
