#include "gyre/io/tensor_file.h"
#include "gyre/packed/packed_file.h"
#include "python/core/convert.h"
#include "python/core/named_tensors.h"
#include "python/core/paths.h"
#include "python/module.h"

// Files of tensors: safetensors, .npz, .npy.

namespace gyre::python {
namespace {

using namespace nb::literals;

SafetensorsMetadata texts(const nb::object& metadata) {
  SafetensorsMetadata list;
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
  std::vector<NamedTensor> all;
  if (tensor_format(path) == TensorFormat::npy) {
    all = {{"", tensor_of(tensors.ptr())}};
  } else if (nb::hasattr(tensors, "items")) {
    all = tensors_by_name(tensors);
  } else {
    wrong_type("expected a dict of tensors by name; only .npy stores a single tensor");
  }
  for (NamedTensor& t : all) t.tensor = t.tensor.detach();
  TensorFileOptions options{.compressed = compressed};
  if (!metadata.is_none()) options.metadata = texts(metadata);
  nb::gil_scoped_release release;
  if (tensor_format(path) == TensorFormat::safetensors && !compressed) {
    return write_state(path, all, options.metadata.value_or(SafetensorsMetadata()));
  }
  write_tensors(path, all, options);
}

nb::object load(nb::handle file, bool verify, bool mmap) {
  std::string path = path_of(file);
  const Verify checks = verify ? Verify::checksum : Verify::structure;
  const FileAccess access = mmap ? FileAccess::map : FileAccess::read;
  std::vector<NamedTensor> all = unlocked([&] {
    if (path.ends_with(".safetensors")) return load_state(SafetensorsFile(path, checks, access));
    return read_tensors(path, checks, access);
  });
  if (!path.ends_with(".npy")) return dict_of(all);
  return tensor_object(all[0].tensor);
}

nb::object load_metadata(nb::handle file) {
  SafetensorsFile opened(path_of(file), Verify::structure);
  nb::dict result;
  for (const auto& [key, value] : opened.metadata()) result[nb::cast(key)] = nb::cast(value);
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
        ".safetensors (`metadata`: dict of str; also packed weights), .npz (`compressed`) or .npy "
        "(one "
        "tensor).");
  m.def(
      "load", load, "file"_a, nb::kw_only(), "verify"_a = true, "mmap"_a = false,
      nb::sig("def load(file: str | os.PathLike[str], *, verify: bool = True, mmap: bool = False) "
              "-> typing.Any"),
      "Loads a dict of tensors from a .safetensors or .npz file, or the tensor of an .npy file. "
      "Writing to a tensor never changes the file. `mmap`: memory-map a .safetensors or .npy "
      "file where its layout allows, so that elements are read when first used; such a file must "
      "be replaced and not rewritten in place, which would change the tensors, or end the "
      "process if it became shorter. "
      "`verify`: check the checksum of a .safetensors file if it has one, which reads the whole "
      "file.");
  m.def("load_metadata", load_metadata, "file"_a,
        nb::sig("def load_metadata(file: str | os.PathLike[str]) -> dict[str, str]"),
        "Metadata of a .safetensors file.");
}

}  // namespace gyre::python
