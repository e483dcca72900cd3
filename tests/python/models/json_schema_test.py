"""Text that is JSON of a schema: samples of a model with random weights parse and validate."""

import json
import os
import unittest

from common import gyre, needs_packages

try:
    import jsonschema
except ImportError:
    jsonschema = None

SAMPLES = int(os.environ.get("GYRE_SCHEMA_SAMPLES", "20"))  # of each schema
NAME, COUNT = {"type": "string"}, {"type": "integer"}
TREE = {"type": "object", "properties": {"value": COUNT, "left": {"anyOf": [{"$ref": "#/$defs/tree"}, {"type": "null"}]},
                                         "right": {"anyOf": [{"$ref": "#/$defs/tree"}, {"type": "null"}]}},
        "required": ["value", "left", "right"], "additionalProperties": False}


def record(properties, required=None, **more):
    return {"type": "object", "properties": properties, "required": list(properties) if required is None else required,
            "additionalProperties": False, **more}


SCHEMAS = [
    {},
    True,
    {"type": "object"},
    NAME,
    {"type": "number"},
    COUNT,
    {"type": ["boolean", "null"]},
    {"type": "array", "items": COUNT, "minItems": 2, "maxItems": 4},
    {"type": "array", "items": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}},
    {"enum": ["red", "green", "blue", 1, 1.5, None, {"a": [1, "x"]}]},
    {"const": {"kind": "fixed", "é\"\\": [True]}},
    record({"name": NAME, "age": COUNT}),
    record({"name": NAME, "nickname": NAME, "names": {"type": "array", "items": NAME}}, ["name"]),
    record({"a": record({"b": record({"c": COUNT})}), "tags": {"type": "array", "items": {"enum": ["x", "y"]}, "maxItems": 3}}),
    {"anyOf": [record({"kind": {"const": "circle"}, "radius": {"type": "number"}}),
               record({"kind": {"const": "box"}, "sides": {"type": "array", "items": {"type": "number"}, "minItems": 2}})]},
    {"$ref": "#/$defs/tree", "$defs": {"tree": TREE}},
    {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "boolean"}}, "required": ["first"]},
    record({"quote\"key": NAME, "back\\slash": COUNT, "": {"type": "null"}, "ключ": COUNT}, ["ключ"]),
    record({f"option_{i}": {"type": ["string", "integer", "null"]} for i in range(30)}, ["option_7"]),
    {"definitions": {"item": record({"id": COUNT, "next": {"anyOf": [{"type": "null"}, {"$ref": "#/definitions/item"}]}})},
     "type": "array", "items": {"$ref": "#/definitions/item"}, "minItems": 1},
]


def setUpModule():
    needs_packages()


@unittest.skipUnless(jsonschema, "jsonschema is not installed; scripts/test installs it")
class Schemas(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        gyre.manual_seed(2)
        cls.tokenizer = gyre.Tokenizer.train(['{"name": "value", "a": [1, 2.5, true, null]} é ключ ' * 40], vocab_size=330)
        gpt = gyre.nn.GPT(vocab=cls.tokenizer.vocab_size, block_size=256, layers=1, heads=2, width=16).eval()
        cls.model = gyre.LanguageModel(gpt, cls.tokenizer)

    def test_samples_parse_and_validate(self):
        for number, schema in enumerate(SCHEMAS):
            text = json.dumps(schema) if isinstance(schema, dict) else json.dumps({"anyOf": [schema]})
            prompts = [[number % 7 + 1, 2]] * SAMPLES
            made = self.model.generate(prompts, json_schema=text, max_tokens=240, seed=100 * number, temperature=2.0)
            for one in made:
                new = self.tokenizer.decode(one.ids[2:])
                with self.subTest(schema=number, text=new):
                    jsonschema.validate(json.loads(new), schema)

    def test_samples_differ(self):
        made = self.model.generate([[1]] * 30, json_schema=json.dumps(SCHEMAS[11]), max_tokens=60)
        self.assertGreater(len({tuple(one.ids) for one in made}), 20)

    def test_greedy_and_drafts_keep_to_the_schema(self):
        for options in ({"greedy": True}, {"greedy": True, "draft": "ngram"}, {"seed": 3, "draft": "ngram"}):
            one = self.model.generate([1, 2], json_schema=json.dumps(SCHEMAS[12]), max_tokens=100, **options)
            jsonschema.validate(json.loads(self.tokenizer.decode(one.ids[2:])), SCHEMAS[12])

    def test_refused(self):
        for options, message in (({"json_schema": '{"type": "string", "format": "date"}'}, "format"),
                                 ({"json_schema": "/missing.json"}, "missing.json"),
                                 ({"json_schema": "{}", "beams": 2}, "json_schema"),
                                 ({"json_schema": json.dumps(SCHEMAS[11]), "max_tokens": 3}, "max_tokens")):
            with self.subTest(message), self.assertRaisesRegex(gyre.Error, message):
                self.model.generate([1, 2], **options)
        with self.assertRaisesRegex(gyre.Error, "tokenizer"):
            gyre.LanguageModel(self.model.model).generate([1], json_schema="{}")


if __name__ == "__main__":
    unittest.main()
