#include "gyre/data/images.h"

#include <string>
#include <vector>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/data/idx.h"
#include "gyre/io/npy.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

struct Raw {
  Tensor images, labels;
};

[[noreturn]] void fail_images(Code code, const std::string& path, const Message& why) {
  throw Error(code, "mnist", {path, ": ", why});
}

Tensor from_folder(const std::string& folder, const std::string& name) {
  for (const char* ending : {"", ".gz"}) {
    const std::string path = folder + "/" + name + ending;
    if (file_exists(path)) return read_idx(path);
  }
  fail_images(Code::io, folder, "neither " + name + " nor " + name + ".gz exists");
}

Raw from_arrays(const std::string& path, ImagePart part) {
  const std::vector<NamedTensor> arrays = read_npz(path);
  const std::string ending = part == ImagePart::training ? "_train" : "_test";
  const auto find = [&](const std::string& name) {
    for (const auto& [found, tensor] : arrays) {
      if (found == name + ending) return tensor;
    }
    for (const auto& [found, tensor] : arrays) {
      if (part == ImagePart::training && found == name) return tensor;
    }
    fail_images(Code::io, path, "missing array " + name + ending);
  };
  return {find("x"), find("y")};
}

Raw read(const std::string& path, ImagePart part) {
  if (path.ends_with(".npz")) return from_arrays(path, part);
  const std::string begin = part == ImagePart::training ? "train" : "t10k";
  return {from_folder(path, begin + "-images-idx3-ubyte"),
          from_folder(path, begin + "-labels-idx1-ubyte")};
}

}  // namespace

std::shared_ptr<const TensorDataset> mnist(const std::string& path, ImagePart part) {
  const auto [images, labels] = read(path, part);
  if (images.rank() != 3 || images.dtype() != DType::u8) {
    fail_images(
        Code::parse, path,
        {"expected images u8 [N, rows, columns], got ", images.dtype(), " ", images.shape()});
  }
  if (labels.rank() != 1 || is_floating(labels.dtype()) || labels.dtype() == DType::boolean) {
    fail_images(Code::parse, path,
                {"expected labels [N] of integers, got ", labels.dtype(), " ", labels.shape()});
  }
  if (images.size(0) != labels.size(0)) {
    fail_images(Code::parse, path, {images.size(0), " images but ", labels.size(0), " labels"});
  }
  const Tensor pixels = unsqueeze(to(images, DType::f32), 1);
  const Tensor x = (pixels / 255.0 - kMnistMean) / kMnistDeviation;
  return std::make_shared<TensorDataset>(
      std::vector<NamedTensor>{{"x", x}, {"y", to(labels, DType::i64)}});
}

}  // namespace gyre
