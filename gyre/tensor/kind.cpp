#include "gyre/tensor/kind.h"

#include "gyre/base/error.h"

namespace gyre {

Tensor make_of_kind(TensorKind kind, const Meta& meta, Ref<KindStorage> storage) {
  if (kind == TensorKind::plain || static_cast<size_t>(kind) >= kMaxTensorKinds) {
    throw Error(Code::value, "make_of_kind",
                {"expected a kind other than plain below ", kMaxTensorKinds});
  }
  auto impl = make_ref<TensorImpl>(meta);
  impl->kind = kind;
  impl->storage = std::move(storage);
  return Tensor(std::move(impl));
}

Tensor copy_of_kind(const Tensor& t) {
  return make_of_kind(t.kind(), t.meta(), kind_storage(t).copy());
}

std::string describe_kind(const Tensor& t) {
  if (!t.plain()) return kind_storage(t).description();
  return t.readable() ? "a plain tensor" : "a tensor on " + to_string(t.device());
}

std::string why_unreadable(const Tensor& t) {
  return "expected a plain tensor on the host, got " + describe_kind(t) +
         (t.plain() ? "; copy it there with .to(\"cpu\")" : "");
}

void refuse_kind(const Tensor& t, const char* op) {
  throw mismatch(Code::unsupported, op, "expected a plain tensor", "a plain tensor",
                 describe_kind(t));
}

void require_readable(const Tensor& t, const char* op) {
  if (t.readable()) [[likely]]
    return;
  throw Error(t.plain() ? Code::device : Code::unsupported, op, why_unreadable(t),
              "a plain tensor on the host", describe_kind(t));
}

}  // namespace gyre
