"""Sequences of different lengths in one tensor, with PyTorch's names."""

import gyre

__all__ = ["pad_sequence", "unpad_sequence"]


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    """Stacks sequences [length, ...], padded to the longest: [longest, batch, ...], or [batch, longest, ...] if
    batch_first."""
    sequences = [gyre.asarray(sequence) for sequence in sequences]
    if not sequences:
        raise ValueError("pad_sequence: expected at least one sequence")
    if padding_side not in ("left", "right"):
        raise ValueError(f"pad_sequence: expected padding_side left or right, got {padding_side!r}")
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
