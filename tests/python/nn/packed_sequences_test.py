"""Packed sequences (gyre.nn.utils.rnn), and recurrent layers over them, compared with PyTorch."""

import copy
import pickle
import unittest

from common import gyre, needs_packages, to_torch, torch

if gyre:
    from gyre import nn
    from gyre.nn.utils import rnn

LENGTHS = [3, 5, 1, 3]


def setUpModule():
    needs_packages()


def sequences(width=3):
    torch.manual_seed(0)
    return [torch.randn(length, width, dtype=torch.float64, requires_grad=True) for length in LENGTHS]


def same(got, want):
    torch.testing.assert_close(to_torch(got), want.detach(), rtol=1e-9, atol=1e-12)


class Packing(unittest.TestCase):
    def pair(self):
        theirs = sequences()
        mine = [gyre.from_torch(s.detach()).requires_grad_() for s in theirs]
        return mine, theirs

    def same_packed(self, got, want):
        self.assertEqual(got._fields, want._fields)
        for name, tensor in want._asdict().items():
            with self.subTest(name):
                same(getattr(got, name), tensor)

    def test_sequences_there_and_back(self):
        mine, theirs = self.pair()
        ours, other = rnn.pack_sequence(mine, enforce_sorted=False), torch.nn.utils.rnn.pack_sequence(
            theirs, enforce_sorted=False)
        self.same_packed(ours, other)
        for got, want in zip(rnn.unpack_sequence(ours), theirs):
            same(got, want)
        for options in ({}, {"batch_first": True}, {"padding_value": -1.0, "total_length": 7}):
            with self.subTest(options):
                got = rnn.pad_packed_sequence(ours, **options)
                want = torch.nn.utils.rnn.pad_packed_sequence(other, **options)
                same(got[0], want[0])
                self.assertEqual(got[1].tolist(), want[1].tolist())
        (got[0] * got[0]).sum().backward()
        (want[0] * want[0]).sum().backward()
        for s, t in zip(mine, theirs):
            same(s.grad, t.grad)

    def test_padded_sequences(self):
        x = torch.randn(4, 6, 2, dtype=torch.float64)
        for batch_first, lengths in ((True, [6, 4, 4, 1]), (False, torch.tensor([4, 3, 3, 2, 1, 1]))):
            with self.subTest(batch_first=batch_first):
                given = lengths if batch_first else gyre.from_torch(lengths)
                got = rnn.pack_padded_sequence(gyre.from_torch(x), given, batch_first)
                want = torch.nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first)
                same(got.data, want.data)
                self.assertEqual((got.batch_sizes.tolist(), got[2:]), (want.batch_sizes.tolist(), (None, None)))

    def test_it_is_a_tuple(self):
        packed = rnn.pack_sequence([gyre.from_torch(s.detach()) for s in sequences()], enforce_sorted=False)
        data, sizes, order, back = packed
        self.assertIs(data, packed.data)
        self.assertEqual(rnn.invert_permutation(order).tolist(), back.tolist())
        for other in (pickle.loads(pickle.dumps(packed)), copy.deepcopy(packed), packed.cpu(), packed.double()):
            self.assertIsInstance(other, rnn.PackedSequence)
            self.assertEqual([t.tolist() for t in other], [t.tolist() for t in packed])
        self.assertEqual((packed.float().data.dtype, packed.half().data.dtype), (gyre.f32, gyre.f16))
        self.assertEqual((packed.is_cuda, packed.to("cpu", gyre.f32).data.dtype), (False, gyre.f32))
        if not any("cuda" in str(device) for device in gyre.devices()):
            with self.assertRaises(gyre.Error):
                packed.cuda()

    def test_errors(self):
        x = gyre.ones((3, 2, 4))
        packed = rnn.pack_padded_sequence(x, [3, 1])
        for words, call in (
                ("lengths in descending order, got \\[1, 3\\]; pass enforce_sorted=False",
                 lambda: rnn.pack_padded_sequence(x, [1, 3])),
                ("expected 2 lengths from 1 to 3, got \\[3, 0\\]", lambda: rnn.pack_padded_sequence(x, [3, 0])),
                ("expected 2 lengths from 1 to 3, got \\[4, 1\\]", lambda: rnn.pack_padded_sequence(x, [4, 1])),
                ("expected 2 lengths", lambda: rnn.pack_padded_sequence(x, [3])),
                ("input of 2 or more axes", lambda: rnn.pack_padded_sequence(gyre.ones(3), [3])),
                ("total_length of 3 or more, got 2", lambda: rnn.pad_packed_sequence(packed, total_length=2)),
                ("batch_sizes of 1 or more that do not increase", lambda: rnn.PackedSequence(gyre.ones(3), [1, 2])),
                ("batch_sizes of 1 or more", lambda: rnn.PackedSequence(gyre.ones(0), [])),
                ("batch_sizes sum to 3, but data has shape \\[2\\]", lambda: rnn.PackedSequence(gyre.ones(2), [2, 1])),
                ("GRU: expected a state of shape \\[1, 2, 5\\], got \\[1, 3, 5\\]",
                 lambda: nn.GRU(4, 5)(packed, gyre.ones((1, 3, 5))))):
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                call()


class Layers(unittest.TestCase):
    """Outputs, last states and gradients of inputs, weights and first states."""

    def check(self, make, given_state, enforce_sorted):
        torch.manual_seed(1)
        theirs, ours = make(torch.nn).double(), make(nn).double()
        ours.load_state_dict(theirs.state_dict())
        inputs = sorted(sequences(), key=len, reverse=True) if enforce_sorted else sequences()
        mine = [gyre.from_torch(s.detach()).requires_grad_() for s in inputs]
        want = theirs(torch.nn.utils.rnn.pack_sequence(inputs, enforce_sorted=enforce_sorted))[1]
        want = want if isinstance(want, tuple) else (want,)
        states = [torch.randn(*s.shape, dtype=torch.float64, requires_grad=True) for s in want] if given_state else []
        my_states = [gyre.from_torch(s.detach()).requires_grad_() for s in states]

        def run(layer, tools, inputs, states):
            state = None if not states else tuple(states) if len(want) == 2 else states[0]
            out, last = layer(tools.pack_sequence(inputs, enforce_sorted=enforce_sorted), state)
            padded, _ = tools.pad_packed_sequence(out)
            results = [padded, *(last if isinstance(last, tuple) else (last,))]
            sum((r * r.sin()).sum() for r in results).backward()
            return results

        for got, known in zip(run(ours, rnn, mine, my_states), run(theirs, torch.nn.utils.rnn, inputs, states)):
            same(got, known)
        for got, known in zip([*mine, *my_states, *(p for _, p in ours.named_parameters())],
                              [*inputs, *states, *theirs.parameters()]):
            same(got.grad, known.grad)

    def test_layers(self):
        for make in (lambda m: m.RNN(3, 4), lambda m: m.RNN(3, 4, 2, nonlinearity="relu", bias=False, bidirectional=True),
                     lambda m: m.GRU(3, 4, 2, batch_first=True), lambda m: m.GRU(3, 4, bidirectional=True),
                     lambda m: m.LSTM(3, 4, 2, bidirectional=True), lambda m: m.LSTM(3, 4, bias=False),
                     lambda m: m.LSTM(3, 4, 2, bidirectional=True, proj_size=2)):
            for given_state, enforce_sorted in ((False, True), (True, False)):
                with self.subTest(make(nn), given_state=given_state):
                    self.check(make, given_state, enforce_sorted)

    def test_dropout_between_layers(self):
        gyre.manual_seed(0)
        layer, packed = nn.GRU(3, 4, 2, dropout=0.5), rnn.pack_sequence([gyre.ones((5, 3))])
        self.assertNotEqual(layer(packed)[0].data.tolist(), layer(packed)[0].data.tolist())
        layer.eval()
        self.assertEqual(layer(packed)[0].data.tolist(), layer(packed)[0].data.tolist())


if __name__ == "__main__":
    unittest.main()
