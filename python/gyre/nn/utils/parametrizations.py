"""Parametrizations of weights with PyTorch's names: weight normalisation, spectral normalisation, orthogonal matrices."""

import reprlib

import gyre
from gyre.nn.convolution import layers as convolutions
from gyre.nn.functional import normalize
from gyre.nn.module import Module
from gyre.nn.utils.parametrize import register_parametrization

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]


def norm_except_dim(v, dim):
    """The 2-norms of a weight over all axes but one; for dim=-1, its norm."""
    if dim == -1:
        return gyre.norm(v)
    axes = [axis for axis in range(v.ndim) if axis != dim % v.ndim]
    return gyre.norm(v, axes=axes, keepdim=True) if axes else v.abs()


class WeightNorm(Module):
    """g v / |v|, with the norm over all axes but one."""

    def __init__(self, dim):
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, g, v):
        return v * (g / norm_except_dim(v, self.dim))

    def right_inverse(self, weight):
        return norm_except_dim(weight, self.dim), weight


def weight_norm(module, name="weight", dim=0):
    """Weight normalisation (Salimans and Kingma 2016): the weight is g v / |v|, with the norm over all axes but `dim`, or
    over all for dim=None. Returns the module."""
    return register_parametrization(module, name, WeightNorm(dim), unsafe=True)


def as_matrix(weight, dim):
    """The weight with axis dim first and the others as one."""
    return weight.movedim(dim, 0).flatten(1)


def random_direction(size, weight, eps):
    """A random vector of norm 1."""
    return normalize(gyre.randn(size, dtype=weight.dtype, device=weight.device), dim=0, eps=eps)


def power_iteration(matrix, u, v, count, eps):
    """Turns u and v towards the first left and right singular vectors of a matrix, in place."""
    with gyre.no_grad():
        for _ in range(count):
            u.copy_(normalize(matrix @ v, dim=0, eps=eps))
            v.copy_(normalize(matrix.T @ u, dim=0, eps=eps))


def over_spectral_norm(weight, dim, u, v):
    """The weight divided by u W v. Vectors of later iterations do not change its gradient."""
    return weight / gyre.dot(u.clone(), as_matrix(weight, dim) @ v.clone())


def checked_iterations(n_power_iterations):
    """The number of iterations, if it is 1 or more."""
    if n_power_iterations < 1:
        raise ValueError(f"spectral_norm: expected n_power_iterations of 1 or more, got {n_power_iterations}")
    return n_power_iterations


class SpectralNorm(Module):
    """A weight divided by its spectral norm, which power iteration estimates with the vectors _u and _v."""

    def __init__(self, weight, n_power_iterations=1, dim=0, eps=1e-12):
        super().__init__()
        if not -weight.ndim <= dim < weight.ndim:
            raise IndexError(f"spectral_norm: dim {dim} is out of range for {weight.ndim} axes")
        self.n_power_iterations, self.eps = checked_iterations(n_power_iterations), eps
        self.dim = dim % weight.ndim
        if weight.ndim > 1:
            matrix = as_matrix(weight.detach(), self.dim)
            for name, size in zip(("_u", "_v"), matrix.shape):
                self.register_buffer(name, random_direction(size, weight, eps))
            power_iteration(matrix, self._u, self._v, 15, eps)

    def forward(self, weight):
        if weight.ndim == 1:
            return normalize(weight, dim=0, eps=self.eps)
        if self.training:
            power_iteration(as_matrix(weight.detach(), self.dim), self._u, self._v, self.n_power_iterations, self.eps)
        return over_spectral_norm(weight, self.dim, self._u, self._v)

    def right_inverse(self, value):
        return value


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """Spectral normalisation (Miyato et al. 2018): the weight divided by its largest singular value as a matrix of axis
    `dim` by the others; by default axis 1 of transposed convolutions and axis 0 of other layers. Returns the module."""
    return register_parametrization(module, name, SpectralNorm(getattr(module, name), n_power_iterations,
                                                               row_axis(module) if dim is None else dim, eps))


_TRANSPOSED = tuple(layer for name, layer in convolutions.items() if name.startswith("ConvTranspose"))


def row_axis(module):
    """The axis of a layer's weight that belongs to its output."""
    return 1 if isinstance(module, _TRANSPOSED) else 0


# ---- orthogonal matrices ----

def _householder(x):
    """The product of the reflections by the columns of x below the diagonal, with the signs of the diagonal."""
    n, k = x.shape[-2:]
    below, q = x.tril(-1), gyre.eye(n, k, dtype=x.dtype, device=x.device).expand(x.shape)
    for j in reversed(range(k)):
        v = below[..., j:j + 1] + gyre.eye(n, dtype=x.dtype, device=x.device)[:, j:j + 1]
        q = q - 2 / (v * v).sum(axis=-2, keepdim=True) * v * (v.mT @ q)
    return q * x.detach().diagonal(dim1=-2, dim2=-1).trunc().unsqueeze(-2)


def _cayley(a):
    one, half = gyre.eye(a.shape[-1], dtype=a.dtype, device=a.device), a / 2
    return gyre.linalg.solve(one - half, one + half)


_ROTATIONS = {"matrix_exp": gyre.linalg.matrix_exp, "cayley": _cayley}  # of skew-symmetric matrices
_MAPS = (*_ROTATIONS, "householder")


class Orthogonal(Module):
    """A matrix with orthonormal columns, or rows if it has more columns than rows: a map of the original, times `base`."""

    def __init__(self, orthogonal_map, use_trivialization):
        super().__init__()
        self.orthogonal_map = orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, x):
        wide = x.shape[-2] < x.shape[-1]
        x = x.mT if wide else x
        n, k = x.shape[-2:]
        if self.orthogonal_map == "householder":
            q = _householder(x)
        else:
            a = gyre.pad(x.tril(), [0] * x.ndim, [0] * (x.ndim - 1) + [n - k])
            q = _ROTATIONS[self.orthogonal_map](a - a.mT)[..., :k]
        if "base" in self.__dict__:
            q = self.base @ q
        return q.mT if wide else q

    def right_inverse(self, q):
        if "base" not in self.__dict__:
            raise NotImplementedError(f"orthogonal: assigning needs use_trivialization=True for {self.orthogonal_map}")
        wide = q.shape[-2] < q.shape[-1]
        x = q.mT if wide else q
        n, k = x.shape[-2:]
        if n != k:
            x = gyre.cat([x, gyre.randn(*x.shape[:-1], n - k, dtype=x.dtype, device=x.device)], axis=-1)
        error = (x.mT @ x - gyre.eye(n, dtype=x.dtype, device=x.device)).abs().max()
        self.base = x.clone() if error < 10 * n * gyre.finfo(x.dtype).eps else gyre.linalg.qr(x)[0]
        # A rotation of a symmetric matrix and the reflections along the axes give the identity.
        return gyre.eye(*q.shape[-2:], dtype=q.dtype, device=q.device).neg().expand(q.shape).clone()


def orthogonal(module, name="weight", orthogonal_map=None, *, use_trivialization=True):
    """Orthogonal or semi-orthogonal matrices (Lezcano-Casado 2019) by the map "matrix_exp", "cayley" or "householder";
    by default matrix_exp for square weights and householder for others. use_trivialization: the map is around the
    present weight. Returns the module."""
    weight = getattr(module, name)
    if weight.ndim < 2:
        raise ValueError(f"orthogonal: expected a matrix or a batch of matrices, got shape {list(weight.shape)}")
    if orthogonal_map is None:
        orthogonal_map = "matrix_exp" if weight.shape[-2] == weight.shape[-1] else "householder"
    if orthogonal_map not in _MAPS:
        raise ValueError(f"orthogonal: expected orthogonal_map {', '.join(_MAPS)}, got {reprlib.repr(orthogonal_map)}")
    if orthogonal_map == "householder" and not use_trivialization:
        raise ValueError("orthogonal: householder needs use_trivialization=True")
    return register_parametrization(module, name, Orthogonal(orthogonal_map, use_trivialization), unsafe=True)
