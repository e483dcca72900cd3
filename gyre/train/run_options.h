#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "gyre/base/record.h"
#include "gyre/io/json.h"

// Which options of a training may be new when it goes on, whatever it learns.

namespace gyre {

/// Tags an option of the run and not of its numbers: it may be new when a training goes on.
inline constexpr uint32_t kResumable = uint32_t{1} << 29;
/// Tags an option of one run: it is forgotten after it.
inline constexpr uint32_t kThisRunOnly = uint32_t{1} << 30;

/// What a training that goes on changes of the options that it began with: those of one run, and
/// those that are `given` and free. `now` are all fields of the record as they are told, one of
/// which is `out`; `stored` is what its checkpoint has kept. Error{value} of `op` naming another
/// one that is given and was not so.
Json changes_of_run(const char* op, const Record& record, const Json& now, const Json& stored,
                    std::span<const std::string> given);

}  // namespace gyre
