"""Arrays in files: .npy and .npz, text, and raw bytes."""

import reprlib

import contextlib
import os
import pathlib
import tempfile

import gyre
from gyre.numpy.creation import frombuffer
from gyre.numpy.dtypes import dtype as _dtype, tensor


def _with_suffix(file, suffix):
    path = os.fspath(file)
    return path if path.endswith(suffix) else path + suffix


def _written(file, suffix, data, **options):
    """Writes to a path, which gets the suffix, or to a binary file."""
    if not hasattr(file, "write"):
        gyre.save(data, _with_suffix(file, suffix), **options)
        return
    with tempfile.TemporaryDirectory() as folder:
        draft = pathlib.Path(folder, "draft" + suffix)
        gyre.save(data, draft, **options)
        file.write(draft.read_bytes())


def save(file, arr):
    """Saves an array to a file in NumPy's format; a path gets the suffix .npy."""
    _written(file, ".npy", tensor(arr))


def _named(args, kwds):
    if clash := [name for name in (f"arr_{i}" for i in range(len(args))) if name in kwds]:
        raise ValueError(f"savez: {clash[0]} is the name of an array by position and by keyword")
    return {name: tensor(value) for name, value in (*((f"arr_{i}", x) for i, x in enumerate(args)), *kwds.items())}


def savez(file, *args, **kwds):
    """Saves arrays to one file by their keywords, or as arr_0, arr_1, ...; a path gets the suffix .npz."""
    _written(file, ".npz", _named(args, kwds))


def savez_compressed(file, *args, **kwds):
    """Same as savez, compressed."""
    _written(file, ".npz", _named(args, kwds), compressed=True)


class NpzFile(dict):
    """The arrays of a .npz file by name."""

    files = property(list, doc="the names")
    f = property(lambda self: self, doc="the file itself")

    def close(self):
        """Has no effect: all arrays are in memory."""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass


def load(file, mmap_mode=None, allow_pickle=False):
    """The array of an .npy file, or the arrays of an .npz file by name: a path or a binary file. mmap_mode="r" or "c"
    maps the memory of an .npy file; writing to the tensor never changes the file."""
    if mmap_mode not in (None, "r", "c"):
        raise ValueError(f"load: expected mmap_mode None, \"r\" or \"c\", got {reprlib.repr(mmap_mode)}")
    if hasattr(file, "read"):
        data = file.read()
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder, "copy" + (".npz" if data[:2] == b"PK" else ".npy"))
            copy.write_bytes(data)
            found = gyre.load(copy)
    else:
        found = gyre.load(file, mmap=mmap_mode is not None)
    return NpzFile(found) if isinstance(found, dict) else found


# ---- text ----


def savetxt(fname, X, fmt="%.18e", delimiter=" ", newline="\n", header="", footer="", comments="# ", encoding=None):
    """Writes a vector or a matrix as text, a line for each row; fmt is a format of Python's % or one for each column."""
    x = tensor(X)
    if not 1 <= x.ndim <= 2:
        raise ValueError(f"savetxt: expected 1 or 2 axes, got {x.ndim}")
    rows = (x.unsqueeze(1) if x.ndim == 1 else x).tolist()
    columns = len(rows[0]) if rows else 0
    if isinstance(fmt, (list, tuple)):
        line = delimiter.join(fmt)
    else:
        line = fmt if fmt.count("%") == columns and columns > 1 else delimiter.join([fmt] * columns)
    lines = [comments + header.replace("\n", "\n" + comments)] if header else []
    lines += [line % tuple(row) for row in rows]
    lines += [comments + footer.replace("\n", "\n" + comments)] if footer else []
    text = "".join(part + newline for part in lines)
    with _opened(fname, "w", encoding) as file:
        try:
            file.write(text)
        except TypeError:  # a binary file
            file.write(text.encode(encoding or "latin1"))


def _opened(file, mode, encoding):
    if hasattr(file, "write" if mode == "w" else "read"):
        return contextlib.nullcontext(file)
    return open(file, mode, encoding=encoding, newline="" if mode == "w" else None)


def _lines(fname, comments, encoding):
    """Lines with text, without comments."""
    if isinstance(fname, (str, os.PathLike)) or hasattr(fname, "read"):
        with _opened(fname, "r", encoding) as file:
            text = file.read()
        fname = (text.decode(encoding or "latin1") if isinstance(text, bytes) else text).splitlines()
    marks = () if comments is None else (comments,) if isinstance(comments, str) else tuple(comments)
    for line in fname:
        for mark in marks:
            line = line.partition(mark)[0]
        yield line.strip("\r\n")


def _table(rows, dtype, usecols, unpack, ndmin, name):
    widths = {len(row) for row in rows}
    if len(widths) > 1:
        raise ValueError(f"{name}: expected rows with the same number of columns, got {min(widths)} and {max(widths)}")
    x = tensor(rows, dtype) if rows else gyre.zeros((0, 0), dtype=_dtype(dtype))
    if usecols is not None:
        columns = [usecols] if isinstance(usecols, int) else list(usecols)
        x = x[:, columns]
    x = x.T if unpack else x
    rank = x.ndim
    while rank > ndmin and 1 in x.shape:
        x, rank = x.squeeze(axis=x.shape.index(1)), rank - 1
    return x


def _number(text, dtype):
    return float(text) if _dtype(dtype).is_floating_point or "." in text or "e" in text else int(text)


def loadtxt(fname, dtype=float, comments="#", delimiter=None, converters=None, skiprows=0, usecols=None, unpack=False,
            ndmin=0, encoding=None, max_rows=None):
    """Array of the numbers in a text file, a row for each line; fields are separated by spaces or `delimiter`.
    `converters`: a function from text to number, or a dict of those by column."""
    lines = [line for line in list(_lines(fname, comments, encoding))[skiprows:] if line.strip()][:max_rows]

    def convert(place, text):
        own = converters if callable(converters) else (converters or {}).get(place)
        return _number(text, dtype) if own is None else own(text)

    rows = [[convert(place, text.strip()) for place, text in enumerate(line.split(delimiter))] for line in lines]
    return _table(rows, dtype, usecols, unpack, ndmin, "loadtxt")


def genfromtxt(fname, dtype=float, comments="#", delimiter=None, skip_header=0, skip_footer=0, filling_values=None,
               usecols=None, unpack=False, max_rows=None, encoding=None, *, ndmin=0):
    """Same as loadtxt, with `filling_values`, NaN by default, for fields that are empty or no numbers."""
    lines = list(_lines(fname, comments, encoding))[skip_header:]
    lines = [line for line in lines if line.strip()]
    lines = lines[:len(lines) - skip_footer][:max_rows]
    missing = filling_values if filling_values is not None else float("nan") if _dtype(dtype).is_floating_point else -1

    def convert(text):
        try:
            return _number(text, dtype)
        except ValueError:
            return missing

    rows = [[convert(text.strip()) for text in line.split(delimiter)] for line in lines]
    return _table(rows, dtype, usecols, unpack, ndmin, "genfromtxt")


def fromstring(string, dtype=float, count=-1, *, sep):
    """Vector of the numbers in a text with a separator."""
    if not sep.strip():
        parts = string.split()
    else:
        parts = [part.strip() for part in string.split(sep.strip()) if part.strip()]
    return tensor([_number(part, dtype) for part in parts[:None if count < 0 else count]], dtype)


def fromfile(file, dtype=float, count=-1, sep="", offset=0):
    """Vector of the elements in a binary file, or of the numbers in a text file with a separator."""
    with _opened(file, "rb", None) if hasattr(file, "read") else open(file, "rb") as source:
        if sep:
            return fromstring(source.read().decode("latin1"), dtype, count, sep=sep)
        if offset:
            source.seek(offset, os.SEEK_CUR)
        width = gyre.zeros((), dtype=_dtype(dtype)).itemsize
        data = source.read() if count < 0 else source.read(count * width)
    return frombuffer(bytearray(data[:len(data) // width * width]), dtype)


functions = [save, savez, savez_compressed, load, savetxt, loadtxt, genfromtxt, fromstring, fromfile]
