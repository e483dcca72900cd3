#include "gyre/base/terminal.h"

#include <unistd.h>

namespace gyre {

bool is_terminal(std::FILE* stream) noexcept { return isatty(fileno(stream)) == 1; }

}  // namespace gyre
