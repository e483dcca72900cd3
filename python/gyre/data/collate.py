"""Batches of examples of any structure."""

import collections.abc

import gyre
from gyre._gyre import _data


def default_collate(batch):
    """A batch of examples in the structure of the examples, which may be nested: dicts, tuples and lists of tensors,
    arrays, numbers (stacked; float is f32) and texts (a list)."""
    batch = list(batch)
    if not batch:
        raise ValueError("default_collate: expected at least one example")
    first = batch[0]
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, (bool, int, float)):
        return gyre.tensor(batch)
    if isinstance(first, collections.abc.Mapping):
        return {name: default_collate([example[name] for example in batch]) for name in first}
    if isinstance(first, (tuple, list)):
        lengths = [len(example) for example in batch]
        if len(set(lengths)) > 1:
            raise ValueError(f"default_collate: expected examples of equal length, got lengths {lengths}; "
                             "pad them in a collate_fn (gyre.nn.utils.rnn.pad_sequence)")
        parts = [default_collate(part) for part in zip(*batch)]
        named = hasattr(first, "_fields")
        return type(first)(*parts) if named else type(first)(parts)
    return gyre.stack([gyre.asarray(example) for example in batch])


def default_convert(data):
    """Arrays as tensors, in dicts, tuples and lists as well; other values as they are."""
    if isinstance(data, collections.abc.Mapping):
        return {name: default_convert(value) for name, value in data.items()}
    if isinstance(data, (tuple, list)):
        parts = [default_convert(value) for value in data]
        return type(data)(*parts) if hasattr(data, "_fields") else type(data)(parts)
    return gyre.asarray(data) if hasattr(data, "__array__") else data


def stacked(examples):
    """The batch of a loader without collate_fn: stacked arrays, or default_collate() of what is not one."""
    first = examples[0]
    values = first.values() if isinstance(first, dict) else first if isinstance(first, tuple) else (first,)
    if any(isinstance(value, (str, bytes, tuple, collections.abc.Mapping)) for value in values):
        return default_collate(examples)
    return _data._batch(examples, [*range(len(examples))])
