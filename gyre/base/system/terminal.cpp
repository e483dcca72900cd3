#include "gyre/base/system/terminal.h"

#include <fcntl.h>
#include <unistd.h>

namespace gyre {

bool is_terminal(std::FILE* stream) noexcept { return isatty(fileno(stream)) == 1; }

void keep_closed_streams() noexcept {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (fcntl(stream, F_GETFD) != -1) continue;
    // open() takes the lowest free number, which is this one; opened for the wrong direction.
    if (open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream) return;
  }
}

}  // namespace gyre
