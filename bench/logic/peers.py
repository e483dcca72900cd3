"""Engines of rules for peers.py: duckdb, clingo, egglog, scipy, numpy (`pip install duckdb clingo egglog scipy`).

Each is timed from loaded facts to the number of results. Definitions are those of bench/logic/closure.cpp; every
peer must find the same number of results.
"""

import functools
import os
import time

KINDS = ("duckdb", "clingo", "egglog", "scipy", "numpy")
CLOSURE = ("T(x,y) <- E(x,y)", "T(x,z) <- T(x,y), E(y,z)")
SAME_GENERATION = ("T(x,y) <- E(p,x), E(p,y), x != y", "T(x,y) <- E(a,x), T(a,b), E(b,y)")
POINTS_TO = ("T(y,x) <- Addr(y,x)", "T(y,x) <- Assign(y,z), T(z,x)", "T(y,w) <- Load(y,x), T(x,z), T(z,w)",
             "T(z,w) <- Store(y,x), T(y,z), T(x,w)")
JOIN = ("T(x,z) <- E(x,y), E(y,z)",)
TRIANGLES = ("T(x,y,z) <- E(x,y), E(y,z), E(z,x)",)
SQL = {
    CLOSURE: """WITH RECURSIVE t(x, y) AS (SELECT x, y FROM E UNION SELECT t.x, E.y FROM t JOIN E ON t.y = E.x)
                SELECT count(*) FROM t""",
    SAME_GENERATION: """WITH RECURSIVE t(x, y) AS (SELECT a.y, b.y FROM E a JOIN E b ON a.x = b.x WHERE a.y != b.y
                        UNION SELECT a.y, b.y FROM t JOIN E a ON a.x = t.x JOIN E b ON b.x = t.y)
                        SELECT count(*) FROM t""",
    JOIN: "SELECT count(*) FROM (SELECT DISTINCT a.x, b.y FROM E a JOIN E b ON a.y = b.x)",
    TRIANGLES: "SELECT count(*) FROM E a JOIN E b ON a.y = b.x JOIN E c ON b.y = c.x AND c.y = a.x"}


def draws(seed, count):
    """draw(seed, 0), draw(seed, 1), ... of gyre/data/draw.h."""
    import numpy as np
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def distinct(pairs):
    import numpy as np
    return np.unique(pairs.astype(np.int64), axis=0)


def drawn(seed, nodes, pairs):
    return distinct((draws(seed, 2 * pairs) % nodes).reshape(-1, 2))


def tree(nodes):
    import numpy as np
    children = np.arange(1, nodes, dtype=np.uint64)
    return distinct(np.stack([draws(2, nodes)[1:] % children, children], axis=1))


def skewed(nodes, edges):
    ends = (draws(8, 4 * edges) % nodes).reshape(-1, 2, 2)
    return distinct(ends[:, :, 0] * ends[:, :, 1] // nodes)


def nouns():
    """Pairs (noun, hypernym) from Princeton's file data.noun, as gyre/data/wordnet.h reads it."""
    import numpy as np
    folder = os.environ.get("GYRE_WORDNET", "/usr/share/wordnet")
    pairs = []
    with open(os.path.join(folder, "data.noun"), encoding="latin-1") as lines:
        for line in lines:
            if line.startswith("  "):
                continue
            words = line.split(" | ")[0].split()
            at = 4 + 2 * int(words[3], 16)
            for pointer in range(int(words[at])):
                symbol, offset, part = words[at + 1 + 4 * pointer:at + 4 + 4 * pointer]
                if symbol in ("@", "@i") and part == "n":
                    pairs.append((int(words[0]), int(offset)))
    numbers = {offset: i for i, offset in enumerate(sorted({n for pair in pairs for n in pair}))}
    return distinct(np.array([(numbers[a], numbers[b]) for a, b in pairs]))


def points_to_facts():
    return {name: drawn(seed, 2000, count)
            for name, seed, count in (("Addr", 4, 800), ("Assign", 5, 1200), ("Load", 6, 300), ("Store", 7, 300))}


# name: rules, facts, number of results
WORKS = {
    "closure_graph": (CLOSURE, lambda: {"E": drawn(1, 1000, 10_000)}, 1_000_000),
    "closure_tree": (CLOSURE, lambda: {"E": tree(100_000)}, 1_235_623),
    "closure_tree_1m": (CLOSURE, lambda: {"E": tree(1_000_000)}, 14_652_572),
    "closure_nouns": (CLOSURE, lambda: {"E": nouns()}, 743_241),
    "closure_g5k": (CLOSURE, lambda: {"E": drawn(3, 5000, 25_000)}, 24_735_701),
    "closure_g10k": (CLOSURE, lambda: {"E": drawn(3, 10_000, 100_000)}, 100_000_000),
    "same_generation_5k": (SAME_GENERATION, lambda: {"E": drawn(3, 5000, 25_000)}, 24_710_875),
    "points_to": (POINTS_TO, points_to_facts, 230_892),
    "join_sparse": (JOIN, lambda: {"E": drawn(3, 1_000_000, 1_000_000)}, 1_000_881),
    "triangles": (TRIANGLES, lambda: {"E": skewed(100_000, 1_000_000)}, 8137)}


def with_duckdb(rules, facts, threads):
    import duckdb
    if rules not in SQL:
        raise RuntimeError("SQL has no recursion with two reads of the relation")
    base = duckdb.connect(config={"threads": threads})
    for name, pairs in facts.items():
        x, y = pairs.astype("int32").T
        columns = {"x": x, "y": y}
        base.execute(f"CREATE TABLE {name} AS SELECT * FROM columns")
        del columns
    return f"duckdb {duckdb.__version__}", timed(lambda: base.execute(SQL[rules]).fetchone()[0])


def timed(call):
    def run():
        start = time.perf_counter()
        found = call()
        return time.perf_counter() - start, found
    return run


def with_clingo(rules, facts, threads):
    import clingo
    lower = lambda name: name[0].lower() + name[1:]
    base = "".join(f"{lower(name)}({x},{y})." for name, pairs in facts.items() for x, y in pairs)
    text = ""
    for rule in rules:
        # relations begin with a small letter there, variables with a capital one
        names = {letter: letter.upper() for letter in "abpwxyz"}
        head, body = rule.split(" <- ")
        words = (head + " :- " + body).replace("(", " ( ").replace(")", " ) ").replace(",", " , ").split()
        text += "".join(names.get(word, lower(word)) for word in words) + ".\n"
    columns = 1 + rules[0].split(")")[0].count(",")

    def run():
        control = clingo.Control(["--warn=none"])
        control.add("base", [], base)
        control.add("rules", [], text)
        control.ground([("base", [])])
        start = time.perf_counter()
        control.ground([("rules", [])])
        return time.perf_counter() - start, sum(1 for _ in control.symbolic_atoms.by_signature("t", columns))
    return f"clingo {clingo.__version__}", run


def with_egglog(rules, facts, threads):
    import importlib.metadata

    from egglog import bindings
    head = rules[0].split("(")[0]
    columns = " ".join(["i64"] * (1 + rules[0].split(")")[0].count(",")))
    text = f"(relation {head} ({columns}))\n" + "".join(f"(relation {name} (i64 i64))\n" for name in facts)
    for rule in rules:
        made, body = (part.replace("(", " ").replace(",", " ") for part in rule.split(" <- "))
        atoms = [f"({atom.strip()})" for atom in body.split(")") if atom.strip()]
        atoms = [f"(!= {atom.strip('()').split(' != ')[0].strip()} {atom.strip('()').split(' != ')[1]})"
                 if "!=" in atom else atom for atom in atoms]
        text += f"(rule ({' '.join(atoms)}) (({made.strip(') ')})))\n"
    loaded = "".join(f"({name} {x} {y})\n" for name, pairs in facts.items() for x, y in pairs)

    def run():
        graph = bindings.EGraph()
        graph.run_program(*graph.parse_program(text + loaded))
        start = time.perf_counter()
        graph.run_program(*graph.parse_program("(run 1000000)"))
        seconds = time.perf_counter() - start
        outputs = graph.run_program(*graph.parse_program(f"(print-size {head})"))
        return seconds, int("".join(filter(str.isdigit, str(outputs[-1]))))
    return f"egglog {importlib.metadata.version('egglog')}", run


def shortest_paths(threads):
    """SciPy's Dijkstra from each node, from a matrix of weights."""
    import numpy as np
    import scipy.sparse.csgraph
    nodes, edges = 2000, 20_000
    x, y = (draws(9, 2 * edges) % nodes).reshape(-1, 2).T
    weights = np.full((nodes, nodes), np.inf)
    np.minimum.at(weights, (x, y), 1.0 + (draws(10, edges) % 100).astype(float))
    rows, columns = np.isfinite(weights).nonzero()
    graph = scipy.sparse.csr_matrix((weights[rows, columns], (rows, columns)), shape=(nodes, nodes))
    run = timed(lambda: int(np.isfinite(scipy.sparse.csgraph.dijkstra(graph)).sum()))
    return f"scipy {scipy.__version__} dijkstra", lambda: run()[0]


def matrix(pairs):
    import numpy as np
    import scipy.sparse
    nodes = int(pairs.max()) + 1
    return scipy.sparse.csr_matrix((np.ones(len(pairs), dtype=bool), pairs.T), shape=(nodes, nodes))


def with_scipy(rules, facts, threads):
    import scipy
    edges = matrix(facts["E"]) if "E" in facts else None

    def closure():
        known = fresh = edges
        while fresh.nnz:
            reached = fresh @ edges
            fresh = reached > reached.multiply(known)
            known = known + fresh
        return known.nnz

    def triangles():
        counts = edges.astype("int64")
        return int((counts @ counts).multiply(counts.T).sum())

    calls = {CLOSURE: closure, TRIANGLES: triangles, JOIN: lambda: (edges @ edges).nnz}
    if rules not in calls:
        raise RuntimeError("not written as products of sparse matrices")
    return f"scipy {scipy.__version__} sparse", timed(calls[rules])


def with_numpy(rules, facts, threads):
    import numpy as np
    if rules != CLOSURE or facts["E"].max() > 5000:
        raise RuntimeError("only for closures of few nodes")
    nodes = int(facts["E"].max()) + 1
    start = np.zeros((nodes, nodes), dtype=np.float32)
    start[tuple(facts["E"].T)] = 1

    def closure():
        known, pairs = start, int(start.sum())
        while True:
            known = np.minimum(1, known + known @ known)
            found = int(np.count_nonzero(known))
            if found == pairs:
                return pairs
            pairs = found
    return f"numpy {np.__version__} squaring", timed(closure)


MAKERS = {"duckdb": with_duckdb, "clingo": with_clingo, "egglog": with_egglog, "scipy": with_scipy,
          "numpy": with_numpy}
# these keep each tuple as a term; beyond so many results they need tens of gigabytes
MOST_RESULTS = {"clingo": 2_000_000, "egglog": 2_000_000}
MOST_FACTS = {"egglog": 12_000}
facts_of = functools.lru_cache(maxsize=1)(lambda work: WORKS[work][1]())


def prepare(work, kind, threads):
    """The peer's name and a function that returns the seconds of one evaluation."""
    if (work, kind) == ("shortest_paths", "scipy"):
        return shortest_paths(threads)
    if work not in WORKS:
        raise RuntimeError(f"{kind} has no such work")
    rules, _, wanted = WORKS[work]
    facts = facts_of(work)
    loaded = sum(map(len, facts.values()))
    if wanted > MOST_RESULTS.get(kind, wanted) or loaded > MOST_FACTS.get(kind, loaded):
        raise RuntimeError(f"{kind} needs too much memory")
    peer, run = MAKERS[kind](rules, facts, threads)

    def sample():
        seconds, found = run()
        if found != wanted:
            raise RuntimeError(f"expected {wanted} results, got {found}")
        return seconds
    return peer, sample
