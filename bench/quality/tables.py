"""Accuracy of `gyre train TABLE.csv` and `gyre predict` without options on twelve tables, beside scikit-learn.

    python3 -m venv build/sklearn && build/sklearn/bin/pip install scikit-learn
    build/sklearn/bin/python bench/quality/tables.py [--only NAME,NAME] [--seeds N] [--first-seed N] [--json] [--train-options WORDS]

Each table is split into 75 % training rows and 25 % new rows, by another seed each time, and written as people write
tables: with dates, decimal commas, empty cells, identifiers, texts among numbers, and categories that only the new rows
have. One row per table: the mean accuracy or R2 on the new rows of gyre, of HistGradientBoosting and of a scaled linear
model (logistic regression or ridge), the difference in points between gyre and the better one, the new rows that gyre
answered, and the seconds of one training run. scikit-learn's models get the parsed columns, without identifiers.
"""

import argparse
import csv
import json
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from dataclasses import dataclass, field

# scikit-learn's threads spin while others have the cores
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from sklearn import datasets
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, r2_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GYRE = os.environ.get("GYRE_BINARY", str(ROOT / "build/release/bin/gyre"))


def plain(value):
    return "" if value != value else f"{value:.10g}"


def decimal_comma(value):
    return plain(value).replace(".", ",")


def money(sign, comma):
    """1234.5 as €1.234,50 or $1,234.50."""
    def text(value):
        digits = f"{value:,.2f}"
        return "" if value != value else sign + (digits.translate(str.maketrans(",.", ".,")) if comma else digits)
    return text


def date(pattern):
    return lambda day: "" if np.isnat(day) else day.astype(object).strftime(pattern)


@dataclass
class Column:
    """Numbers, texts (None: missing) or dates (datetime64, minutes), and how a cell is written."""
    values: np.ndarray
    text: object = plain
    identifier: bool = False  # not for scikit-learn's models


@dataclass
class Table:
    columns: dict
    target: str
    separator: str = ","
    odd: dict = field(default_factory=dict)  # column: (text, share of the new rows that have it instead)

    @property
    def classes(self):
        return self.columns[self.target].values.dtype == object

    def odd_rows(self, count, seed):
        """For each column with odd cells, which of the new rows have them."""
        random = np.random.default_rng(seed)
        return {name: random.random(count) < share for name, (_, share) in self.odd.items()}

    def write(self, path, rows, odd_rows=None):
        """New rows, if `odd_rows` are given, are written without the target."""
        names = [name for name in self.columns if odd_rows is None or name != self.target]
        cells = {name: [self.columns[name].text(v) for v in self.columns[name].values[rows]] for name in names}
        for name, odd in (odd_rows or {}).items():
            for i in np.flatnonzero(odd):
                cells[name][i] = self.odd[name][0]
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, delimiter=self.separator)
            writer.writerow(names)
            writer.writerows(zip(*cells.values()))


def word(value):
    return "" if value is None else value


def words(values):
    return Column(np.array(values, dtype=object), word)


def numbers(x, text=plain, names=None):
    return {names[i] if names is not None else f"x{i}": Column(x[:, i], text) for i in range(x.shape[1])}


def with_holes(values, random, share):
    empty = np.datetime64("NaT") if values.dtype.kind == "M" else None if values.dtype == object else np.nan
    return np.where(random.random(len(values)) < share, empty, values)


def bundled(load, **more):
    data = load()
    names = [str(name).replace(",", "") for name in data.feature_names]
    y = data.target if not hasattr(data, "target_names") else np.array(data.target_names)[data.target].astype(str)
    return Table({**numbers(data.data, names=names, **more), "target": words(y) if y.dtype.kind == "U" else Column(y)},
                 "target")


def digits():
    data = datasets.load_digits()
    return Table({**numbers(data.data), "digit": words([f"digit {d}" for d in data.target])}, "digit")


def european_diabetes():
    """Numbers with decimal commas between semicolons."""
    data = datasets.load_diabetes(scaled=False)
    return Table({**numbers(data.data, decimal_comma, data.feature_names), "progression": Column(data.target, decimal_comma)},
                 "progression", ";")


def holed_wine():
    """Empty cells, a target that some rows lack, and a text among the numbers of new rows."""
    random, data = np.random.default_rng(5), datasets.load_wine()
    columns = {name: Column(with_holes(data.data[:, i], random, .05)) for i, name in enumerate(data.feature_names)}
    columns["cultivar"] = words(with_holes(np.array([f"class {c}" for c in data.target], dtype=object), random, .05))
    return Table(columns, "cultivar", odd={"alcohol": ("not measured", .03)})


def friedman():
    x, y = datasets.make_friedman1(1500, noise=1, random_state=0)
    return Table({**numbers(x), "y": Column(y)}, "y")


def moons():
    x, y = datasets.make_moons(800, noise=.2, random_state=0)
    return Table({**numbers(x), "moon": words(np.array(["upper", "lower"])[y])}, "moon")


def categories():
    """Numbers of make_classification, four of which are cut into categories."""
    x, y = datasets.make_classification(2000, 14, n_informative=8, n_redundant=2, n_classes=3, flip_y=.02, random_state=3)
    columns = numbers(x[:, 4:])
    for i in range(4):
        cuts = np.quantile(x[:, i], np.linspace(0, 1, 5 + i)[1:-1])
        columns[f"kind{i}"] = words([f"{'abcd'[i]}{level}" for level in np.searchsorted(cuts, x[:, i])])
    return Table({**columns, "class": words(np.array(["low", "middle", "high"])[y])}, "class", odd={"kind1": ("new", .03)})


def thresholds():
    """A class that is a threshold of one skewed column of money, beside others."""
    random = np.random.default_rng(1)
    price, area = np.exp(random.normal(12.3, .6, 600)), random.uniform(20, 200, 600)
    city = random.choice(["Rome", "Oslo", "Lyon", "Bonn"], 600)
    return Table({"house_id": Column(np.arange(600) + 1000., identifier=True), "area": Column(area.round(1)), "city": words(city),
                  "price": Column(price.round(2), money("$", False)), "dear": words(np.where(price > 250000, "yes", "no"))},
                 "dear", odd={"city": ("Berlin", .05)})


def houses():
    """Prices of houses in euros, by size, age, district and the day of sale (day first)."""
    random, count = np.random.default_rng(2), 1200
    area, age = random.gamma(6, 18, count) + 20, random.integers(0, 90, count).astype(float)
    district = random.choice(["centre", "harbour", "north", "park", "west"], count, p=[.2, .1, .3, .1, .3])
    level = {"centre": 1.6, "harbour": 1.3, "north": .8, "park": 1.5, "west": 1}
    sold = np.datetime64("2015-01-01T00:00") + random.integers(0, 9 * 365, count) * np.timedelta64(1440, "m")
    years = (sold - np.datetime64("2015-01-01")) / np.timedelta64(525600, "m")
    price = area * 2100 * np.array([level[d] for d in district]) * (1 + .05 * years) * np.where(age > 45, .8, 1 - .003 * age)
    price *= np.exp(random.normal(0, .08, count))
    return Table({"flat": words([f"F-{i:05d}" for i in range(count)]), "area": Column(area.round(1), decimal_comma),
                  "age": Column(with_holes(age, random, .04), decimal_comma), "district": words(with_holes(district.astype(object), random, .02)),
                  "sold": Column(sold, date("%d.%m.%Y")), "price": Column(price, money("€ ", True))},
                 "price", ";", odd={"district": ("island", .03), "age": ("unknown", .02)})


def returns():
    """Whether an order is returned: skewed amounts, ISO dates, empty cells, rows without a target."""
    random, count = np.random.default_rng(3), 2500
    amount, items = np.exp(random.normal(4, 1.1, count)), random.poisson(2, count) + 1.
    shop = random.choice(["web", "app", "store"], count, p=[.5, .3, .2])
    ordered = np.datetime64("2023-01-01T00:00") + random.integers(0, 700 * 1440, count) * np.timedelta64(1, "m")
    month = ordered.astype("datetime64[M]").astype(int) % 12 + 1
    score = 1.2 * (np.log(amount) - 4) + np.where(shop == "store", -2.5, .3) + 1.5 * (month == 12) - .5 * (items > 4)
    returned = random.random(count) < 1 / (1 + np.exp(-2 * score))
    target = with_holes(np.where(returned, "returned", "kept").astype(object), random, .03)
    return Table({"order_id": Column(random.permutation(count) + 70000., identifier=True),
                  "ordered": Column(with_holes(ordered, random, .02), date("%Y-%m-%d %H:%M")),
                  "amount": Column(with_holes(amount.round(2), random, .03), money("", False)), "items": Column(items),
                  "shop": words(shop), "outcome": words(target)}, "outcome", odd={"shop": ("phone", .03), "amount": ("-", .01)})


def energy():
    """Consumption by day: a date with a weekly and a yearly cycle, temperature and a discount in percent."""
    random, count = np.random.default_rng(4), 1600
    day = np.datetime64("2019-01-01T00:00") + random.permutation(2000)[:count] * np.timedelta64(1440, "m")
    year = (day - day.astype("datetime64[Y]")) / np.timedelta64(525600, "m")
    weekend = (day.astype("datetime64[D]").astype(int) + 3) % 7 >= 5
    temperature = 11 - 9 * np.cos(2 * np.pi * year) + random.normal(0, 3, count)
    tariff = random.choice(["day", "night", "flat"], count)
    heat = np.maximum(16 - temperature, 0) * 2.2 + np.maximum(temperature - 24, 0) * 3
    use = 40 + heat * np.where(weekend, 1.3, 1) - 9 * weekend + np.where(tariff == "night", 6, 0) + random.normal(0, 3, count)
    return Table({"day": Column(day, date("%d/%m/%Y")), "temperature": Column(with_holes(temperature.round(1), random, .03), decimal_comma),
                  "tariff": words(tariff), "discount": Column(random.integers(0, 30, count).astype(float), lambda v: f"{v:.0f}%"),
                  "use": Column(use.round(2), decimal_comma)}, "use", ";", odd={"tariff": ("green", .02)})


TABLES = {"iris": lambda: bundled(datasets.load_iris), "wine": holed_wine, "cancer": lambda: bundled(datasets.load_breast_cancer),
          "digits": digits, "diabetes": european_diabetes, "friedman": friedman, "moons": moons, "categories": categories,
          "thresholds": thresholds, "houses": houses, "returns": returns, "energy": energy}


def features(table, rows, odd_rows=None):
    """The columns as scikit-learn's models take them: numbers, with NaN where they are missing, and texts."""
    parsed, texts = [], []
    for name, column in table.columns.items():
        if name == table.target or column.identifier:
            continue
        values = column.values[rows]
        if name in (odd_rows or {}):
            values[odd_rows[name]] = table.odd[name][0] if values.dtype == object else np.nan
        if values.dtype.kind == "M":
            days, missing = values.astype("datetime64[D]"), np.isnat(values)
            parts = [(values - np.datetime64("1970-01-01")) / np.timedelta64(1440, "m"), days.astype("datetime64[Y]").astype(int),
                     days.astype("datetime64[M]").astype(int) % 12, (days.astype(int) + 3) % 7]
            parsed += [np.where(missing, np.nan, part) for part in parts]
        elif values.dtype == object:
            if len(set(table.columns[name].values)) < len(table.columns[name].values) // 2:
                texts.append([word(v) for v in values])
        else:
            parsed.append(values)
    return np.array(parsed + texts, dtype=object).T, len(parsed)


def boosting(classes, numeric, count):
    seen = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan)
    model = HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor
    return make_pipeline(make_column_transformer(("passthrough", list(range(numeric))), (seen, list(range(numeric, count)))),
                         model(categorical_features=list(range(numeric, count)), random_state=0))


def linear(classes, numeric, count):
    scaled = make_pipeline(SimpleImputer(add_indicator=True), StandardScaler())
    return make_pipeline(make_column_transformer((scaled, list(range(numeric))),
                                                 (OneHotEncoder(handle_unknown="ignore"), list(range(numeric, count)))),
                         LogisticRegression(max_iter=1000) if classes else Ridge())


def gyre(*words):
    done = subprocess.run([GYRE, *map(str, words), "--json"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"gyre {' '.join(map(str, words))}: {done.stderr}")
    return json.loads(done.stdout)


def scores(table, seed, folder, more):
    """The score of each model on one split, and gyre's answered rows and seconds."""
    y = table.columns[table.target].values
    known = np.array([v is not None and v == v for v in y])
    training, new = train_test_split(np.arange(len(y)), test_size=.25, random_state=seed,
                                     stratify=[str(v) for v in y] if table.classes else None)
    odd_rows = table.odd_rows(len(new), seed)
    table.write(folder / "train.csv", training)
    table.write(folder / "new.csv", new, odd_rows)
    begin = time.perf_counter()
    gyre("train", folder / "train.csv", "--out", folder / "model", *more)
    seconds = time.perf_counter() - begin
    answers = np.array(gyre("predict", folder / "model", folder / "new.csv")["predictions"])
    scored = known[new]
    score = accuracy_score if table.classes else r2_score
    of = {"gyre": score(y[new][scored].tolist(), answers[scored].tolist())}
    fitted, (x, numeric) = training[known[training]], features(table, new, odd_rows)
    for name, make in (("boosting", boosting), ("linear", linear)):
        model = make(table.classes, numeric, x.shape[1]).fit(features(table, fitted)[0], y[fitted].tolist())
        of[name] = score(y[new][scored].tolist(), model.predict(x)[scored].tolist())
    answered = len(answers) if table.classes else int(np.isfinite(answers.astype(float)).sum())
    return {**of, "seconds": seconds, "answered": answered, "rows": len(new)}


def measured(name, seeds, more):
    table, results = TABLES[name](), []
    for number, seed in enumerate(seeds):
        print(f"\r{name}: split {number + 1} of {len(seeds)}\033[K", end="", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory() as folder:
            results.append(scores(table, seed, pathlib.Path(folder), more))
    mean = {key: statistics.mean(r[key] for r in results) for key in ("gyre", "boosting", "linear", "seconds")}
    return {"table": name, "score": "accuracy" if table.classes else "r2", **mean,
            "points": 100 * (mean["gyre"] - max(mean["boosting"], mean["linear"])),
            "answered": sum(r["answered"] for r in results), "rows": sum(r["rows"] for r in results), "seeds": results}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="NAME,NAME", default=",".join(TABLES), help="tables: " + ", ".join(TABLES))
    parser.add_argument("--seeds", type=int, default=5, help="splits of each table (default 5)")
    parser.add_argument("--first-seed", type=int, default=0, metavar="N",
                        help="seed of the first split (default 0); the defaults of gyre train were chosen on 10 to 19")
    parser.add_argument("--train-options", default="", metavar="WORDS",
                        help="options of gyre train, to compare others than its defaults: \"--epochs 10 --lr 0.001\"")
    parser.add_argument("--json", action="store_true", help="print JSON, with the results of each split")
    options = parser.parse_args()
    chosen = options.only.split(",")
    if not set(chosen) <= set(TABLES) or options.seeds < 1:
        parser.error(f"expected tables of {', '.join(TABLES)} and at least one split")
    warnings.filterwarnings("ignore", message="Found unknown categories")
    rows, seeds = [], range(options.first_seed, options.first_seed + options.seeds)
    if not options.json:
        print(f"{'table':12}{'score':>10}{'gyre':>8}{'boosting':>10}{'linear':>8}{'points':>8}{'answered':>14}{'seconds':>9}")
    for name in chosen:
        rows.append(row := measured(name, seeds, shlex.split(options.train_options)))
        print("\r\033[K", end="", file=sys.stderr, flush=True)
        if not options.json:
            answered = f"{row['answered']} of {row['rows']}"
            print(f"{row['table']:12}{row['score']:>10}{row['gyre']:8.3f}{row['boosting']:10.3f}{row['linear']:8.3f}"
                  f"{row['points']:8.1f}{answered:>14}{row['seconds']:9.1f}", flush=True)
    near = sum(row["points"] >= -1 for row in rows)
    print(json.dumps({"within_a_point": near, "tables": rows}, indent=1) if options.json
          else f"{near} of {len(rows)} within a point of the better one, or above it")


if __name__ == "__main__":
    main()
