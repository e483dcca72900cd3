#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gyre {

/// The values of a pickle (Python's protocols 2 to 5), of which nothing is run. Texts and bytes may
/// lie in the pickle, which must outlive this.
class Pickle {
 public:
  enum class Type : uint8_t {
    none,
    boolean,
    integer,
    real,
    text,
    bytes,
    list,
    tuple,
    dict,
    name,
    call,
    saved
  };
  using Index = uint32_t;
  struct Value {
    Type type = Type::none;
    int64_t integer = 0;  ///< of a boolean, too
    double real = 0;
    std::string_view text{};  ///< or bytes, or "module.name"
    /// Elements of a list (of a set, too) or tuple; keys and values of a dict by turns; of a call
    /// the name and then its arguments; of a saved object its identity.
    std::vector<Index> items{};
  };

  /// Calls of `names` ("module.name") become values of the type call; those of OrderedDict,
  /// Counter, set, torch.Size and _codecs.encode the dict, list, tuple or bytes (undecoded) that
  /// they make. `place` is for errors: Error{parse} for a damaged pickle; Error{unsupported} for
  /// another opcode, name or protocol, naming it, and for integers above 64 bits; Error{resource}
  /// for copies of more than a million values.
  Pickle(std::string_view bytes, std::span<const char* const> names, const std::string& place);

  [[nodiscard]] const Value& root() const { return values_[root_]; }
  [[nodiscard]] const Value& operator[](Index i) const { return values_[i]; }

 private:
  friend class PickleReader;
  std::vector<Value> values_;
  Index root_ = 0;
};

}  // namespace gyre
