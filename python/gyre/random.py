"""Random number generators with their own state, for the `generator` arguments of gyre.data and gyre.nn.init.

    generator = gyre.Generator().manual_seed(42)
    training, validation = gyre.data.random_split(dataset, [0.8, 0.2], generator=generator)"""

import contextlib

from gyre._gyre import get_rng_state, manual_seed, randint, set_rng_state

__all__ = ["Generator", "drawing_from", "fork_rng"]


class Generator:
    """A random number generator, as in PyTorch. `device` is not used: the numbers are the same on all devices."""

    def __init__(self, device="cpu"):
        self.device = device
        self.manual_seed(0)

    def manual_seed(self, seed):
        """Seeds the generator and returns it."""
        with fork_rng():
            manual_seed(seed)
            self._seed, self._state = seed, get_rng_state()
        return self

    def seed(self):
        """Seeds it with a number from the generator of the thread, and returns that number."""
        return self.manual_seed(randint(0, 2 ** 63 - 1).item())._seed

    def initial_seed(self):
        """The last seed."""
        return self._seed

    def get_state(self):
        """A tensor to pass to set_state()."""
        return self._state.clone()

    def set_state(self, new_state):
        """Sets the state to the result of get_state()."""
        with fork_rng():
            set_rng_state(new_state)
            self._state = get_rng_state()
        return self

    def __repr__(self):
        return f"Generator(seed={self._seed})"


@contextlib.contextmanager
def fork_rng():
    """`with gyre.random.fork_rng():` restores the random number generator of the thread at the end."""
    state = get_rng_state()
    try:
        yield
    finally:
        set_rng_state(state)


@contextlib.contextmanager
def drawing_from(generator):
    """`with gyre.random.drawing_from(generator):` random numbers of this thread come from `generator`; None: from the
    generator that gyre.manual_seed seeds."""
    if generator is None:
        yield
        return
    if not isinstance(generator, Generator):
        raise TypeError(f"expected a gyre.Generator, got {type(generator).__name__}; "
                        "create one by gyre.Generator().manual_seed(seed)")
    with fork_rng():
        set_rng_state(generator.get_state())
        try:
            yield
        finally:
            generator.set_state(get_rng_state())
