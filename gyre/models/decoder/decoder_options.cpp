#include "gyre/models/decoder/decoder_options.h"

#include "gyre/base/error.h"
#include "gyre/io/record_json.h"

namespace gyre {

void check_heads(const char* op, const DecoderOptions& o) {
  auto refuse = [&](const Message& message, const Message& expected, int64_t actual) {
    throw Error(Code::value, op, message, expected, actual);
  };
  if (o.heads < 1 || o.width < 1 || (o.head_size == 0 && o.width % o.heads)) {
    refuse({"`width` must be divisible by `heads` (", o.heads, "), got ", o.width},
           {"divisible by ", o.heads}, o.width);
  }
  if (o.heads % o.key_heads()) {
    refuse({"`kv_heads` must divide `heads` (", o.heads, "), got ", o.kv_heads},
           {"divides ", o.heads}, o.kv_heads);
  }
  int64_t rows = 0;
  if (__builtin_mul_overflow(o.heads + 2 * o.key_heads(), o.size_of_head(), &rows))
    refuse({"`head_size` is too large: ", o.head_size}, "a smaller size", o.head_size);
  if (o.positions == Positions::rotary && o.size_of_head() % 2) {
    refuse({"rotary `positions` need an even head size, got ", o.size_of_head()}, "even",
           o.size_of_head());
  }
}

bool only_uses(const Record& record, const DecoderOptions& options) {
  DecoderOptions o = options;  // 0 where the value is what 0 stands for
  if (o.kv_heads == o.heads) o.kv_heads = 0;
  if (o.head_size * o.heads == o.width) o.head_size = 0;
  const Json given = record_to_json(o), standard = record_to_json(DecoderOptions());
  for (const Json::Member& member : given.as_object()) {
    if (!find_field(record, member.key) && !(member.value == standard.at(member.key))) return false;
  }
  return true;
}

}  // namespace gyre
