#include "gyre/base/system/machine.h"

#include <gtest/gtest.h>
#include <sys/utsname.h>

#include <fstream>

namespace gyre {
namespace {

TEST(Machine, HasTheNameThatTheKernelKnows) {
  struct utsname known;
  ASSERT_EQ(::uname(&known), 0);
  EXPECT_EQ(host_name(), known.nodename);
}

TEST(Machine, ModelIsOneLineOfCpuinfo) {
  std::string model = cpu_model(), line;
  bool seen = false, any = false;
  std::ifstream file("/proc/cpuinfo");
  while (std::getline(file, line)) {
    any |= line.starts_with("model name");
    seen |= line.starts_with("model name") && line.ends_with(": " + model);
  }
  if (!any) GTEST_SKIP() << "/proc/cpuinfo has no model name here";
  EXPECT_TRUE(seen) << model;
  EXPECT_FALSE(model.empty());
}

}  // namespace
}  // namespace gyre
