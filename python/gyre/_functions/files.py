"""Saving and loading."""

import contextlib
import os

from gyre import _gyre

_TENSOR_FILES = (".safetensors", ".npz", ".npy")
_READ_ONLY = (".gguf",)


def _is_path(x):
    return isinstance(x, (str, bytes, os.PathLike))


def _holds_tensors(path):
    return os.fsdecode(path).endswith(_TENSOR_FILES)


@contextlib.contextmanager
def _replacing(path):
    """A new binary file that takes the place of the old one if nothing is raised."""
    path = os.path.realpath(os.fsdecode(path))
    draft = f"{path}.{os.getpid()}.tmp"
    try:
        with open(draft, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(draft)
        raise


def save(obj: "Any", f: "str | bytes | os.PathLike[str] | typing.IO[bytes]", *,
         metadata: "collections.abc.Mapping[str, str] | None" = None, compressed: "bool" = False) -> "None":
    """Saves an object to a file: a path, or an object with write(). The suffix of a path selects the format:
    .safetensors (a dict of tensors, also packed weights; `metadata`: a dict of str), .npz (a dict of tensors;
    `compressed`) or .npy (one tensor). Others, and file objects, have PyTorch's format, which torch.load reads: of dicts,
    lists, tuples, sets, texts, bytes, numbers, None, dtypes, devices, tensors and parameters. Files are replaced
    atomically. save(path, tensors) is the same as save(tensors, path)."""
    if _is_path(obj) and not _is_path(f) and not hasattr(f, "write"):
        obj, f = f, obj
    if _is_path(f) and _holds_tensors(f):
        return _gyre.save(f, obj, metadata=metadata, compressed=compressed)
    from gyre._functions import checkpoints

    if metadata is not None or compressed:
        raise ValueError("save: metadata is stored in files that end in .safetensors, and compressed ones end in .npz")
    if not _is_path(f):
        if not hasattr(f, "write"):
            raise TypeError(f"save: expected a path or a binary file as f, got {type(f).__name__}")
        return checkpoints.write(obj, f)
    with _replacing(f) as file:
        checkpoints.write(obj, file)


def _moved(x, device):
    if isinstance(x, dict):
        return {name: _moved(tensor, device) for name, tensor in x.items()}
    return x.to(device=device)


def load(f: "str | bytes | os.PathLike[str] | typing.IO[bytes]", map_location: "str | device | None" = None, *,
         weights_only: "bool" = True, verify: "bool" = True, mmap: "bool" = False) -> "Any":
    """Loads what save() or torch.save() wrote to a path or a binary file: a dict of tensors from a .safetensors, .npz or
    .gguf file (whose quantised tensors become f32), the tensor of an .npy file, and the object of others. `map_location`:
    the device of the tensors, by default that which they had. Files cannot run code, whatever `weights_only` is: of classes
    that save() does not write, load() raises ParseError.

    Writing to a tensor never changes the file. `mmap`: memory-map a .safetensors or .npy file where its layout allows, so
    that elements are read when first used; such a file must be replaced and not rewritten in place, which would change the
    tensors, or end the process if it became shorter. `verify`: check the checksum of a .safetensors file if it has one,
    which reads the whole file."""
    if map_location is not None and not isinstance(map_location, (str, _gyre.device)):
        raise TypeError(f"load: expected a device as map_location, got {type(map_location).__name__}")
    if _is_path(f) and os.fsdecode(f).endswith(_TENSOR_FILES + _READ_ONLY):
        tensors = _gyre.load(f, verify=verify, mmap=mmap)
        return tensors if map_location is None else _moved(tensors, map_location)
    from gyre._functions import checkpoints

    if mmap:
        raise ValueError("load: only files that end in .safetensors or .npy are mapped; leave out mmap=True")
    if not _is_path(f):
        if not hasattr(f, "read"):
            raise TypeError(f"load: expected a path or a binary file, got {type(f).__name__}")
        return checkpoints.read(f, "the file", map_location)
    with open(f, "rb") as file:
        return checkpoints.read(file, os.fsdecode(f), map_location)


functions = [save, load]
methods = []
