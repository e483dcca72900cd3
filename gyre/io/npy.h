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

/// Element types of .npy files that are supported.
struct NpyKind {
  char letter;     ///< b boolean, i and u integers, f floats
  int width;       ///< bytes per element
  DType dtype;     ///< of the tensor
  bool as_stored;  ///< no conversion is needed
};
inline constexpr NpyKind kNpyKinds[] = {
    {'b', 1, DType::boolean, true}, {'i', 1, DType::i8, true},  {'i', 2, DType::i16, true},
    {'i', 4, DType::i32, true},     {'i', 8, DType::i64, true}, {'u', 1, DType::u8, true},
    {'u', 2, DType::i32, false},    {'u', 4, DType::u32, true}, {'u', 8, DType::i64, false},
    {'f', 2, DType::f16, true},     {'f', 4, DType::f32, true}, {'f', 8, DType::f64, true},
};

/// The header of an .npy file.
struct NpyHeader {
  const NpyKind* kind = nullptr;
  bool big_endian = false;
  bool fortran = false;  ///< column-major (first axis contiguous)
  Shape shape;
  size_t begin = 0;  ///< offset of the elements, which fill the rest of the file
};

/// Parses the header of a file with exactly one array, from its bytes. Errors: parse; dtype.
[[nodiscard]] NpyHeader npy_header(std::string_view file, const std::string& path);
/// The same, reading no more than the header. Errors: io, too.
[[nodiscard]] NpyHeader npy_header(const InputFile& file);

/// The array in the bytes of an .npy file, copied. uint16 becomes i32 and uint64 i64, as gyre lacks
/// these types. Errors: parse; dtype, also for a uint64 above the largest i64; value, for a boolean
/// byte that is neither 0 nor 1. `path` is used in messages.
[[nodiscard]] Tensor npy_tensor(std::string_view file, const std::string& path);

/// The array in an .npy file. With FileAccess::map the file stays mapped and nothing is copied if
/// the elements are aligned, little-endian and of a gyre dtype. Writing to the tensor never changes
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
