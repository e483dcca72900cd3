#include "python/core/dtypes.h"

#include <cstring>

namespace gyre::python {
namespace {

// The exported format character, and others that platforms or libraries use for an element of the
// same size.
struct Format {
  const char* given;
  const char* also;
};
constexpr Format format(DType d) {
  switch (d) {
    case DType::f16:
      return {"e", ""};
    case DType::f32:
      return {"f", ""};
    case DType::f64:
      return {"d", ""};
    case DType::i8:
      return {"b", ""};
    case DType::i16:
      return {"h", ""};
    case DType::i32:
      return {"i", "ln"};
    case DType::i64:
      return {"q", "ln"};
    case DType::u8:
      return {"B", ""};
    case DType::u32:
      return {"I", "LN"};
    case DType::boolean:
      return {"?", ""};
    case DType::bf16:
      break;
  }
  return {nullptr, ""};
}

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
    if (d != DType::boolean) m.attr(long_name(d).c_str()) = d;  // bool would hide Python's
  }
}

DType dtype_from(PyObject* o) {
  DType d = DType::f32;
  // integer values of the enum are not accepted
  if (!PyLong_Check(o) && nb::try_cast(nb::handle(o), d)) return d;
  if (o == reinterpret_cast<PyObject*>(&PyFloat_Type)) return DType::f32;
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
  wrong_type("unknown dtype: " + text + " (dtypes: " + all + "; devices: cpu, cuda)");
}

const char* word_of(DType d) {
  switch (d) {
    case DType::f16:
      return "half";
    case DType::bf16:
      return "bfloat16";
    case DType::f32:
      return "float";
    case DType::f64:
      return "double";
    case DType::i8:
      return "char";
    case DType::i16:
      return "short";
    case DType::i32:
      return "int";
    case DType::i64:
      return "long";
    case DType::u8:
      return "byte";
    case DType::u32:
      return nullptr;
    case DType::boolean:
      return "bool";
  }
  return nullptr;
}

const char* format_of(DType d) { return format(d).given; }

bool dtype_of_format(const char* text, Py_ssize_t bytes, DType& out) {
  if (*text == '@' || *text == '=' || *text == '<') ++text;
  if (text[0] == 0 || text[1] != 0) return false;
  for (int i = 0; i < kDTypes; ++i) {
    auto d = static_cast<DType>(i);
    const Format ours = format(d);
    if (static_cast<Py_ssize_t>(size_of(d)) != bytes || !ours.given) continue;
    if (*text == *ours.given || std::strchr(ours.also, *text)) {
      out = d;
      return true;
    }
  }
  return false;
}

}  // namespace gyre::python
