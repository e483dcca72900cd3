#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/io/named_tensor.h"

// NumPy's files: .npy holds one array, .npz is a zip file of them. Format: numpy.lib.format,
// versions 1.0, 2.0 and 3.0. Arrays of dates, strings, records, objects, complex numbers and long
// doubles are Error{dtype}; everything else that is not as it should be is Error{parse}, naming the
// file.

namespace gyre {

/// Elements of .npy files that gyre takes.
struct NpyKind {
  char letter;     ///< b boolean, i and u integers, f floats
  int width;       ///< bytes of an element
  DType dtype;     ///< of the tensor
  bool as_stored;  ///< its elements are the file's
};
inline constexpr NpyKind kNpyKinds[] = {
    {'b', 1, DType::boolean, true}, {'i', 1, DType::i8, true},  {'i', 2, DType::i16, true},
    {'i', 4, DType::i32, true},     {'i', 8, DType::i64, true}, {'u', 1, DType::u8, true},
    {'u', 2, DType::i32, false},    {'u', 4, DType::u32, true}, {'u', 8, DType::i64, false},
    {'f', 2, DType::f16, true},     {'f', 4, DType::f32, true}, {'f', 8, DType::f64, true},
};

/// What the header of an .npy file says.
struct NpyHeader {
  const NpyKind* kind = nullptr;
  bool big_endian = false;
  bool fortran = false;  ///< the first axis lies closest
  Shape shape;
  size_t begin = 0;  ///< of the elements, which the rest of the file is
};

/// The header of a file that holds nothing but one array. Errors: parse; dtype.
[[nodiscard]] NpyHeader npy_header(std::string_view file, const std::string& path);

/// The array in the bytes of an .npy file, copied. uint16 becomes i32 and uint64 i64, which gyre
/// has not. Errors: parse; dtype, also for a uint64 above the largest i64; value, for a boolean
/// byte that is neither 0 nor 1. `path` is for messages.
[[nodiscard]] Tensor npy_tensor(std::string_view file, const std::string& path);

/// The array in an .npy file. The file stays mapped and nothing is copied where the elements are
/// aligned, little-endian and of a dtype of gyre (then they are read from the disk when first
/// touched); writing to the tensor never changes the file. An array in Fortran's order keeps it, as
/// strides. Errors: io, and those of npy_tensor.
[[nodiscard]] Tensor read_npy(const std::string& path);

/// Writes a tensor on the CPU in C's order, version 1.0, through an AtomicFile: the bytes that
/// numpy.save writes. Errors: io; dtype, for bf16, which NumPy has not; device; value, for an empty
/// Tensor.
void write_npy(const std::string& path, const Tensor& tensor);

/// All arrays of an .npz file, in its order, without the .npy of their names. Errors: those of
/// ZipFile (io/zip.h) and npy_tensor.
[[nodiscard]] std::vector<NamedTensor> read_npz(const std::string& path);

struct NpzWriteOptions {
  bool compressed = false;  ///< as numpy.savez_compressed
};

/// Errors: those of write_npy and ZipWriter.
void write_npz(const std::string& path, std::span<const NamedTensor> tensors,
               const NpzWriteOptions& options = {});

}  // namespace gyre
