#include "gyre/base/system/interrupt.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <optional>

#include "gyre/base/system/file.h"

namespace gyre {
namespace {

constexpr int kInterruptedExit = 130, kWentOn = 7;

// These calls end the process, so each runs in its own.
class InterruptDeathTest : public testing::Test {
 protected:
  void SetUp() override {
    remove_tree(folder_);
    create_directories(folder_);
  }
  void TearDown() override { remove_tree(folder_); }
  template <class F>
  void expect_exit(int code, F call, const char* said = "^$") {
    EXPECT_EXIT(
        {
          for (int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_DFL);
          end_when_interrupted();
          call();
          _exit(kWentOn);
        },
        testing::ExitedWithCode(code), said);
  }
  std::string in(const std::string& name) const { return folder_ + "/" + name; }
  const std::string folder_ = testing::TempDir() + "gyre_interrupt_test";
};

TEST_F(InterruptDeathTest, EndsTheProcess) {
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    expect_exit(kInterruptedExit, [&] { raise(signal); });
  }
  expect_exit(kWentOn, [] { raise(SIGPIPE); });
  expect_exit(kWentOn, [] {
    signal(SIGHUP, SIG_IGN);
    end_when_interrupted();
    raise(SIGHUP);
  });
}

TEST_F(InterruptDeathTest, SaysSo) {
  const auto ended = [](const char* output, const char* errors) {
    return [=] {
      dup2(STDERR_FILENO, STDOUT_FILENO);
      say_when_interrupted(output, errors);
      raise(SIGINT);
    };
  };
  expect_exit(kInterruptedExit, ended("end\n", "interrupted\n"), "^end\ninterrupted\n$");
  expect_exit(kInterruptedExit, ended(nullptr, "interrupted\n"), "^interrupted\n$");
  expect_exit(kInterruptedExit, ended(nullptr, nullptr));
}

TEST_F(InterruptDeathTest, EachOneIsCaught) {
  expect_exit(kWentOn, [] {
    std::atomic<bool>* caught = catch_interrupts();
    for (int i = 0; i < 3; ++i) {
      if (*caught) _exit(1);
      raise(SIGINT);
      if (!caught->exchange(false)) _exit(2);
    }
    int ends[2];
    char byte = 0;
    if (pipe(ends) != 0) _exit(3);
    const pid_t parent = getpid();
    if (fork() == 0) {
      for (int i = 0; i < 100 && getppid() == parent; ++i) {
        kill(parent, SIGINT);
        usleep(10'000);
      }
      _exit(0);
    }
    if (read(ends[0], &byte, 1) != -1) _exit(4);  // ended, though nothing came
  });
  expect_exit(kInterruptedExit, [] {
    (void)catch_interrupts();
    raise(SIGTERM);
  });
}

TEST_F(InterruptDeathTest, TheFirstOnesAreNoted) {
  expect_exit(kWentOn, [] {
    const std::atomic<bool>* noted = note_interrupts();
    if (*noted) _exit(1);
    raise(SIGTERM);
    raise(SIGTERM);  // like one sent to the process and to its group
    if (!*noted) _exit(2);
  });
}

TEST_F(InterruptDeathTest, RemovesLockAndFolder) {
  std::string made = in("made");
  expect_exit(kInterruptedExit, [&] {
    create_directories(made);
    FileLock lock(made + "/lock");
    RemovedWhenInterrupted removed(lock, made.c_str());
    raise(SIGINT);
  });
  EXPECT_FALSE(file_exists(made));
}

TEST_F(InterruptDeathTest, LeavesTheLockOfAnotherAlone) {
  expect_exit(kInterruptedExit, [&] {
    FileLock lock(in("lock"));
    RemovedWhenInterrupted removed(lock, nullptr);
    remove_tree(in("lock"));
    write_file_atomic(in("lock"), "of another");
    raise(SIGINT);
  });
  EXPECT_EQ(read_file(in("lock")), "of another");
}

TEST_F(InterruptDeathTest, TheMostRecentIsEffective) {
  expect_exit(kInterruptedExit, [&] {
    FileLock first(in("first")), second(in("second"));
    std::optional<RemovedWhenInterrupted> before;
    before.emplace(first, nullptr);
    RemovedWhenInterrupted after(second, nullptr);
    before.reset();
    raise(SIGINT);
  });
  EXPECT_TRUE(file_exists(in("first")));
  EXPECT_FALSE(file_exists(in("second")));
  expect_exit(kInterruptedExit, [&] {
    FileLock lock(in("second"));
    { RemovedWhenInterrupted removed(lock, nullptr); }
    raise(SIGINT);
  });
  EXPECT_TRUE(file_exists(in("second")));
}

}  // namespace
}  // namespace gyre
