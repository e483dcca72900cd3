#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "gyre/base/record.h"
#include "gyre/io/json.h"

// Which options may change when a run is resumed.

namespace gyre {

/// Tags an option that does not affect the numbers: it may change when a run is resumed.
inline constexpr uint32_t kResumable = uint32_t{1} << 29;
/// Tags an option of this process only: checkpoints do not store it.
inline constexpr uint32_t kThisRunOnly = uint32_t{1} << 30;

/// Changes of a resumed run against its stored options: fields tagged kThisRunOnly, and those
/// tagged kResumable that are `given`. `now` holds all fields of the record, one of which is `out`;
/// `stored` are the options in the checkpoint. Error{value} of `op` naming another field that is
/// given and differs.
Json changes_of_run(const char* op, const Record& record, const Json& now, const Json& stored,
                    std::span<const std::string> given);

}  // namespace gyre
