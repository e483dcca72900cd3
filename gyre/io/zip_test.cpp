#include "gyre/io/zip.h"

#include <gtest/gtest.h>

#include <array>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

class Zip : public testing::Test {
 protected:
  Zip() { create_directories(folder_); }
  ~Zip() override { remove_tree(folder_); }

  std::string written(uint64_t wide_from, bool compressed) const {
    ZipWriter zip(path_, wide_from);
    zip.add("one", "first member", compressed);
    zip.add("zwei/ü", std::string(5000, 'x'), compressed);
    zip.add("empty", "", compressed);
    zip.commit();
    return read_file(path_);
  }
  static Error refusal(const std::string& content) {
    return error_of([&] {
      const ZipFile zip(content, "f");
      for (const ZipMember& member : zip.members()) (void)zip.read(member);
    });
  }
  std::string folder_ = testing::TempDir() + "gyre_zip_test";
  std::string path_ = folder_ + "/a.zip";
};

TEST_F(Zip, GivesBackWhatItTook) {
  for (uint64_t wide_from : {uint64_t{0}, uint64_t{60}, uint64_t{0xFFFFFFFF}}) {
    for (bool compressed : {false, true}) {
      const std::string content = written(wide_from, compressed);
      EXPECT_EQ(content.find("PK\x06\x06") != std::string::npos, wide_from < 100);
      const ZipFile zip(path_);
      ASSERT_EQ(zip.members().size(), 3u);
      EXPECT_EQ(zip.members()[1].name, "zwei/ü");
      EXPECT_EQ(zip.members()[1].packed < 100, compressed);
      EXPECT_EQ(zip.read(zip.members()[0]), "first member");
      EXPECT_EQ(zip.read(zip.members()[1]), std::string(5000, 'x'));
      EXPECT_EQ(zip.read(zip.members()[2]), "");
      EXPECT_EQ(written(wide_from, compressed), content) << "equal input, equal bytes";
    }
  }
}

TEST_F(Zip, TakesAZip64LocatorThatIsNotNeeded) {
  std::string content = written(0, false);  // PyTorch's files have the numbers in both places
  const size_t wide = content.find("PK\6\6"), end = content.find("PK\5\6");
  for (const auto& [to, from, bytes] :
       {std::array<size_t, 3>{8, 24, 2}, {10, 32, 2}, {12, 40, 4}, {16, 48, 4}})
    content.replace(end + to, bytes, content, wide + from, bytes);
  EXPECT_EQ(ZipFile(content, "f").members().size(), 3u);
}

TEST_F(Zip, TakesAnEmptyArchiveAndAComment) {
  ZipWriter(path_).commit();
  std::string content = read_file(path_);
  EXPECT_EQ(content.size(), 22u);
  EXPECT_TRUE(ZipFile(path_).members().empty());
  content = written(0xFFFFFFFF, false);
  content[content.size() - 2] = 5;
  content += "PK\5\6!";
  EXPECT_EQ(ZipFile(content, "f").members().size(), 3u);
  EXPECT_EQ(code_of([] { ZipFile("none"); }), Code::io);
}

TEST_F(Zip, RejectsInvalidNames) {
  ZipWriter zip(path_);
  zip.add("a", "", false);
  for (const std::string& name :
       {std::string(), std::string("a"), std::string("\xff"), std::string(65536, 'a')}) {
    EXPECT_EQ(code_of([&] { zip.add(name, "", false); }), Code::value);
  }
}

/// `content` with some bytes replaced.
std::string with(std::string content, size_t at, const std::string& bytes) {
  return content.replace(at, bytes.size(), bytes);
}

TEST_F(Zip, DirectoryErrorsNameTheCause) {
  const std::string good = written(0xFFFFFFFF, false), wide = written(0, false);
  const size_t end = good.size() - 22, directory = good.find("PK\1\2"),
               second = good.find("PK\3\4", 4);
  const size_t wide_end = wide.find("PK\6\6"), locator = wide.find("PK\6\7");
  const size_t wide_directory = wide.find("PK\1\2"), extra = wide_directory + 46 + 3;
  const auto expect = [&](const std::string& content, Code code, const char* what) {
    const Error error = refusal(content);
    EXPECT_EQ(error.code, code) << what;
    EXPECT_TRUE(contains(error.what(), what)) << error.what();
  };
  expect("", Code::parse, "no end record");
  expect("x" + good, Code::parse, "does not end where");
  expect(with(good, end + 4, "\1"), Code::unsupported, "multi-disk");
  expect(with(good, end + 8, std::string("\2\0\2\0", 4)), Code::parse, "more than 2 members");
  expect(with(good, end + 8, std::string("\4\0\4\0", 4)), Code::parse, "truncated");
  expect(with(good, directory, "X"), Code::parse, "directory is damaged");
  expect(with(good, directory + 28, "\xff\xff"), Code::parse, "truncated");
  expect(with(good, directory + 8, "\1"), Code::unsupported, "is encrypted");
  expect(with(good, directory + 34, "\1"), Code::unsupported, "another disk");
  expect(with(good, directory + 20, "\1"), Code::parse, "sizes differ");
  expect(with(good, directory + 46, "\xff"), Code::parse, "not UTF-8");
  expect(with(with(good, directory + 10, "\1"), 8, "\1"), Code::unsupported, "method 1");
  expect(with(good, directory + 10, "\10"), Code::parse, "two headers that differ");
  expect(with(good, directory + 42, "\1"), Code::parse, "no local header");
  expect(with(good, directory + 44, "\1"), Code::parse, "starts outside");
  expect(with(good, 26, "\xff\xff"), Code::parse, "ends outside");
  expect(with(good, 31, "X"), Code::parse, "two headers that differ");
  expect(with(good, 35, "X"), Code::parse, "checksum");
  expect(with(good, second + 1, "X"), Code::parse, "no local header");
  expect(with(good, end + 8, "\xff\xff"), Code::parse, "no zip64 locator");
  expect(with(wide, locator + 16, "\2"), Code::unsupported, "multi-disk");
  expect(with(wide, locator + 15, "\1"), Code::parse, "too short for its zip64 end record");
  expect(with(wide, wide_end + 4, "\1"), Code::parse, "unexpected length");
  expect(with(wide, extra + 2, "\10"), Code::parse, "lacks a 64-bit number");
  expect(with(wide, extra + 3, "\10"), Code::parse, "truncated extra field");
  expect(with(wide, extra, "\2"), Code::parse, "outside the file");
  EXPECT_EQ(refusal(std::string("PK\5\6") + std::string(4, 0) + std::string(4, '\xff') +
                    std::string(10, 0))
                .code,
            Code::parse);

  ZipWriter zip(path_);
  zip.add("a1", "", false);
  zip.add("a2", "", false);
  zip.commit();
  std::string twice = read_file(path_);
  twice[twice.rfind("a2") + 1] = '1';
  expect(twice, Code::parse, "is a duplicate");
}

TEST_F(Zip, RefusesFilesCutShortAndSurvivesDamage) {
  for (uint64_t wide_from : {uint64_t{0}, uint64_t{0xFFFFFFFF}}) {
    ZipWriter zip(path_, wide_from);
    zip.add("one", "first member, first member", true);
    zip.add("two", "second", false);
    zip.commit();
    const std::string whole = read_file(path_);
    for (size_t n = 0; n < whole.size(); ++n) {
      EXPECT_EQ(refusal(whole.substr(0, n)).code, Code::parse) << n;
    }
    for (size_t i = 0; i < whole.size(); ++i) {
      for (int flip : {1, 128, 255}) {
        std::string damaged = whole;
        damaged[i] = static_cast<char>(damaged[i] ^ flip);
        try {
          const ZipFile again(damaged, "f");
          for (const ZipMember& member : again.members()) {
            const std::string bytes = again.read(member);
            EXPECT_TRUE(bytes == "first member, first member" || bytes == "second") << i;
          }
        } catch (const Error&) {
        }
      }
    }
  }
}

}  // namespace
}  // namespace gyre
