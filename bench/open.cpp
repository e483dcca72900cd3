#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "bench/temporary_folder.h"
#include "bench/work.h"
#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/models/decoder/gpt2_folder.h"
#include "gyre/tensor/allocator.h"

namespace gyre::bench {
namespace {

constexpr DecoderOptions kGpt2[] = {
    {.vocab = 32000, .block_size = 512, .layers = 6, .heads = 8, .width = 512}, {.vocab = 50257}};

// A folder of GPT-2 in f32, removed at the end.
struct Gpt2Folder : TemporaryFolder {
  Gpt2Folder(const DecoderOptions& options, bool checksum) {
    Decoder model(options);
    model.save(path, nullptr);
    if (checksum) return;
    write_safetensors(weights(), SafetensorsFile(weights()).load_all(), {}, {.checksum = false});
  }
  [[nodiscard]] std::string weights() const { return path + "/model.safetensors"; }
};

// sizes: whether the file has a checksum; the place of the options
Ready open(const Work& w, const Settings&) {
  auto folder = std::make_shared<const Gpt2Folder>(kGpt2[w.sizes[1]], w.sizes[0] != 0);
  allocator::reset_peak();  // of opening, not of the model that was written
  return {.call = [folder] { (void)load_gpt2(folder->path, FileAccess::map); },
          .least =
              [folder] {
                (void)SafetensorsFile(folder->weights(), Verify::checksum, FileAccess::map);
              }};
}

constexpr Work kOpenWorks[] = {
    {"open_gpt2",
     "ms",
     "opening a folder of GPT-2 with 35.6 M parameters in f32, with a checksum; limit: mapping "
     "the file and reading its header",
     open,
     {true}},
    {"open_gpt2_unchecked", "ms", "the same without a checksum: no weight is read", open, {false}},
    {"open_500mb", "ms", "the same of GPT-2 124M, a file of 498 MB", open, {false, 1}}};

}  // namespace

std::span<const Work> open_works() { return kOpenWorks; }

}  // namespace gyre::bench
