#pragma once
#include <string>
#include <string_view>

#include "gyre/base/record.h"

namespace gyre {

/// How the fields of a record look on the command line.

/// "--weight-decay"; "--no-bias" for a flag that is on unless switched off.
std::string option_name(const Field& field, bool negated = false);
/// A message with the options of a record for the `fields` that it speaks of.
std::string with_options(std::string message, const Record& record);
/// What stands for a value in the help: "N", "X", "TEXT", "a|b".
std::string value_name(const Field& field);
/// The value of a field as text; empty for an empty text.
std::string value_text(const Record& record, const Field& field, const void* object);
/// Sets a field. Throws UsageError naming the option.
void set_option(const Record& record, const Field& field, void* object, std::string_view text);

}  // namespace gyre
