#pragma once
#include <string>

#include "gyre/tensor/tensor.h"

// Tensors that do not hold one value per element: slices of a batch, packed weights.

namespace gyre {

/// What a tensor of a kind other than plain has in place of bytes.
struct KindStorage : Storage {
  using Storage::Storage;
  /// The kind in an error or a printed tensor: "a slice of a batch inside vmap()".
  virtual const char* description() const noexcept = 0;
  /// The same values without gradient history.
  virtual Ref<Storage> detached() = 0;
  /// Whether tensors inside have a gradient history of their own.
  virtual bool tracked() const noexcept { return false; }
  /// Whether the kind stores values of its own; then it has the next three functions.
  virtual bool has_values() const noexcept { return false; }
  virtual Ref<KindStorage> copy() const { return {}; }
  /// Error{value} unless the values of another tensor of the kind can take the place of these.
  virtual void require_same_layout(const KindStorage&) const {}
  virtual void assign(const KindStorage&) {}
  /// Whether such a tensor may be the gradient of a leaf of that other kind.
  virtual bool is_gradient_of(TensorKind) const noexcept { return false; }
};

/// A tensor of this shape, dtype and kind, with contiguous strides and no history. Error{value} for
/// `plain` and for a number out of range.
Tensor make_of_kind(TensorKind kind, const Meta& meta, Ref<KindStorage> storage);

/// The storage of a tensor that is not plain.
inline KindStorage& kind_storage(const Tensor& t) {
  return static_cast<KindStorage&>(*t.impl()->storage);
}

/// Whether t is of a kind that stores values of its own.
inline bool has_kind_values(const Tensor& t) { return !t.plain() && kind_storage(t).has_values(); }
/// A copy of such a tensor, without history.
Tensor copy_of_kind(const Tensor& t);

/// "a plain tensor", "a tensor on cuda:0", or the description of its kind.
std::string describe_kind(const Tensor& t);

/// For a tensor that is not readable(): "expected a plain tensor on the host, got " and what it is.
std::string why_unreadable(const Tensor& t);

/// Throws Error{unsupported} naming the op and the kind of t, which is not plain.
[[noreturn]] void refuse_kind(const Tensor& t, const char* op);
/// The same unless t is plain.
inline void require_plain(const Tensor& t, const char* op) {
  if (!t.plain()) [[unlikely]]
    refuse_kind(t, op);
}
/// The same, and Error{device} unless its memory is on the host.
void require_readable(const Tensor& t, const char* op);

/// Whether tensors inside of t, which is of another kind, have a gradient history.
inline bool is_tracked_inside(const Tensor& t) {
  return t.defined() && !t.plain() && kind_storage(t).tracked();
}

}  // namespace gyre
