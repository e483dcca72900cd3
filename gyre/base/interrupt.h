#pragma once

namespace gyre {

/// Ctrl-C, a request to terminate and a terminal that goes away end the process with exit code 130;
/// writing to a closed pipe, or more than a file may hold, fails instead of ending it. For programs, once, at their start. A signal that whoever started the
/// process has switched off stays so.
void end_when_interrupted() noexcept;

/// From now on a process that ends in this way removes `file`, and then `folder` if it is empty.
/// Either may be null; the texts must live until others, or none, are named.
void remove_when_interrupted(const char* file, const char* folder) noexcept;

/// From now on the first of these signals only makes the flag true; another one, half a second later or more,
/// ends the process as above.
const volatile bool* note_interrupts() noexcept;

}  // namespace gyre
