#include <string>
#include <string_view>
#include <vector>

#include "gyre/io/npy.h"
#include "gyre/io/safetensors.h"
#include "python/core/convert.h"
#include "python/core/named_tensors.h"
#include "python/module.h"

// Files of tensors: safetensors, .npz, .npy.

namespace gyre::python {
namespace {

using namespace nb::literals;

enum class Format : uint8_t { safetensors, npz, npy };
constexpr std::pair<std::string_view, Format> kEndings[] = {
    {".safetensors", Format::safetensors}, {".npz", Format::npz}, {".npy", Format::npy}};

// The path bytes of a str, bytes or os.PathLike.
std::string path_of(nb::handle file) {
  nb::object bytes = nb::module_::import_("os").attr("fsencode")(file);
  std::string path(nb::cast<nb::bytes>(bytes).c_str(), nb::len(bytes));
  if (path.find('\0') != path.npos)
    throw Error(Code::value, "files", "a path must not contain null bytes");
  return path;
}

Format format_of(const std::string& path) {
  std::string known;
  for (const auto& [ending, format] : kEndings) {
    if (path.size() >= ending.size() && path.ends_with(ending)) return format;
    known += (known.empty() ? "" : ", ") + std::string(ending);
  }
  throw Error(Code::value, "files", path + ": expected a file name that ends in one of " + known,
              known, path);
}

std::vector<NamedTensor> values_by_name(nb::handle tensors) {
  if (!nb::hasattr(tensors, "items")) {
    wrong_type("expected a dict of tensors by name; only .npy stores a single tensor");
  }
  std::vector<NamedTensor> all = tensors_by_name(tensors);
  for (NamedTensor& t : all) t.tensor = t.tensor.detach();
  return all;
}

SafetensorsMetadata texts(const nb::object& metadata) {
  SafetensorsMetadata list;
  if (metadata.is_none()) return list;
  for (nb::handle pair : nb::iter(metadata.attr("items")())) {
    nb::object key = nb::borrow(pair)[0], value = nb::borrow(pair)[1];
    if (!nb::isinstance<nb::str>(key) || !nb::isinstance<nb::str>(value)) {
      wrong_type("expected metadata as a dict of str to str");
    }
    list.emplace_back(nb::cast<std::string>(key), nb::cast<std::string>(value));
  }
  return list;
}

void save(nb::handle file, nb::handle tensors, const nb::object& metadata, bool compressed) {
  std::string path = path_of(file);
  Format format = format_of(path);
  if (!metadata.is_none() && format != Format::safetensors) {
    throw Error(
        Code::value, "save",
        "expected a .safetensors file for metadata; use a file name that ends in .safetensors");
  }
  if (compressed && format != Format::npz) {
    throw Error(Code::value, "save",
                "expected an .npz file for compression; use a file name that ends in .npz");
  }
  if (format == Format::npy) {
    Tensor one = tensor_of(tensors.ptr()).detach();
    nb::gil_scoped_release release;
    return write_npy(path, one);
  }
  std::vector<NamedTensor> all = values_by_name(tensors);
  SafetensorsMetadata about = texts(metadata);
  nb::gil_scoped_release release;
  if (format == Format::npz) return write_npz(path, all, {.compressed = compressed});
  write_safetensors(path, all, about);
}

std::vector<NamedTensor> read_all(const SafetensorsFile& file) {
  std::vector<NamedTensor> all;
  for (const SafetensorsEntry& entry : file.entries()) {
    all.push_back({entry.name, file.load(entry)});
  }
  return all;
}

std::vector<NamedTensor> read(const std::string& path, Format format, Verify verify) {
  nb::gil_scoped_release release;
  if (format == Format::npy) return {{"", read_npy(path)}};
  if (format == Format::npz) return read_npz(path);
  return read_all(SafetensorsFile(path, verify));
}

nb::object load(nb::handle file, bool verify) {
  std::string path = path_of(file);
  Format format = format_of(path);
  std::vector<NamedTensor> all = read(path, format, verify ? Verify::checksum : Verify::structure);
  if (format == Format::npy) return nb::steal(new_tensor(all[0].tensor));
  return dict_of(all);
}

nb::object load_metadata(nb::handle file) {
  SafetensorsFile opened(path_of(file), Verify::structure);
  nb::dict result;
  for (const auto& [key, value] : opened.metadata()) {
    result[nb::cast(key)] = nb::cast(value);
  }
  return result;
}

}  // namespace

void add_files(nb::module_& m) {
  m.def("save", save, "file"_a, "tensors"_a, nb::kw_only(), "metadata"_a = nb::none(),
        "compressed"_a = false,
        nb::sig("def save(file: str | os.PathLike[str], tensors: TensorLike | "
                "collections.abc.Mapping[str, TensorLike], *, metadata: "
                "collections.abc.Mapping[str, str] | None = None, compressed: bool = False) -> "
                "None"),
        "Saves tensors by name to a file, atomically. The file name's suffix selects the format: "
        ".safetensors (`metadata`: dict of str), .npz (`compressed`) or .npy (one tensor).");
  m.def("load", load, "file"_a, nb::kw_only(), "verify"_a = true,
        nb::sig("def load(file: str | os.PathLike[str], *, verify: bool = True) -> typing.Any"),
        "Loads a dict of tensors from a .safetensors or .npz file, or the tensor of an .npy file. "
        "Memory-maps the file where the format allows; writing to a tensor never changes the file. "
        "`verify`: check the checksum of a .safetensors file if it has one, which reads the whole "
        "file.");
  m.def("load_metadata", load_metadata, "file"_a,
        nb::sig("def load_metadata(file: str | os.PathLike[str]) -> dict[str, str]"),
        "Metadata of a .safetensors file.");
}

}  // namespace gyre::python
