"""gyre.numpy: the same lines in gyre and NumPy, values, shapes and dtypes; NumPy's own functions of tensors."""

import inspect
import unittest
import warnings

from common import gyre, needs_packages, numpy

# Lines run with `lib` as gyre.numpy and as numpy. x, y: [3, 4] f64, f: [3, 4] f32, v: [6] f64, i, j: [6] i64, k: [3]
# i32, h: [3] i16,
# u: [3] u8, b, c: [6] boolean, q: [2, 3, 4] f64, n: [3, 4] f64 with NaN, w: [5] f64 with NaN and infinities, s: [3, 3]
# positive definite, a: [3, 3] f64.
SAME = """
lib.array([1, 2])
lib.array([1.0, 2])
lib.array([[1, 2], [3, 4]], dtype="f4")
lib.array([1, 2], ndmin=3)
lib.array([x, y])
lib.array([True, False])
lib.array(3.5)
lib.array([])
lib.asarray(x, dtype=lib.float32)
lib.asarray(x, copy=True)
lib.asarray(range(3))
lib.asanyarray([1])
lib.ascontiguousarray(x.T)
lib.copy(x)
lib.astype(x, lib.int32)
lib.astype(x, "f4", copy=False)
lib.from_dlpack(x)
lib.from_dlpack(x, copy=True)
lib.frombuffer(b"\\x01\\x02\\x03\\x04", dtype="u1")
lib.frombuffer(b"\\x01\\x02\\x03\\x04", "i2", 1, 2)
lib.zeros(3)
lib.zeros((2, 3), dtype="i4")
lib.ones((2, 3))
lib.empty((2, 3)).shape
lib.full((2, 3), 7)
lib.full(2, 7.0, dtype="f4")
lib.full((2, 3), [1, 2, 3])
lib.zeros_like(i)
lib.zeros_like(i, dtype=float)
lib.ones_like(f)
lib.empty_like(f).shape
lib.full_like(i, 2.7)
lib.full_like(f, 2, shape=(2,))
lib.arange(5)
lib.arange(5.0)
lib.arange(1, 7, 2)
lib.arange(0, 1, 0.25)
lib.arange(5, 0, -2)
lib.arange(3, dtype="u1")
lib.arange(3, dtype="f4")
lib.linspace(0, 1)
lib.linspace(0, 1, 5, endpoint=False)
lib.linspace(2, 3, 5, retstep=True)
lib.linspace(0, 10, 4, dtype=int)
lib.linspace(k, k + 1, 3)
lib.linspace(k, k + 1, 3, axis=1)
lib.linspace(1, 2, 1)
lib.linspace(1, 2, 0)
lib.logspace(0, 2, 3)
lib.logspace(0, 2, 3, base=2, dtype="f4")
lib.geomspace(1, 1000, 4)
lib.geomspace(-1, -16, 5, dtype="f4")
lib.eye(3)
lib.eye(2, 4, k=1, dtype=int)
lib.eye(3, k=-1)
lib.eye(3, k=2**70)
lib.identity(2)
lib.tri(3)
lib.tri(2, 3, 1, dtype=int)
lib.tril(x)
lib.tril(x, -1)
lib.tril(lib.array([1, 2, 3]))
lib.triu(x, 1)
lib.tril_indices(3)
lib.triu_indices(3, 1, 4)
lib.diag(k)
lib.diag(k, 1)
lib.diag(x)
lib.diag(x, -1)
lib.diagflat(k[None], 1)
lib.vander(k)
lib.vander(k, 2, increasing=True)
lib.meshgrid(k, i)
lib.meshgrid(k, i, indexing="ij")
lib.meshgrid(k, i, sparse=True)
lib.meshgrid()
lib.meshgrid(k, copy=False)
lib.indices((2, 3))
lib.indices((2, 3), sparse=True)
lib.result_type(k, 1.0)
lib.result_type(f, k)
lib.result_type(f, h)
lib.result_type(u, lib.int8)
lib.result_type(lib.uint32, k)
lib.result_type("f4", 1)
lib.result_type(1, 2.0)
lib.result_type(True, 1)
lib.promote_types("i4", "f4")
lib.promote_types("u1", "i1")
lib.promote_types("f2", "?")
lib.can_cast("i4", "f4")
lib.can_cast("i4", "f8")
lib.can_cast("f8", "f4", "same_kind")
lib.can_cast("f8", "i4", casting="same_kind")
lib.can_cast("i8", "u1", "same_kind")
lib.can_cast("u1", "i8")
lib.can_cast("f8", "i4", "unsafe")
lib.can_cast("f8", "f8", "no")
lib.isdtype(x.dtype, "real floating")
lib.isdtype(k.dtype, ("integral", "bool"))
lib.isdtype(u.dtype, "signed integer")
lib.isdtype(u.dtype, lib.uint8)
lib.finfo(lib.float32).eps
lib.finfo(x.dtype).max
lib.finfo("f2").bits
lib.iinfo(lib.int32).max
lib.iinfo("u1").min
lib.dtype("f4")
lib.dtype(float)
lib.dtype("i8")
lib.ndim(x)
lib.shape([[1, 2]])
lib.size(x)
lib.size(x, 1)
lib.reshape(x, (2, -1))
lib.reshape(x, 12, copy=True)
lib.ravel(x)
lib.transpose(q)
lib.transpose(q, (1, 0, 2))
lib.transpose(q, (-1, 0, 1))
lib.permute_dims(q, (2, 0, 1))
lib.matrix_transpose(q)
lib.moveaxis(q, 0, -1)
lib.moveaxis(q, (0, 1), (-1, 0))
lib.rollaxis(q, 2)
lib.rollaxis(q, 0, 2)
lib.swapaxes(q, 0, 2)
lib.expand_dims(x, 0)
lib.expand_dims(x, (0, 3))
lib.squeeze(q[:1])
lib.squeeze(q[:1], axis=0)
lib.squeeze(q[:1, :1], axis=(0, 1))
lib.broadcast_to(k, (2, 3))
lib.broadcast_arrays(k, k[:, None])
lib.broadcast_arrays()
lib.broadcast_shapes((3, 1), (4,))
lib.atleast_1d(3)
lib.atleast_2d(k)
lib.atleast_3d(k)
lib.atleast_2d(k, x)
lib.concatenate([x, y], axis=1)
lib.concatenate([x, k], axis=None)
lib.concatenate([k, b])
lib.concatenate([k, k], dtype="f4")
lib.concat([x, y])
lib.stack([x, y], axis=-1)
lib.hstack([k, v])
lib.vstack([x, y])
lib.dstack([x, y])
lib.column_stack([v, i])
lib.block([[a, s], [s, a]])
lib.block([k, k])
lib.array_split(v, 4)
lib.array_split(v, [1, 4])
lib.split(v, 3)
lib.split(x, [1, 3], axis=1)
lib.hsplit(x, 2)
lib.vsplit(x, 3)
lib.dsplit(q, 2)
lib.unstack(x, axis=1)
lib.append(k, [1, 2])
lib.append(x, y, axis=0)
lib.delete(i, 1)
lib.delete(x, [0, -1], axis=1)
lib.delete(v, slice(0, 6, 2))
lib.insert(i, 2, 9)
lib.insert(i, 2, [7, 8])
lib.insert(x, 1, 5.0, axis=1)
lib.insert(x, 1, y[0], axis=0)
lib.repeat(x, 2)
lib.repeat(x, 2, axis=1)
lib.repeat(k, [2, 0, 1])
lib.tile(k, 2)
lib.tile(x, (2, 1, 3))
lib.tile(q, 2)
lib.resize(k, (2, 4))
lib.roll(x, 1)
lib.roll(x, -1, axis=1)
lib.roll(x, (1, 2), axis=(0, 1))
lib.flip(x)
lib.flip(q, axis=(0, 2))
lib.flip(x, -1)
lib.fliplr(x)
lib.flipud(x)
lib.rot90(x)
lib.rot90(q, -1, (1, 2))
lib.pad(k, 1)
lib.pad(x, ((1, 2), (0, 1)))
lib.pad(x, (1, 2), constant_values=5)
lib.pad(k, 2, constant_values=(4, 6))
lib.pad(k, (4, 9), mode="edge")
lib.pad(k, (4, 9), mode="reflect")
lib.pad(k, (4, 9), mode="symmetric")
lib.pad(k, (4, 9), mode="wrap")
lib.pad(x, {0: (1, 2)}, mode="edge")
lib.take(x, [0, -1])
lib.take(x, [[0, -1]], axis=1)
lib.take(k, 7, mode="wrap")
lib.take(k, [7, -2], mode="clip")
lib.take_along_axis(x, lib.argsort(x, axis=1), axis=1)
lib.take_along_axis(x, lib.array([0, -5]), axis=None)
lib.put_along_axis(x, lib.array([[0], [1], [2]]), 9, axis=1)
(lib.put_along_axis(x, lib.array([[0], [-1], [2]]), 9, axis=1), x)[1]
lib.compress([True, False, True], x, axis=0)
lib.extract(x > 0, x)
lib.choose(lib.array([1, 0, 1]), [k, -k])
lib.choose(lib.array([3, -1, 1]), [k, -k], mode="clip")
lib.select([x < 0, x > 0.5], [x, -x], 7)
lib.select([x < 0], [1])
lib.diagonal(q)
lib.diagonal(q, 1, 1, 2)
lib.unravel_index([5, 11], (3, 4))
lib.ravel_multi_index((lib.array([1, 2]), lib.array([1, 3])), (3, 4))
x[lib.ix_([0, 2], [1, 3])]
x[lib.ix_([True, False, True], [1, 3])]
(lib.copyto(x, y), x)[1]
(lib.copyto(x, 7, where=x > 0), x)[1]
(lib.fill_diagonal(x, 5), x)[1]
lib.sort(x)
lib.sort(x, axis=0)
lib.sort(x, axis=None)
lib.argsort(i, kind="stable")
lib.argsort(x, axis=None)
lib.lexsort((i, j))
lib.sort(lib.partition(v, 2))
lib.argpartition(v, 2)[2]
lib.searchsorted(lib.sort(v), 0.1)
lib.searchsorted(k, [1, 2, 5], side="right", sorter=lib.argsort(k))
lib.digitize(v, lib.array([-0.5, 0.0, 0.5]))
lib.digitize(i, lib.array([3, 2, 0]), right=True)
lib.nonzero(x > 0)
lib.argwhere(x > 0)
lib.flatnonzero(x > 0)
lib.unique(i)
lib.unique(i, return_index=True, return_inverse=True, return_counts=True)
lib.unique(x > 0, axis=0)
lib.unique(w)
lib.unique(w, equal_nan=False)
lib.sort(lib.unique_values(i))
lib.unique_counts(i)
lib.unique_inverse(i)
lib.unique_all(i)
lib.unique_all(lib.array([lib.nan, 1.0, lib.nan, 1.0]))
lib.isin(i, [1, 3])
lib.isin(i, [1, 3], invert=True)
lib.isin(w, w)
lib.intersect1d(w, w)
lib.union1d(i, k)
lib.intersect1d(i, k)
lib.setdiff1d(i, k)
lib.setxor1d(i, k)
lib.bincount(i)
lib.bincount(i, weights=v, minlength=7)
lib.histogram(v, 3)
lib.histogram(i, bins=3, range=(0, 6))
lib.histogram(v, [-1.0, 0.0, 1.0], density=True)
lib.histogram(v, 3, weights=v)
lib.histogram_bin_edges(v, 4)
lib.interp([-2.0, 0.1, 5.0], [-1.0, 0.0, 1.0], [3.0, 2.0, 0.0])
lib.interp(x, [-1.0, 0.0, 1.0], [3.0, 2.0, 0.0], left=-1, right=9)
lib.interp(0.5, [1.0], [2.0])
lib.quantile(x, 0.3)
lib.quantile(x, [0.1, 0.9], axis=1)
lib.quantile(f, 0.3, axis=0, keepdims=True)
lib.quantile(i, [[0.1], [0.9]], method="higher")
lib.quantile(v, 0.3, method="nearest")
lib.percentile(x, 30, axis=(0, 1))
lib.percentile(x, [30, 60])
lib.median(x)
lib.median(k)
lib.median(x, axis=1, keepdims=True)
lib.median(w)
lib.nanquantile(n, 0.3)
lib.nanquantile(n, [0.1, 0.5], axis=0)
lib.nanquantile(n, 0.4, axis=1, keepdims=True)
lib.nanpercentile(n, 30, axis=1)
lib.nanmedian(n, axis=1)
lib.nanmedian(n)
lib.cov(x)
lib.cov(v)
lib.cov(x, rowvar=False, ddof=0)
lib.cov(v, i)
lib.corrcoef(x)
lib.corrcoef(v, i)
lib.sum(x)
lib.sum(k)
lib.sum(b)
lib.sum(x, axis=())
lib.sum(x, axis=(0, -1), keepdims=True)
lib.sum(k, dtype="f4")
lib.sum(k, dtype="i4")
lib.sum(x, axis=1, where=x > 0, initial=3)
lib.prod(x, axis=0)
lib.prod(k, initial=2)
lib.max(x)
lib.max(x, axis=(0, 1), keepdims=True)
lib.max(w)
lib.max(x, initial=-5.0, where=x < 0)
lib.max(lib.zeros((0, 3)), initial=2)
lib.min(x, axis=-1)
lib.amax(x, 1)
lib.amin(x, 1)
lib.ptp(x, axis=1)
lib.all(x, axis=1)
lib.all([])
lib.any(x > 0.5, axis=0, keepdims=True)
lib.any(x, where=x > 2)
lib.count_nonzero(x > 0)
lib.count_nonzero(x > 0, axis=1, keepdims=True)
lib.mean(x)
lib.mean(k)
lib.mean(u, axis=0)
lib.mean(f, axis=1)
lib.mean(f, dtype="f8")
lib.mean(x, axis=1, where=x < 0.9)
lib.std(x)
lib.std(k)
lib.std(x, axis=1, ddof=1)
lib.std(x, axis=1, correction=1, keepdims=True)
lib.var(x, axis=0, ddof=1)
lib.var(f)
lib.var(x, axis=1, where=x < 0.9)
lib.average(x)
lib.average(x, axis=1, weights=[1, 2, 3, 4])
lib.average(x, weights=abs(y), returned=True)
lib.argmax(x)
lib.argmax(x, axis=1)
lib.argmax(w)
lib.argmin(x, axis=0, keepdims=True)
lib.argmin(x, keepdims=True)
lib.cumsum(x)
lib.cumsum(b)
lib.cumsum(x, axis=0, dtype="f4")
lib.cumprod(k)
lib.cumprod(x, axis=-1)
lib.cumulative_sum(v)
lib.cumulative_sum(x, axis=1, include_initial=True)
lib.cumulative_prod(x, axis=0, include_initial=True)
lib.diff(v)
lib.diff(x, n=2, axis=0)
lib.diff(k, prepend=0, append=[7, 8])
lib.diff(b)
lib.ediff1d(k, to_end=7, to_begin=lib.array([1, 2], dtype="i4"))
lib.gradient(v)
lib.gradient(x, 2.0)
lib.gradient(x, axis=1)
lib.trapezoid(x)
lib.trapezoid(v, i)
lib.trapezoid(x, dx=0.5, axis=0)
lib.trapezoid(k)
lib.nansum(n, axis=1)
lib.nansum(k)
lib.nanprod(n)
lib.nancumsum(n, axis=1)
lib.nancumprod(n)
lib.nanmax(n, axis=0)
lib.nanmin(n)
lib.nanmax(k)
lib.nanargmax(n, axis=1)
lib.nanargmin(n)
lib.nanmean(n, axis=1)
lib.nanmean(n, keepdims=True)
lib.nanstd(n, axis=0)
lib.nanstd(n, ddof=1)
lib.nanvar(n, axis=1, ddof=1)
lib.matmul(x, y.T)
lib.matmul(k, k)
lib.matmul(q, x.T)
lib.matmul(b, c)
lib.dot(x, y.T)
lib.dot(2, x)
lib.dot(k, k)
lib.dot(x, lib.matrix_transpose(q))
lib.dot(q, v[:4])
lib.vdot(x, y)
lib.inner(x, y)
lib.inner(k, k)
lib.inner(2, k)
lib.outer(k, v)
lib.outer(x, k)
lib.tensordot(x, y.T, axes=1)
lib.tensordot(x, y, axes=([0, 1], [0, 1]))
lib.tensordot(q, x, axes=(1, 0))
lib.tensordot(x, y)
lib.vecdot(x, y)
lib.vecdot(k, k)
lib.vecdot(x, y, axis=0)
lib.matvec(a, v[:3])
lib.vecmat(v[:3], a)
lib.kron(k, k)
lib.kron(x, k)
lib.cross(k, k + h)
lib.cross(a, s, axis=0)
lib.cross(a, v[:3])
lib.trace(x)
lib.trace(q, 1, 1, 2)
lib.trace(k[None])
lib.einsum("ij,kj->ik", x, y)
lib.einsum("ii", s)
lib.einsum("i,i->", k, k)
lib.convolve(v, [1.0, 2.0, 3.0])
lib.convolve(i, k, "same")
lib.convolve(k, i, "valid")
lib.polyval([1.0, 2.0, 3.0], v)
lib.divmod(i, 4)
lib.divmod(v, 0.3)
lib.modf(w)
lib.ldexp(v, 3)
lib.sinc(v)
lib.real(x)
lib.imag(x)
lib.isreal(x)
lib.iscomplexobj(x)
lib.round(x, 1)
lib.round(123 * k, -2)
lib.round(k, 2)
lib.around(x)
lib.clip(x, -0.5, 0.5)
lib.clip(k, 0, 2)
lib.clip(k, 1.5, None)
lib.clip(x, max=0.1)
lib.clip(x, a_min=-0.1, a_max=None)
lib.clip(x, y, 1)
lib.isclose(x, x + 1e-9)
lib.isclose(w, w, equal_nan=True)
lib.isclose(k, 3.0)
lib.allclose(x, x + 1e-9)
lib.array_equal(x, x)
lib.array_equal(x, k)
lib.array_equal(w, w, equal_nan=True)
lib.array_equiv(k, [k, k])
lib.array_equiv(k, v)
lib.nan_to_num(w)
lib.nan_to_num(w, nan=1, posinf=2, neginf=3)
lib.nan_to_num(k)
lib.where(x > 0, x, y)
lib.where(x > 0, 1, 0)
lib.where(x > 0, f, 0.0)
lib.where(k, k, 1.5)
lib.where(x > 0)
lib.sqrt(abs(x))
lib.sqrt(k)
lib.sqrt(u)
lib.exp(h)
lib.exp(f)
lib.exp(2)
lib.exp(b)
lib.exp2(x)
lib.expm1(x)
lib.log(abs(x))
lib.log2(k)
lib.log10(k)
lib.log1p(abs(x))
lib.cbrt(x)
lib.cbrt(-k)
lib.sin(x)
lib.cos(x)
lib.tan(x)
lib.arcsin(x)
lib.asin(x)
lib.arccos(x)
lib.acos(x)
lib.arctan(x)
lib.atan(x)
lib.sinh(x)
lib.cosh(x)
lib.tanh(x)
lib.arcsinh(x)
lib.asinh(x)
lib.arccosh(x + 3)
lib.acosh(x + 3)
lib.arctanh(x)
lib.atanh(x)
lib.fabs(k)
lib.deg2rad(x)
lib.radians(180)
lib.rad2deg(x)
lib.degrees(x)
lib.rint(x)
lib.absolute(-k)
lib.abs(x)
lib.negative(k)
lib.positive(k)
lib.sign(w)
lib.square(k)
lib.reciprocal(x)
lib.reciprocal(k)
lib.floor(3 * x)
lib.ceil(3 * x)
lib.trunc(3 * x)
lib.fix(3 * x)
lib.floor(k)
lib.isnan(w)
lib.isinf(w)
lib.isfinite(w)
lib.signbit(-0.0 * v)
lib.logical_not(k)
lib.invert(k)
lib.bitwise_not(u)
lib.bitwise_invert(b)
lib.conjugate(x)
lib.conj(x)
lib.isposinf(w)
lib.isneginf(w)
lib.add(x, k[:, None])
lib.add(f, k[:, None])
lib.add(f, 1)
lib.add(f, lib.float64(1)) if lib is numpy else lib.add(f, lib.array(1.0))
lib.add(k, u)
lib.add(k, 1.5)
lib.add(b, c)
lib.add(k, k, dtype="f4")
lib.add.reduce(x)
lib.add.accumulate(x)
lib.add.outer(k, u)
lib.multiply.reduce(x, axis=1)
lib.maximum.reduce(x, axis=None)
lib.logical_or.reduce(b)
lib.subtract(x, k[:, None])
lib.multiply(u, 3)
lib.divide(k, 2)
lib.divide(k, k)
lib.true_divide(f, 2)
lib.floor_divide(i, 4)
lib.floor_divide(x, 0.3)
lib.remainder(-i, 4)
lib.mod(x, 0.3)
lib.fmod(x, 0.3)
lib.fmod(-i, 4)
lib.power(k, 2)
lib.power(f, 2)
lib.power(2.0, k)
lib.pow(x, 3)
lib.float_power(k, 2)
lib.maximum(x, y)
lib.minimum(w, 0)
lib.fmax(w, 0)
lib.fmin(w, 0)
lib.bitwise_and(i, 3)
lib.bitwise_or(i, j)
lib.bitwise_xor(b, c)
lib.left_shift(i, 2)
lib.bitwise_left_shift(i, 2)
lib.right_shift(i, 1)
lib.bitwise_right_shift(i, 1)
lib.arctan2(x, y)
lib.arctan2(1, 2)
lib.atan2(k, 2)
lib.hypot(x, y)
lib.hypot(3, 4)
lib.hypot(w, lib.nan)
lib.logaddexp(x, y)
lib.logaddexp2(x, y)
lib.copysign(x, y)
lib.copysign(k, -1)
lib.heaviside(x, 0.5)
lib.nextafter(x, y) - x
lib.nextafter(f, 0) - f
lib.nextafter(0.0, [1.0, -1.0, 0.0])
lib.nextafter(w, 7.0)
lib.nextafter([lib.inf, -lib.inf], [-lib.inf, lib.inf])
lib.nextafter(lib.zeros((0, 2)), 1.0)
lib.equal(i, j)
lib.equal(u, 300)
lib.not_equal(i, 1)
lib.less(x, y)
lib.less(k, 1.5)
lib.less_equal(i, j)
lib.greater(x, 0)
lib.greater_equal(i, j)
lib.logical_and(x > 0, k[:, None])
lib.logical_or(b, c)
lib.logical_xor(b, i)
lib.add(k, k, out=k)
lib.add(x, y, out=x, where=x > 0)
lib.linalg.cholesky(s)
lib.linalg.cholesky(s, upper=True)
lib.linalg.det(a)
lib.linalg.det(lib.eye(2, dtype=int))
lib.linalg.slogdet(a)
lib.linalg.inv(a)
lib.linalg.solve(a, v[:3])
lib.linalg.solve(lib.stack([a, s]), v[:3])
lib.linalg.solve(lib.stack([a, s]), a)
lib.linalg.eigh(s)[0]
abs(lib.linalg.eigh(s).eigenvectors)
lib.linalg.eigvalsh(s)
abs(lib.linalg.qr(x.T)[0])
abs(lib.linalg.qr(x.T, mode="r"))
lib.linalg.qr(x.T, "complete").Q.shape
abs(lib.linalg.qr(x.T, "complete").R)
lib.linalg.svd(x).S
[part.shape for part in lib.linalg.svd(x)]
[part.shape for part in lib.linalg.svd(q, full_matrices=False)]
lib.linalg.svd(x, compute_uv=False)
lib.linalg.svdvals(x)
lib.linalg.pinv(x)
lib.linalg.pinv(q, rtol=lib.array([0.1, 0.9]))
lib.linalg.pinv(x, 0.9)
lib.linalg.pinv(a, hermitian=True)
lib.linalg.pinv(q[:0])
lib.linalg.matrix_rank(x)
lib.linalg.matrix_rank(v)
lib.linalg.matrix_rank(s, tol=1e9)
lib.fft.fftfreq(5)
lib.fft.fftfreq(4, 0.5)
lib.fft.rfftfreq(5, d=0.1)
lib.fft.rfftfreq(4)
lib.fft.fftshift(v)
lib.fft.fftshift(q, axes=(0, -1))
lib.fft.ifftshift(lib.fft.fftshift(x))
lib.fft.ifftshift(k, 0)
complex(x[0, 0])
lib.linalg.matrix_power(a, 3)
lib.linalg.matrix_power(a, -2)
lib.linalg.matrix_power(lib.array([[1, 1], [0, 1]], dtype="i4"), 5)
lib.linalg.matrix_power(lib.array([[1, 1], [0, 1]]), 0)
lib.linalg.cond(a)
lib.linalg.cond(a, 1)
lib.linalg.lstsq(x.T, v[:4])
lib.linalg.norm(x)
lib.linalg.norm(q)
lib.linalg.norm(k)
lib.linalg.norm(x, axis=1)
lib.linalg.norm(x, 1)
lib.linalg.norm(x, numpy.inf, axis=1, keepdims=True)
lib.linalg.norm(q, "fro", axis=(0, 2))
lib.linalg.norm(x, "nuc")
lib.linalg.norm(x, 2)
lib.linalg.norm(v, 3)
lib.linalg.norm(v, 0)
lib.linalg.vector_norm(x)
lib.linalg.vector_norm(q, axis=(0, 1), ord=1, keepdims=True)
lib.linalg.vector_norm(x, axis=0, ord=-numpy.inf)
lib.linalg.vector_norm(x, axis=(), ord=3)
lib.linalg.vector_norm(x, axis=(0, 1), ord=0, keepdims=True)
lib.linalg.matrix_norm(q)
lib.linalg.matrix_norm(x, ord=-1, keepdims=True)
lib.linalg.multi_dot([x, y.T, s])
lib.linalg.diagonal(q, offset=1)
lib.linalg.trace(q)
lib.linalg.outer(k, v)
lib.linalg.cross(a, s)
lib.linalg.matmul(x, y.T)
lib.linalg.tensordot(x, y)
lib.linalg.vecdot(x, y)
lib.linalg.vecdot(q, q[:, :1, 0], axis=0)
lib.linalg.matrix_transpose(x)
[lib.pi, lib.e, lib.inf, lib.newaxis, lib.euler_gamma]
lib.random.default_rng(1).random((2, 3)).shape
lib.random.default_rng(1).integers(2, 5, size=4).dtype
lib.random.default_rng().normal(0, [1.0, 2.0]).shape
lib.random.rand(2, 3).dtype
lib.random.randn(2).shape
lib.random.randint(3, size=2).dtype
lib.random.uniform(1, 2, 3).shape
lib.random.normal(size=2).dtype
lib.random.standard_normal().shape if lib is not numpy else ()
lib.random.exponential(2.0, 3).shape
lib.random.random((2,)).shape
lib.random.random_sample(2).shape
lib.sort(lib.random.permutation(5))
lib.sort(lib.random.permutation(k))
(lib.random.shuffle(k), lib.sort(k))[1]
lib.random.choice(5, (2, 3)).shape
lib.sort(lib.random.choice(k, 3, replace=False))
lib.random.choice(3, 4, p=[0, 1, 0])
lib.random.seed(1)
""".strip().splitlines()


def setUpModule():
    needs_packages()


def space(lib, floats="f8"):
    r = numpy.random.default_rng(3)
    draws = {"x": r.uniform(-1, 1, (3, 4)), "y": r.uniform(-1, 1, (3, 4)), "f": r.uniform(-1, 1, (3, 4)).astype("f4"),
             "v": r.uniform(-1, 1, 6), "i": numpy.array([3, 1, 2, 1, 0, 3]), "j": numpy.array([2, 1, 3, 1, 1, 0]),
             "k": numpy.array([3, 1, 2], "i4"), "h": numpy.array([1, 0, 2], "i2"), "u": numpy.array([3, 0, 200], "u1"),
             "b": r.uniform(size=6) > 0.5, "c": r.uniform(size=6) > 0.5, "q": r.uniform(-1, 1, (2, 3, 4)),
             "n": r.uniform(-1, 1, (3, 4)), "w": numpy.array([1, numpy.nan, numpy.inf, -numpy.inf, 0]),
             "a": r.uniform(-1, 1, (3, 3))}
    draws["n"][[0, 1, 1], [1, 0, 3]] = numpy.nan
    draws["s"] = draws["a"] @ draws["a"].T + 3 * numpy.eye(3)
    return {"lib": lib, "numpy": numpy, **{name: lib.array(array) for name, array in draws.items()}}


LONG = {"boolean": "bool", "bf16": "bfloat16"}


def plain(value):
    if isinstance(value, (gyre.Tensor, numpy.ndarray, numpy.generic)):
        return plain(value.dtype), tuple(value.shape), numpy.array(value.tolist())
    if isinstance(value, gyre.DType):
        name = LONG.get(value.name, value.name)
        long = {"f": "float", "i": "int", "u": "uint"}
        return long[name[0]] + name[1:] if name[1:].isdigit() else name
    if isinstance(value, numpy.dtype):
        return value.name
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    return value


class NumpyNames(unittest.TestCase):
    def same(self, ours, theirs, line):
        if isinstance(theirs, list):
            self.assertEqual(len(ours), len(theirs), line)
            for a, b in zip(ours, theirs):
                self.same(a, b, line)
        elif isinstance(theirs, tuple):
            if not isinstance(ours, tuple):  # a Python number
                ours = theirs[:2] + (numpy.array(ours),)
            self.assertEqual(ours[:2], theirs[:2], line)
            digits = {"float16": 2e-3, "float32": 1e-6}.get(theirs[0], 1e-12)
            numpy.testing.assert_allclose(ours[2], theirs[2], rtol=digits, atol=digits, err_msg=line)
        elif isinstance(ours, tuple):  # a Python number in NumPy
            self.assertEqual(ours[1], (), line)
            self.assertTrue(numpy.isclose(ours[2], theirs), line)
        else:
            self.assertEqual(ours, theirs, line)

    def test_lines(self):
        with warnings.catch_warnings(), numpy.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            for line in SAME:
                with self.subTest(line):
                    self.same(plain(eval(line, space(gyre.numpy))), plain(eval(line, space(numpy))), line)

    def test_every_function_has_a_line(self):
        text = "\n".join(SAME)
        for name, value in vars(gyre.numpy).items():
            if name in gyre.numpy.__all__ and inspect.isfunction(value):
                self.assertIn(f"lib.{name}", text)
        for part in (gyre.numpy.fft, gyre.numpy.linalg, gyre.numpy.random):
            for name in set(part.__all__) - {"LinAlgError", "Generator"}:
                self.assertIn(f"lib.{part.__name__.rpartition('.')[2]}.{name}(", text)
        for name in set(gyre.numpy.__all__) - {"from_dlpack", "bfloat16"}:
            self.assertTrue(hasattr(numpy, name) or name in ("uint64",), name)

    def test_names_of_parameters(self):
        for name in {*gyre.numpy.functions} - {"clip"}:  # the standard says clip(x, min, max), NumPy a_min and a_max
            try:
                theirs = inspect.signature(getattr(numpy, name)).parameters
            except (TypeError, ValueError):  # no signature
                continue
            ours = inspect.signature(getattr(gyre.numpy, name)).parameters
            order = [p for p in ours if p in theirs]
            self.assertEqual(order, [p for p in theirs if p in ours], name)

    def test_gradients(self):
        r = numpy.random.default_rng(1)
        x = r.uniform(0.1, 1, (3, 3))
        for line in ("lib.median(x)", "lib.quantile(x, [0.3, 0.6], axis=0)", "lib.nanmean(x, axis=1)",
                     "lib.std(x, axis=0)",
                     "lib.average(x, axis=1, weights=[1, 2, 3])", "lib.where(x > 0.5, x, 0.0)", "lib.clip(x, 0.2, 0.8)",
                     "lib.concatenate([x, 2 * x])", "lib.array([x[0], x[1]])",
                     "lib.array([[x[0], x[1]], [x[1], x[2]]])", "lib.pad(x, 4, mode='reflect')",
                     "lib.take(x, [0, -1], axis=1)", "lib.linalg.norm(x, axis=1)", "lib.linalg.inv(x + 2 * lib.eye(3))",
                     "lib.linalg.svd(x).S", "lib.cumulative_prod(x, axis=0)", "lib.interp(0.3, [0.0, 1.0], x[0, :2])",
                     "lib.hypot(x, 2 * x)", "lib.cbrt(x)", "lib.einsum('ij,kj->ik', x, x)", "lib.sort(x)",
                     "lib.diff(x)",
                     "lib.convolve(x[0], x[1])", "lib.cov(x)", "lib.select([x > 0.5], [x * x], 1.0)", "numpy.exp(x)",
                     "numpy.stack([x, x])", "numpy.ones((3, 3)) @ x"):
            def value(v, lib):
                return eval(line, {"lib": lib, "numpy": numpy, "x": v})

            given = gyre.tensor(x, requires_grad=True)
            y = value(given, gyre.numpy)
            weights = numpy.arange(1.0, y.size + 1).reshape(y.shape)
            (y * weights).sum().backward()
            slope, step = numpy.zeros((3, 3)), 1e-6
            for place in numpy.ndindex(3, 3):
                moved = numpy.zeros((3, 3))
                moved[place] = step
                slope[place] = ((value(x + moved, numpy) - value(x - moved, numpy)) * weights).sum() / (2 * step)
            numpy.testing.assert_allclose(given.grad.numpy(), slope, rtol=1e-6, atol=1e-7, err_msg=line)

    def test_numpy_functions_of_tensors(self):
        x, array = gyre.tensor([[1.0, 2.0], [3.0, 4.0]]), numpy.array([[1.0, 2.0], [3.0, 4.0]])
        for line in ("numpy.exp(x)", "numpy.add(a, x)", "numpy.concatenate([x, x])", "numpy.where(x > 2, x, 0)",
                     "numpy.sum(x, axis=0)",
                     "numpy.linalg.norm(x)", "numpy.linalg.solve(x, a)", "a * x", "a @ x", "a < x",
                     "numpy.float32(2) * x",
                     "numpy.float64(2) - x", "numpy.stack([a, x])", "numpy.percentile(x, 50)", "numpy.add.reduce(x)",
                     "numpy.multiply.outer(x, a)", "numpy.divmod(x, 2)[1]", "numpy.shape(x)", "numpy.zeros_like(x)",
                     "numpy.einsum('ij->j', x)", "numpy.array_equal(x, a)", "numpy.modf(x)[0]", "numpy.invert(x > 2)"):
            ours, theirs = (eval(line, {"numpy": numpy, "x": part, "a": array}) for part in (x, array))
            self.assertIsInstance(ours, tuple if "shape" in line else bool if "equal" in line else gyre.Tensor, line)
            numpy.testing.assert_allclose(numpy.asarray(ours), theirs, rtol=1e-6, err_msg=line)
        self.assertEqual((numpy.float64(2) * x).dtype, gyre.f32)
        self.assertEqual((array * x).dtype, gyre.f64)
        self.assertIsInstance(numpy.asarray(x), numpy.ndarray)
        self.assertIsInstance(numpy.fft.fft(x), numpy.ndarray)  # gyre has no function of that name
        self.assertIsInstance(numpy.array_split([1, 2], 2)[0], numpy.ndarray)
        array += x
        self.assertEqual(array.tolist(), [[2, 4], [6, 8]])
        numpy.negative(x, out=x)
        self.assertEqual(x.tolist(), [[-1, -2], [-3, -4]])
        numpy.testing.assert_allclose(x, x.numpy())
        numpy.testing.assert_array_equal(x, x)
        numpy.testing.assert_array_less(x, x + 1)
        self.assertEqual(numpy.full(2, x[0, 0]).tolist(), [-1, -1])
        numpy.fill_diagonal(array, x[0, 0])
        self.assertEqual(array.tolist(), [[-1, 4], [6, -1]])
        with self.assertRaisesRegex(TypeError, "numpy.spacing: gyre has no function of that name"):
            numpy.spacing(x)
        with self.assertRaisesRegex(TypeError, "numpy.add.reduceat"):
            numpy.add.reduceat(x, [0])

    def test_array_namespace(self):
        x = gyre.ones(2)
        self.assertIs(x.__array_namespace__(), gyre.numpy)
        self.assertIs(x.__array_namespace__(api_version="2025.12"), gyre.numpy)
        with self.assertRaisesRegex(ValueError, "expected a version up to 2025.12, got '2030.12'"):
            x.__array_namespace__(api_version="2030.12")
        self.assertEqual(str(x.to_device("cpu").device), str(x.device))
        info = gyre.numpy.__array_namespace_info__()
        self.assertEqual(info.default_dtypes()["real floating"], gyre.f64)
        self.assertEqual([*info.dtypes(kind="real floating")], ["float32", "float64"])
        self.assertIn(info.default_device(), info.devices())
        self.assertTrue(info.capabilities()["boolean indexing"])
        self.assertEqual(dir(gyre.numpy), gyre.numpy.__all__)

    def test_copies(self):
        x = gyre.numpy.ones(2)
        for copied in (x.__copy__(), gyre.numpy.astype(x, x.dtype), gyre.numpy.asarray(x, copy=True)):
            self.assertNotEqual(copied.data_ptr(), x.data_ptr())
        for same in (gyre.numpy.astype(x, x.dtype, copy=False), gyre.numpy.asarray(x, dtype=x.dtype, copy=False),
                     gyre.numpy.asarray(x, copy=False, device=x.device)):
            self.assertIs(same, x)

    def test_random(self):
        r = gyre.numpy.random.default_rng(5)
        self.assertIs(gyre.numpy.random.default_rng(r), r)
        x = r.normal(2, 3, 100_000)
        self.assertLess(abs(x.mean().item() - 2), 0.05)
        self.assertLess(abs(r.uniform(-1, 3, 100_000).mean().item() - 1), 0.05)
        self.assertLess(abs(r.exponential(2.0, 100_000).mean().item() - 2), 0.05)
        self.assertEqual(r.integers(2, 3, size=2, endpoint=True, dtype="i4").dtype, gyre.i32)
        self.assertEqual(gyre.numpy.random.default_rng(5).random(3).tolist(),
                         gyre.numpy.random.default_rng(5).random(3).tolist())
        gyre.numpy.random.seed(2)
        first = gyre.numpy.random.rand(3).tolist()
        gyre.numpy.random.seed(2)
        self.assertEqual(gyre.numpy.random.rand(3).tolist(), first)

    def test_errors(self):
        lib = gyre.numpy
        m, v = lib.zeros((2, 3)), lib.zeros(3)
        for call, error, text in (
            (lambda: lib.zeros(2, dtype=complex), TypeError, "there are no complex, string"),
            (lambda: lib.zeros(2, dtype="u8"), TypeError, "no uint16 and uint64"),
            (lambda: lib.array(["a"]), TypeError, "expected numbers, got str"),
            (lambda: lib.array([1j]), TypeError, "expected numbers, got complex"),
            (lambda: lib.complex128, AttributeError, "there are no complex"),
            (lambda: lib.nothing, AttributeError, "no attribute nothing"),
            (lambda: lib.linalg.eig, AttributeError, "see eigh for symmetric"),
            (lambda: lib.linalg.nothing, AttributeError, "no attribute nothing"),
            (lambda: lib.fft.rfft, AttributeError, "spectra are complex"),
            (lambda: lib.fft.nothing, AttributeError, "no attribute nothing"),
            (lambda: lib.fft.fftfreq(0), ValueError, "fftfreq: expected at least 1 sample as n, got 0"),
            (lambda: lib.result_type(), ValueError, "at least one array or dtype"),
            (lambda: lib.can_cast("f4", "f8", "sometimes"), ValueError, "expected casting no, "),
            (lambda: lib.isdtype(m.dtype, "number"), ValueError, "expected a kind"),
            (lambda: lib.asarray([1.0], copy=False), ValueError, "must be copied"),
            (lambda: lib.asarray(numpy.ones(2), dtype="f4", copy=False), ValueError, "must be copied"),
            (lambda: lib.frombuffer(b"1234", "f2"), TypeError, "Python's buffers have, got f16"),
            (lambda: lib.linspace(0, 1, -1), ValueError, "num of at least 0, got -1"),
            (lambda: lib.geomspace(-1, 1), ValueError, "of the same sign"),
            (lambda: lib.diag(lib.zeros((1, 1, 1))), ValueError, "1 or 2 axes, got 3"),
            (lambda: lib.exp(m, where=m > 0), TypeError, "where= needs out="),
            (lambda: lib.where(m, m), ValueError, "both x and y or neither"),
            (lambda: lib.add(lib.zeros(2, dtype="u1"), 300), ValueError, "300 does not fit u8"),
            (lambda: lib.sum(m, axis=2), IndexError, "out of range for 2 axes"),
            (lambda: lib.sum(m, axis=(0, 0)), ValueError, "expected distinct axes"),
            (lambda: lib.reshape(m, 6, order="F"), ValueError, "expected order \"C\""),
            (lambda: lib.matrix_transpose(v), ValueError, "at least 2 axes, got 1"),
            (lambda: lib.split(v, 2), ValueError, "3 elements do not split into 2 equal parts; use array_split"),
            (lambda: lib.pad(v, -1), ValueError, "widths of at least 0"),
            (lambda: lib.pad(v, 1, mode="mean"), ValueError, "expected mode constant, edge"),
            (lambda: lib.take(v, 0.5), TypeError, "expected integers as indices, got f64"),
            (lambda: lib.take(v, 0, mode="any"), ValueError, "\"raise\", \"wrap\" or \"clip\""),
            (lambda: lib.take(v, 3), IndexError, "out of range"),
            (lambda: lib.select([], []), ValueError, "as many choices as conditions, got 0 and 0"),
            (lambda: lib.nextafter(lib.ones(1, "bfloat16"), lib.ones(1, "bfloat16")), TypeError,
             "expected f32 or f64, got bf16"),
            (lambda: lib.max(m, where=m > 0), ValueError, "where= needs initial="),
            (lambda: lib.average(m, weights=v), TypeError, "need an axis"),
            (lambda: lib.cumulative_sum(m), ValueError, "expected an axis for 2 axes"),
            (lambda: lib.gradient(m, 1, 2, 3), TypeError, "for each of 2 axes, got 3"),
            (lambda: lib.gradient(lib.zeros(1)), ValueError, "at least 2 elements"),
            (lambda: lib.nanargmax(lib.full(2, lib.nan)), ValueError, "got only NaN"),
            (lambda: lib.nonzero(1.0), ValueError, "at least 1 axis, got 0"),
            (lambda: lib.histogram(v, "auto"), TypeError, "a number of bins or edges"),
            (lambda: lib.quantile(v, 2), ValueError, "quantiles in \\[0, 1\\]"),
            (lambda: lib.quantile(v, 0.5, method="hazen"), ValueError, "expected method linear"),
            (lambda: lib.nanquantile(v, 0.5, method="lower"), ValueError, "expected method linear, got"),
            (lambda: lib.cross(v[:2], v[:2]), ValueError, "vectors of 3 elements, got 2 and 2"),
            (lambda: lib.vecdot(v, v[:1]), ValueError, "vectors of one size, got 3 and 1 elements"),
            (lambda: lib.convolve(v, v, "some"), ValueError, "mode full, same or valid"),
            (lambda: lib.linalg.qr(m, "raw"), ValueError, "expected mode"),
            (lambda: lib.linalg.norm(lib.zeros((2, 2, 2)), 1), ValueError, "1 or 2 axes for ord=1, got 3"),
            (lambda: lib.linalg.vector_norm(m, ord="fro"), ValueError, "expected a number as ord"),
            (lambda: lib.random.choice(2, 3, replace=False), ValueError, "at most 2 without replacement, got 3"),
        ):
            with self.subTest(text), self.assertRaisesRegex(error, text):
                call()


if __name__ == "__main__":
    unittest.main()
