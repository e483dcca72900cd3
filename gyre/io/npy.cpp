#include "gyre/io/npy.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "gyre/base/error.h"
#include "gyre/base/function_ref.h"
#include "gyre/base/system/mapped_file.h"
#include "gyre/io/row_major_bytes.h"
#include "gyre/io/zip.h"
#include "gyre/tensor/kind.h"

namespace gyre {
namespace {

constexpr const char* kNpy = "npy";
constexpr std::string_view kEnding = ".npy";

[[noreturn]] void fail_npy(const std::string& path, const Message& why, Code code) {
  throw Error(code, kNpy, {path, ": ", why});
}

/// Column-major strides.
Shape fortran_strides(const Shape& shape) {
  Shape strides = shape;
  int64_t step = 1;
  for (int axis = 0; axis < shape.rank; ++axis) {
    strides[axis] = step;
    step *= std::max<int64_t>(shape[axis], 1);
  }
  return strides;
}

void check_booleans(const Tensor& elements, const NpyHeader& header, const std::string& path) {
  if (header.dtype != DType::boolean) return;
  const std::byte* from = elements.bytes();
  if (std::any_of(from, from + elements.numel(), [](std::byte b) { return b > std::byte{1}; })) {
    fail_npy(path, "holds booleans that are neither 0 nor 1", Code::value);
  }
}

/// Fills a span with the bytes of the elements.
using ReadElements = FunctionRef<void(std::span<std::byte>)>;

/// The elements in file order.
Tensor copied(const NpyHeader& header, const std::string& path, ReadElements read) {
  const size_t width = size_of(header.dtype);
  check_shape(header.shape, width, kNpy);
  Tensor t = empty(header.shape, header.dtype);
  if (t.numel() == 0) return t;
  const size_t bytes = static_cast<size_t>(t.numel()) * width;
  read({t.bytes(), bytes});
  if (header.big_endian && width > 1) {
    for (size_t i = 0; i < bytes; i += width) std::reverse(t.bytes() + i, t.bytes() + i + width);
  }
  check_booleans(t, header, path);
  return t;
}

Tensor shaped(const NpyHeader& header, const std::string& path, ReadElements read) {
  const Tensor t = copied(header, path, read);
  if (!header.fortran || t.numel() == 0) return t;
  return make_view(t, header.shape, fortran_strides(header.shape), 0);
}

/// The elements over the mapped file; an undefined tensor if they must be copied.
Tensor mapped(const InputFile& input, const NpyHeader& header) {
  const size_t width = size_of(header.dtype);
  if ((header.big_endian && width > 1) || numel(header.shape) == 0) return {};
  auto file = std::make_unique<MappedFile>(input, MapMode::copy_on_write);
  std::byte* from = file->writable_bytes().data() + header.begin;
  if (reinterpret_cast<uintptr_t>(from) % width != 0) return {};
  Meta meta;
  meta.shape = header.shape;
  meta.dtype = header.dtype;
  const Tensor lent = borrow(
      from, meta, header.fortran ? fortran_strides(meta.shape) : contiguous_strides(meta.shape),
      file.get(), [](void* mapping) noexcept { delete static_cast<MappedFile*>(mapping); });
  (void)file.release();
  check_booleans(lent, header, input.path());
  return lent;
}

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The start of a file: magic, version, length, dictionary, padded like NumPy's.
std::string head(const std::string& path, const Tensor& tensor) {
  if (!tensor.defined()) fail_npy(path, "cannot write an empty Tensor", Code::value);
  require_plain(tensor, "write_npy");
  const char letter = npy_letter(tensor.dtype());
  if (!letter) {
    fail_npy(path, {"NumPy has no ", tensor.dtype(), "; write it as f32"}, Code::dtype);
  }
  const size_t width = size_of(tensor.dtype());
  std::string shape;
  for (const int64_t size : tensor.shape()) shape += std::to_string(size) + ", ";
  if (tensor.rank() > 1) shape.resize(shape.size() - 2);
  if (tensor.rank() == 1) shape.resize(shape.size() - 1);
  std::string text = std::string("{'descr': '") + (width == 1 ? '|' : '<') + letter +
                     std::to_string(width) + "', 'fortran_order': False, 'shape': (" + shape +
                     "), }";
  // Room for the first size to grow to its maximum number of digits, so that arrays can be appended
  // to in place.
  constexpr size_t kMostDigits = 21, kBefore = 10, kAligned = 64;
  if (tensor.rank() > 0) text.append(kMostDigits - std::to_string(tensor.shape()[0]).size(), ' ');
  text.append(kAligned - (kBefore + text.size() + 1) % kAligned, ' ') += '\n';
  std::string first("\x93NUMPY\x01\x00", 8);
  first += static_cast<char>(text.size() & 0xFF);
  first += static_cast<char>(text.size() >> 8);
  return first + text;
}

}  // namespace

Tensor npy_tensor(std::string_view file, const std::string& path) {
  const NpyHeader header = npy_header(file, path);
  return shaped(header, path, [&](std::span<std::byte> to) {
    std::memcpy(to.data(), file.data() + header.begin, to.size());
  });
}

Tensor read_npy(const std::string& path, FileAccess access) {
  const InputFile file(path);
  const NpyHeader header = npy_header(file);
  if (access == FileAccess::map) {
    if (Tensor lent = mapped(file, header); lent.defined()) return lent;
  }
  return shaped(header, path, [&](std::span<std::byte> to) { file.read(header.begin, to); });
}

void write_npy(const std::string& path, const Tensor& tensor) {
  const std::string first = head(path, tensor);
  AtomicFile file(path);
  file.write(first);
  row_major_bytes(tensor, [&](std::span<const std::byte> bytes) { file.write(bytes); });
  file.commit();
}

std::vector<NamedTensor> read_npz(const std::string& path) {
  const ZipFile file(path);
  std::vector<NamedTensor> tensors;
  for (const ZipMember& member : file.members()) {
    if (!member.name.ends_with(kEnding)) {
      fail_npy(path, "the member \"" + member.name + "\" is not an .npy file", Code::parse);
    }
    const std::string name = member.name.substr(0, member.name.size() - kEnding.size());
    tensors.push_back({name, npy_tensor(file.read(member), path + "/" + member.name)});
  }
  return tensors;
}

void write_npz(const std::string& path, std::span<const NamedTensor> tensors,
               const NpzWriteOptions& options) {
  ZipWriter file(path);
  for (const auto& [name, tensor] : tensors) {
    std::string bytes = head(name, tensor);
    row_major_bytes(tensor, [&](std::span<const std::byte> part) { bytes += as_text(part); });
    file.add(name + std::string(kEnding), bytes, options.compressed);
  }
  file.commit();
}

}  // namespace gyre
