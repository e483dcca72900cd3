"""What training programs use beside layers and optimisers, with gyre and PyTorch: mixed precision, checkpointing, function
transforms of modules, averaged weights, switches."""

import contextlib
import copy
import io
import unittest
import warnings

import common
from common import gyre, numpy, torch

setUpModule = common.needs_packages


def same(test, values):
    """Compares the numbers that a function of a library gives, for gyre and PyTorch."""
    import torch.distributions
    import torch.optim.swa_utils
    import torch.utils.checkpoint  # noqa: F401  gyre.utils.checkpoint is its counterpart

    ours, theirs = values(gyre), values(torch)
    test.assertEqual(len(ours), len(theirs))
    for number, (a, b) in enumerate(zip(ours, theirs)):
        plain = [x.detach().tolist() if hasattr(x, "detach") else x for x in (a, b)]
        numpy.testing.assert_allclose(*plain, rtol=1e-5, atol=1e-6, err_msg=f"value {number}")


def linear(lib, width=3, out=2):
    layer = lib.nn.Linear(width, out)
    with lib.no_grad():
        layer.weight.copy_(lib.arange(width * out).reshape(out, width) / 10)
        layer.bias.fill_(0.5)
    return layer


class Programs(unittest.TestCase):
    def test_loss_scaling(self):
        def values(lib):
            found, layer = [], linear(lib)
            optimizer, scaler = lib.optim.SGD(layer.parameters(), lr=0.1), lib.amp.GradScaler("cpu", init_scale=8.0, growth_interval=2)
            for step in range(5):
                optimizer.zero_grad()
                loss = layer(lib.ones(1, 3) * step).pow(2).mean()
                a, b = scaler.scale([loss, loss * (float("inf") if step == 3 else 0)])
                (a + b).backward()
                if step % 2:
                    scaler.unscale_(optimizer)
                scaler.step(optimizer)
                scaler.update()
                found += [scaler.get_scale(), layer.weight.clone()]
            state = scaler.state_dict()
            other = lib.amp.GradScaler("cpu")
            other.scale(lib.ones(()))
            other.load_state_dict(state)
            found += [*state.values(), other.get_scale(), other.state_dict()["_growth_tracker"]]
            other.update(4.0)
            off = lib.amp.GradScaler("cpu", enabled=False)
            off.load_state_dict(off.state_dict())
            off.unscale_(optimizer)
            off.step(optimizer)
            off.update()
            return [*found, other.get_scale(), off.get_scale(), float(off.scale(lib.ones(()))), scaler.is_enabled(), off.is_enabled()]

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            same(self, values)
        optimizer = gyre.optim.SGD([gyre.nn.Parameter(gyre.ones(1))], lr=1)
        scaler = gyre.cuda.amp.GradScaler()
        scaler.unscale_(optimizer)
        self.assertRaisesRegex(RuntimeError, "unscaled since the last update", scaler.unscale_, optimizer)
        self.assertRaisesRegex(RuntimeError, "call step", gyre.amp.GradScaler().update)
        self.assertRaisesRegex(RuntimeError, "expected the state", gyre.amp.GradScaler().load_state_dict, {})

    def test_autocast(self):
        with self.assertWarnsRegex(UserWarning, "autocast has no effect"):
            with gyre.autocast("cpu", dtype=gyre.bfloat16):
                self.assertFalse(gyre.is_autocast_enabled())
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with gyre.amp.autocast(device_type="cpu", enabled=False), gyre.cuda.amp.autocast(enabled=False):
                pass
            self.assertEqual(gyre.autocast("cpu", enabled=False)(lambda: 3)(), 3)

    def test_checkpointing(self):
        def values(lib):
            checkpoint = lib.utils.checkpoint
            model = lib.nn.Sequential(linear(lib), lib.nn.Tanh(), linear(lib, 2, 3), lib.nn.ReLU())
            x = lib.ones(2, 3, requires_grad=True)
            y = checkpoint.checkpoint(model, x, use_reentrant=False)
            y.sum().backward()
            z = checkpoint.checkpoint_sequential(model, 2, x, use_reentrant=False)
            (z * z).sum().backward()
            w = checkpoint.checkpoint(lambda a, scale, b=None: a * scale + b, x, 2.0, b=x, use_reentrant=False)
            return [y, z, w, x.grad, *[p.grad for p in model.parameters()]]

        same(self, values)
        with self.assertRaisesRegex(ValueError, "expected 1 to 1 segments, got 2"):
            gyre.utils.checkpoint.checkpoint_sequential([gyre.sin], 2, gyre.ones(1))
        with self.assertRaisesRegex(ValueError, "preserve_rng_state=True"):
            gyre.utils.checkpoint.checkpoint(gyre.sin, gyre.ones(1), preserve_rng_state=False)

    def test_function_transforms(self):
        def values(lib):
            func, x = lib.func, lib.arange(3.0) / 3
            layer = linear(lib)
            state = {name: p.detach() for name, p in layer.named_parameters()}

            def loss(state, row):
                return (func.functional_call(layer, state, (row,)) ** 2).sum()

            rows = lib.arange(6.0).reshape(2, 3)
            per_row = func.vmap(func.grad(loss), in_dims=(None, 0))(state, rows)
            slope, other = func.grad(lambda v: ((v ** 2).sum(), v * 2), has_aux=True)(x)
            slope_, value = func.grad_and_value(lambda v: (v ** 2).sum())(x)
            jacobian, kept = func.jacrev(lambda v: (v.sin(), v.cos()), has_aux=True)(x)
            split = func.functional_call(layer, ({"weight": state["weight"]}, {"bias": state["bias"]}), rows)
            stacked, buffers = func.stack_module_state([layer, layer])
            return [per_row["weight"], per_row["bias"], slope, other, slope_, value, jacobian, kept, func.jacfwd(lib.sin)(x), split,
                    stacked["weight"], len(buffers), lib.vmap(lambda a, b: a * b, in_dims=(0, None), out_dims=1)(rows, x),
                    func.vmap(lambda a: a.sum(), in_dims=1)(rows)]

        same(self, values)
        (value, aux), slope = gyre.func.value_and_grad(lambda v: (v * v, v + 1), has_aux=True)(gyre.tensor(3.0))
        self.assertEqual((value.item(), aux.item(), slope.item(), aux.requires_grad), (9, 4, 6, False))
        with self.assertRaisesRegex(TypeError, "has_aux: expected a function that returns a pair"):
            gyre.func.grad(gyre.sum, has_aux=True)(gyre.ones(2))
        self.assertRaisesRegex(ValueError, "randomness", gyre.vmap, gyre.sin, randomness="different")
        self.assertRaisesRegex(ValueError, "at least one module", gyre.func.stack_module_state, [])

    def test_derivatives_of_functions(self):
        def values(lib):
            f, x, v = lib.autograd.functional, lib.arange(3.0), lib.ones(3)
            pair = f.jacobian(lambda a, b: a * b, (x, v))
            both = f.vjp(lambda a, b: (a * b).sum(), (x, v))[1]
            return [*pair, f.hessian(lambda a: (a ** 3).sum(), x), *f.vjp(lib.sin, x, v), *f.jvp(lib.sin, x, v), *both,
                    *f.hvp(lambda a: (a ** 3).sum(), x, v)]

        same(self, values)
        Variable = gyre.autograd.Variable
        x = Variable(gyre.ones(2, dtype="f64"), requires_grad=True)
        self.assertTrue(x.is_leaf and x.requires_grad)
        self.assertTrue(gyre.autograd.gradcheck(gyre.exp, (x,)))
        wrong = gyre.custom_function(lambda x: x * 2, lambda inputs, results, cotangents: cotangents)
        self.assertFalse(gyre.autograd.gradcheck(wrong, x, raise_exception=False))
        self.assertRaisesRegex(gyre.NumericError, "gradcheck", gyre.autograd.gradcheck, wrong, x)
        self.assertRaisesRegex(TypeError, "expected a gyre.Tensor, got list", Variable, [1.0])

    def test_functions_with_optional_arguments(self):
        def values(lib):
            class Linear(lib.autograd.Function):
                @staticmethod
                def forward(ctx, x, weight, bias=None):
                    ctx.save_for_backward(x, weight, bias)
                    y = x.mm(weight.t())
                    return y if bias is None else y + bias

                @staticmethod
                @lib.autograd.function.once_differentiable
                def backward(ctx, g):
                    x, weight, bias = ctx.saved_tensors
                    return g.mm(weight), g.t().mm(x), None if bias is None else g.sum(0)

            x, w, b = (lib.ones(*shape, requires_grad=True) for shape in ((2, 3), (4, 3), (4,)))
            Linear.apply(x, w).pow(2).sum().backward()
            Linear.apply(x, w, b).pow(2).sum().backward()
            return [x.grad, w.grad, b.grad]

        same(self, values)

    def test_averaged_weights(self):
        def values(lib):
            swa = lib.optim.swa_utils
            model = lib.nn.Sequential(linear(lib), lib.nn.BatchNorm1d(2))
            averages = [swa.AveragedModel(model), swa.AveragedModel(model, use_buffers=True),
                        swa.AveragedModel(model, multi_avg_fn=swa.get_ema_multi_avg_fn(0.9)),
                        swa.AveragedModel(model, avg_fn=swa.get_ema_avg_fn(0.8))]
            for step in range(3):
                with lib.no_grad():
                    model(lib.arange(6.0).reshape(2, 3))
                    model[0].weight += 1
                for average in averages:
                    average.update_parameters(model)
            found = [x for average in averages for x in average.module.state_dict().values() if x.is_floating_point()]
            rows = [(lib.arange(6.0).reshape(2, 3) ** 2,), (lib.ones(2, 3),)]
            swa.update_bn(rows, averages[0])
            found += [*averages[0].module.buffers(), averages[0].eval()(rows[0][0])]
            optimizer = lib.optim.SGD([{"params": model[0].parameters()}, {"params": model[1].parameters(), "lr": 0.5}], lr=1.0)
            for kind in ("cos", "linear"):
                scheduler = swa.SWALR(optimizer, swa_lr=[0.1, 0.2], anneal_epochs=3, anneal_strategy=kind)
                for _ in range(5):
                    optimizer.step()
                    scheduler.step()
                    found.append([group["lr"] for group in optimizer.param_groups])
            return found

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            same(self, values)
        layer, swa = linear(gyre), gyre.optim.swa_utils
        optimizer = gyre.optim.SGD(layer.parameters(), lr=1)
        for call, text in ((lambda: swa.AveragedModel(layer, avg_fn=max, multi_avg_fn=max), "got both"),
                           (lambda: swa.get_ema_avg_fn(2), "decay from 0 to 1"),
                           (lambda: swa.SWALR(optimizer, [1, 2]), "swa_lr for 1 parameter groups"),
                           (lambda: swa.SWALR(optimizer, 1, anneal_strategy="exp"), "cos or linear")):
            self.assertRaisesRegex(ValueError, text, call)

    def test_options_of_layers_can_be_changed(self):
        nn = torch.nn
        for name, arguments, option, value in (
            ("BatchNorm1d", (2,), "momentum", 0.9), ("BatchNorm1d", (2,), "momentum", None), ("BatchNorm1d", (2,), "eps", 0.5),
            ("Conv1d", (2, 1, 2), "stride", (2,)), ("Conv1d", (2, 1, 2), "padding", (1,)),
            ("ConvTranspose1d", (2, 1, 2), "stride", (3,)), ("LayerNorm", (4,), "eps", 0.5), ("GroupNorm", (1, 2), "eps", 0.5),
            ("InstanceNorm1d", (2,), "eps", 0.5), ("MaxPool1d", (2,), "kernel_size", 3), ("Dropout", (0.5,), "p", 0.0),
            ("ELU", (), "alpha", 2.0), ("Softmax", (1,), "dim", 2)):
            with self.subTest(f"{name}.{option} = {value}"):
                layer = getattr(nn, name)(*arguments)
                port = getattr(gyre.nn, name)(*arguments)
                port.load_state_dict({key: gyre.as_tensor(x.numpy()) for key, x in layer.state_dict().items()})
                setattr(layer, option, value)
                setattr(port, option, value)
                x = numpy.arange(16, dtype="f4").reshape(2, 2, 4) ** 2
                got, want = port(gyre.as_tensor(x)), layer(torch.as_tensor(x))
                self.assertEqual(getattr(port, option), value)
                numpy.testing.assert_allclose(got.tolist(), want.tolist(), rtol=1e-4, atol=1e-5)
                for key, buffer in layer.named_buffers():
                    numpy.testing.assert_allclose(getattr(port, key).tolist(), buffer.tolist(), rtol=1e-5)

    def test_layers_can_be_reset(self):
        gyre.manual_seed(0)
        for name, arguments in (("Linear", (300, 20)), ("Conv2d", (30, 20, 3)), ("Embedding", (30, 20)), ("LayerNorm", (4,)),
                                ("BatchNorm2d", (4,)), ("LSTM", (8, 9)), ("GroupNorm", (2, 4)), ("BatchNorm1d", (4, 1e-5, None))):
            with self.subTest(name):
                layer, fresh = getattr(gyre.nn, name)(*arguments), getattr(gyre.nn, name)(*arguments).state_dict()
                with gyre.no_grad():
                    for x in layer.state_dict().values():
                        x.fill_(7)
                layer.reset_parameters()
                for key, x in layer.state_dict().items():
                    self.assertLess((x.double() - fresh[key].double()).abs().mean().item(), 2 * fresh[key].double().abs().mean().item() + 1e-9)
        norm = gyre.nn.BatchNorm1d(2)
        norm(gyre.arange(4.0).reshape(2, 2))
        norm.reset_running_stats()
        self.assertEqual([b.tolist() for b in norm.buffers()], [[0, 0], [1, 1], 0])

    def test_moving_averages_by_hand(self):
        def values(lib):
            model = lib.nn.Sequential(linear(lib), lib.nn.BatchNorm1d(2))
            average = copy.deepcopy(model)
            for _ in range(2):
                model(lib.arange(6.0).reshape(2, 3))
                with lib.no_grad():
                    for mine, other in zip(average.parameters(), model.parameters()):
                        other += 1
                        mine.mul_(0.9).add_(other.data, alpha=0.1)
                    for name, x in average.state_dict().items():
                        if x.dtype.is_floating_point:
                            x.lerp_(model.state_dict()[name], 0.5)
            return [*average.parameters(), *average.buffers()]

        same(self, values)

    def test_switches(self):
        gyre.backends.cudnn.benchmark, gyre.backends.cudnn.deterministic = True, False
        gyre.backends.cuda.matmul.allow_tf32 = True
        self.assertFalse(gyre.backends.mps.is_available() or gyre.backends.cudnn.is_available())
        gyre.set_float32_matmul_precision("high")
        gyre.set_printoptions(precision=3)
        with self.assertWarnsRegex(UserWarning, "overflow"), gyre.autograd.set_detect_anomaly(True):
            pass
        with gyre.autograd.set_detect_anomaly(False):
            pass
        gyre.use_deterministic_algorithms(True)
        self.assertRaisesRegex(ValueError, "highest, high or medium", gyre.set_float32_matmul_precision, "low")
        self.assertIsInstance(gyre.ones(2, 3).shape, gyre.Size)
        self.assertRaisesRegex(AttributeError, "no attribute nothing", getattr, gyre.cuda, "nothing")
        with contextlib.redirect_stdout(io.StringIO()) as text:
            print(gyre.__version__, gyre.cuda.device_count())
        self.assertGreater(len(text.getvalue()), 3)

    def test_distributions(self):
        def values(lib):
            d, found = lib.distributions, []
            loc, scale = lib.arange(3.0).requires_grad_(), lib.tensor([0.5, 1.0, 2.0])
            normal, other = d.Normal(loc, scale), d.Normal(0.0, 1.0)
            flags = d.Bernoulli(logits=loc - 1), d.Bernoulli(probs=lib.tensor([0.1, 0.5, 1.0]))
            classes = d.Categorical(logits=lib.arange(6.0).reshape(2, 3)), d.Categorical(probs=lib.tensor([1.0, 0.0, 3.0]))
            parts = d.Independent(d.Normal(lib.zeros(2, 3), lib.ones(2, 3)), 1)
            found += [normal.log_prob(lib.ones(3)), normal.entropy(), normal.cdf(lib.ones(3)), normal.mean, normal.stddev,
                      d.kl_divergence(normal, d.Normal(lib.ones(3), 2 * lib.ones(3))), other.log_prob(lib.tensor(0.5)),
                      *[x for f in flags for x in (f.log_prob(lib.tensor([0.0, 1.0, 1.0])), f.entropy(), f.mean, f.variance)],
                      d.kl_divergence(flags[0], d.Bernoulli(logits=lib.zeros(3))),
                      classes[0].log_prob(lib.tensor([2, 0])), classes[0].log_prob(lib.tensor([[2, 0], [1, 1]])),
                      classes[0].entropy(), classes[1].probs, classes[1].log_prob(lib.tensor([0, 2])), classes[1].entropy(),
                      d.kl_divergence(classes[0], d.Categorical(logits=lib.zeros(2, 3))), parts.log_prob(lib.ones(2, 3)),
                      parts.entropy(), parts.mean, parts.variance, d.Independent(normal, 0).entropy(),
                      d.kl_divergence(parts, d.Independent(d.Normal(lib.ones(2, 3), lib.ones(2, 3)), 1)),
                      d.Uniform(0.0, 2.0).log_prob(lib.tensor([1.0])), d.Uniform(0.0, 2.0).entropy(),
                      d.Uniform(lib.zeros(2), 3.0).mean, d.Uniform(0.0, 3.0).variance, list(parts.batch_shape),
                      list(parts.event_shape), parts.has_rsample, other.has_rsample, flags[0].has_rsample]
            for one in (normal, *flags, *classes, parts, other, d.Uniform(0.0, 1.0)):
                found += [list(one.sample().shape), list(one.sample((4, 2)).shape), float(one.sample().requires_grad)]
            (normal.rsample((5,)).sum() + parts.rsample().sum() * 0).backward()
            found.append(loc.grad)
            return found

        same(self, values)
        gyre.manual_seed(0)
        d = gyre.distributions
        for one, mean in ((d.Normal(2.0, 3.0), 2), (d.Uniform(1.0, 4.0), 2.5), (d.Bernoulli(0.3), 0.3),
                          (d.Categorical(gyre.tensor([0.25, 0.25, 0.5])), 1.25)):
            self.assertLess(abs(one.sample((40_000,)).double().mean().item() - mean), 0.06)
        base = d.Distribution()
        for call, error, text in ((lambda: d.Normal(0.0, 0.0), ValueError, "scale above 0"),
                                  (lambda: d.Uniform(1.0, 1.0), ValueError, "low below high"),
                                  (lambda: d.Bernoulli(2.0), ValueError, "probs from 0 to 1"),
                                  (lambda: d.Bernoulli(), ValueError, "either probs or logits"),
                                  (lambda: d.Categorical(gyre.tensor([-1.0, 2.0])), ValueError, "probs of at least 0"),
                                  (lambda: d.Independent(d.Normal(0.0, 1.0), 1), ValueError, "expected 0 to 0 axes"),
                                  (lambda: d.Bernoulli(0.5).rsample(), NotImplementedError, "use sample"),
                                  (lambda: base.log_prob(1), NotImplementedError, "log_prob"),
                                  (base.entropy, NotImplementedError, "entropy"),
                                  (lambda: d.kl_divergence(base, base), NotImplementedError, "not known for Distribution")):
            with self.subTest(text), self.assertRaisesRegex(error, text):
                call()

    def test_buffers_by_assignment(self):
        for lib in (gyre, torch):
            module = lib.nn.Module()
            module.mask, module.scratch = lib.nn.Buffer(lib.ones(2)), lib.nn.Buffer(lib.zeros(1), persistent=False)
            self.assertEqual(([name for name, _ in module.named_buffers()], [*module.state_dict()]), (["mask", "scratch"], ["mask"]))
            self.assertEqual(module.mask.sum().item(), 2)

    def test_an_optimiser_follows_a_cast(self):
        layer = linear(gyre)
        optimizer, losses = gyre.optim.SGD(layer.parameters(), lr=0.05), []
        layer.to("f64")
        for _ in range(50):
            optimizer.zero_grad()
            loss = (layer(gyre.ones(1, 3, dtype="f64")) - 3).pow(2).sum()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        self.assertLess(losses[-1], 1e-6 * losses[0])

    def test_a_diverging_training_is_told_once(self):
        p = gyre.nn.Parameter(gyre.ones(1))
        optimizer = gyre.optim.SGD([p], lr=1)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            for _ in range(3):
                optimizer.zero_grad()
                (p * float("inf")).sum().backward()
                optimizer.step()
        self.assertEqual(len(told), 1)
        self.assertIn("the gradients are not finite, so training may have diverged", str(told[0].message))

    def test_classes_are_along_the_second_axis(self):
        x = numpy.random.default_rng(0).standard_normal((4, 4, 4)).astype("f4")
        same(self, lambda lib: [lib.nn.functional.cross_entropy(lib.as_tensor(x), lib.arange(16).reshape(4, 4) % 4),
                                lib.nn.CrossEntropyLoss()(lib.as_tensor(x), lib.as_tensor(x).softmax(1))])

    def test_errors_name_what_a_user_can_do(self):
        y = gyre.ones(2, requires_grad=True)
        z = (y * y).sum()
        z.backward()
        for call, error, text in ((lambda: y.add_(1), ValueError, "write under no_grad"),
                                  (lambda: (y * 2).backward(), ValueError, "pass a gradient of that shape"),
                                  (z.backward, ValueError, "set retain_graph in the earlier call"),
                                  (lambda: gyre.zeros(-1), ValueError, r"shape \[-1\] has a negative size"),
                                  (lambda: numpy.asarray(y * 2), ValueError, "use detach"),
                                  (lambda: gyre.nn.CrossEntropyLos, AttributeError, "CrossEntropyLos")):
            with self.subTest(text), self.assertRaisesRegex(error, text):
                call()


if __name__ == "__main__":
    unittest.main()
