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

void refuse_promotion(DType a, DType b) {
  throw Error(Code::dtype, "promote",
              {"no integer dtype holds all values of ", a, " and ", b, "; convert one with to()"},
              a, b);
}

}  // namespace gyre
