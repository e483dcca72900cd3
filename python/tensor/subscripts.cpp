#include "python/tensor/subscripts.h"

#include "gyre/base/memory/small_vector.h"
#include "gyre/op/literals.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/index/subscript.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"
#include "python/core/convert.h"
#include "python/core/nested_lists.h"

namespace gyre::python {
namespace {

// An int or an object with __index__, such as a 0-d integer tensor or a NumPy scalar.
bool is_number(PyObject* o) {
  if (PyLong_CheckExact(o)) return true;
  if (const Tensor* t = as_tensor(o)) {
    return t->rank() == 0 && t->dtype() != DType::boolean && !is_floating(t->dtype());
  }
  return PyIndex_Check(o) && !PyBool_Check(o) && !PyObject_HasAttrString(o, "__len__");
}

// Objects that are certainly basic subscripts.
bool is_simple(PyObject* o) {
  return PySlice_Check(o) || PyLong_CheckExact(o) || o == Py_None || o == Py_Ellipsis;
}

// A subscript for advanced indexing: an array, lists, a bool.
bool is_places(PyObject* o) {
  if (is_simple(o)) return false;
  return PyBool_Check(o) || is_list(o) || PyRange_Check(o) || (is_array(o) && !is_number(o));
}

Tensor places_of(PyObject* o) {
  if (PyRange_Check(o)) return places_of(nb::list(nb::handle(o)).ptr());
  Tensor t = tensor_of(o);
  if (PyBool_Check(o)) return to(t, DType::boolean);
  bool empty_list = is_list(o) && t.numel() == 0;
  return empty_list || t.meta().weak ? to(t, DType::i64) : t;
}

[[noreturn]] void refuse_subscript(PyObject* o) {
  PyErr_Format(PyExc_IndexError,
               "expected a subscript that is an int, a slice, ..., None or an array of integers or "
               "bools, got %s",
               Py_TYPE(o)->tp_name);
  throw nb::python_error();
}

// x[key] in steps: a view by basic indexing, axes of the view to flip (slices with a negative
// step), and index tensors for its axes (an undefined tensor keeps the axis; empty for basic
// indexing).
class Key {
 public:
  Key(const Tensor& x, PyObject* key) : x_(x) {
    nb::tuple parts =
        PyTuple_Check(key) ? nb::borrow<nb::tuple>(key) : nb::make_tuple(nb::handle(key));
    for (nb::handle part : parts) count(part.ptr());
    for (nb::handle part : parts) add(part.ptr());
  }

  [[nodiscard]] Tensor view() const { return subscript(x_, simple_); }
  [[nodiscard]] const Shape& turned() const { return turned_; }
  [[nodiscard]] Inputs places() const { return Inputs(places_); }

 private:
  const Tensor& x_;
  SmallVector<Subscript, 4> simple_;
  Tensors places_;
  Shape turned_;
  bool by_data_ = false;
  int named_ = 0;     // axes of x that the key consumes
  size_t given_ = 0;  // index tensors created while counting and not yet added
  Tensors given_places_;
  int axis_ = 0, view_axis_ = 0;  // next axis of x and of the view

  static int axes_of(const Tensor& places) {
    return places.dtype() == DType::boolean ? places.rank() : 1;
  }

  void count(PyObject* o) {
    if (is_places(o)) {
      by_data_ = true;
      given_places_.push_back(places_of(o));
      named_ += axes_of(given_places_.back());
    } else if (o != Py_Ellipsis && o != Py_None) {
      ++named_;
    }
  }

  void add(PyObject* o) {
    if (is_places(o)) return add_places(given_places_[given_++]);
    if (by_data_ && is_number(o)) return add_places(to(Tensor(integer_of(o)), DType::i64));
    if (o == Py_Ellipsis) return keep({Subscript::ellipsis}, x_.rank() - named_, true);
    if (o == Py_None) return keep({Subscript::new_axis}, 1, false);
    if (PySlice_Check(o)) return keep(range_of(o), 1, true);
    if (!is_number(o)) refuse_subscript(o);
    simple_.push_back(Subscript::at(integer_of(o)));
    ++axis_;
  }

  void add_places(const Tensor& places) {
    places_.push_back(places);
    for (int i = 0; i < axes_of(places); ++i) {
      simple_.push_back(Subscript::all());
      ++axis_, ++view_axis_;
    }
  }

  // Adds a part that gives this many axes of the view, either axes of x or new axes.
  void keep(const Subscript& part, int axes, bool of_x) {
    simple_.push_back(part);
    for (int i = 0; by_data_ && i < axes; ++i) places_.push_back(Tensor());
    if (of_x) axis_ += axes;
    view_axis_ += axes;
  }

  Subscript range_of(PyObject* o) {
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(o, &start, &stop, &step) < 0) throw nb::python_error();
    Subscript s;
    s.start = start, s.stop = stop, s.step = step;
    if (step > 0 || axis_ >= x_.rank()) return s;  // subscript() reports too many subscripts
    // the same elements, traversed from the other end
    Py_ssize_t count = PySlice_AdjustIndices(x_.shape()[axis_], &start, &stop, step);
    s.start = count ? start + (count - 1) * step : 0;
    s.stop = count ? start + 1 : 0;
    s.step = count > 1 ? -step : 1;
    turned_.push_back(view_axis_);
    return s;
  }
};

Tensor turn(const Tensor& x, const Shape& axes) { return axes.rank ? flip(x, axes) : x; }

}  // namespace

Tensor part_of(const Tensor& x, PyObject* key) {
  if (PyLong_CheckExact(key) && x.rank() > 0) return select(x, {0, integer_of(key)});
  Key read(x, key);
  Tensor part = read.view();
  if (!read.turned().rank && read.places().empty()) return part;
  unlocked_if_long(part.numel(), [&] {
    part = turn(part, read.turned());
    if (!read.places().empty()) part = index(part, read.places());
  });
  return part;
}

void set_part(const Tensor& x, PyObject* key, const Tensor& value) {
  require_fit(value, x.dtype(), "setitem");
  Key read(x, key);
  Tensor part = read.view();
  unlocked_if_long(part.numel(), [&] {
    const Shape& turned = read.turned();
    if (!read.places().empty()) {
      Tensor whole = index_put(turn(part, turned), read.places(), to(value, part.dtype()));
      copy_(part, turn(whole, turned));
    } else {
      copy_(part, turned.rank ? turn(expand(value, part.shape()), turned) : value);
    }
  });
}

}  // namespace gyre::python
