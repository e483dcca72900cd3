"""What objects show: text for repr() of the classes that C++ defines, and HTML for notebooks.

The HTML is self-contained, has no scripts and is bounded in size. Texts such as names are escaped. Colours are those of
the page or of medium brightness, which are visible on light and dark pages."""

import math

from gyre._gyre import Tensor, Tokenizer, _data, _hyperbolic, _nn

MOST_ROWS, MOST_COLUMNS, MOST_MODULES, MOST_DOTS, MOST_LABELS, MOST_CHARACTERS = 20, 12, 200, 1000, 30, 200


# ---- text ----

def counted(count, noun):
    """"1 example", "2 examples"."""
    return f"{count:,} {noun}{'' if count == 1 else 'es' if noun.endswith('ch') else 's'}"


def listed(values, most=8):
    """repr() of the first values, comma-separated."""
    more = [f"... {len(values) - most:,} more"] if len(values) > most else []
    return ", ".join([*map(repr, values[:most]), *more])


def named(**values):
    """"name=value, ..." as in a call."""
    return ", ".join(f"{name}={value!r}" for name, value in values.items())


def sized(owner, noun, **settings):
    """"Class(N examples, name=value)" of an object, without N if it has no length."""
    try:
        count = [counted(len(owner), noun)]
    except Exception:  # of a __len__ of the user, which repr() must not raise
        count = []
    return f"{type(owner).__name__}({', '.join(count + [named(**settings)] * bool(settings))})"


def examples_of(dataset):
    """"Class(N examples)" of a dataset, of any class."""
    return sized(dataset, "example")


def _tokenizer_text(tokenizer):
    import json

    described = json.loads(tokenizer.__reduce__()[1][0])
    kind = "characters" if described["decoder"]["type"] == "Fuse" else "byte-level BPE"
    special = [token["content"] for token in described["added_tokens"]]
    return (f"Tokenizer(vocab_size={tokenizer.vocab_size}, kind={kind!r}"
            + (f", special=[{listed(special)}])" if special else ")"))


def _batches_text(batches):
    return f"TokenBatches({counted(len(batches), 'token')}, batches of {list(batches.at(0)[0].shape)})"


def _parameter_text(parameter):
    manifold = _hyperbolic.manifold_of(parameter)
    return f"Parameter{f' on {manifold.text}' if manifold else ''} containing:\n{Tensor.__repr__(parameter)}"


Tokenizer.__repr__ = _tokenizer_text
_data.TokenBatches.__repr__ = _batches_text
_data.Dataset.__repr__ = examples_of
_nn.Parameter.__repr__ = _parameter_text


# ---- HTML ----

def escaped(value, most=MOST_CHARACTERS):
    """A value as text in HTML, of at most `most` characters."""
    import html  # only here, since importing it takes time

    text = str(value)
    return html.escape(text if len(text) <= most else text[:most] + "…")


def cell(value):
    """A value as the text of a table cell."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def table(rows, head=(), noun=None, total=None, most=MOST_ROWS):
    """A table of rows of values, `most` of them, MOST_COLUMNS values of each. With a `noun` for rows their number
    follows: `total`, if `rows` has only the first."""
    def line(values, tag):
        values = list(values)
        shown = [cell(v) for v in values[:MOST_COLUMNS]] + ["…"] * (len(values) > MOST_COLUMNS)
        return "<tr>" + "".join(f"<{tag}>{escaped(v)}</{tag}>" for v in shown) + "</tr>"

    total = len(rows) if total is None else total
    cut = f", {most} shown" if total > most else ""
    lines = [line(head, "th")] * bool(head) + [line(row, "td") for row in rows[:most]]
    return f"<table>{''.join(lines)}</table>" + (f"<p>{counted(total, noun)}{cut}</p>" if noun else "")


def titled(title, *parts):
    """A title above other HTML."""
    return f"<div><strong>{escaped(title)}</strong>{''.join(parts)}</div>"


def picture(svg, width):
    """An SVG document as an image, in which scripts of a file by others do not run."""
    import base64

    data = base64.b64encode(svg.encode()).decode()
    return f"<div><img src=\"data:image/svg+xml;base64,{data}\" style=\"width: {width}px; max-width: 100%\"/></div>"


def figures(values):
    """A table of the numbers and texts of a dict by name, without NaN and empty texts."""
    return table([item for item in values.items() if item[1] == item[1] and item[1] not in ("", None)], most=len(values))


def disk(points, names=None, boundary=True):
    """Points of the plane, by default in the Poincaré disk of radius 1, as SVG, the first MOST_DOTS of them, with their
    names as tooltips; few are labelled."""
    size, radius = 420, 200
    shown = [(x, y) for x, y in points[:MOST_DOTS] if math.isfinite(x) and math.isfinite(y)]
    scale = radius if boundary else 0.95 * radius / max((math.hypot(x, y) for x, y in shown), default=1.0)
    names = names[:MOST_DOTS] if names is not None else range(len(shown))
    dots = []
    for (x, y), name in zip(shown, names):
        place = size / 2 + scale * x, size / 2 - scale * y
        dots.append("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"#3b82c4\"><title>{}</title></circle>".format(
            *place, escaped(name)))
        if len(shown) <= MOST_LABELS:
            dots.append("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>".format(place[0] + 5, place[1] + 4, escaped(name, 24)))
    rim = f"<circle cx=\"{size / 2}\" cy=\"{size / 2}\" r=\"{radius}\" fill=\"none\" stroke=\"currentColor\"/>" if boundary else ""
    more = f"<small>{MOST_DOTS:,} of {len(points):,} points</small>" if len(points) > MOST_DOTS else ""
    return (f"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" width=\"{size}\" height=\"{size}\" "
            f"font-family=\"sans-serif\" font-size=\"11\" fill=\"currentColor\" role=\"img\">{rim}{''.join(dots)}</svg>{more}")


def module_tree(module):
    """A module and its submodules with their numbers of parameters, as a tree that can be folded."""
    shown = 0

    def branch(name, part):
        nonlocal shown
        shown += 1
        options = part.extra_repr()
        line = (f"{escaped(name + ': ' if name else '')}<strong>{escaped(part._class_name())}</strong>"
                f"{escaped(f'({options})') if options else ''} "
                f"<small>{counted(part.parameter_count(), 'parameter')}</small>")
        inside = "".join(branch(key, child) for key, child in part.named_children() if shown < MOST_MODULES)
        if not inside:
            return f"<div style=\"margin-left: 1.1em\">{line}</div>"
        return (f"<details{'' if name else ' open'}><summary>{line}</summary>"
                f"<div style=\"margin-left: 1.2em\">{inside}</div></details>")

    tree, total = branch("", module), sum(1 for _ in module.modules())
    return tree + (f"<small>{shown:,} of {total:,} modules</small>" if shown < total else "")


def _parameter_html(parameter):
    manifold = _hyperbolic.manifold_of(parameter)
    values = Tensor._repr_html_(parameter)
    if manifold is None or manifold.name != "PoincareBall" or parameter.shape[1:] != (2,):
        return values
    return disk((parameter.detach() * manifold.c ** 0.5).tolist()) + values


_nn.Parameter._repr_html_ = _parameter_html
