"""Sequences of different lengths in one tensor, padded or packed, with PyTorch's names."""

import collections
import reprlib

import gyre

__all__ = ["PackedSequence", "invert_permutation", "pack_padded_sequence", "pack_sequence", "pad_packed_sequence",
           "pad_sequence", "unpack_sequence", "unpad_sequence"]

_Packed = collections.namedtuple("PackedSequence", "data batch_sizes sorted_indices unsorted_indices")


def invert_permutation(permutation):
    """The permutation that undoes another; None for None."""
    return None if permutation is None else gyre.argsort(permutation)


class PackedSequence(_Packed):
    """Sequences of different lengths without padding, as recurrent layers take them: `data` [total length, ...] has
    the elements of all sequences by time step, of the longest sequence first, and `batch_sizes` the number of
    sequences at each step. `sorted_indices` are the places of the sequences in the batch, None if it is sorted by
    length, and `unsorted_indices` their inverse. Made by pack_padded_sequence() and pack_sequence()."""

    __slots__ = ()

    def __new__(cls, data, batch_sizes, sorted_indices=None, unsorted_indices=None):
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        sizes = gyre.asarray(batch_sizes)
        steps = sizes.tolist()
        if sizes.ndim != 1 or not steps or steps[-1] < 1 or steps != sorted(steps, reverse=True):
            raise ValueError(f"PackedSequence: expected batch_sizes of 1 or more that do not increase, got {steps}")
        if data.ndim == 0 or len(data) != sum(steps):
            raise ValueError(f"PackedSequence: batch_sizes sum to {sum(steps)}, but data has shape {list(data.shape)}")
        return super().__new__(cls, data, sizes, sorted_indices, unsorted_indices)

    def to(self, *args, **kwargs):
        """data.to(...); the indices move to its device."""
        data = self.data.to(*args, **kwargs)
        indices = [i if i is None else i.to(device=data.device) for i in self[2:]]
        return type(self)(data, self.batch_sizes, *indices)

    def cpu(self):
        """The same on the CPU."""
        return self.to(device="cpu")

    def cuda(self, device=None):
        """The same on a CUDA device."""
        return self.to(device="cuda" if device is None else device)

    def float(self):
        """The same with data of f32."""
        return self.to(gyre.f32)

    def double(self):
        """The same with data of f64."""
        return self.to(gyre.f64)

    def half(self):
        """The same with data of f16."""
        return self.to(gyre.f16)

    @property
    def is_cuda(self):
        """Whether the data are on a CUDA device."""
        return self.data.is_cuda


def _inside(lengths, steps, device):
    """Places, in [steps * batch], of the elements inside of sequences sorted by length."""
    times = gyre.arange(steps, device=device).reshape(-1, 1)
    return (times < gyre.tensor(lengths, device=device)).reshape(-1).nonzero().reshape(-1)


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    """Packs padded sequences [longest, batch, ...], or [batch, longest, ...] if batch_first, of these lengths, which
    must be in descending order unless enforce_sorted=False."""
    x = gyre.asarray(input)
    if x.ndim < 2:
        raise ValueError(f"pack_padded_sequence: expected input of 2 or more axes, got {list(x.shape)}")
    x = x.transpose(0, 1) if batch_first else x
    lengths = [int(length) for length in lengths]
    steps, count = x.shape[:2]
    if len(lengths) != count or not all(0 < length <= steps for length in lengths):
        raise ValueError(f"pack_padded_sequence: expected {count} lengths from 1 to {steps}, got {lengths}")
    order = None
    if not enforce_sorted:
        order = gyre.argsort(gyre.tensor(lengths), descending=True, stable=True).to(device=x.device)
        x, lengths = x.index_select(1, order), sorted(lengths, reverse=True)
    elif lengths != sorted(lengths, reverse=True):
        raise ValueError(f"pack_padded_sequence: expected lengths in descending order, got {lengths}; "
                         "pass enforce_sorted=False")
    data = x.reshape(steps * count, *x.shape[2:]).index_select(0, _inside(lengths, steps, x.device))
    sizes = gyre.tensor([sum(length > step for length in lengths) for step in range(lengths[0])])
    return PackedSequence(data, sizes, order)


def pack_sequence(sequences, enforce_sorted=True):
    """Packs sequences [length, ...], which must be in descending order of length unless enforce_sorted=False."""
    sequences = list(sequences)
    return pack_padded_sequence(pad_sequence(sequences), [len(s) for s in sequences], enforce_sorted=enforce_sorted)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    """The sequences of pack_padded_sequence() padded to the longest, or to total_length, and their lengths."""
    sizes, data = sequence.batch_sizes.tolist(), sequence.data
    steps, count = len(sizes) if total_length is None else total_length, sizes[0]
    if steps < len(sizes):
        raise ValueError(f"pad_packed_sequence: expected a total_length of {len(sizes)} or more, got {total_length}")
    lengths = [sum(size > k for size in sizes) for k in range(count)]
    padded = gyre.full((steps * count, *data.shape[1:]), padding_value, dtype=data.dtype, device=data.device)
    padded = padded.index_copy(0, _inside(lengths, steps, data.device), data).reshape(steps, count, *data.shape[1:])
    lengths = gyre.tensor(lengths)
    if sequence.unsorted_indices is not None:
        padded = padded.index_select(1, sequence.unsorted_indices)
        lengths = lengths[sequence.unsorted_indices.cpu()]
    return padded.transpose(0, 1) if batch_first else padded, lengths


def unpack_sequence(packed_sequences):
    """The sequences of pack_sequence(), as a list."""
    return unpad_sequence(*pad_packed_sequence(packed_sequences))


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    """Stacks sequences [length, ...], padded to the longest: [longest, batch, ...], or [batch, longest, ...] if
    batch_first."""
    sequences = [gyre.asarray(sequence) for sequence in sequences]
    if not sequences:
        raise ValueError("pad_sequence: expected at least one sequence")
    if padding_side not in ("left", "right"):
        raise ValueError(f"pad_sequence: expected padding_side left or right, got {reprlib.repr(padding_side)}")
    rest = sequences[0].shape[1:]
    for number, sequence in enumerate(sequences):
        if sequence.ndim == 0 or sequence.shape[1:] != rest:
            shape = ", ".join(["length", *map(str, rest)])
            raise ValueError(f"pad_sequence: expected sequences of shape [{shape}], got {list(sequence.shape)} "
                             f"at index {number}")
    longest = max(len(sequence) for sequence in sequences)

    def padded(sequence):
        padding = gyre.full((longest - len(sequence), *rest), padding_value, dtype=sequence.dtype)
        return gyre.cat([sequence, padding] if padding_side == "right" else [padding, sequence])

    return gyre.stack([padded(sequence) for sequence in sequences], axis=0 if batch_first else 1)


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    """The sequences of pad_sequence(), given their lengths."""
    count = padded_sequences.shape[0 if batch_first else 1]
    lengths = [int(length) for length in lengths]
    if len(lengths) != count:
        raise ValueError(f"unpad_sequence: expected lengths of {count} sequences, got {len(lengths)}")
    return [padded_sequences[i, :n] if batch_first else padded_sequences[:n, i] for i, n in enumerate(lengths)]
