#include "gyre/tensor/dtype.h"

#include "gyre/base/error.h"

namespace gyre {

DType dtype_of(std::string_view name) {
  for (int i = 0; i < kDTypes; ++i) {
    if (name == kDTypeInfo[i].name) return static_cast<DType>(i);
  }
  if (name == "bool") return DType::boolean;
  std::string known;
  for (const DTypeInfo& d : kDTypeInfo) known += (known.empty() ? "" : ", ") + std::string(d.name);
  throw Error(Code::dtype, "dtype", {"'", name, "' is not one of ", known}, known, name);
}

}  // namespace gyre
