#pragma once
#include <unordered_map>

#include "gyre/base/error.h"
#include "gyre/io/pickle/pickle.h"

namespace gyre {

/// Runs the opcodes of a pickle on a stack of values.
class PickleReader {
 public:
  PickleReader(std::string_view bytes, std::span<const char* const> names, const std::string& place,
               Pickle& pickle)
      : bytes_(bytes), names_(names), place_(place), values_(pickle.values_), root_(pickle.root_) {}
  void read();

 private:
  using Type = Pickle::Type;
  using Index = Pickle::Index;
  using Value = Pickle::Value;
  struct Opcode;
  static const Opcode kOpcodes[];

  [[noreturn]] void refuse(const Message& why, Code code = Code::parse) const;
  uint64_t take(size_t bytes);
  std::string_view take_bytes(uint64_t count);
  Index make(Value value);
  void push(Value value) { stack_.push_back(make(std::move(value))); }
  void push(Type type, int64_t integer) { push({.type = type, .integer = integer}); }
  void push_text(Type type, uint64_t length);
  Index pop();
  std::vector<Index> pop_to_mark();
  Value& top();
  void put(uint64_t key) { memo_[key] = back(); }
  void get(uint64_t key);
  Index back();
  void push_tuple(std::vector<Index> items);
  void append(std::span<const Index> items);
  void set_items(std::span<const Index> items);
  void push_long(uint64_t length);
  void push_name(std::string_view module, std::string_view name);
  std::string_view line();
  void call();
  void build();

  std::string_view bytes_;
  std::span<const char* const> names_;
  const std::string& place_;
  std::vector<Value>& values_;
  Index& root_;
  size_t at_ = 0, copied_ = 0;
  const char* opcode_ = "PROTO";
  bool stopped_ = false;
  std::vector<Index> stack_;
  std::vector<size_t> marks_;
  std::unordered_map<uint64_t, Index> memo_;
};

}  // namespace gyre
