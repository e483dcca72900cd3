"""Functions and methods by PyTorch's and NumPy's names: the same lines in gyre and PyTorch."""

import math
import pathlib
import pickle
import unittest

import common
from common import gyre, numpy, torch

setUpModule = common.needs_packages

# Lines run with `lib` as gyre and as torch. m: [3, 4] f32, v: [6] f32, w: [6] f32, i: [6] i64, b: [6] boolean, q: [2, 3, 4]
# f64, s: [3, 3] f64 positive definite, n: [5] f32 with NaN and infinities.
SAME = """
lib.Tensor([1, 2])
lib.fill(m, 2)
m.new_tensor(5)
lib.ldexp(lib.tensor(2.0 ** -100), lib.tensor(200))
lib.gradient(q, spacing=(lib.tensor([0.0, 1.0, 3.0], dtype=lib.float64),), dim=1)
lib.fill(i, lib.tensor(2))
lib.Tensor(((1, 2), (3, 4)))
lib.Tensor(2, 3).shape
lib.Tensor(4).shape
lib.Tensor()
lib.tensor(range(4))
lib.as_tensor(range(3)) + 1
m.size()
m.size(0)
m.size(-1)
m.t()
lib.t(v)
m.view(2, -1)
m.view_as(m.t().contiguous())
m.reshape_as(lib.zeros(2, 6))
v.expand_as(lib.zeros(2, 6))
q.flatten(1)
q.flatten(start_dim=0, end_dim=1)
lib.flatten(m)
m.unflatten(1, (2, 2))
lib.ravel(m)
lib.zeros(1, 3, 1).squeeze(0)
lib.zeros(1, 3, 1).squeeze(1)
lib.zeros(1, 3, 1).squeeze((0, 2))
lib.zeros(1, 3, 1).squeeze()
q.movedim(0, -1)
lib.moveaxis(q, (0, 1), (1, 0))
lib.unbind(m, 1)
m.unbind()
lib.split(v, 4)
v.split([2, 4])
m.split(3, dim=1)
lib.tensor_split(v, 4)
lib.tensor_split(v, (1, 4))
lib.hsplit(m, 2)
lib.vsplit(m, [1])
lib.dsplit(q, 2)
lib.atleast_1d(lib.tensor(2.0))
lib.atleast_2d(v)
lib.atleast_3d(m)
lib.atleast_3d(v)
lib.hstack([v, w])
lib.hstack([m, m])
lib.vstack([v, w])
lib.row_stack([v, w])
lib.dstack([m, m])
lib.column_stack([v, w])
lib.concat([m, m], dim=1)
lib.concatenate([m, m])
lib.broadcast_tensors(m, lib.zeros(4))
lib.broadcast_to(lib.zeros(4), (3, 4))
tuple(lib.broadcast_shapes((3, 1), (4,)))
lib.rot90(m)
lib.rot90(m, 2)
lib.rot90(q, -1, (1, 2))
lib.rot90(m, 4)
lib.fliplr(m)
lib.flipud(m)
v.roll(2)
m.roll(1, 0)
m.roll((1, -1), (0, 1))
v.repeat(2)
m.repeat(2, 1, 1)
v.repeat_interleave(2)
m.repeat_interleave(2, dim=1)
m.repeat_interleave(lib.tensor([1, 0, 2]), dim=0)
lib.repeat_interleave(lib.tensor([1, 0, 2]))
m.narrow(1, 1, 2)
m.narrow(0, -2, 1)
lib.diag(v)
lib.diag(m, 1)
lib.diagflat(m)
q.diagonal(dim1=1, dim2=2)
lib.diagonal(m, 1)
lib.diag_embed(m)
lib.diag_embed(m, dim1=0, dim2=2)
lib.linalg.pinv(s, hermitian=True)
lib.linalg.cholesky(s, upper=True)
lib.adjoint(q)
m.gather(1, lib.tensor([[0], [2], [1]]))
lib.gather(m, dim=0, index=lib.tensor([[0, 1, 2, 1]]))
m.index_select(1, lib.tensor([2, 0]))
m.scatter(1, lib.tensor([[0], [2], [1]]), 9.0)
lib.scatter(m, 0, lib.tensor([[0, 1, 2, 1]]), lib.ones(1, 4))
m.scatter(1, lib.tensor([[0], [2], [1]]), 2.0, reduce="multiply")
m.scatter_add(1, lib.tensor([[0], [2], [1]]), lib.ones(3, 1))
m.scatter_reduce(1, lib.tensor([[0], [2], [1]]), lib.ones(3, 1), "amax")
m.index_add(1, lib.tensor([2, 0]), lib.ones(3, 2), alpha=2)
m.index_copy(1, lib.tensor([2, 0]), lib.ones(3, 2))
m.index_fill(1, lib.tensor([2, 0]), 7.0)
lib.take_along_dim(m, lib.tensor([[0], [2], [1]]), 1)
lib.take_along_dim(m, lib.tensor([0, 5]))
m.clone().scatter_(1, lib.tensor([[0], [2], [1]]), 9.0)
m.clone().scatter_add_(1, lib.tensor([[0], [2], [1]]), lib.ones(3, 1))
m.clone().index_add_(0, lib.tensor([1, 1]), lib.ones(2, 4))
m.clone().index_fill_(0, lib.tensor([1]), 0.0)
m.clone().index_copy_(0, lib.tensor([1]), lib.ones(1, 4))
m.clone().masked_fill_(m > 0, 5.0)
m.clone().tril_()
m.clone().cumsum_(1)
lib.full_like(m, 7.0)
lib.as_tensor([1.0, 2.0])
lib.as_tensor(m.tolist(), dtype=lib.float64, device="cpu")
lib.full_like(i, 2)
lib.frombuffer(bytearray(b"abcdef"), dtype=lib.int16, count=1, offset=2)
lib.linspace(0, 1, 5)
lib.linspace(0, 1, steps=5)
lib.linspace(start=0, end=1, steps=3)
lib.logspace(0, 2, steps=3)
lib.logspace(0, 2, 3, base=2.0)
lib.meshgrid(lib.arange(2), lib.arange(3), indexing="ij")
lib.meshgrid(lib.arange(2), lib.arange(3), indexing="xy")
lib.cartesian_prod(lib.arange(2), lib.arange(3))
lib.cartesian_prod(lib.arange(2))
lib.tril_indices(3, 4)
lib.triu_indices(3, 4, 1)
lib.vander(lib.tensor([1.0, 2.0, 3.0]))
lib.vander(lib.tensor([1.0, 2.0, 3.0]), 2, increasing=True)
lib.block_diag(m, lib.ones(2), lib.tensor(3.0))
m.new_zeros(2, 3)
m.new_zeros((2, 3))
m.new_ones(2, dtype=lib.int64)
m.new_full((2,), 3.0)
m.new_tensor([1.0, 2.0])
m.new_empty(2, 3).shape == (2, 3)
lib.FloatTensor([1, 2])
lib.LongTensor([1, 2])
lib.BoolTensor([1, 0])
lib.where(v > 0, 1.0, 0.0)
lib.where(v > 0, v, 0.0)
lib.where(v > 0, 1, 0)
lib.where(v > 0)
v.where(v > 0, w)
lib.nonzero(v > 0)
m.nonzero(as_tuple=True)
m.clamp(min=0)
m.clamp(max=0.5)
m.clamp(-0.5, 0.5)
m.clip(-0.5, 0.5)
m.clone().clamp_(max=0.1)
m.clone().clip_(min=0.1)
lib.clamp_min(m, 0.0)
lib.clamp_max(m, 0.0)
lib.round(m * 10)
(m * 10).round(decimals=1)
lib.log10(m.abs())
lib.hypot(v, w)
lib.hypot(lib.tensor([3e30]), lib.tensor([4e30]))
lib.signbit(lib.tensor([1.0, -1.0, -0.0]))
lib.copysign(v, w)
lib.frac(m * 5)
lib.deg2rad(v)
lib.rad2deg(v)
lib.heaviside(lib.tensor([-1.0, 0.0, 2.0]), lib.tensor([0.5]))
lib.logit(lib.tensor([0.1, 0.5, 0.9]))
lib.mvlgamma(lib.tensor([2.5, 3.0]), 2)
lib.polygamma(2, lib.tensor([2.5, 3.0]))
lib.logit(lib.tensor([0.0, 1.0]), eps=0.1)
lib.xlogy(lib.tensor([0.0, 1.0]), lib.tensor([0.0, 2.0]))
lib.sinc(lib.tensor([0.0, 0.5, 1.5]))
lib.logaddexp2(v, w)
lib.float_power(v.abs(), 2)
lib.addcmul(v, w, w, value=0.5)
v.clone().add_(w, alpha=2)
v.clone().sub_(w, alpha=0.5)
v.clone().addcmul_(v, w, value=2)
v.clone().addcdiv_(v, w, value=2)
m.clone().fill_diagonal_(7.0)
m.t().clone().fill_diagonal_(7.0)
lib.zeros(2, 2, 2).fill_diagonal_(1.0)
lib.addcdiv(v, w, w, value=0.5)
lib.rsub(v, 2.0)
lib.positive(v)
lib.isposinf(n)
lib.isneginf(n)
lib.isreal(v)
lib.real(v)
lib.conj(v)
lib.nan_to_num(n)
lib.nan_to_num(n, nan=1.0, posinf=2.0, neginf=3.0)
lib.absolute(v)
lib.negative(v)
lib.subtract(v, w)
lib.multiply(v, w)
lib.divide(v, w)
lib.true_divide(i, 2)
lib.greater(v, w)
lib.less_equal(v, w)
lib.not_equal(i, 1)
lib.arctan2(v, w)
lib.arcsinh(v)
lib.fix(m * 5)
lib.sgn(m)
lib.bitwise_left_shift(i, 1)
lib.swapaxes(q, 0, 2)
lib.transpose(q, dim0=0, dim1=1)
lib.add(input=v, other=w)
i ** 2
lib.tensor([100003]) ** 2
2 ** i
lib.pow(i, i % 3)
lib.tensor([2.0]) ** lib.tensor([3])
m.max()
m.max(dim=1)
m.max(1)
m.max(1, keepdim=True)
m.min(dim=0).indices
lib.max(v, w)
lib.max(m, dim=-1).values
lib.min(i)
m.amax(1)
m.amin((0, 1))
lib.aminmax(m)
v.median()
m.median(dim=1)
m.median(0, keepdim=True)
lib.nanmedian(lib.tensor([1.0, float("nan"), 3.0]))
lib.sort(v, descending=True)
lib.sort(m, dim=0).indices
m.argsort(dim=1)
lib.msort(m)
lib.topk(v, 2).values
lib.topk(m, 2, dim=0, largest=False).indices
m.kthvalue(2, dim=1)
m.kthvalue(2, dim=0, keepdim=True)
m.var()
m.var(1)
m.var(1, unbiased=False)
m.var(False)
m.std(dim=0, keepdim=True)
lib.std(m, correction=0)
lib.var(m, dim=(0, 1), correction=2)
lib.std_mean(m, dim=1)
lib.var_mean(m)
m.norm()
m.norm(dim=-1)
m.norm(1)
m.norm(2, dim=0, keepdim=True)
m.norm(p="fro")
lib.norm(m, float("inf"))
lib.norm(s, "nuc")
lib.dist(v, w, 1)
lib.nansum(lib.tensor([1.0, float("nan")]))
lib.nanmean(lib.tensor([1.0, float("nan"), 2.0]))
lib.count_nonzero(i)
lib.count_nonzero(m > 0, dim=1)
lib.quantile(v, 0.3)
lib.quantile(m, 0.3, dim=1, keepdim=True)
lib.quantile(v, lib.tensor([0.25, 0.75]))
lib.quantile(v, 0.3, interpolation="nearest")
lib.nanquantile(lib.tensor([1.0, float("nan"), 2.0]), 0.5)
lib.mode(lib.tensor([[1, 2, 2, 3], [4, 4, 5, 5]])).values
lib.histc(v, bins=4, min=-1, max=1)
lib.histogram(v, 4, range=(-1.0, 1.0)).hist
lib.histogram(v, 3).bin_edges
lib.searchsorted(lib.tensor([1.0, 2.0, 3.0]), lib.tensor([2.0, 0.5]), side="right")
lib.bucketize(lib.tensor([0.5, 2.0]), lib.tensor([1.0, 2.0, 3.0]))
lib.bucketize(lib.tensor([0.5, 2.0]), lib.tensor([1.0, 2.0, 3.0]), right=True)
lib.unique(i)
lib.unique(i, return_inverse=True, return_counts=True)
lib.unique(lib.tensor([[1, 2], [0, 5], [1, 2]]), dim=0)
lib.unique(lib.tensor([[1, 2], [0, 5], [1, 2]]), dim=0, return_inverse=True, return_counts=True)
lib.unique_consecutive(lib.tensor([1, 1, 2, 2, 1]))
lib.unique_consecutive(lib.tensor([1, 1, 2, 2, 1]), return_inverse=True, return_counts=True)
lib.equal(v, v.clone())
lib.equal(v, w)
lib.allclose(v, v + 1e-9)
lib.isclose(v, w)
lib.isclose(n, n, equal_nan=True)
lib.argwhere(m > 0)
lib.isin(i, lib.tensor([1, 2]))
lib.isin(n, n)
lib.isin(n, n, invert=True)
lib.diff(v)
lib.diff(m, n=2, dim=0)
lib.diff(v, prepend=lib.tensor([0.0]))
lib.cov(m)
lib.corrcoef(m)
lib.mm(m, m.t())
lib.bmm(q, q.transpose(1, 2))
lib.mv(m, lib.ones(4))
lib.dot(v, w)
lib.vdot(v, w)
lib.inner(m, m)
lib.ger(v, w)
lib.addmm(lib.ones(3), m, m.t())
lib.addmm(lib.ones(3), m, m.t(), beta=0.5, alpha=2)
lib.addmv(lib.ones(3), m, lib.ones(4))
lib.baddbmm(lib.ones(2, 3, 3).double(), q, q.transpose(1, 2), beta=0.5)
lib.addbmm(lib.ones(3, 3).double(), q, q.transpose(1, 2))
lib.addr(lib.zeros(6, 6), v, w, alpha=2)
lib.tensordot(m, m.t(), dims=1)
lib.tensordot(q, q, dims=([0, 1], [0, 1]))
lib.kron(lib.eye(2), m)
lib.cross(lib.tensor([1.0, 2.0, 3.0]), lib.tensor([3.0, 1.0, 2.0]), dim=0)
lib.trace(s)
lib.cdist(m, m + 1)
lib.cdist(m, m + 1, p=1)
lib.chain_matmul(m, m.t(), m)
lib.logdet(s)
lib.trapezoid(v)
lib.trapezoid(v, dx=0.5)
lib.linalg.norm(v)
lib.linalg.norm(m, ord=1)
lib.linalg.norm(m, dim=1)
lib.linalg.vector_norm(m, 3, dim=0)
lib.linalg.matrix_norm(m)
lib.linalg.matrix_norm(s, ord=2)
lib.linalg.matrix_norm(q, ord=float("inf"), keepdim=True)
lib.linalg.matrix_norm(s, ord="nuc")
lib.add(v, w, alpha=2)
v.sub(w, alpha=0.5)
lib.subtract(v, w, alpha=2)
v.clone().add_(w, alpha=-0.1)
v.clone().sub_(w, alpha=2)
lib.div(v, w, rounding_mode="trunc")
lib.divide(i - 2, 2, rounding_mode="trunc")
lib.divide(i - 2, lib.tensor(-2), rounding_mode="floor")
v.clone().div_(w, rounding_mode="floor")
lib.sum(i, dtype=lib.float32)
m.mean(1, dtype=lib.float64)
lib.mean(m, 0, True)
lib.prod(i, dtype=lib.float64)
v.cumsum(0, dtype=lib.float64)
lib.cumprod(v, 0, dtype=lib.float64)
lib.softmax(i, 0, dtype=lib.float32)
m.log_softmax(1, dtype=lib.float64)
lib.cholesky(s, upper=True)
lib.bincount(i, i)
i.bincount(v)
lib.cat([lib.tensor([]), m, m], dim=1)
lib.flip(m, dims=())
m.flip(0, 1)
v.unfold(0, 3, 2)
m.unfold(dimension=1, size=2, step=1)
lib.tensor(2.0).unfold(0, 1, 1)
lib.split_with_sizes(v, [2, 4])
lib.masked_fill(v[:4], m > 0, lib.tensor(2.0))
m.masked_fill(m > 0, 0)
lib.index_put(m, [lib.tensor([0, 2])], lib.zeros(4))
m.index_put((lib.tensor([0, 0]),), lib.ones(2, 4), True)
m.clone().index_put_([lib.tensor([0]), lib.tensor([1])], lib.tensor(7.0), accumulate=True)
lib.gather(lib.tensor(2.0), 0, lib.tensor([0]))
lib.index_select(lib.tensor(2.0), 0, lib.tensor([0]))
lib.tensordot(lib.ones(1, 2), lib.ones(3, 2), dims=([0, 1], [0, 1]))
m.to("cpu", lib.float64, False, True)
m.to(v, True)
q.to(lib.float32, memory_format=lib.contiguous_format)
q.clone(memory_format=lib.preserve_format)
lib.zeros(2, 3, 4, 5).contiguous(memory_format=lib.channels_last).stride()
lib.zeros(1, 2, 3, 4, 5).float(memory_format=lib.channels_last_3d).stride()
lib.zeros_like(q, dtype=lib.int64, device="cpu")
lib.ones_like(m, memory_format=lib.contiguous_format)
lib.arange(0, end=5, step=2)
lib.eye(2, 3, dtype=lib.float64)
lib.eye(2, requires_grad=True).requires_grad
lib.linalg.svd(m).U.shape
lib.linalg.svd(m, full_matrices=False).Vh.shape
lib.linalg.qr(m.t(), "complete").Q.shape
lib.linalg.solve(lib.stack([s, s]), lib.ones(2, 3).double())
lib.linalg.solve(s, s + 1, left=False)
lib.linalg.lstsq(m.t(), lib.ones(4, 1), driver="gelsd").residuals
lib.linalg.lstsq(m.t(), lib.ones(4, 1), driver="gelss").singular_values
lib.linalg.lstsq(m.t(), lib.ones(4, 1), driver="gels").rank
lib.linalg.matrix_rank(s, atol=lib.tensor([0.1, 100.0]).double())
lib.linalg.matrix_rank(lib.zeros(2, 0, 0))
lib.linalg.vander(v, N=3)
lib.nanmedian(n)
lib.nanmedian(lib.stack([n, n * 0]), dim=0, keepdim=True)
lib.nanquantile(lib.tensor(2.0), 0.5, dim=0)
lib.unique_consecutive(lib.tensor([[1, 2], [1, 2], [0, 2]]), dim=0, return_inverse=True, return_counts=True)
lib.diff(v, n=0, prepend=w)
lib.cov(m[:1])
lib.take_along_dim(m, lib.tensor([[-1], [0], [-2]]), 1)
lib.tensor_split(v, lib.tensor([2, 3]))
lib.special.expit(v)
lib.special.logit(v.abs(), eps=0.1)
lib.special.erf(v) + lib.special.erfc(v)
lib.special.softmax(i, 0, dtype=lib.float64)
lib.special.log_softmax(m, dim=1)
lib.special.logsumexp(m, 1)
lib.special.exp2(v) + lib.special.expm1(v)
lib.special.log1p(v.abs()) + lib.special.sinc(v)
lib.special.round(v, decimals=1)
lib.special.xlogy(i, v.abs()) + lib.special.xlog1py(i, v.abs())
lib.special.entr(n) + lib.special.ndtr(n)
lib.linalg.inv(s)
lib.linalg.det(s)
lib.linalg.slogdet(s)
lib.linalg.solve(s, lib.ones(3).double())
lib.linalg.cholesky(s)
lib.linalg.eigvalsh(s)
lib.linalg.eigh(s).eigenvalues
lib.linalg.svdvals(s)
lib.linalg.svd(s).S
lib.linalg.qr(s).R.abs()
lib.linalg.pinv(m)
lib.linalg.pinv(q, atol=1.0)
lib.linalg.pinv(m, rtol=lib.tensor([0.1, 0.9]))
lib.linalg.pinv(q, atol=lib.tensor([1.0, 0.1]), rtol=lib.tensor(0.5))
lib.linalg.lstsq(m.t(), lib.ones(4, 1)).solution
lib.linalg.matrix_rank(s)
lib.linalg.matrix_power(s, 3)
lib.linalg.multi_dot([m, m.t(), m])
lib.linalg.cond(s)
lib.linalg.cross(lib.tensor([1.0, 2.0, 3.0]), lib.tensor([3.0, 1.0, 2.0]))
lib.linalg.vecdot(m, m)
lib.linalg.diagonal(q)
lib.linalg.matrix_exp(s * 0.1)
lib.linalg.solve_triangular(s.tril(), lib.ones(3, 1).double(), upper=False)
lib.is_tensor(v)
lib.is_floating_point(i)
lib.is_complex(v)
lib.numel(m)
lib.is_nonzero(lib.tensor([2.0]))
lib.get_default_dtype() == lib.float32
lib.can_cast(lib.float32, lib.int64)
lib.can_cast(lib.int32, lib.float32)
lib.promote_types(lib.float32, lib.int64) == lib.float32
lib.result_type(i, 1.0) == lib.float32
lib.finfo(lib.float32).eps
lib.finfo(lib.float16).max
lib.finfo(lib.bfloat16).tiny
lib.iinfo(lib.int32).min
lib.iinfo(lib.uint8).max
lib.pi
v.type(lib.float64)
i.type_as(v)
v.element_size()
v.ndimension()
m.nelement()
v.is_cuda
v.is_signed()
v.data
lib.tensor([1, 2], dtype=float)
lib.tensor([1, 2], dtype=lib.long)
lib.tensor([1, 0], dtype=lib.bool)
v.bool().dtype == lib.bool
lib.compile(lambda x: x + 1)(v)
lib.vmap(lambda x: x.sum())(m)
lib.vmap(lambda x: x.sum(), in_dims=1)(m)
lib.autograd.functional.jacobian(lambda x: x ** 2, v)
lib.autograd.functional.hessian(lambda x: (x ** 3).sum(), v)
""".strip().splitlines()

# The same in shape and dtype: random or uninitialised values.
SHAPES = """
lib.empty_like(q)
lib.rand(2, 3)
lib.randn((2, 3))
lib.rand(2, dtype=lib.float64)
lib.rand_like(m)
lib.randn_like(q)
lib.randint(10, (3,))
lib.randint(0, 10, size=(3,))
lib.randint_like(m, 3)
lib.randint_like(m, 3, device="cpu", requires_grad=True)
lib.normal(1.6, 0.3, (2, 3), dtype=lib.float64, device="cpu", requires_grad=True)
lib.randperm(5)
lib.normal(0.0, 1.0, size=(2, 3))
lib.normal(v, 1.0)
lib.bernoulli(v.abs())
lib.multinomial(v.abs(), 2)
lib.multinomial(m.abs(), 3, replacement=True)
v.clone().uniform_(-1, 1)
v.clone().normal_(0, 2)
v.clone().exponential_()
v.clone().log_normal_()
v.clone().bernoulli_(0.3)
i.clone().random_(5)
lib.rand(2, generator=lib.Generator().manual_seed(1))
""".strip().splitlines()


def space(lib):
    r = numpy.random.default_rng(3)
    draws = {"m": r.uniform(-1, 1, (3, 4)).astype("f"), "v": r.uniform(-1, 1, 6).astype("f"),
             "w": r.uniform(-1, 1, 6).astype("f"), "i": numpy.array([3, 1, 2, 1, 0, 3]), "b": r.uniform(size=6) > 0.5,
             "q": r.uniform(-1, 1, (2, 3, 4)), "n": numpy.array([1, numpy.nan, numpy.inf, -numpy.inf, 0], "f")}
    x = r.uniform(-1, 1, (3, 3))
    draws["s"] = x @ x.T + 3 * numpy.eye(3)
    return {"lib": lib, **{name: lib.tensor(array) for name, array in draws.items()}}


def plain(value):
    if isinstance(value, (gyre.Tensor, torch.Tensor)):
        dtype = str(value.dtype).replace("torch.", "").replace("DType.", "")
        name = {"boolean": "bool", "bf16": "bfloat16"}.get(dtype, dtype)
        for short, long in (("f", "float"), ("i", "int"), ("u", "uint")):
            if name[0] == short and name[1:].isdigit():
                name = long + name[1:]
        return name, tuple(value.shape), numpy.array(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    return value


class Names(unittest.TestCase):
    def same(self, ours, theirs, line, values=True):
        if isinstance(theirs, list):
            self.assertEqual(len(ours), len(theirs), line)
            for a, b in zip(ours, theirs):
                self.same(a, b, line, values)
        elif isinstance(theirs, tuple):
            self.assertEqual(ours[:2], theirs[:2], line)
            if values:
                numpy.testing.assert_allclose(ours[2], theirs[2], rtol=2e-5, atol=2e-6, err_msg=line)
        elif isinstance(theirs, float):
            self.assertTrue(math.isclose(ours, theirs, rel_tol=1e-6), line)
        else:
            self.assertEqual(ours, theirs, line)

    def test_lines(self):
        for lines, values in ((SAME, True), (SHAPES, False)):
            for line in lines:
                with self.subTest(line):
                    self.same(plain(eval(line, space(gyre))), plain(eval(line, space(torch))), line, values)

    def test_functions_can_be_pickled(self):
        for name, function in gyre._functions.functions.items():
            self.assertIs(pickle.loads(pickle.dumps(function)), function, name)

    def test_every_function_has_a_line(self):
        text = "\n".join([*SAME, *SHAPES, (pathlib.Path(__file__).parent / "lines.txt").read_text()])
        ours_only = {"tri", "imag", "isinf", "DoubleTensor", "HalfTensor", "BFloat16Tensor", "ByteTensor", "CharTensor",
                     "ShortTensor", "IntTensor", "initial_seed", "inference_mode", "set_grad_enabled",
                     "set_default_dtype", "get_num_threads", "is_inference_mode_enabled", "clip", "take_along_axis",
                     "grad", "backward", "save", "load", "autocast", "is_autocast_enabled",
                     "set_float32_matmul_precision", "use_deterministic_algorithms", "set_printoptions",
                     "are_deterministic_algorithms_enabled"}
        for name in sorted(set(gyre._functions.functions) - ours_only):
            self.assertTrue(f".{name}(" in text, name)

    def test_gradients(self):
        for line in ("m.max(1).values", "m.median(0).values", "lib.quantile(m, 0.3, dim=1)", "m.kthvalue(2).values",
                     "lib.hypot(m, 2 * m)", "lib.where(m > 0, m, 0.0)", "m.norm('nuc')", "m.clamp(min=0)", "m.var(1)",
                     "lib.cdist(m, m + 1)", "lib.linalg.pinv(m)", "lib.tensordot(m, m, 2)", "m.repeat_interleave(2)",
                     "lib.sinc(m)", "m.scatter(1, lib.tensor([[0], [2], [1]]), 9.0)", "lib.diff(m, n=2)", "lib.cov(m)"):
            slopes = []
            for lib in (gyre, torch):
                names = space(lib)
                names["m"] = lib.tensor(names["m"].tolist(), dtype=lib.float64, requires_grad=True)
                y = eval(line, names)
                (y * lib.arange(y.numel()).double().reshape(y.shape)).sum().backward()
                slopes.append(numpy.array(names["m"].grad.tolist()))
            numpy.testing.assert_allclose(*slopes, rtol=1e-9, atol=1e-9, err_msg=line)

    def test_numpy_forms(self):
        x = gyre.tensor([[1.0, 5.0], [2.0, 3.0]])
        self.assertEqual(x.max(axis=1).tolist(), [5, 3])
        self.assertEqual(x.min(axis=0, keepdims=True).tolist(), [[1, 3]])
        self.assertEqual(x.size, 4)
        self.assertEqual(numpy.std(x).item(), numpy.std(x.numpy()).item())
        self.assertEqual(x.repeat(2, axis=0).shape, (4, 2))
        self.assertEqual(gyre.take_along_axis(x, [[1], [0]], axis=1).tolist(), [[5], [2]])
        self.assertEqual(gyre.tri(2).tolist(), [[1, 0], [1, 1]])
        self.assertEqual(gyre.imag(x).tolist(), [[0, 0], [0, 0]])
        values, first = gyre.unique([3, 1, 3], return_index=True)
        self.assertEqual((values.tolist(), first.tolist()), ([1, 3], [1, 0]))

    def test_results_have_names(self):
        import copy
        import pickle

        result = gyre.sort([3.0, 1.0])
        self.assertEqual(result.values.tolist(), [1, 3])
        for again in (copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
            self.assertEqual((type(again), again.indices.tolist()), (type(result), [1, 0]))
        self.assertEqual(gyre.svd(gyre.eye(2)).s.tolist(), [1, 1])

    def test_modes(self):
        x = gyre.ones(2, requires_grad=True)

        @gyre.no_grad()
        def doubled(x):
            return x * 2

        @gyre.no_grad
        def tripled(x):
            return x * 3

        self.assertFalse(doubled(x).requires_grad or tripled(x).requires_grad)
        with gyre.inference_mode():
            self.assertFalse((x * 2).requires_grad)
            self.assertTrue(gyre.is_inference_mode_enabled())
            with gyre.inference_mode(False):
                self.assertTrue((x * 2).requires_grad)
        gyre.set_grad_enabled(False)
        self.assertFalse(gyre.is_grad_enabled())
        gyre.set_grad_enabled(True)
        with gyre.set_grad_enabled(False):
            self.assertFalse(gyre.is_grad_enabled())
        self.assertTrue(gyre.is_grad_enabled())
        self.assertFalse(gyre.set_grad_enabled(False)(lambda: gyre.is_grad_enabled())())
        self.assertTrue(gyre.is_grad_enabled())

    def test_gradients_of_results(self):
        x = gyre.ones(2, requires_grad=True)
        y = x * 3
        y.retain_grad()
        y.sum().backward()
        self.assertEqual(y.grad.tolist(), [1, 1])
        (slope,) = gyre.autograd.grad((x ** 2).sum(), x)
        self.assertEqual(slope.tolist(), [2, 2])
        for lib in (gyre, torch):
            x, other = lib.ones(2, requires_grad=True), lib.ones(3, requires_grad=True)
            y, weights = x ** 3, lib.tensor([1.0, 2.0])
            first = lib.autograd.grad(outputs=y, inputs=x, grad_outputs=weights, create_graph=True)[0]
            self.assertEqual(lib.autograd.grad(first, [x], weights, True)[0].tolist(), [6, 24])
            self.assertEqual(lib.autograd.grad(first, (x, other), weights, retain_graph=True, allow_unused=True)[1], None)
            zero = lib.autograd.grad([first], [x, other], [weights], retain_graph=True, materialize_grads=True)[1]
            self.assertEqual(zero.tolist(), [0, 0, 0])
            lib.autograd.backward([y], [weights], retain_graph=True, inputs=[x])
            lib.autograd.backward(y, weights, inputs=x, retain_graph=True)
            self.assertEqual(x.grad.tolist(), [6, 12])
            lib.autograd.backward(y, grad_tensors=weights)
            self.assertEqual(x.grad.tolist(), [9, 18])
            self.assertRaises(ValueError, lib.autograd.grad, y, x, weights, allow_unused=False, materialize_grads=True)
        self.assertRaisesRegex(ValueError, "only_inputs=True", gyre.grad, y, x, only_inputs=False)

    def test_functions_with_a_gradient_of_their_own(self):
        class Cube(gyre.autograd.Function):
            @staticmethod
            def forward(ctx, x, factor):
                ctx.save_for_backward(x)
                ctx.factor = factor
                return factor * x ** 3

            @staticmethod
            def backward(ctx, g):
                (x,) = ctx.saved_tensors
                return 3 * ctx.factor * x ** 2 * g, None

        class Split(gyre.autograd.Function):
            @staticmethod
            def forward(x):
                return x * 2

            @staticmethod
            def setup_context(ctx, inputs, output):
                ctx.factor = len(inputs)

            @staticmethod
            def backward(ctx, g):
                return 2 * g, g

        x = gyre.tensor([1.0, 2.0], requires_grad=True)
        Cube.apply(x, 2.0).sum().backward()
        self.assertEqual(x.grad.tolist(), [6, 24])
        with self.assertRaisesRegex(TypeError, "Split.backward: expected 1 gradients, got 2"):
            Split.apply(x).sum().backward()
        for method in (gyre.autograd.Function.forward, gyre.autograd.Function.backward):
            with self.assertRaisesRegex(NotImplementedError, "a subclass defines"):
                method(None)
        with self.assertRaisesRegex(TypeError, "unexpected keyword"):
            gyre.autograd.functional.jacobian(lambda x: x, x, nothing=1)

    def test_generators(self):
        g = gyre.Generator().manual_seed(5)
        state = g.get_state()
        first, before = gyre.randperm(9, generator=g).tolist(), gyre.get_rng_state().tolist()
        self.assertNotEqual(gyre.randperm(9, generator=g).tolist(), first)
        self.assertEqual(gyre.randperm(9, generator=g.set_state(state)).tolist(), first)
        self.assertEqual(gyre.get_rng_state().tolist(), before)
        self.assertEqual((g.initial_seed(), str(g.device)), (5, "cpu"))
        self.assertEqual(gyre.Generator().seed() >= 0, True)
        self.assertIsInstance(gyre.initial_seed(), int)
        self.assertEqual(sorted(first), list(range(9)))
        with self.assertRaisesRegex(TypeError, "expected a gyre.Generator, got int"):
            gyre.randperm(3, generator=1)

    def test_distributions(self):
        gyre.manual_seed(0)
        x = gyre.zeros(100_000)
        for fill, mean, deviation in ((lambda: x.uniform_(-1, 3), 1, 4 / 12 ** 0.5), (lambda: x.normal_(2, 3), 2, 3),
                                      (lambda: x.exponential_(2.0), 0.5, 0.5), (lambda: x.bernoulli_(0.2), 0.2, 0.4)):
            fill()
            self.assertLess(abs(x.mean().item() - mean), 0.05)
            self.assertLess(abs(x.std().item() - deviation), 0.05)
        drawn = gyre.multinomial(gyre.tensor([1.0, 0.0, 3.0]), 20_000, replacement=True)
        self.assertLess(abs((drawn == 2).double().mean().item() - 0.75), 0.02)
        self.assertEqual((drawn == 1).sum().item(), 0)
        firsts = gyre.multinomial(gyre.tensor([[1.0, 3.0]]).expand(20_000, 2), 1)
        self.assertLess(abs((firsts == 1).double().mean().item() - 0.75), 0.02)
        self.assertEqual(sorted(gyre.multinomial(gyre.ones(4), 4).tolist()), [0, 1, 2, 3])
