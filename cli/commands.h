#pragma once
#include "cli/command.h"

namespace gyre {

/// All subcommands, in the order of the help. `name` is defined in cli/name.cpp.
#define GYRE_COMMANDS(X) \
  X(demo)                \
  X(train)               \
  X(embed)               \
  X(generate) X(predict) X(logits) X(tokenize) X(inspect) X(ops) X(layers) X(devices) X(bench)

#define X(name) extern const Command name##_command;
GYRE_COMMANDS(X)
#undef X

}  // namespace gyre
