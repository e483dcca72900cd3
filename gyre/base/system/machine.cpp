#include "gyre/base/system/machine.h"

#include <limits.h>
#include <unistd.h>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"

#ifndef HOST_NAME_MAX
#define HOST_NAME_MAX 255
#endif

namespace gyre {

std::string host_name() {
  char name[HOST_NAME_MAX + 1] = "";
  if (::gethostname(name, sizeof name) != 0 || name[0] == '\0') return "localhost";
  name[HOST_NAME_MAX] = '\0';
  return name;
}

std::string cpu_model() try {
  constexpr std::string_view kKey = "model name";
  std::string all = read_file("/proc/cpuinfo");
  size_t at = all.find(kKey);
  if (at == std::string::npos) return {};
  size_t end = all.find('\n', at), from = all.find(':', at);
  if (from == std::string::npos || from >= end) return {};
  from = all.find_first_not_of(" \t", from + 1);
  return from < end ? all.substr(from, end - from) : std::string();
} catch (const Error&) {
  return {};  // a system without /proc
}

}  // namespace gyre
