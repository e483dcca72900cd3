#include "gyre/ops/index/subscript.h"

#include "gyre/base/error.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

int axes_of(const Subscript& part) {
  return part.kind == Subscript::index || part.kind == Subscript::range ? 1 : 0;
}

}  // namespace

Tensor subscript(const Tensor& x, std::span<const Subscript> parts) {
  int named = 0, ellipses = 0;
  for (const Subscript& part : parts) {
    named += axes_of(part);
    ellipses += part.kind == Subscript::ellipsis;
  }
  if (ellipses > 1) throw Error(Code::value, "subscript", "expected at most one ellipsis (...)");
  if (named > x.rank()) {
    throw Error(Code::index, "subscript",
                {"too many indices: ", named, " for a tensor with ", x.rank(), " axes"}, x.rank(),
                named);
  }
  Tensor part = x;
  int64_t axis = 0;
  for (const Subscript& s : parts) {
    switch (s.kind) {
      case Subscript::index:
        part = select(part, {axis, s.start});
        break;
      case Subscript::range:
        part = slice(part, {axis++, s.start, s.stop, s.step});
        break;
      case Subscript::ellipsis:
        axis += x.rank() - named;
        break;
      case Subscript::new_axis:
        part = unsqueeze(part, axis++);
        break;
    }
  }
  return part;
}

TensorPart Tensor::operator[](int64_t place) const { return (*this)[Subscript(place)]; }
TensorPart Tensor::operator[](const Subscript& part) const {
  return TensorPart(subscript(*this, {&part, 1}));
}
TensorPart Tensor::operator[](std::initializer_list<Subscript> parts) const {
  return TensorPart(subscript(*this, {parts.begin(), parts.size()}));
}
Selection Tensor::operator[](const Tensor& index) const { return {*this, index}; }

const TensorPart& TensorPart::operator=(const Tensor& values) const {
  copy_(*this, values);
  return *this;
}

Selection::operator Tensor() const { return index(x_, {index_}); }

const Selection& Selection::operator=(const Tensor& values) const {
  copy_(x_, index_put(x_, {index_}, to(values, x_.dtype())));
  return *this;
}

}  // namespace gyre
