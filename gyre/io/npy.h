#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/base/system/file.h"
#include "gyre/io/named_tensor.h"

// NumPy's files: .npy holds one array, .npz is a zip file of them. Format: numpy.lib.format,
// versions 1.0, 2.0 and 3.0. Arrays of dates, strings, records, objects, complex numbers and long
// doubles are Error{dtype}; every other defect of a file is Error{parse}, naming the file.

namespace gyre {

/// The letter of a dtype in .npy files: b boolean, i and u integers, f floats; '\0' for bf16, which
/// NumPy lacks.
constexpr char npy_letter(DType d) {
  if (d == DType::boolean) return 'b';
  if (d == DType::bf16) return '\0';
  return is_floating(d) ? 'f' : is_unsigned(d) ? 'u' : 'i';
}

/// The header of an .npy file.
struct NpyHeader {
  DType dtype = DType::f32;
  bool big_endian = false;
  bool fortran = false;  ///< column-major (first axis contiguous)
  Shape shape;
  size_t begin = 0;  ///< offset of the elements, which fill the rest of the file
};

/// Parses the header of a file with exactly one array, from its bytes. Errors: parse; dtype.
[[nodiscard]] NpyHeader npy_header(std::string_view file, const std::string& path);
/// The same, reading no more than the header. Errors: io, too.
[[nodiscard]] NpyHeader npy_header(const InputFile& file);

/// The array in the bytes of an .npy file, copied. Errors: parse; dtype; value, for a boolean byte
/// that is neither 0 nor 1. `path` is used in messages.
[[nodiscard]] Tensor npy_tensor(std::string_view file, const std::string& path);

/// The array in an .npy file. With FileAccess::map the file stays mapped and nothing is copied if
/// the elements are aligned and little-endian. Writing to the tensor never changes
/// the file. Fortran order is kept, as strides. Errors: io, and those of npy_tensor.
[[nodiscard]] Tensor read_npy(const std::string& path, FileAccess access = FileAccess::read);

/// Writes a tensor on the CPU in C order, version 1.0, through an AtomicFile: the same bytes as
/// numpy.save. Errors: io; dtype, for bf16, which NumPy lacks; device; value, for an empty Tensor.
void write_npy(const std::string& path, const Tensor& tensor);

/// All arrays of an .npz file in order, with names without ".npy". Errors: those of ZipFile
/// (io/zip.h) and npy_tensor.
[[nodiscard]] std::vector<NamedTensor> read_npz(const std::string& path);

struct NpzWriteOptions {
  bool compressed = false;  ///< like numpy.savez_compressed
};

/// Errors: those of write_npy and ZipWriter.
void write_npz(const std::string& path, std::span<const NamedTensor> tensors,
               const NpzWriteOptions& options = {});

}  // namespace gyre
