#include "gyre/train/log/event_file.h"

#include <fmt/format.h>

#include <bit>
#include <chrono>
#include <cmath>

#include "gyre/base/crc32c.h"
#include "gyre/base/error.h"
#include "gyre/base/system/machine.h"
#include "gyre/base/text/utf8.h"

namespace gyre {
namespace {

void append_little_endian(std::string& to, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) to += static_cast<char>(value >> 8 * i & 0xFF);
}

// Protocol buffers wire format: a key of field number and wire type, then the value.
enum Wire : uint8_t { varint = 0, fixed64 = 1, delimited = 2, fixed32 = 5 };

void append_varint(std::string& to, uint64_t value) {
  for (; value >= 0x80; value >>= 7) to += static_cast<char>((value & 0x7F) | 0x80);
  to += static_cast<char>(value);
}

void append_key(std::string& to, int field, Wire wire) {
  append_varint(to, static_cast<uint64_t>(field) << 3 | wire);
}

void append_integer(std::string& to, int field, int64_t value) {
  append_key(to, field, varint);
  append_varint(to, static_cast<uint64_t>(value));
}

void append_bytes(std::string& to, int field, std::string_view bytes) {
  append_key(to, field, delimited);
  append_varint(to, bytes.size());
  to += bytes;
}

void append_float(std::string& to, int field, float value) {
  append_key(to, field, fixed32);
  append_little_endian(to, std::bit_cast<uint32_t>(value), 4);
}

void append_double(std::string& to, int field, double value) {
  append_key(to, field, fixed64);
  append_little_endian(to, std::bit_cast<uint64_t>(value), 8);
}

// Field numbers, by message name.
namespace event_field {
constexpr int wall_time = 1, step = 2, file_version = 3, summary = 5, session_log = 7;
}
namespace summary_field {
constexpr int value = 1;
}
namespace value_field {
constexpr int tag = 1, simple_value = 2, tensor = 8, metadata = 9;
}
namespace metadata_field {
constexpr int plugin_data = 1, data_class = 4;
}
namespace plugin_field {
constexpr int name = 1;
}
namespace tensor_field {
constexpr int dtype = 1, shape = 2, string_value = 8;
}
namespace session_field {
constexpr int status = 1;
}
constexpr int kSessionStart = 1, kStringType = 7, kTensorClass = 2;

// A CRC over data that contain CRCs is weak, hence the mask (tensorflow/core/lib/hash/crc32c.h).
uint32_t masked(uint32_t crc) { return (crc >> 15 | crc << 17) + 0xA282EAD8; }

std::string record_of_bytes(std::string_view bytes) {
  std::string record;
  append_little_endian(record, bytes.size(), 8);
  append_little_endian(record, masked(crc32c(record)), 4);
  record += bytes;
  append_little_endian(record, masked(crc32c(bytes)), 4);
  return record;
}

double wall_time() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

void append_scalar(std::string& summary, std::string_view tag, double number) {
  std::string value;
  append_bytes(value, value_field::tag, utf8_lossy(tag));
  append_float(value, value_field::simple_value, static_cast<float>(number));
  append_bytes(summary, summary_field::value, value);
}

std::string summary_event(std::string_view summary) {
  std::string field;
  append_bytes(field, event_field::summary, summary);
  return field;
}

}  // namespace

EventFile::EventFile(const std::string& folder, int64_t done) {
  std::string name = fmt::format("{}/events.out.tfevents.{:010}.{}.gyre", folder,
                                 static_cast<int64_t>(wall_time()), host_name());
  std::string path = name;
  for (int n = 1; file_exists(path); ++n) path = fmt::format("{}.{}", name, n);
  file_.emplace(path, GrowingFile::Start::fresh);
  std::string version, session, start;
  append_bytes(version, event_field::file_version, "brain.Event:2");
  event(0, version);
  append_integer(session, session_field::status, kSessionStart);
  append_bytes(start, event_field::session_log, session);
  event(done + 1, start);
}

void EventFile::add(const StepProgress& p) {
  std::string summary;
  append_scalar(summary, "loss", p.loss.item());
  append_scalar(summary, "lr", p.lr);
  append_scalar(summary, "gradient_norm", p.gradient_norm.item());
  append_scalar(summary, "tokens_per_second", p.tokens_per_second);
  event(p.step, summary_event(summary));
}

void EventFile::add(const Validation& v) {
  std::string summary;
  for (const FigureDef& f : kFigures) {
    const double value = v.figures.*f.value;
    if (!std::isnan(value)) append_scalar(summary, std::string("val_") + f.name, value);
  }
  event(v.step, summary_event(summary));
}

void EventFile::scalar(std::string_view tag, int64_t step, double value) {
  std::string summary;
  append_scalar(summary, tag, value);
  event(step, summary_event(summary));
}

void EventFile::text(std::string_view tag, int64_t step, std::string_view text) {
  std::string tensor, plugin, metadata, value, summary;
  append_integer(tensor, tensor_field::dtype, kStringType);
  append_bytes(tensor, tensor_field::shape, {});  // scalar: one string
  append_bytes(tensor, tensor_field::string_value, utf8_lossy(text));
  append_bytes(plugin, plugin_field::name, "text");
  append_bytes(metadata, metadata_field::plugin_data, plugin);
  append_integer(metadata, metadata_field::data_class, kTensorClass);
  append_bytes(value, value_field::tag, utf8_lossy(tag));
  append_bytes(value, value_field::tensor, tensor);
  append_bytes(value, value_field::metadata, metadata);
  append_bytes(summary, summary_field::value, value);
  event(step, summary_event(summary));
}

void EventFile::event(int64_t step, std::string_view field) {
  std::string event;
  append_double(event, event_field::wall_time, wall_time());
  if (step != 0) append_integer(event, event_field::step, step);
  event += field;
  file_->append(record_of_bytes(event));
}

}  // namespace gyre
