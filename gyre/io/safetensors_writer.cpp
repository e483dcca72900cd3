#include <algorithm>
#include <cstdio>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/base/text/utf8.h"
#include "gyre/base/xxhash64.h"
#include "gyre/io/json.h"
#include "gyre/io/row_major_bytes.h"
#include "gyre/io/safetensors.h"
#include "gyre/io/safetensors_format.h"
#include "gyre/tensor/kind.h"

namespace gyre {
namespace {

constexpr std::string_view kWriteOp = "write_safetensors";
using Order = std::vector<const NamedTensor*>;

[[noreturn]] void refuse(std::string_view name, const std::string& reason,
                         Code code = Code::value) {
  throw Error(code, kWriteOp, "tensor \"" + utf8_lossy(name) + "\": " + reason);
}

/// The order of the reference: by dtype, wide ones first, so that all are aligned; then by name.
Order checked_order(std::span<const NamedTensor> tensors) {
  Order order;
  for (const NamedTensor& named : tensors) {
    if (!named.tensor.defined()) refuse(named.name, "is an empty Tensor");
    if (!named.tensor.plain()) refuse(named.name, why_unreadable(named.tensor), Code::unsupported);
    if (named.name == safetensors::kMetadataKey) refuse(named.name, "the name is reserved");
    if (!is_utf8(named.name)) refuse(named.name, "the name is not UTF-8");
    order.push_back(&named);
  }
  std::sort(order.begin(), order.end(),
            [](const auto* a, const auto* b) { return a->name < b->name; });
  const auto twice = std::adjacent_find(
      order.begin(), order.end(), [](const auto* a, const auto* b) { return a->name == b->name; });
  if (twice != order.end()) refuse((*twice)->name, "is a duplicate name");
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return safetensors::stored_as(a->tensor.dtype()) > safetensors::stored_as(b->tensor.dtype());
  });
  return order;
}

/// The start of the file: length, JSON, padding.
std::string head(const Order& order, const SafetensorsMetadata& metadata,
                 std::string_view checksum) {
  Json::Object header;
  Json notes = Json::object();
  for (const auto& [key, value] : metadata) {
    if (!is_utf8(key) || !is_utf8(value)) {
      throw Error(Code::value, kWriteOp, "metadata \"" + utf8_lossy(key) + "\" is not UTF-8");
    }
    notes[key] = value;
  }
  if (!checksum.empty()) notes[safetensors::kChecksumKey] = checksum;
  if (!notes.as_object().empty()) {
    header.push_back({std::string(safetensors::kMetadataKey), std::move(notes)});
  }
  int64_t reached = 0;
  for (const NamedTensor* named : order) {
    const Tensor& tensor = named->tensor;
    const int64_t begin = reached;
    reached += tensor.numel() * static_cast<int64_t>(size_of(tensor.dtype()));
    Json entry;
    entry["dtype"] = safetensors::stored_name(tensor.dtype());
    entry["shape"] = Json::array();
    for (const int64_t dim : tensor.shape()) entry["shape"].push_back(dim);
    entry["data_offsets"] = Json::Array{begin, reached};
    header.push_back({named->name, std::move(entry)});
  }
  std::string text = Json(std::move(header)).dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  if (text.size() > safetensors::kLargestHeader) {
    throw Error(Code::value, kWriteOp, "the header would be above 100,000,000 bytes");
  }
  std::string out;
  for (size_t i = 0; i < safetensors::kLengthBytes; ++i) {
    out += static_cast<char>(text.size() >> (8 * i));
  }
  return out + text;
}

std::string checksum_of(const Order& order, std::string_view head_without) {
  Xxhash64 sum;
  sum.update(std::as_bytes(std::span(head_without)));
  for (const NamedTensor* named : order) {
    row_major_bytes(named->tensor, [&](std::span<const std::byte> bytes) { sum.update(bytes); });
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(sum.digest()));
  return text;
}

// Without a checksum read from another file.
SafetensorsMetadata kept_of(const SafetensorsMetadata& metadata) {
  SafetensorsMetadata kept = metadata;
  std::erase_if(kept, [](const auto& item) { return item.first == safetensors::kChecksumKey; });
  return kept;
}

}  // namespace

uint64_t safetensors_size(std::span<const NamedTensor> tensors, const SafetensorsMetadata& metadata,
                          const SafetensorsWriteOptions& options) {
  uint64_t size = head(checked_order(tensors), kept_of(metadata),
                       options.checksum ? safetensors::kNoChecksum : "")
                      .size();
  for (const NamedTensor& t : tensors)
    size += static_cast<uint64_t>(t.tensor.numel()) * size_of(t.tensor.dtype());
  return size;
}

void write_safetensors(const std::string& path, std::span<const NamedTensor> tensors,
                       const SafetensorsMetadata& metadata,
                       const SafetensorsWriteOptions& options) {
  const Order order = checked_order(tensors);
  const SafetensorsMetadata kept = kept_of(metadata);
  std::string first = head(order, kept, options.checksum ? safetensors::kNoChecksum : "");
  if (options.checksum) first = head(order, kept, checksum_of(order, first));
  AtomicFile file(path);
  file.write(first);
  for (const NamedTensor* named : order) {
    row_major_bytes(named->tensor, [&](std::span<const std::byte> bytes) { file.write(bytes); });
  }
  file.commit();
}

}  // namespace gyre
