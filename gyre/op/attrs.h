#pragma once
#include <utility>

#include "gyre/base/memory/ref.h"
#include "gyre/base/record.h"

namespace gyre {

/// Attributes of one call of an op: a struct declared with GYRE_FIELDS, shared by the call, its
/// node and tracing.
struct AttrsBox : RefCounted {
  const Record* type = nullptr;
  const void* value = nullptr;
};
using Attrs = Ref<const AttrsBox>;

template <class T>
struct AttrsOf final : AttrsBox {
  explicit AttrsOf(T v) : attrs(std::move(v)) {
    type = &record_of<T>;
    value = &attrs;
  }
  T attrs;
};

/// Boxes a struct of attributes.
template <class T>
Attrs box(T attrs) {
  return Attrs(make_ref<AttrsOf<T>>(std::move(attrs)));
}

/// Attributes of a type known only at run time: default values, to be set before use.
struct OpenAttrs final : AttrsBox {
  explicit OpenAttrs(const Record& record) : memory(::operator new(record.size)) {
    record.construct(memory);
    type = &record;
    value = memory;
  }
  ~OpenAttrs() override {
    type->destroy(memory);
    ::operator delete(memory);
  }
  void* memory;
};

/// A copy of attributes, to be changed before use.
inline Ref<OpenAttrs> copy_of(const AttrsBox& box) {
  auto copy = make_ref<OpenAttrs>(*box.type);
  box.type->assign(copy->memory, box.value);
  return copy;
}

/// The attributes of a call as the op's own struct.
template <class T>
const T& attrs_as(const void* value) {
  return *static_cast<const T*>(value);
}

}  // namespace gyre
