"""gyre.nn.functional beside torch.nn.functional: the arguments of all functions, random functions, and errors. Their
values and gradients: op_db_test.py."""

import functools
import inspect
import unittest

from common import gyre, needs_packages, numpy, to_torch, torch

if gyre:
    import gyre.nn.functional as F


def setUpModule():
    needs_packages()


class Arguments(unittest.TestCase):
    def test_all_functions_have_pytorchs_arguments(self):
        for name in F.__all__:
            with self.subTest(name):
                try:
                    theirs = inspect.signature(getattr(torch.nn.functional, name)).parameters
                except ValueError:  # implemented in C++
                    continue
                ours = inspect.signature(getattr(F, name)).parameters
                if list(theirs) == ["args", "kwargs"]:  # one of two functions, by return_indices
                    theirs = inspect.signature(getattr(torch.nn.functional, f"{name}_with_indices")).parameters
                    self.assertEqual(set(ours), set(theirs))
                    continue
                if name.endswith("_"):
                    continue
                self.assertEqual(list(ours), list(theirs))
                for option, parameter in theirs.items():
                    if isinstance(parameter.default, (bool, int, float, str)):
                        self.assertEqual(ours[option].default, parameter.default, option)

    def test_all_functions_of_pytorch_are_here(self):
        theirs = {n for n, v in vars(torch.nn.functional).items() if inspect.isfunction(v) or inspect.isbuiltin(v)}
        inner = ("_", "has_torch", "handle_torch", "boolean_dispatch", "assert_int")
        public = {n for n in theirs if not n.startswith(inner) and not n.endswith("_with_indices")}
        missing = {n for n in public if not hasattr(F, n)}
        self.assertEqual(missing, {"conv_tbc", "grouped_mm", "native_channel_shuffle", "scaled_grouped_mm",
                                   "scaled_mm"})

    def test_in_place_functions_write_to_their_input(self):
        for name in ("relu_", "elu_", "celu_", "selu_", "leaky_relu_", "hardtanh_"):
            with self.subTest(name):
                x = gyre.tensor([-2.0, 0.5, 3.0])
                self.assertIs(getattr(F, name)(x), x)
                want = getattr(torch.nn.functional, name)(torch.tensor([-2.0, 0.5, 3.0]))
                torch.testing.assert_close(to_torch(x), want)

    def test_legacy_reductions(self):
        x, y = gyre.tensor([1.0, 2.0]), gyre.tensor([0.0, 0.0])
        for given, want in (({"size_average": False}, 5.0), ({"reduce": True}, 2.5), ({"reduce": False}, [1.0, 4.0])):
            self.assertEqual(F.mse_loss(x, y, **given).tolist(), want)

    def test_second_derivatives(self):
        x = gyre.tensor([[0.3, -0.2, 1.4]], dtype="f64", requires_grad=True)
        self.assertTrue(gyre.gradcheck(lambda x: gyre.func.grad(
            lambda y: F.interpolate(F.mish(y).unsqueeze(0), scale_factor=2, mode="linear").square().sum())(x), x))


class Random(unittest.TestCase):
    """Functions that draw: shares, and what every sample satisfies."""

    def test_dropout(self):
        x = gyre.ones((40, 50, 4))
        for function in (F.dropout, F.dropout1d, F.alpha_dropout, F.feature_alpha_dropout):
            with self.subTest(function.__name__):
                gyre.manual_seed(1)
                got = function(x, 0.25, training=True).numpy()
                whole = function in (F.dropout1d, F.feature_alpha_dropout)
                self.assertEqual(bool((got == got[:, :, :1]).all()), whole)
                self.assertAlmostEqual(float((got == got.max()).mean()), 0.75, delta=0.05)
                self.assertIs(function(x, 0.25, training=False), x)
        for function in (F.dropout2d, F.dropout3d):
            got = function(gyre.ones((20, 30, *[2] * int(function.__name__[7]))), 0.5).numpy().reshape(600, -1)
            self.assertTrue((got == got[:, :1]).all())
        self.assertEqual(F.alpha_dropout(x, 1.0, training=True).numpy().max(), 0)
        rows = F.dropout1d(gyre.ones((30, 4)), 0.5).numpy()  # channels without a batch axis
        self.assertEqual(set(rows.sum(1)), {0.0, 8.0})

    def test_alpha_dropout_keeps_mean_and_variance(self):
        gyre.manual_seed(2)
        got = F.alpha_dropout(gyre.randn((200, 200)), 0.3, training=True).numpy()
        self.assertAlmostEqual(float(got.mean()), 0, delta=0.05)
        self.assertAlmostEqual(float(got.std()), 1, delta=0.05)

    def test_samples_of_gumbel_softmax(self):
        gyre.manual_seed(1)
        logits = gyre.log(gyre.tensor([0.7, 0.2, 0.1])).expand(shape=(4000, 3)).requires_grad_()
        hard = F.gumbel_softmax(logits, hard=True)
        self.assertEqual(set(hard.detach().numpy().round(5).ravel()), {0.0, 1.0})
        numpy.testing.assert_allclose(hard.detach().numpy().mean(0), [0.7, 0.2, 0.1], atol=0.03)
        self.assertTrue(hard.requires_grad)
        soft = F.gumbel_softmax(logits, tau=0.5)
        numpy.testing.assert_allclose(soft.detach().numpy().sum(1), 1, atol=1e-5)

    def test_rrelu(self):
        got = F.rrelu(gyre.full((1000,), -1.0), 0.25, 0.5, training=True).numpy()
        self.assertTrue(-0.5 <= got.min() < got.max() <= -0.25)

    def test_fractional_pooling_draws_windows(self):
        x = gyre.arange(81).float().reshape(1, 1, 9, 9)
        got, index = F.fractional_max_pool2d(x, 2, output_size=4, return_indices=True)
        self.assertEqual(got.numpy().ravel().tolist(), index.numpy().ravel().tolist())
        self.assertEqual(F.fractional_max_pool3d(gyre.ones((1, 5, 6, 7)), 2, output_ratio=0.5).shape, (1, 2, 3, 3))

    def test_attention_drops_weights(self):
        q = gyre.ones((1, 50, 4))
        got = F.scaled_dot_product_attention(q, q, q, dropout_p=0.5).numpy()
        self.assertGreater(got.std(), 0)
        self.assertAlmostEqual(float(got.mean()), 1, delta=0.2)


class Refused(unittest.TestCase):
    def test_errors(self):
        x, image = gyre.ones((2, 4)), gyre.ones((1, 4, 5, 5))
        mask, two = gyre.ones((2, 2)), gyre.ones((1, 2, 4))
        index = gyre.tensor([0, 1])

        def attend(query=two, width=4, **given):
            return F.multi_head_attention_forward(query, query, query, width, 2, gyre.ones((12, 4)), None, None, None,
                                                  False, 0.0, gyre.ones((4, 4)), None, **given)

        for error, words, call in (
                (ValueError, "gelu: expected approximate none or tanh, got 'erf'", lambda: F.gelu(x, "erf")),
                (ValueError, "glu: expected an even size of axis 1, got 3", lambda: F.glu(gyre.ones((2, 3)), 1)),
                (ValueError, "hardtanh: expected min_val <= max_val", lambda: F.hardtanh(x, 1, 0)),
                (ValueError, "softshrink: expected lambd of 0 or more", lambda: F.softshrink(x, -1)),
                (ValueError, "prelu: expected 1 weight or one for each of 4", lambda: F.prelu(x, gyre.ones((3,)))),
                (ValueError, "either attn_mask or is_causal",
                 lambda: F.scaled_dot_product_attention(two, two, two, mask, is_causal=True)),
                (ValueError, "gyre has no static_k", lambda: attend(static_k=x)),
                (ValueError, "expected query width 5, got 4", lambda: attend(width=5)),
                (ValueError, "expected attn_mask with is_causal", lambda: attend(is_causal=True)),
                (ValueError, r"conv2d: expected 3 axes, or 4 with a batch axis, got \[2, 4\]",
                 lambda: F.conv2d(x, gyre.ones((1, 4, 3, 3)))),
                (ValueError, "conv2d: expected padding of numbers, same or valid",
                 lambda: F.conv2d(image, gyre.ones((1, 4, 3, 3)), padding="full")),
                (ValueError, "expected stride 1 with padding",
                 lambda: F.conv2d(image, gyre.ones((1, 4, 3, 3)), stride=2, padding="same")),
                (ValueError, "conv3d: expected a kernel within", lambda: F.conv3d(gyre.ones((1, 2, 2, 2)),
                                                                                  gyre.ones((1, 1, 3, 1, 1)))),
                (ValueError, "expected output_padding below stride or dilation",
                 lambda: F.conv_transpose2d(image, gyre.ones((4, 1, 3, 3)), output_padding=1)),
                (ValueError, "crop more than the elements of axis 1", lambda: F.pad(x, (-3, -2))),
                (ValueError, "at most 2 pairs of widths", lambda: F.pad(x, (1, 1, 1))),
                (ValueError, "expected mode constant, reflect", lambda: F.pad(x, (1, 1), "mirror")),
                (ValueError, "mode reflect takes no value", lambda: F.pad(x, (1, 1), "reflect", 2)),
                (TypeError, "normalize: gyre has no argument out", lambda: F.normalize(x, out=x)),
                (ValueError, "either size or scale_factor", lambda: F.interpolate(image)),
                (ValueError, "mode nearest takes no align_corners",
                 lambda: F.interpolate(image, 3, align_corners=True)),
                (ValueError, "expected a mode for 2 axes", lambda: F.interpolate(image, 3, mode="linear")),
                (ValueError, "bilinear or bicubic with antialias", lambda: F.interpolate(image, 3, antialias=True)),
                (ValueError, "divisible by the square of 3, got 4", lambda: F.pixel_shuffle(image, 3)),
                (ValueError, "height and width divisible by 2", lambda: F.pixel_unshuffle(image, 2)),
                (ValueError, "groups that divides 4 channels, got 3", lambda: F.channel_shuffle(image, 3)),
                (ValueError, r"expected theta \[batch, 2, 3\]", lambda: F.affine_grid(image, (1, 1, 2, 2))),
                (ValueError, "expected mode bilinear, nearest", lambda: F.grid_sample(image, image, mode="linear")),
                (ValueError, "expected padding_mode zeros", lambda: F.grid_sample(image, image, padding_mode="wrap")),
                (ValueError, r"expected a grid \[batch, ..., 2\]", lambda: F.grid_sample(image, image)),
                (ValueError, "num_classes for an empty tensor", lambda: F.one_hot(gyre.zeros((0,), dtype="i64"))),
                (ValueError, "embedding: gyre has no max_norm", lambda: F.embedding(index, x, max_norm=1.0)),
                (ValueError, "gyre has no sparse", lambda: F.embedding(index, x, sparse=True)),
                (ValueError, "padding_idx within 2 rows, got 5", lambda: F.embedding(index, x, 5)),
                (ValueError, "expected mode sum, mean or max", lambda: F.embedding_bag(index, x, index, mode="min")),
                (ValueError, "mode sum with per_sample_weights",
                 lambda: F.embedding_bag(index, x, index, per_sample_weights=gyre.ones((2,)))),
                (ValueError, "flat indices with offsets", lambda: F.embedding_bag(index, x)),
                (ValueError, "reduction: expected none, mean or sum, got 'all'",
                 lambda: F.mse_loss(x, x, reduction="all")),
                (ValueError, "expected beta of 0 or more", lambda: F.smooth_l1_loss(x, x, beta=-1)),
                (ValueError, "expected delta above 0", lambda: F.huber_loss(x, x, delta=0)),
                (ValueError, "variances of 0 or more", lambda: F.gaussian_nll_loss(x, x, -x)),
                (ValueError, r"expected scores \[batch, classes\]", lambda: F.multi_margin_loss(image, index)),
                (ValueError, "expected p of 1 or 2", lambda: F.multi_margin_loss(x, index, p=3)),
                (ValueError, "expected margin above 0", lambda: F.triplet_margin_loss(x, x, x, margin=0)),
                (ValueError, r"layer_norm: expected last axes \[3\], got \[2, 4\]", lambda: F.layer_norm(x, (3,))),
                (ValueError, r"batch_norm: expected input \[batch, channels, ...\]", lambda: F.batch_norm(x[0], x, x)),
                (ValueError, "running_mean and running_var outside training", lambda: F.batch_norm(x, None, None)),
                (ValueError, "batch_norm: expected several values",
                 lambda: F.batch_norm(gyre.ones((1, 4)), None, None, training=True)),
                (ValueError, "instance_norm: expected several values", lambda: F.instance_norm(gyre.ones((2, 4, 1)))),
                (ValueError, "expected 3 or more axes", lambda: F.local_response_norm(x, 2)),
                (ValueError, "dropout: expected a probability p from 0 to 1, got 2", lambda: F.dropout(x, 2)),
                (ValueError, "pooling: expected windows", lambda: F.lp_pool2d(image, 2, 7)),
                (ValueError, "max_pool3d: expected padding of at most half", lambda: F.max_pool3d(image, 2, padding=2)),
                (ValueError, "avg_pool3d: expected padding of at most half", lambda: F.avg_pool3d(image, 2, padding=2)),
                (ValueError, "avg_pool2d: expected a divisor_override",
                 lambda: F.avg_pool2d(image, 2, divisor_override=0)),
                (ValueError, "either output_size or output_ratio", lambda: F.fractional_max_pool2d(image, 2)),
                (ValueError, r"output_size near \[10, 10\]",
                 lambda: F.max_unpool2d(image, image.long(), 2, output_size=(4, 4)))):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                call()


if __name__ == "__main__":
    unittest.main()
