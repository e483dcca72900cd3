#include "gyre/io/pickle/pickle_reader.h"

#include <algorithm>
#include <bit>

#include "gyre/base/text/utf8.h"

namespace gyre {
namespace {

// What makes plain values, and whose results are known without running it.
constexpr std::string_view kOrderedDict = "collections.OrderedDict",
                           kCounter = "collections.Counter", kSize = "torch.Size",
                           kEncode = "_codecs.encode";
constexpr size_t kMostCopied = 1'000'000;  // since a short pickle may copy a list again and again
constexpr std::string_view kMakers[] = {kOrderedDict,   kCounter,          kSize,
                                        "builtins.set", "__builtin__.set", kEncode};

}  // namespace

// An opcode of the protocols 0 to 5; one without a function is refused.
struct PickleReader::Opcode {
  uint8_t code;
  const char* name;
  void (*run)(PickleReader& r);
};

constinit const PickleReader::Opcode PickleReader::kOpcodes[] = {
    {'.', "STOP", [](PickleReader& r) { r.stopped_ = true; }},
    {'(', "MARK", [](PickleReader& r) { r.marks_.push_back(r.stack_.size()); }},
    {'0', "POP",
     [](PickleReader& r) {
       if (!r.marks_.empty() && r.marks_.back() == r.stack_.size())
         r.marks_.pop_back();
       else
         (void)r.pop();
     }},
    {'1', "POP_MARK", [](PickleReader& r) { (void)r.pop_to_mark(); }},
    {'2', "DUP", [](PickleReader& r) { r.stack_.push_back(r.back()); }},
    {'N', "NONE", [](PickleReader& r) { r.push({}); }},
    {0x88, "NEWTRUE", [](PickleReader& r) { r.push(Type::boolean, 1); }},
    {0x89, "NEWFALSE", [](PickleReader& r) { r.push(Type::boolean, 0); }},
    {'J', "BININT",
     [](PickleReader& r) { r.push(Type::integer, static_cast<int32_t>(r.take(4))); }},
    {'K', "BININT1",
     [](PickleReader& r) { r.push(Type::integer, static_cast<int64_t>(r.take(1))); }},
    {'M', "BININT2",
     [](PickleReader& r) { r.push(Type::integer, static_cast<int64_t>(r.take(2))); }},
    {0x8A, "LONG1", [](PickleReader& r) { r.push_long(r.take(1)); }},
    {0x8B, "LONG4", [](PickleReader& r) { r.push_long(r.take(4)); }},
    {'G', "BINFLOAT",
     [](PickleReader& r) {
       const uint64_t big_endian = __builtin_bswap64(r.take(8));
       r.push({.type = Type::real, .real = std::bit_cast<double>(big_endian)});
     }},
    {0x8C, "SHORT_BINUNICODE", [](PickleReader& r) { r.push_text(Type::text, r.take(1)); }},
    {'X', "BINUNICODE", [](PickleReader& r) { r.push_text(Type::text, r.take(4)); }},
    {0x8D, "BINUNICODE8", [](PickleReader& r) { r.push_text(Type::text, r.take(8)); }},
    {'U', "SHORT_BINSTRING", [](PickleReader& r) { r.push_text(Type::text, r.take(1)); }},
    {'T', "BINSTRING", [](PickleReader& r) { r.push_text(Type::text, r.take(4)); }},
    {'C', "SHORT_BINBYTES", [](PickleReader& r) { r.push_text(Type::bytes, r.take(1)); }},
    {'B', "BINBYTES", [](PickleReader& r) { r.push_text(Type::bytes, r.take(4)); }},
    {0x8E, "BINBYTES8", [](PickleReader& r) { r.push_text(Type::bytes, r.take(8)); }},
    {0x96, "BYTEARRAY8", [](PickleReader& r) { r.push_text(Type::bytes, r.take(8)); }},
    {']', "EMPTY_LIST", [](PickleReader& r) { r.push(Type::list, 0); }},
    {0x8F, "EMPTY_SET", [](PickleReader& r) { r.push(Type::list, 0); }},
    {'l', "LIST",
     [](PickleReader& r) {
       r.push({.type = Type::list, .items = r.pop_to_mark()});
     }},
    {0x91, "FROZENSET",
     [](PickleReader& r) {
       r.push({.type = Type::list, .items = r.pop_to_mark()});
     }},
    {'a', "APPEND",
     [](PickleReader& r) {
       const Index item = r.pop();
       r.append({&item, 1});
     }},
    {'e', "APPENDS", [](PickleReader& r) { r.append(r.pop_to_mark()); }},
    {0x90, "ADDITEMS", [](PickleReader& r) { r.append(r.pop_to_mark()); }},
    {')', "EMPTY_TUPLE", [](PickleReader& r) { r.push_tuple({}); }},
    {0x85, "TUPLE1", [](PickleReader& r) { r.push_tuple({r.pop()}); }},
    {0x86, "TUPLE2",
     [](PickleReader& r) {
       const Index second = r.pop(), first = r.pop();
       r.push_tuple({first, second});
     }},
    {0x87, "TUPLE3",
     [](PickleReader& r) {
       const Index third = r.pop(), second = r.pop(), first = r.pop();
       r.push_tuple({first, second, third});
     }},
    {'t', "TUPLE", [](PickleReader& r) { r.push_tuple(r.pop_to_mark()); }},
    {'}', "EMPTY_DICT", [](PickleReader& r) { r.push(Type::dict, 0); }},
    {'d', "DICT",
     [](PickleReader& r) {
       const std::vector<Index> items = r.pop_to_mark();
       r.push(Type::dict, 0);
       r.set_items(items);
     }},
    {'s', "SETITEM",
     [](PickleReader& r) {
       const Index value = r.pop(), key = r.pop();
       const Index both[] = {key, value};
       r.set_items(both);
     }},
    {'u', "SETITEMS", [](PickleReader& r) { r.set_items(r.pop_to_mark()); }},
    {'q', "BINPUT", [](PickleReader& r) { r.put(r.take(1)); }},
    {'r', "LONG_BINPUT", [](PickleReader& r) { r.put(r.take(4)); }},
    {0x94, "MEMOIZE", [](PickleReader& r) { r.put(r.memo_.size()); }},
    {'h', "BINGET", [](PickleReader& r) { r.get(r.take(1)); }},
    {'j', "LONG_BINGET", [](PickleReader& r) { r.get(r.take(4)); }},
    {0x95, "FRAME", [](PickleReader& r) { (void)r.take(8); }},
    {'c', "GLOBAL",
     [](PickleReader& r) {
       const std::string_view module = r.line();
       r.push_name(module, r.line());
     }},
    {0x93, "STACK_GLOBAL",
     [](PickleReader& r) {
       const Index name = r.pop(), module = r.pop();
       r.push_name(r.values_[module].text, r.values_[name].text);
     }},
    {'R', "REDUCE", [](PickleReader& r) { r.call(); }},
    {'b', "BUILD", [](PickleReader& r) { r.build(); }},
    {'Q', "BINPERSID",
     [](PickleReader& r) {
       const Index identity = r.pop();
       r.push({.type = Type::saved, .items = {identity}});
     }},
    {0x80, "PROTO", nullptr},  // only at the beginning
    {'I', "INT", nullptr},
    {'L', "LONG", nullptr},
    {'F', "FLOAT", nullptr},
    {'S', "STRING", nullptr},
    {'V', "UNICODE", nullptr},
    {'g', "GET", nullptr},
    {'p', "PUT", nullptr},
    {'P', "PERSID", nullptr},
    {'i', "INST", nullptr},
    {'o', "OBJ", nullptr},
    {0x81, "NEWOBJ", nullptr},
    {0x92, "NEWOBJ_EX", nullptr},
    {0x82, "EXT1", nullptr},
    {0x83, "EXT2", nullptr},
    {0x84, "EXT4", nullptr},
    {0x97, "NEXT_BUFFER", nullptr},
    {0x98, "READONLY_BUFFER", nullptr},
};

void PickleReader::refuse(const Message& why, Code code) const {
  throw Error(code, "pickle", {place_, ": ", why, " (", opcode_, " before byte ", at_, ")"});
}

void PickleReader::read() {
  if (take(1) != 0x80) refuse("expected a pickle of protocol 2 to 5", Code::unsupported);
  if (const uint64_t protocol = take(1); protocol < 2 || protocol > 5)
    refuse({"expected a pickle of protocol 2 to 5, got protocol ", protocol}, Code::unsupported);
  while (!stopped_) {
    const uint64_t code = take(1);
    const auto* found = std::ranges::find(kOpcodes, code, &Opcode::code);
    if (found == std::end(kOpcodes)) refuse({"byte ", code, " is no opcode"});
    opcode_ = found->name;
    if (!found->run) refuse({"opcode ", found->name, " is not supported"}, Code::unsupported);
    found->run(*this);
  }
  root_ = pop();
  if (!stack_.empty() || !marks_.empty()) refuse("values are left on the stack");
}

uint64_t PickleReader::take(size_t bytes) {
  uint64_t value = 0;
  const std::string_view taken = take_bytes(bytes);
  for (size_t i = 0; i < bytes; ++i) value |= uint64_t{static_cast<uint8_t>(taken[i])} << (8 * i);
  return value;
}

std::string_view PickleReader::take_bytes(uint64_t count) {
  if (count > bytes_.size() - at_) refuse("the pickle ends too early");
  const std::string_view taken = bytes_.substr(at_, count);
  at_ += count;
  return taken;
}

Pickle::Index PickleReader::make(Value value) {
  if (values_.size() >= UINT32_MAX) refuse("it has too many values", Code::resource);
  values_.push_back(std::move(value));
  return static_cast<Index>(values_.size() - 1);
}

void PickleReader::push_text(Type type, uint64_t length) {
  const std::string_view text = take_bytes(length);
  if (type == Type::text && !is_utf8(text)) refuse("a text is not UTF-8");
  push({.type = type, .text = text});
}

Pickle::Index PickleReader::back() {
  const size_t least = marks_.empty() ? 0 : marks_.back();
  if (stack_.size() <= least) refuse("the stack is empty");
  return stack_.back();
}

Pickle::Index PickleReader::pop() {
  const Index value = back();
  stack_.pop_back();
  return value;
}

std::vector<Pickle::Index> PickleReader::pop_to_mark() {
  if (marks_.empty()) refuse("no mark is on the stack");
  const std::vector<Index> items(stack_.begin() + static_cast<ptrdiff_t>(marks_.back()),
                                 stack_.end());
  stack_.resize(marks_.back());
  marks_.pop_back();
  return items;
}

Pickle::Value& PickleReader::top() { return values_[back()]; }

void PickleReader::get(uint64_t key) {
  const auto found = memo_.find(key);
  if (found == memo_.end()) refuse({"no value ", key, " was kept"});
  stack_.push_back(found->second);
}

void PickleReader::push_tuple(std::vector<Index> items) {
  push({.type = Type::tuple, .items = std::move(items)});
}

void PickleReader::append(std::span<const Index> items) {
  Value& list = top();
  if (list.type != Type::list) refuse("expected a list");
  list.items.insert(list.items.end(), items.begin(), items.end());
}

void PickleReader::set_items(std::span<const Index> items) {
  if (items.size() % 2) refuse("a key has no value");
  Value& dict = top();
  if (dict.type != Type::dict) refuse("expected a dict");
  dict.items.insert(dict.items.end(), items.begin(), items.end());
}

void PickleReader::push_long(uint64_t length) {
  const std::string_view bytes = take_bytes(length);
  if (length > 8) refuse({"an integer of ", length, " bytes is not supported"}, Code::unsupported);
  const bool negative = length > 0 && bytes[length - 1] < 0;
  uint64_t value = negative ? UINT64_MAX : 0;
  for (size_t i = bytes.size(); i-- > 0;)
    value = value << 8 | uint64_t{static_cast<uint8_t>(bytes[i])};
  push(Type::integer, static_cast<int64_t>(value));
}

std::string_view PickleReader::line() {
  const size_t end = bytes_.find('\n', at_);
  if (end == std::string_view::npos) refuse("the pickle ends too early");
  const std::string_view text = take_bytes(end - at_);
  ++at_;
  return text;
}

void PickleReader::push_name(std::string_view module, std::string_view name) {
  const std::string whole = std::string(module) + "." + std::string(name);
  for (const std::string_view maker : kMakers) {
    if (whole == maker) return push({.type = Type::name, .text = maker});
  }
  for (const char* known : names_) {
    if (whole == known) return push({.type = Type::name, .text = known});
  }
  refuse({"it contains a ", utf8_lossy(whole), ", which is not supported"}, Code::unsupported);
}

void PickleReader::call() {
  const Index arguments = pop(), callee = pop();
  const std::vector<Index> given = values_[arguments].items;
  if (values_[arguments].type != Type::tuple || values_[callee].type != Type::name)
    refuse("expected a name and a tuple of arguments");
  const std::string_view name = values_[callee].text;
  const auto is = [&](size_t i, Type type) {
    return i < given.size() && values_[given[i]].type == type;
  };
  if (std::ranges::find(kMakers, name) == std::end(kMakers)) {
    std::vector<Index> items{callee};
    items.insert(items.end(), given.begin(), given.end());
    push({.type = Type::call, .items = std::move(items)});
  } else if (name == kEncode) {
    if (given.size() != 2 || !is(0, Type::text) || values_[given[1]].text != "latin1")
      refuse("expected a text to encode in latin1");
    push({.type = Type::bytes, .text = values_[given[0]].text});
  } else {
    const bool is_dict = name == kOrderedDict || name == kCounter;
    const Type type = is_dict ? Type::dict : name == kSize ? Type::tuple : Type::list;
    std::vector<Index> items;
    if (given.size() > 1) refuse({"expected at most one argument for ", name});
    if (is(0, Type::list) || is(0, Type::tuple)) {
      items = values_[given[0]].items;
      if (is_dict && !items.empty()) refuse({"expected a dict for ", name});
    } else if (is_dict && is(0, Type::dict)) {
      items = values_[given[0]].items;
    } else if (!given.empty()) {
      refuse({"expected a list for ", name});
    }
    copied_ += items.size();
    if (copied_ > kMostCopied)
      refuse({"it copies more than ", kMostCopied, " values"}, Code::resource);
    push({.type = type, .items = std::move(items)});
  }
}

// The attributes of an OrderedDict, such as _metadata of a state dict, are not kept.
void PickleReader::build() {
  const Value& state = values_[pop()];
  if (state.type != Type::dict || top().type != Type::dict)
    refuse("attributes of other objects than dicts are not supported", Code::unsupported);
}

Pickle::Pickle(std::string_view bytes, std::span<const char* const> names,
               const std::string& place) {
  PickleReader(bytes, names, place, *this).read();
}

}  // namespace gyre
