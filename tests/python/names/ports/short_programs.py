"""Short programs as users of PyTorch write them: each function returns numbers that gyre must give as well."""

import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
import torch.utils.data


def normal(*shape, seed=0):
    """Standard normal numbers from NumPy."""
    return torch.from_numpy(np.random.default_rng(seed).standard_normal(shape).astype("float32"))


def with_weights(model, seed=7):
    """The model with weights from NumPy."""
    rng = np.random.default_rng(seed)
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.from_numpy(np.array(0.3 * rng.standard_normal(tuple(p.shape)), dtype="float32")))
    return model


def gan():
    class G(nn.Module):
        def __init__(self):
            super(G, self).__init__()

            def block(i, o, normalize=True):
                layers = [nn.Linear(i, o)]
                if normalize:
                    layers.append(nn.BatchNorm1d(o, 0.8))
                layers.append(nn.LeakyReLU(0.2, inplace=True))
                return layers

            self.model = nn.Sequential(*block(4, 8, normalize=False), *block(8, 16), nn.Linear(16, 2), nn.Tanh())

        def forward(self, z):
            return self.model(z)

    class D(nn.Module):
        def __init__(self):
            super().__init__()
            self.model = nn.Sequential(
                nn.Linear(2, 16), nn.LeakyReLU(0.2, inplace=True), nn.Linear(16, 1), nn.Sigmoid()
            )

        def forward(self, x):
            return self.model(x)

    g, d = (with_weights(G()), with_weights(D(), 8))
    adversarial_loss = torch.nn.BCELoss()
    og = torch.optim.Adam(g.parameters(), lr=0.01, betas=(0.5, 0.999))
    od = torch.optim.Adam(d.parameters(), lr=0.01, betas=(0.5, 0.999))
    Tensor = torch.cuda.FloatTensor if torch.cuda.is_available() else torch.FloatTensor
    out = []
    for i in range(10):
        valid = torch.ones(8, 1, requires_grad=False)
        fake = Tensor(8, 1).fill_(0.0)
        real = normal(8, 2, seed=i)
        og.zero_grad()
        z = normal(8, 4, seed=100 + i)
        gen = g(z)
        gl = adversarial_loss(d(gen), valid)
        gl.backward()
        og.step()
        od.zero_grad()
        dl = (adversarial_loss(d(real), valid) + adversarial_loss(d(gen.detach()), fake)) / 2
        dl.backward()
        od.step()
        out += [gl.item(), dl.item()]
    return out


def lstm():
    class L(nn.Module):
        def __init__(self, i=1, h=8, o=1):
            super().__init__()
            self.h = h
            self.lstm = nn.LSTM(i, h, num_layers=2, batch_first=True, dropout=0.0)
            self.fc = nn.Linear(h, o)

        def forward(self, x):
            h0 = torch.zeros(2, x.size(0), self.h).to(x.device)
            c0 = torch.zeros(2, x.size(0), self.h, device=x.device)
            out, (hn, cn) = self.lstm(x, (h0.detach(), c0.detach()))
            return self.fc(out[:, -1, :])

    m = with_weights(L())
    opt = torch.optim.Adam(m.parameters(), lr=0.01)
    crit = nn.MSELoss(reduction="mean")
    x = torch.sin(torch.linspace(0, 10, 60)).unfold(0, 11, 1)
    data, target = (x[:, :-1].unsqueeze(-1), x[:, -1:])
    out = []
    for e in range(10):
        y = m(data)
        l = crit(y, target)
        opt.zero_grad()
        l.backward()
        torch.nn.utils.clip_grad_value_(m.parameters(), 0.5)
        opt.step()
        out.append(l.item())
    return out


def resnet():
    class Block(nn.Module):
        def __init__(self, inp, planes, stride=1):
            super().__init__()
            self.conv1 = nn.Conv2d(inp, planes, kernel_size=3, stride=stride, padding=1, bias=False)
            self.bn1 = nn.BatchNorm2d(planes)
            self.relu = nn.ReLU(inplace=True)
            self.conv2 = nn.Conv2d(planes, planes, kernel_size=(3, 3), padding=(1, 1), bias=False)
            self.bn2 = nn.BatchNorm2d(planes)
            self.downsample = None
            if stride != 1 or inp != planes:
                self.downsample = nn.Sequential(nn.Conv2d(inp, planes, 1, stride, bias=False), nn.BatchNorm2d(planes))

        def forward(self, x):
            identity = x
            out = self.relu(self.bn1(self.conv1(x)))
            out = self.bn2(self.conv2(out))
            if self.downsample is not None:
                identity = self.downsample(x)
            out += identity
            return self.relu(out)

    class R(nn.Module):
        def __init__(self):
            super().__init__()
            self.stem = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.MaxPool2d(kernel_size=2, stride=2, padding=0))
            self.layer1 = self._make(8, 8, 1)
            self.layer2 = self._make(8, 16, 2)
            self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
            self.fc = nn.Linear(16, 10)
            for m in self.modules():
                if isinstance(m, nn.Conv2d):
                    nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
                elif isinstance(m, (nn.BatchNorm2d, nn.GroupNorm)):
                    nn.init.constant_(m.weight, 1)
                    nn.init.constant_(m.bias, 0)

        def _make(self, i, o, s):
            return nn.Sequential(Block(i, o, s), Block(o, o))

        def forward(self, x):
            x = self.layer2(self.layer1(self.stem(x)))
            x = self.avgpool(x)
            x = torch.flatten(x, 1)
            return self.fc(x)

    m = with_weights(R())
    opt = optim.SGD(m.parameters(), lr=0.1, momentum=0.9, weight_decay=0.0005, nesterov=True)
    sch = optim.lr_scheduler.OneCycleLR(opt, max_lr=0.1, total_steps=6, pct_start=0.5)
    x, y = (normal(8, 3, 8, 8), torch.arange(8) % 10)
    out = []
    for i in range(5):
        opt.zero_grad()
        l = F.cross_entropy(m(x), y)
        l.backward()
        opt.step()
        sch.step()
        out.append(l.item())
        out.append(opt.param_groups[0]["lr"])
    m.eval()
    _, pred = torch.max(m(x).data, 1)
    out.append((pred == y).sum().item())
    return out


def seq2seq():
    class Enc(nn.Module):
        def __init__(self, v, h):
            super().__init__()
            self.embedding = nn.Embedding(v, h, padding_idx=0)
            self.gru = nn.GRU(h, h, batch_first=True)

        def forward(self, x):
            return self.gru(self.embedding(x))

    class Dec(nn.Module):
        def __init__(self, h, v):
            super().__init__()
            self.embedding = nn.Embedding(v, h)
            self.gru = nn.GRUCell(2 * h, h)
            self.attn = nn.Linear(2 * h, 1)
            self.out = nn.Linear(h, v)

        def forward(self, enc, hidden, target):
            hidden = hidden.squeeze(0)
            inp = torch.empty(enc.size(0), 1, dtype=torch.long).fill_(1)
            outs = []
            for t in range(target.size(1)):
                e = self.embedding(inp).squeeze(1)
                score = self.attn(torch.cat([enc, hidden.unsqueeze(1).expand(-1, enc.size(1), -1)], dim=-1)).squeeze(-1)
                w = F.softmax(score, dim=-1).unsqueeze(1)
                ctx = torch.bmm(w, enc).squeeze(1)
                hidden = self.gru(torch.cat((e, ctx), 1), hidden)
                outs.append(self.out(hidden).unsqueeze(1))
                inp = target[:, t].unsqueeze(1)
            return F.log_softmax(torch.cat(outs, dim=1), dim=-1)

    enc, dec = (with_weights(Enc(12, 8)), with_weights(Dec(8, 12), 9))
    opt = optim.Adam(list(enc.parameters()) + list(dec.parameters()), lr=0.02)
    src = torch.tensor(np.random.default_rng(0).integers(1, 12, (4, 6)))
    tgt = src.flip(1)
    out = []
    for i in range(6):
        opt.zero_grad()
        o, h = enc(src)
        d = dec(o, h, tgt)
        l = nn.NLLLoss(ignore_index=0)(d.view(-1, d.size(-1)), tgt.reshape(-1))
        l.backward()
        opt.step()
        out.append(l.item())
    return out


def contrastive():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.backbone = nn.Sequential(nn.Linear(6, 16), nn.GELU(), nn.LayerNorm(16))
            self.proj = nn.Linear(16, 8)
            self.logit_scale = nn.Parameter(torch.ones([]) * np.log(1 / 0.07))

        def forward(self, x):
            return F.normalize(self.proj(self.backbone(x)), dim=-1)

    m = with_weights(Net())
    opt = optim.AdamW(m.parameters(), lr=0.01)
    out = []
    x = normal(8, 6)
    for i in range(5):
        a, b = (m(x), m(x + 0.1 * normal(8, 6, seed=i + 1)))
        logits = m.logit_scale.exp() * a @ b.t()
        labels = torch.arange(logits.shape[0], device=logits.device)
        l = (F.cross_entropy(logits, labels) + F.cross_entropy(logits.T, labels)) / 2
        z = torch.cat([a, b], 0)
        sim = z @ z.T
        sim.fill_diagonal_(-9000000000000000.0)
        mask = torch.eye(16, dtype=torch.bool).roll(8, 0)
        l = l + (-sim[mask] + torch.logsumexp(sim, -1)).mean()
        opt.zero_grad()
        l.backward()
        opt.step()
        out.append(l.item())
        with torch.no_grad():
            m.logit_scale.clamp_(0, math.log(100))
    return out


def custom_function():
    class STE(torch.autograd.Function):
        @staticmethod
        def forward(ctx, input, threshold=0.0):
            ctx.save_for_backward(input)
            ctx.threshold = threshold
            return (input > threshold).float()

        @staticmethod
        def backward(ctx, grad_output):
            (input,) = ctx.saved_tensors
            grad_input = None
            if ctx.needs_input_grad[0]:
                grad_input = grad_output.clone()
                grad_input[input.abs() > 1] = 0
            return (grad_input, None)

    x = normal(6).requires_grad_()
    y = STE.apply(x, 0.1)
    (y * torch.arange(6.0)).sum().backward()
    out = [y, x.grad]

    class LinearF(torch.autograd.Function):
        @staticmethod
        def forward(ctx, input, weight, bias=None):
            ctx.save_for_backward(input, weight, bias)
            output = input.mm(weight.t())
            if bias is not None:
                output += bias.unsqueeze(0).expand_as(output)
            return output

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx, grad_output):
            input, weight, bias = ctx.saved_tensors
            gi = gw = gb = None
            if ctx.needs_input_grad[0]:
                gi = grad_output.mm(weight)
            if ctx.needs_input_grad[1]:
                gw = grad_output.t().mm(input)
            if bias is not None and ctx.needs_input_grad[2]:
                gb = grad_output.sum(0)
            return (gi, gw, gb)

    w = normal(3, 2, seed=1).requires_grad_()
    b = torch.zeros(3, requires_grad=True)
    LinearF.apply(normal(4, 2), w, b).pow(2).sum().backward()
    out += [w.grad, b.grad]
    w.grad = None
    LinearF.apply(normal(4, 2), w).pow(2).sum().backward()
    out += [w.grad]
    return out


def dataset_collate():
    from torch.utils.data import Dataset, DataLoader, random_split, WeightedRandomSampler
    from torch.nn.utils.rnn import pad_sequence

    class D(Dataset):
        def __init__(self):
            self.items = [(torch.arange(n + 1), n % 2, f"t{n}") for n in range(7)]

        def __len__(self):
            return len(self.items)

        def __getitem__(self, i):
            return self.items[i]

    def collate(batch):
        xs, ys, names = zip(*batch)
        lengths = torch.tensor([len(x) for x in xs])
        return (pad_sequence(xs, batch_first=True, padding_value=-1), torch.tensor(ys), lengths, list(names))

    out = []
    for x, y, l, n in DataLoader(D(), batch_size=3, shuffle=False, collate_fn=collate, num_workers=0, pin_memory=False):
        out += [x, y, l, n]
    tr, va = random_split(D(), [5, 2], generator=torch.Generator().manual_seed(42))
    out += [len(tr), len(va)]

    class E(Dataset):
        def __len__(self):
            return 5

        def __getitem__(self, i):
            if torch.is_tensor(i):
                i = i.tolist()
            return {"image": np.full((2, 2), i, dtype=np.float32), "label": i, "meta": {"w": 0.5 * i}}

    for b in DataLoader(E(), batch_size=2, drop_last=True):
        out += [b["image"], b["label"], b["meta"]["w"]]
    return out


def gradient_accumulation():
    m = with_weights(nn.Linear(4, 1))
    opt = optim.SGD(m.parameters(), lr=0.1)
    out = []
    opt.zero_grad()
    for i in range(8):
        l = m(normal(3, 4, seed=i)).pow(2).mean() / 4
        l.backward()
        out.append(l.item() * 4)
        if (i + 1) % 4 == 0:
            n = torch.nn.utils.clip_grad_norm_(m.parameters(), max_norm=1.0, norm_type=2)
            opt.step()
            opt.zero_grad()
            out.append(n.item())
    return out


def transformer_encoder_with_masks():
    class PositionalEncoding(nn.Module):
        def __init__(self, d_model, dropout=0.0, max_len=50):
            super().__init__()
            self.dropout = nn.Dropout(p=dropout)
            position = torch.arange(max_len).unsqueeze(1)
            div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
            pe = torch.zeros(max_len, 1, d_model)
            pe[:, 0, 0::2] = torch.sin(position * div_term)
            pe[:, 0, 1::2] = torch.cos(position * div_term)
            self.register_buffer("pe", pe)

        def forward(self, x):
            return self.dropout(x + self.pe[: x.size(0)])

    class TM(nn.Module):
        def __init__(self):
            super().__init__()
            self.pos = PositionalEncoding(8)
            self.enc = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, 0.0), 2)
            self.emb = nn.Embedding(10, 8)
            self.lin = nn.Linear(8, 10)
            self.init_weights()

        def init_weights(self) -> None:
            initrange = 0.1
            self.emb.weight.data.uniform_(-initrange, initrange)
            self.lin.bias.data.zero_()
            self.lin.weight.data.uniform_(-initrange, initrange)

        def forward(self, src, src_mask=None):
            src = self.emb(src) * math.sqrt(8)
            src = self.pos(src)
            if src_mask is None:
                src_mask = nn.Transformer.generate_square_subsequent_mask(len(src))
            return self.lin(self.enc(src, src_mask))

    m = with_weights(TM())
    src = torch.tensor(np.random.default_rng(0).integers(0, 10, (6, 3)))
    o = m(src)
    l = nn.CrossEntropyLoss()(o.view(-1, 10), src.reshape(-1))
    l.backward()
    out = [o, l, m.emb.weight.grad]
    return out


def reinforce():
    from torch.distributions import Categorical

    class Policy(nn.Module):
        def __init__(self):
            super().__init__()
            self.affine1 = nn.Linear(4, 16)
            self.dropout = nn.Dropout(p=0.0)
            self.affine2 = nn.Linear(16, 2)

        def forward(self, x):
            x = F.relu(self.dropout(self.affine1(x)))
            return F.softmax(self.affine2(x), dim=1)

    p = with_weights(Policy())
    opt = optim.Adam(p.parameters(), lr=0.01)
    state = torch.from_numpy(np.ones(4)).float().unsqueeze(0)
    m = Categorical(p(state))
    a = m.sample()
    a.item()
    lp = m.log_prob(torch.tensor([1]))
    R = torch.tensor([1.0, 2.0, 3.0])
    R = (R - R.mean()) / (R.std() + np.finfo(np.float32).eps.item())
    loss = torch.cat([-lp * r for r in R]).sum() - 0.01 * m.entropy().mean()
    loss.backward()
    opt.step()
    out = [lp, loss, m.entropy(), m.probs, Categorical(logits=torch.tensor([1.0, 2.0])).log_prob(torch.tensor(0))]
    return out


def weight_tying_and_lists():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.emb = nn.Embedding(5, 3)
            self.out = nn.Linear(3, 5, bias=False)
            self.out.weight = self.emb.weight
            self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(2)])
            self.layers.append(nn.Linear(3, 3))
            self.layers.extend([nn.Identity()])
            self.scale = nn.ParameterList([nn.Parameter(torch.ones(1)) for i in range(2)])
            self.d = nn.ParameterDict({"a": nn.Parameter(torch.zeros(1))})
            self.register_parameter("none", None)
            self.buf = nn.Buffer(torch.ones(2))

        def forward(self, x):
            x = self.emb(x)
            for i, l in enumerate(self.layers):
                x = l(x)
            return self.out(x) * self.scale[0] + self.d["a"]

    m = with_weights(M())
    out = [m(torch.tensor([1, 2])), len(list(m.parameters())), sorted((n for n, _ in m.named_buffers()))]
    return out


def streams():
    from torch.utils.data import BatchSampler, DataLoader, IterableDataset, SequentialSampler, get_worker_info

    class It(IterableDataset):
        def __init__(self, n):
            super().__init__()
            self.n = n

        def __iter__(self):
            return iter(range(self.n if get_worker_info() is None else 0))

    out = [
        list(DataLoader(It(7), batch_size=3)),
        [list(b) for b in BatchSampler(SequentialSampler(range(5)), batch_size=2, drop_last=False)],
    ]
    out += [list(DataLoader(It(3), batch_size=None))]
    out += [next(iter(DataLoader(torch.utils.data.TensorDataset(normal(4, 2), torch.arange(4)), batch_size=4)))]
    out += [len(DataLoader([1, 2, 3, 4, 5], batch_size=2))]
    return out


def warm_up_and_early_stopping():
    m = with_weights(nn.Linear(2, 1))
    opt = optim.AdamW(m.parameters(), lr=0.1, eps=1e-08, amsgrad=True)
    w = optim.lr_scheduler.LinearLR(opt, start_factor=0.1, total_iters=3)
    c = optim.lr_scheduler.CosineAnnealingLR(opt, T_max=5)
    s = optim.lr_scheduler.SequentialLR(opt, schedulers=[w, c], milestones=[3])
    out = []
    best, bad = (float("inf"), 0)
    for e in range(8):
        l = F.l1_loss(m(normal(4, 2)), torch.zeros(4, 1))
        opt.zero_grad()
        l.backward()
        gn = torch.nn.utils.clip_grad_norm_(m.parameters(), 0.1)
        opt.step()
        s.step()
        out += [l.item(), s.get_last_lr()[0], gn.item()]
        if l < best - 0.0001:
            best, bad = (l.item(), 0)
        else:
            bad += 1
    for g in opt.param_groups:
        g["lr"] *= 0.1
    out.append(opt.param_groups[0]["lr"])
    return out


def unet():
    class Double(nn.Module):
        def __init__(s, i, o):
            super().__init__()
            s.c = nn.Sequential(
                nn.Conv2d(i, o, 3, padding=1, bias=False),
                nn.GroupNorm(2, o),
                nn.SiLU(inplace=True),
                nn.Conv2d(o, o, 3, padding="same", padding_mode="reflect"),
                nn.InstanceNorm2d(o, affine=True),
                nn.PReLU(),
                nn.Dropout2d(0.0),
            )

        def forward(s, x):
            return s.c(x)

    class U(nn.Module):
        def __init__(s):
            super().__init__()
            s.a, s.b, s.d = (Double(1, 4), Double(4, 8), Double(12, 4))
            s.pool = nn.MaxPool2d(2)
            s.up = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True)
            s.o = nn.Conv2d(4, 1, 1)

        def forward(s, x):
            a = s.a(x)
            b = s.up(s.b(s.pool(a)))
            dy = a.size()[2] - b.size()[2]
            b = F.pad(b, [0, a.size()[3] - b.size()[3], dy // 2, dy - dy // 2])
            return torch.sigmoid(s.o(s.d(torch.cat([a, b], dim=1))))

    m = with_weights(U())
    y = m(normal(2, 1, 9, 9))
    dice = 1 - (2 * (y * 0.5).sum() + 1) / (y.sum() + 41)
    dice.backward()
    out = [y, dice, m.a.c[0].weight.grad]
    return out


def diffusion():
    T_ = 50
    betas = torch.linspace(0.0001, 0.02, T_)
    alphas = 1.0 - betas
    acp = torch.cumprod(alphas, dim=0)
    acp_prev = F.pad(acp[:-1], (1, 0), value=1.0)

    def extract(a, t, shape):
        return a.gather(-1, t.cpu()).reshape(t.shape[0], *(1,) * (len(shape) - 1)).to(t.device)

    x0 = normal(3, 1, 4, 4)
    t = torch.tensor([0, 10, 49]).long()
    n = normal(3, 1, 4, 4, seed=2)
    xt = extract(torch.sqrt(acp), t, x0.shape) * x0 + extract(torch.sqrt(1.0 - acp), t, x0.shape) * n
    half = 4
    emb = torch.exp(torch.arange(half, device=t.device) * -(math.log(10000) / (half - 1)))
    emb = t[:, None] * emb[None, :]
    emb = torch.cat((emb.sin(), emb.cos()), dim=-1)
    out = [xt, acp_prev, emb, torch.clamp(xt, -1.0, 1.0)]
    return out


def transformer_encoder_decoder():
    m = with_weights(
        nn.Transformer(
            d_model=8,
            nhead=2,
            num_encoder_layers=1,
            num_decoder_layers=1,
            dim_feedforward=16,
            dropout=0.0,
            batch_first=True,
        )
    )
    src, tgt = (normal(2, 5, 8), normal(2, 4, 8, seed=3))
    pad = torch.tensor([[False] * 5, [False] * 3 + [True] * 2])
    o = m(
        src, tgt, tgt_mask=m.generate_square_subsequent_mask(4), src_key_padding_mask=pad, memory_key_padding_mask=pad
    )
    o.sum().backward()
    out = [o]
    a, w = with_weights(nn.MultiheadAttention(8, 2, batch_first=True))(
        src, src, src, key_padding_mask=pad, need_weights=True, average_attn_weights=False
    )
    out += [a, w]
    return out
