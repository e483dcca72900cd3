#include "gyre/tensor/kind.h"

#include "gyre/base/error.h"

namespace gyre {

Tensor make_of_kind(TensorKind kind, const Meta& meta, Ref<KindStorage> storage) {
  if (kind == TensorKind::plain || static_cast<size_t>(kind) >= kMaxTensorKinds) {
    throw Error(Code::value, "make_of_kind",
                "expected a kind other than plain below " + std::to_string(kMaxTensorKinds));
  }
  auto impl = make_ref<TensorImpl>(meta);
  impl->kind = kind;
  impl->storage = std::move(storage);
  return Tensor(std::move(impl));
}

const char* describe_kind(const Tensor& t) noexcept {
  return t.impl()->kind == TensorKind::plain ? "a plain tensor" : kind_storage(t).description();
}

void require_readable(const Tensor& t, const char* op) {
  if (t.readable()) [[likely]]
    return;
  std::string actual = t.plain() ? "a tensor on " + to_string(t.device()) : describe_kind(t);
  throw Error(t.plain() ? Code::device : Code::unsupported, op,
              "expected a plain tensor on the host, got " + actual, "a plain tensor on the host",
              actual);
}

}  // namespace gyre
