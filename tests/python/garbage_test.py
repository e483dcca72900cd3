"""Cycles of tensors and the Python functions that they hold are collected."""

import functools
import gc
import unittest

from common import gyre, needs_packages


def setUpModule():
    needs_packages()


def leaf():
    return gyre.ones(10, requires_grad=True)


def double(hold):
    """A custom function whose backward holds `hold`."""
    def backward(inputs, results, cotangents):
        return (2 * cotangents[0] if hold is not None else None,)

    return gyre.custom_function(lambda x: 2 * x, backward)


class Cycles(unittest.TestCase):
    def collected(self, make):
        """Nothing of what make() creates stays."""
        make()
        gc.collect()
        before = gyre.live_tensors()
        for _ in range(5):
            make()
        gc.collect()
        self.assertEqual(gyre.live_tensors(), before)

    def test_hooks_of_parameters(self):
        def hook_that_holds_its_module():
            module = gyre.nn.Linear(3, 2)
            module.weight.register_hook(lambda g: (module, None)[1])

        def hook_that_holds_its_parameter():
            module = gyre.nn.Linear(3, 2)
            [*module.parameters()][0].register_hook(lambda g, p=module.weight: (p, None)[1])

        def ready_hook_that_holds_its_module():
            module = gyre.nn.Linear(3, 2)
            module.weight.register_post_accumulate_grad_hook(lambda p: (module, None)[1])
        for make in (hook_that_holds_its_module, hook_that_holds_its_parameter, ready_hook_that_holds_its_module):
            with self.subTest(make.__name__):
                self.collected(make)

    def test_a_hook_lives_while_its_parameter_does(self):
        module, seen = gyre.nn.Linear(3, 2), []
        weight = module.weight
        weight.register_hook(lambda g, held=[module]: (seen.append((held, g)), None)[1])
        del module
        gc.collect()
        (weight * 2).sum().backward()
        self.assertEqual(len(seen), 1)

    def test_hooks(self):
        def hook_of_a_leaf():
            x = leaf()
            x.register_hook(lambda g, x=x: None)

        def hook_without_a_closure():
            x = leaf()
            x.register_hook(functools.partial(print, x))

        def hook_that_holds_its_handle():
            x, handles = leaf(), []
            handles.append(x.register_hook(lambda g: (x, handles)))

        def hook_that_holds_only_its_handle():
            x, handles, held = leaf(), [], gyre.ones(3)
            handles.append(x.register_hook(lambda g: (handles, held)))

        def hooks_that_hold_each_others_handles():
            x, handles, held = leaf(), [], gyre.ones(3)
            handles += [x.register_hook(lambda g: (handles, held)) for _ in range(2)]

        def hook_of_a_result_that_holds_only_its_handle():
            y, handles, held = leaf() * 2, [], gyre.ones(3)
            handles.append(y.register_hook(lambda g: (handles, held)))

        def hook_that_removed_itself():
            x, handles, held = leaf(), [], gyre.ones(3)
            handles.append(x.register_hook(lambda g: handles[0].remove() if held is not None else None))
            (x * x).sum().backward()
            self.assertEqual(x.grad.tolist(), [2] * 10)

        def hook_that_ran():
            x = leaf()
            x.register_hook(lambda g: x * 0)
            (x * x).sum().backward()

        def hook_of_a_result():
            y = leaf() * 2
            y.register_hook(lambda g: y)

        def hook_of_a_result_of_a_result():
            y = leaf() * 2
            y.register_hook(lambda g: z)
            z = y * y
            del y

        def hook_of_a_parameter():
            p = gyre.nn.Parameter([1.0, 2.0])
            p.register_hook(lambda g: p)

        for make in (hook_of_a_leaf, hook_without_a_closure, hook_that_holds_its_handle, hook_that_holds_only_its_handle,
                     hooks_that_hold_each_others_handles, hook_of_a_result_that_holds_only_its_handle,
                     hook_that_removed_itself, hook_that_ran, hook_of_a_result, hook_of_a_result_of_a_result,
                     hook_of_a_parameter):
            with self.subTest(make.__name__):
                self.collected(make)

    def test_hooks_that_remove_themselves(self):
        x, calls, handles = leaf(), [], []

        def once(g):
            calls.append("once")
            handles[0].remove()
            handles.clear()  # the last reference to the handle

        handles.append(x.register_hook(once))
        x.register_hook(lambda g: calls.append("always"))
        for _ in range(2):
            (x * x).sum().backward()
        self.assertEqual(calls, ["once", "always", "always"])

    def test_custom_functions(self):
        def result_in_backward():
            held = []
            held.append(double(held)(leaf()))

        def all_in_backward():
            held = []
            f = double(held)
            y = f(f(leaf()))
            held += [(y * y).sum(), f]

        def result_in_a_checkpoint():
            held = []
            held.append(gyre.checkpoint(lambda x: gyre.exp(gyre.sin(x) * x) if held is not None else x, leaf()))

        for make in (result_in_backward, all_in_backward, result_in_a_checkpoint):
            with self.subTest(make.__name__):
                self.collected(make)

    def test_modules(self):
        class Net(gyre.nn.Module):
            def __init__(self):
                super().__init__()
                self.linear, self.w = gyre.nn.Linear(3, 3), gyre.nn.Parameter([1.0])
                self.w.register_hook(lambda g: self)
                self.linear.weight.register_hook(lambda g: self)

        def layer():
            linear = gyre.nn.Linear(3, 3)
            linear.weight.register_hook(lambda g: linear)

        self.collected(Net)
        self.collected(layer)

    def test_datasets(self):
        class Examples:
            def __init__(self):
                self.x, self.loader = gyre.ones(3), gyre.data.DataLoader(self, 1)

            def __len__(self):
                return 3

            def __getitem__(self, i):
                return self.x

        self.collected(lambda: next(iter(Examples().loader)))

    def test_what_is_in_use_stays(self):
        calls = []
        x, held = leaf(), []
        x.register_hook(lambda g, held=held: calls.append(len(held)))
        held.append(x)
        y = double(held)(x)
        held.append(y)
        z = y * 3
        del y
        gc.collect()
        z.sum().backward()
        self.assertEqual(calls, [2])
        self.assertEqual(x.grad.tolist(), [6] * 10)
        clone, handle = x.detach(), x.register_hook(lambda g: None)
        gc.collect()
        handle.remove()
        (x * clone).sum().backward()
        self.assertEqual(calls, [2, 2])


if __name__ == "__main__":
    unittest.main()
