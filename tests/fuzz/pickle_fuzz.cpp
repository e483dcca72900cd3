// Any bytes as the pickle of a checkpoint, in a zip file with one storage, and as the whole file,
// are read or rejected with an Error.
#include "gyre/base/error.h"
#include "gyre/io/deflate.h"
#include "gyre/io/pickle/torch_file.h"
#include "tests/fuzz/file_in_memory.h"

namespace {

void read(const std::string& path) {
  try {
    for (const gyre::NamedTensor& t : gyre::TorchFile(path).load_all(gyre::FileAccess::map)) {
      if (t.tensor.numel() == 1) (void)t.tensor.item();
    }
  } catch (const gyre::Error&) {
  }
}

// A zip file of stored members, whose checksums are not looked at.
std::string zip_of(std::string_view pickle) {
  std::string all, directory;
  const auto number = [](std::string& to, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) to += static_cast<char>(value >> (8 * i));
  };
  const auto add = [&](std::string_view name, std::string_view bytes, uint32_t checksum) {
    const auto fields = [&](std::string& to) {
      number(to, 0, 8);  // flags, method, time, date
      number(to, checksum, 4);
      number(to, bytes.size(), 4);
      number(to, bytes.size(), 4);
      number(to, name.size(), 2);
      number(to, 0, 2);
    };
    number(directory, 0x02014B50, 4);
    number(directory, 20, 4);
    fields(directory);
    number(directory, 0, 8);
    number(directory, 0, 2);
    number(directory, all.size(), 4);
    directory += name;
    number(all, 0x04034B50, 4);
    number(all, 20, 2);
    fields(all);
    all += name;
    all += bytes;
  };
  add("x/data.pkl", pickle, gyre::crc32_of(pickle));
  add("x/data/0", std::string_view("0123456789abcdef01234567"), 0);
  std::string end;
  number(end, 0x06054B50, 4);
  number(end, 0, 4);
  number(end, 2, 2);
  number(end, 2, 2);
  number(end, directory.size(), 4);
  number(end, all.size(), 4);
  number(end, 0, 2);
  return all + directory + end;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  read(file_in_memory(data, size));
  const std::string zip = zip_of({reinterpret_cast<const char*>(data), size});
  read(file_in_memory(reinterpret_cast<const uint8_t*>(zip.data()), zip.size()));
  return 0;
}
