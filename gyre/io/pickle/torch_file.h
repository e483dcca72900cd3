#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gyre/io/file_mapping.h"
#include "gyre/io/json.h"
#include "gyre/io/named_tensor.h"
#include "gyre/io/pickle/pickle.h"
#include "gyre/io/zip.h"

namespace gyre {

/// A tensor of a checkpoint: a view of a storage.
struct TorchEntry {
  std::string name;
  DType dtype = DType::f32;
  Shape shape, strides;
  int64_t offset = 0;   ///< of its first element
  std::string storage;  ///< the key of its member
};

/// A checkpoint that torch.save writes (a zip file, PyTorch 1.6 or newer): dicts, lists, tuples,
/// numbers, texts and tensors. Nothing of it is run. A tensor's name is its path, such as
/// "model.fc.weight" or "optimizer.0"; that of a single tensor is empty.
class TorchFile {
 public:
  /// Errors: io; those of ZipFile and Pickle; unsupported, for older files, with what converts
  /// them, for TorchScript and for big-endian files; parse, for tensors outside their storage and
  /// for a path that is there twice; resource, for values nested deeper than 64, or more than a
  /// million of them.
  explicit TorchFile(const std::string& path);

  [[nodiscard]] const std::vector<TorchEntry>& entries() const { return entries_; }
  /// The other values by their paths, empty containers left out.
  [[nodiscard]] const std::vector<std::pair<std::string, Json>>& others() const { return others_; }

  /// The tensor, with its strides; tensors of one storage share memory if loaded by one load_all().
  /// With FileAccess::map storages that are not compressed stay in the file, unverified. Writing
  /// never changes the file. Errors: parse, a checksum mismatch; value, for a boolean that is
  /// neither 0 nor 1.
  [[nodiscard]] Tensor load(const TorchEntry& entry, FileAccess access) const;
  [[nodiscard]] std::vector<NamedTensor> load_all(FileAccess access) const;

 private:
  using Storages = std::map<std::pair<std::string, DType>, Tensor>;

  [[noreturn]] void refuse(const std::string& why) const;
  void collect(const Pickle& pickle, const Pickle::Value& value, const std::string& name,
               int depth);
  void collect_all(const Pickle& pickle, const Pickle::Value& value, const std::string& name,
                   int depth);
  void add_tensor(const Pickle& pickle, const Pickle::Value& call, const std::string& name);
  [[nodiscard]] const ZipMember* member(const std::string& name) const;
  [[nodiscard]] Tensor load(const TorchEntry& entry, FileAccess access, Storages& storages) const;
  [[nodiscard]] Tensor storage(const TorchEntry& entry, FileAccess access) const;

  std::string path_, folder_;
  Ref<FileMapping> mapping_;
  ZipFile zip_;
  std::vector<TorchEntry> entries_;
  std::vector<std::pair<std::string, Json>> others_;
  int64_t visited_ = 0;
};

}  // namespace gyre
