#include "python/core/dtypes.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace gyre::python {
namespace {

// How others spell a dtype.
struct Spelling {
  DType dtype;
  const char* word;       // word_of()
  const char* format;     // format_of()
  const char* also = "";  // formats that platforms or libraries use for an element of the same size
};
constexpr Spelling kSpelled[] = {
    {DType::f16, "half", "e"},        {DType::bf16, "bfloat16", nullptr},
    {DType::f32, "float", "f"},       {DType::f64, "double", "d"},
    {DType::i8, "char", "b"},         {DType::i16, "short", "h"},
    {DType::i32, "int", "i", "ln"},   {DType::i64, "long", "q", "ln"},
    {DType::u8, "byte", "B"},         {DType::u16, nullptr, "H"},
    {DType::u32, nullptr, "I", "LN"}, {DType::u64, nullptr, "Q", "LN"},
    {DType::boolean, "bool", "?"}};
static_assert(std::size(kSpelled) == kDTypes);

const Spelling& spelling(DType d) { return *std::ranges::find(kSpelled, d, &Spelling::dtype); }

// "float32" for f32 and so on, as in NumPy and PyTorch.
std::string long_name(DType d) {
  std::string name = name_of(d);
  if (d == DType::boolean) return "bool";
  size_t digits = name.find_first_of("0123456789");
  std::string kind = name.substr(0, digits), bits = name.substr(digits);
  return (kind == "f" ? "float" : kind == "bf" ? "bfloat" : kind == "i" ? "int" : "uint") + bits;
}

std::string text_of(PyObject* o) {
  nb::object text =
      PyType_Check(o) ? nb::borrow(o).attr("__name__") : nb::borrow(nb::str(nb::borrow(o)));
  return nb::cast<std::string>(text);
}

}  // namespace

void add_dtypes(nb::module_& m) {
  auto e = nb::enum_<DType>(m, "DType", "Data type of the elements of a tensor.");
  for (int i = 0; i < kDTypes; ++i) e.value(name_of(static_cast<DType>(i)), static_cast<DType>(i));
  e.export_values();
  for (int i = 0; i < kDTypes; ++i) {
    auto d = static_cast<DType>(i);
    m.attr(long_name(d).c_str()) = d;
    if (word_of(d)) m.attr(word_of(d)) = d;
  }
}

DType dtype_from(PyObject* o) {
  DType d = DType::f32;
  // integer values of the enum are not accepted
  if (!PyLong_Check(o) && nb::try_cast(nb::handle(o), d)) return d;
  if (o == reinterpret_cast<PyObject*>(&PyFloat_Type)) return DType::f64;
  if (o == reinterpret_cast<PyObject*>(&PyLong_Type)) return DType::i64;
  std::string text = text_of(o);
  if (text.rfind("torch.", 0) == 0) text = text.substr(6);
  for (int i = 0; i < kDTypes; ++i) {
    d = static_cast<DType>(i);
    if (text == name_of(d) || text == long_name(d)) return d;
  }
  std::string all;
  for (int i = 0; i < kDTypes; ++i)
    all += (i ? ", " : "") + std::string(name_of(static_cast<DType>(i)));
  if (text.size() > 40 || text.find('\n') != text.npos)
    text = "of type " + std::string(Py_TYPE(o)->tp_name);
  wrong_type("unknown dtype: " + text + " (dtypes: " + all + "; devices: cpu, cuda)");
}

const char* word_of(DType d) { return spelling(d).word; }

const char* format_of(DType d) { return spelling(d).format; }

bool dtype_of_format(const char* text, Py_ssize_t bytes, DType& out) {
  if (*text == '@' || *text == '=' || *text == '<') ++text;
  if (text[0] == 0 || text[1] != 0) return false;
  for (const Spelling& ours : kSpelled) {
    if (static_cast<Py_ssize_t>(size_of(ours.dtype)) != bytes || !ours.format) continue;
    if (*text == *ours.format || std::strchr(ours.also, *text)) {
      out = ours.dtype;
      return true;
    }
  }
  return false;
}

}  // namespace gyre::python
