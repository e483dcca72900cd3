"""PyTorch's file format of checkpoints: a zip archive with a pickle of the object and the elements of each tensor.

Objects are dicts, lists, tuples, sets, texts, bytes, numbers, None, dtypes, devices, tensors and parameters. Reading calls
nothing but the constructors of these, so a file cannot run code."""

import reprlib

import codecs
import collections
import io
import math
import numbers
import pickle
import struct
import zipfile

import gyre
from gyre import _gyre
from gyre._functions.dtype_names import BY_NAME, NAMES
from gyre._gyre import DType, Tensor, asarray

# PyTorch's class of storages of each dtype; others are UntypedStorage.
_STORAGES = {"f64": "DoubleStorage", "f32": "FloatStorage", "f16": "HalfStorage", "bf16": "BFloat16Storage",
             "i64": "LongStorage", "i32": "IntStorage", "i16": "ShortStorage", "i8": "CharStorage", "u8": "ByteStorage",
             "boolean": "BoolStorage"}
_UNTYPED = "UntypedStorage"
# Formats of memoryview, which has none for 16-bit floats.
_FORMATS = {d.name: "h" if d in (_gyre.f16, _gyre.bf16) else memoryview(_gyre.zeros((), dtype=d)).format
            for d in NAMES}


# ---- elements of tensors as bytes ----


def _reinterpreted(x, format):
    return asarray(memoryview(x).cast("B").cast(format))


def tensor_of_bytes(data, dtype):
    """Vector of the elements in a bytearray, whose memory it shares if Python has a format for the dtype."""
    x = asarray(memoryview(data).cast(_FORMATS[dtype.name]))
    if dtype.name == "bf16":  # the upper half of an f32
        return _reinterpreted(x.to("i32") * 2 ** 16, "f").to(dtype)
    if dtype.name == "f16":
        magnitude = (x.to("i32") & 0x7fff) * 2 ** 13  # exponent and fraction where an f32 has them
        finite = _reinterpreted(magnitude, "f") * 2.0 ** 112  # the difference of the exponents' biases
        infinite = _reinterpreted(magnitude | 0x7f800000, "f")
        value = _gyre.where(magnitude >= 0x7c00 * 2 ** 13, infinite, finite)
        return _gyre.where(x < 0, -value, value).to(dtype)
    return x


def bytes_of_tensor(x):
    """The elements in row-major order."""
    x = x.detach().cpu().contiguous()
    if x.dtype.name != "bf16":
        return memoryview(x).tobytes()
    wide, narrow = memoryview(x.to("f32")).tobytes(), bytearray(2 * x.numel())
    narrow[0::2], narrow[1::2] = wide[2::4], wide[3::4]
    return bytes(narrow)


# ---- writing ----


class _Writer:
    """The pickle of an object, protocol 2, and the tensors that it refers to."""

    def __init__(self):
        self.out, self.tensors, self._keys, self._open = io.BytesIO(), [], {}, set()

    def emit(self, *parts):
        for part in parts:
            self.out.write(part)

    def text(self, x):
        data = x.encode("utf-8", "surrogatepass")
        self.emit(pickle.BINUNICODE, struct.pack("<I", len(data)), data)

    def name(self, module, name):
        self.emit(pickle.GLOBAL, f"{module}\n{name}\n".encode())

    def call(self, module, name, *arguments, place=""):
        self.name(module, name)
        self.tuple(arguments, place)
        self.emit(pickle.REDUCE)

    def tuple(self, items, place):
        self.emit(pickle.MARK)
        self.items(items, place)
        self.emit(pickle.TUPLE)

    def items(self, items, place):
        for number, item in enumerate(items):
            self.value(item, f"{place}[{number}]")

    def pairs(self, mapping, place):
        self.emit(pickle.MARK)
        for key, item in mapping.items():
            self.value(key, f"a key of {place}")
            self.value(item, f"{place}[{key!r}]")
        self.emit(pickle.SETITEMS)

    def value(self, x, place):
        kind = type(x)
        if kind in _WRITERS:
            if id(x) in self._open:
                raise ValueError(f"save: {place} contains itself")
            self._open.add(id(x))
            _WRITERS[kind](self, x, place)
            self._open.remove(id(x))
        elif x is None or isinstance(x, bool):
            self.emit(pickle.NONE if x is None else pickle.NEWTRUE if x else pickle.NEWFALSE)
        elif isinstance(x, str):
            self.text(x)
        elif isinstance(x, Tensor):
            self.tensor(x, place)
        elif isinstance(x, numbers.Integral):
            self.integer(int(x))
        elif isinstance(x, numbers.Real):
            self.emit(pickle.BINFLOAT, struct.pack(">d", float(x)))
        elif isinstance(x, (bytes, bytearray)):
            self.call("_codecs", "encode", bytes(x).decode("latin1"), "latin1")
        elif isinstance(x, DType):
            self.name("torch", NAMES[x])
        elif isinstance(x, _gyre.device):
            self.call("torch", "device", str(x))
        else:
            hint = "; save its state_dict()" if hasattr(x, "state_dict") else ""
            raise TypeError(f"save: {place}: expected a dict, list, tuple, set, text, bytes, number, None, dtype, device or "
                            f"tensor, got {kind.__name__}{hint}")

    def integer(self, x):
        if -2 ** 31 <= x < 2 ** 31:
            self.emit(pickle.BININT, struct.pack("<i", x))
            return
        data = pickle.encode_long(x)
        if len(data) > 255:
            raise ValueError(f"save: expected an integer of at most 255 bytes, got one of {len(data)}")
        self.emit(pickle.LONG1, bytes([len(data)]), data)

    def tensor(self, x, place):
        if x.is_packed:
            raise TypeError(f"save: {place} has packed weights, which only files that end in .safetensors store")
        if isinstance(x, _gyre._nn.Parameter):
            self.name("torch._utils", "_rebuild_parameter")
            self.emit(pickle.MARK)
            self.array(x, False)
            self.value(x.requires_grad, place)
            self.call("collections", "OrderedDict")
            self.emit(pickle.TUPLE, pickle.REDUCE)
        else:
            self.array(x, x.requires_grad)

    def array(self, x, requires_grad):
        """A tensor of the storage with its elements; tensors that share all their memory share it."""
        dtype, strides = x.dtype.name, tuple(math.prod(x.shape[axis + 1:]) for axis in range(x.ndim))
        identity = (x.data_ptr(), x.shape, x.stride(), dtype) if x.numel() else object()
        if identity not in self._keys:
            self._keys[identity] = str(len(self.tensors))
            self.tensors.append(x)
        storage = _STORAGES.get(dtype, _UNTYPED)
        self.name("torch._utils", "_rebuild_tensor_v2" if storage != _UNTYPED else "_rebuild_tensor_v3")
        self.emit(pickle.MARK, pickle.MARK)
        self.text("storage")
        self.name("torch" if storage != _UNTYPED else "torch.storage", storage)
        self.items((self._keys[identity], str(x.device), x.numel() if storage != _UNTYPED else x.numel() * x.itemsize), "")
        self.emit(pickle.TUPLE, pickle.BINPERSID)
        self.items((0, tuple(x.shape), strides, bool(requires_grad)), "")
        self.call("collections", "OrderedDict")
        if storage == _UNTYPED:
            self.value(x.dtype, "")
        self.emit(pickle.TUPLE, pickle.REDUCE)


def _write_list(writer, x, place):
    writer.emit(pickle.EMPTY_LIST, pickle.MARK)
    writer.items(x, place)
    writer.emit(pickle.APPENDS)


def _write_dict(writer, x, place):
    writer.emit(pickle.EMPTY_DICT)
    writer.pairs(x, place)


def _write_ordered(writer, x, place):
    writer.call("collections", "OrderedDict")
    writer.pairs(x, place)


_WRITERS = {dict: _write_dict, list: _write_list, tuple: _Writer.tuple, collections.OrderedDict: _write_ordered,
            set: lambda writer, x, place: writer.call("builtins", "set", [*x], place=place),
            collections.Counter: lambda writer, x, place: writer.call("collections", "Counter", dict(x), place=place)}


def write(obj, file):
    """Writes the object to a binary file."""
    writer = _Writer()
    writer.emit(pickle.PROTO, b"\x02")
    writer.value(obj, "obj")
    writer.emit(pickle.STOP)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("archive/data.pkl", writer.out.getvalue())
        archive.writestr("archive/byteorder", "little")
        for number, tensor in enumerate(writer.tensors):
            archive.writestr(f"archive/data/{number}", bytes_of_tensor(tensor))
        archive.writestr("archive/version", "3\n")


# ---- reading ----


def _latin1(text, encoding):
    if encoding != "latin1":
        raise pickle.UnpicklingError(f"expected bytes in latin1, got {reprlib.repr(encoding)}")
    return codecs.latin_1_encode(text)[0]


def _tensor(storage, offset, shape, strides, requires_grad, hooks=None, dtype=None, metadata=None):
    x = storage(dtype)
    x = _gyre.as_strided(x, shape, strides, offset)
    return x.requires_grad_() if requires_grad else x


def _parameter(x, requires_grad, hooks=None):
    return gyre.nn.Parameter(x, requires_grad=requires_grad)


_KNOWN = {"collections.OrderedDict": collections.OrderedDict, "collections.Counter": collections.Counter,
          "builtins.set": set, "__builtin__.set": set, "_codecs.encode": _latin1, "torch.Size": tuple,
          "torch.device": lambda *parts: _gyre.device(":".join(map(str, parts))),
          "torch._utils._rebuild_tensor_v2": _tensor, "torch._utils._rebuild_tensor_v3": _tensor,
          "torch._utils._rebuild_parameter": _parameter, f"torch.storage.{_UNTYPED}": None,
          **{f"torch.{name}": dtype for name, dtype in BY_NAME.items()},
          **{f"torch.{storage}": getattr(_gyre, name) for name, storage in _STORAGES.items()}}


class _Reader(pickle.Unpickler):
    """Reads the pickle of an archive."""

    def __init__(self, archive, folder, device):
        super().__init__(io.BytesIO(archive.read(f"{folder}/data.pkl")), encoding="utf-8")
        self._archive, self._folder, self._device, self._storages = archive, folder, device, {}

    def find_class(self, module, name):
        whole = f"{module}.{name}"
        if whole not in _KNOWN:
            raise pickle.UnpicklingError(f"it contains a {whole}, and load() reads only dicts, lists, tuples, sets, texts, "
                                         "bytes, numbers, None, dtypes, devices, tensors and parameters")
        return _KNOWN[whole]

    def persistent_load(self, saved):
        _, dtype, key, location, _ = saved

        def storage(other):
            kind = dtype or other
            if (key, kind) not in self._storages:
                data = bytearray(self._archive.read(f"{self._folder}/data/{key}"))
                x = tensor_of_bytes(data, kind)
                self._storages[key, kind] = x.to(device=self._device or location)
            return self._storages[key, kind]

        return storage


def read(file, name, device=None):
    """The object in a binary file, called `name` in errors; tensors are on the device, or on that which they had."""
    try:
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
            folder = next(n for n in names if n.endswith("/data.pkl"))[:-len("/data.pkl")]
            if f"{folder}/constants.pkl" in names:
                raise pickle.UnpicklingError("it is a TorchScript program; save its state_dict() with PyTorch")
            if f"{folder}/byteorder" in names and archive.read(f"{folder}/byteorder") != b"little":
                raise pickle.UnpicklingError("its elements are big-endian")
            return _Reader(archive, folder, device).load()
    except (zipfile.BadZipFile, StopIteration):
        raise gyre.ParseError(f"load: {name} is not a checkpoint of PyTorch 1.6 or newer, nor does its name end in "
                              ".safetensors, .npz or .npy") from None
    except (OSError, MemoryError):
        raise
    except Exception as error:  # of damaged pickles, which may be anything
        raise gyre.ParseError(f"load: {name} cannot be read: {error}") from error
