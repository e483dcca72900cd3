#include "gyre/ops/create/create.h"

#include "gyre/op/literals.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/shape.h"
#include "python/core/convert.h"
#include "python/core/devices.h"
#include "python/core/dtypes.h"
#include "python/core/nested_lists.h"
#include "python/module.h"
#include "python/tensor/tensor_class.h"

namespace gyre::python {
namespace {

using namespace nb::literals;

TensorOptions options(const nb::object& dtype, const nb::object& device, bool requires_grad = false,
                      DType otherwise = DType::f32) {
  return {.dtype = dtype.is_none() ? otherwise : dtype_from(dtype.ptr()),
          .device = device_from(device),
          .requires_grad = requires_grad};
}

// Creates a tensor of n elements; releases the GIL if it is large.
nb::object made(int64_t elements, auto make) {
  Tensor t;
  unlocked_if_long(elements, [&] { t = make(); });
  return tensor_object(std::move(t));
}

// zeros(2, 3), zeros((2, 3)) and, as in NumPy, zeros((2, 3), dtype).
using Creator = Tensor (*)(const Shape&, const TensorOptions&);
template <Creator create>
nb::object by_shape(const nb::args& args, nb::object dtype, const nb::object& device,
                    bool requires_grad) {
  size_t sizes = args.size();
  bool has_dtype = sizes > 1 && !PyIndex_Check(nb::handle(args[sizes - 1]).ptr());
  if (has_dtype && dtype.is_none()) dtype = args[--sizes];
  nb::object shape = nb::steal(PyTuple_GetSlice(args.ptr(), 0, static_cast<Py_ssize_t>(sizes)));
  if (sizes == 1) shape = args[0];
  Shape s = shape_from(shape.ptr());
  TensorOptions o = options(dtype, device, requires_grad);
  return made(INT64_MAX, [&] { return create(s, o); });
}

Tensor uninitialised(const Shape& shape, const TensorOptions& options) {
  Tensor t = empty(shape, options.dtype, options.device);
  if (options.requires_grad) t.set_requires_grad();
  return t;
}

using LikeCreator = Tensor (*)(const Tensor&);
template <LikeCreator create>
nb::object like(nb::handle x, const nb::object& dtype) {
  Tensor t = tensor_of(x.ptr());
  if (!dtype.is_none()) t = expand(empty({}, dtype_from(dtype.ptr()), t.device()), t.shape());
  return made(t.numel(), [&] { return create(t); });
}

nb::object full_of(nb::handle shape, nb::handle value, const nb::object& dtype,
                   const nb::object& device, bool grad) {
  Shape s = shape_from(shape.ptr());
  // a double cannot represent every i64
  Tensor x = tensor_of(value.ptr(), dtype.is_none() ? DType::f32 : DType::f64);
  TensorOptions o = options(dtype, device, grad, dtype_of_number(value.ptr(), x));
  require_fit(x, o.dtype, "full");
  return made(INT64_MAX, [&] {
    Tensor t = clone(expand(on_device(to(x, o.dtype), o.device), s));
    if (o.requires_grad) t.set_requires_grad();
    return t;
  });
}

// Exact for all integers, including those that a double cannot represent.
nb::object whole_range(__int128 start, __int128 stop, int64_t step, const nb::object& dtype,
                       const nb::object& device) {
  if (step == 0) throw Error(Code::value, "arange", "expected a step other than 0");
  const __int128 way = stop - start;
  const __int128 count = (way + (step > 0 ? step - 1 : step + 1)) / step;
  constexpr __int128 kMost = int64_t{1} << 53;
  if (count > kMost) throw Error(Code::resource, "arange", "the range has more than 2^53 elements");
  auto n = static_cast<int64_t>(count > 0 ? count : 0);
  const __int128 last = n > 0 ? start + static_cast<__int128>(n - 1) * step : start;
  const DType whole = std::max(start, last) > INT64_MAX ? DType::u64 : DType::i64;
  const TensorOptions o = options(dtype, device, false, whole);
  if (n > 0) {
    for (const __int128 end : {start, last}) {
      require_fit(literal_of(end), whole, "arange");
      require_fit(literal_of(end), o.dtype, "arange");
    }
  }
  return made(n, [&] {
    const Tensor numbers = arange(0, static_cast<double>(n), 1, {.dtype = DType::i64});
    // sums of i64 and u64 are the same bits
    const Tensor sums = add(mul(numbers, Tensor(step)), Tensor(static_cast<int64_t>(start)));
    return on_device(to(to(sums, whole), o.dtype), o.device);
  });
}

nb::object range(nb::handle start, nb::handle stop, nb::handle step, const nb::object& dtype,
                 const nb::object& device) {
  bool one = stop.is_none();
  nb::handle from = start, to = stop;
  nb::int_ zero(0);
  if (one) from = zero, to = start;
  bool whole = true;
  for (nb::handle h : {from, to, step}) whole &= PyIndex_Check(h.ptr()) && !as_tensor(h.ptr());
  if (whole) {
    return whole_range(wide_integer_of(from.ptr()), wide_integer_of(to.ptr()),
                       integer_of(step.ptr()), dtype, device);
  }
  TensorOptions o = options(dtype, device);
  double a = nb::cast<double>(nb::float_(from)), b = nb::cast<double>(nb::float_(to)),
         by = nb::cast<double>(nb::float_(step));
  return made(INT64_MAX, [&] { return arange(a, b, by, o); });
}

nb::object as_array(nb::handle data, const nb::object& dtype, const nb::object& device, bool copy) {
  Tensor t = tensor_of(data.ptr(), dtype.is_none() ? DType::f32 : DType::f64);
  DType wanted = dtype.is_none() ? t.dtype() : dtype_from(dtype.ptr());
  if (dtype.is_none() && t.meta().weak) wanted = dtype_of_number(data.ptr(), t);
  require_fit(t, wanted, "asarray");
  if (is_list(data.ptr())) require_all_fit(t, wanted, "asarray");
  // a tensor stays where it is unless the call names a device
  Device where = device.is_none() && as_tensor(data.ptr()) ? t.device() : device_from(device);
  return made(t.numel(), [&] {
    Tensor r = on_device(to(t, wanted), where);
    return copy && r.impl() == t.impl() ? clone(r) : r;
  });
}

template <Creator create>
void add_by_shape(nb::module_& m, const char* name, const nb::sig& signature, const char* doc) {
  m.def(name, by_shape<create>, "shape"_a, nb::kw_only(), "dtype"_a = nb::none(),
        "device"_a = nb::none(), "requires_grad"_a = false, signature, doc);
}

template <LikeCreator create>
void add_like(nb::module_& m, const char* name, const nb::sig& signature, const char* doc) {
  m.def(name, like<create>, "x"_a, "dtype"_a = nb::none(), signature, doc);
}

void add_filled(nb::module_& m) {
#define SIG(name)                                                                               \
  nb::sig(                                                                                      \
      "def " name                                                                               \
      "(*shape: ShapeLike | DTypeLike, dtype: DTypeLike | None = None, device: str | device | " \
      "None = None, requires_grad: bool = False) -> Tensor")
  add_by_shape<zeros>(m, "zeros", SIG("zeros"),
                      "Tensor of zeros with the given shape; f32 by default.");
  add_by_shape<ones>(m, "ones", SIG("ones"),
                     "Tensor of ones with the given shape; f32 by default.");
  add_by_shape<uninitialised>(m, "empty", SIG("empty"),
                              "Uninitialised tensor with the given shape; f32 by default.");
#undef SIG
#define SIG(name) nb::sig("def " name "(x: TensorLike, dtype: DTypeLike | None = None) -> Tensor")
  add_like<zeros_like>(m, "zeros_like", SIG("zeros_like"), "Zeros with the shape and dtype of x.");
  add_like<ones_like>(m, "ones_like", SIG("ones_like"), "Ones with the shape and dtype of x.");
  add_like<empty_like>(m, "empty_like", SIG("empty_like"),
                       "Uninitialised tensor with the shape and dtype of x.");
#undef SIG
  m.def("full", full_of, "shape"_a, "value"_a, "dtype"_a = nb::none(), "device"_a = nb::none(),
        "requires_grad"_a = false,
        nb::sig("def full(shape: ShapeLike, value: TensorLike, dtype: DTypeLike | None = None, "
                "device: str | device | None = None, requires_grad: bool = False) -> Tensor"),
        "Tensor filled with `value`; by default f32 for a float, i64 for an int, boolean for a "
        "bool.");
}

void add_sequences(nb::module_& m) {
  m.def("arange", range, "start"_a, "stop"_a = nb::none(), "step"_a = 1, "dtype"_a = nb::none(),
        "device"_a = nb::none(),
        nb::sig("def arange(start: float, stop: float | None = None, step: float = 1, "
                "dtype: DTypeLike | None = None, device: str | device | None = None) -> Tensor"),
        "Evenly spaced values start, start + step, ... below stop (excluded); arange(n) counts "
        "from 0 to n - 1. i64 for ints, else f32.");
  m.def(
      "linspace",
      [](double start, double stop, int64_t count, const nb::object& dtype,
         const nb::object& device) {
        TensorOptions o = options(dtype, device);
        return made(count, [&] { return linspace(start, stop, count, o); });
      },
      "start"_a, "stop"_a, "count"_a, "dtype"_a = nb::none(), "device"_a = nb::none(),
      nb::sig("def linspace(start: float, stop: float, count: int, dtype: DTypeLike | None = None, "
              "device: str | device | None = None) -> Tensor"),
      "`count` evenly spaced numbers from start to stop, both included.");
  m.def(
      "eye",
      [](int64_t rows, const nb::object& columns, const nb::object& dtype,
         const nb::object& device) {
        int64_t wide = columns.is_none() ? rows : integer_of(columns.ptr());
        TensorOptions o = options(dtype, device);
        return made(INT64_MAX, [&] { return eye(rows, wide, o); });
      },
      "rows"_a, "columns"_a = nb::none(), "dtype"_a = nb::none(), "device"_a = nb::none(),
      nb::sig("def eye(rows: int, columns: int | None = None, dtype: DTypeLike | None = None, "
              "device: str | device | None = None) -> Tensor"),
      "Matrix with ones on the diagonal and zeros elsewhere (identity matrix).");
}

void add_from_arrays(nb::module_& m) {
  m.def("asarray", as_array, "data"_a, "dtype"_a = nb::none(), nb::kw_only(),
        "device"_a = nb::none(), "copy"_a = false,
        nb::sig("def asarray(data: TensorLike, dtype: DTypeLike | None = None, *, device: str | "
                "device | None = None, copy: bool = False) -> Tensor"),
        "Converts to a tensor, as functions do with their arguments: shares the memory of writable "
        "arrays and copies others.");
  m.def(
      "from_numpy", [](nb::handle array) { return tensor_object(share(array.ptr())); }, "array"_a,
      nb::sig("def from_numpy(array: typing.Any) -> Tensor"),
      "Tensor that shares the memory of a NumPy array.");
  m.def(
      "from_torch",
      [](nb::handle tensor) {
        if (!nb::hasattr(tensor, "detach"))
          wrong_type({"expected a PyTorch tensor, got ", Py_TYPE(tensor.ptr())->tp_name});
        return tensor_object(share(tensor.attr("detach")().ptr()));
      },
      "tensor"_a, nb::sig("def from_torch(tensor: typing.Any) -> Tensor"),
      "Tensor that shares the memory of a PyTorch tensor, detached from its autograd graph.");
  m.def(
      "from_dlpack", [](nb::handle array) { return tensor_object(share(array.ptr())); }, "array"_a,
      nb::sig("def from_dlpack(array: typing.Any) -> Tensor"),
      "Tensor that shares the memory of an object with __dlpack__ or the buffer protocol.");
}

// The seed and the offset of a Generator as i64, which all file formats can hold.
nb::object rng_state() {
  const Generator& now = default_generator();
  const int64_t state[] = {static_cast<int64_t>(now.seed), static_cast<int64_t>(now.offset)};
  return tensor_object(tensor(std::span<const int64_t>(state), {2}));
}

void set_rng_state(nb::handle given) {
  const Tensor state = tensor_of(given.ptr());
  constexpr const char* kOp = "set_rng_state";
  const std::string wanted = "expected the tensor that get_rng_state() returned";
  if (!(state.shape() == Shape{2}))
    throw mismatch(Code::shape, kOp, wanted, Shape{2}, state.shape());
  if (state.dtype() != DType::i64)
    throw mismatch(Code::dtype, kOp, wanted, DType::i64, state.dtype());
  const std::vector<int64_t> values = to_vector<int64_t>(state);
  default_generator() = {static_cast<uint64_t>(values[0]), static_cast<uint64_t>(values[1])};
}

}  // namespace

void add_creation(nb::module_& m) {
  add_filled(m);
  add_sequences(m);
  add_from_arrays(m);
  m.def("manual_seed", manual_seed, "seed"_a, "Seeds the random number generator of this thread.");
  m.def("get_rng_state", rng_state, nb::sig("def get_rng_state() -> Tensor"),
        "State of the random number generator of this thread, from which dropout and other random "
        "ops draw: a tensor to save in a checkpoint.");
  m.def("set_rng_state", set_rng_state, "state"_a,
        nb::sig("def set_rng_state(state: TensorLike) -> None"),
        "Sets the random number generator of this thread to a state of get_rng_state(), so that it "
        "draws the same numbers as after that call.");
}

}  // namespace gyre::python
