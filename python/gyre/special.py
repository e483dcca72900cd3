"""Special functions by the names of torch.special."""

from gyre import _gyre
from gyre._functions.elementwise import logit, round, sinc, xlogy
from gyre._functions.special import entr, multigammaln, ndtr, polygamma, xlog1py
from gyre.nn.functional import log_softmax, softmax

digamma, erf, erfc, erfinv, exp2, expm1, gammaln, log1p, logsumexp, psi, zeta = (
    _gyre.digamma, _gyre.erf, _gyre.erfc, _gyre.erfinv, _gyre.exp2, _gyre.expm1, _gyre.lgamma, _gyre.log1p,
    _gyre.logsumexp, _gyre.digamma, _gyre.zeta)
expit = _gyre.sigmoid
__all__ = ["digamma", "entr", "erf", "erfc", "erfinv", "exp2", "expit", "expm1", "gammaln", "log1p", "log_softmax",
           "logit", "logsumexp", "multigammaln", "ndtr", "polygamma", "psi", "round", "sinc", "softmax",
           "xlog1py", "xlogy", "zeta"]
