"""gyre lsp: a dialogue with an editor, and messages that are broken."""

import json
import random
import subprocess
import unittest

from command import BINARY, CommandTest, start

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
NOT_INITIALIZED = -32002
FAMILY = """// a family
Parent(Alice, Bob); Parent(Bob, Charlie)
Ancestor(x, y) <- Parent(x, y)
Ancestor(x, z) <- Ancestor(x, y), Parent(y, z)
const N = 3
domain City = {Oslo, Hamar}
tensor W[i: N, City] = [[1, 0], [2, 1], [0, 1]]
fn half(a) = a / 2
Y[i] = softmax(W[i, j] half(2))
Ancestor(Alice, x)?
"""


def framed(content, header=None):
    content = content if isinstance(content, bytes) else content.encode()
    return (header or f"Content-Length: {len(content)}\r\n\r\n").encode() + content


def place(text, word, nth=0, units="utf-16"):
    """The position of an occurrence of a word."""
    at = -1
    for _ in range(nth + 1):
        at = text.index(word, at + 1)
    line = text.count("\n", 0, at)
    before = text[text.rfind("\n", 0, at) + 1:at]
    size = len(before.encode("utf-16-le")) // 2 if units == "utf-16" else len(before.encode())
    return {"line": line, "character": size}


class Server:
    """A running `gyre lsp`."""

    def __init__(self, test, initialize=True, **capabilities):
        self.process = start("lsp", stdin=subprocess.PIPE)
        test.addCleanup(self.stop)
        self.ids = 0
        self.notices = []
        if initialize:
            self.capabilities = self.ask("initialize", {"capabilities": capabilities})["capabilities"]
            self.tell("initialized", {})

    def stop(self):
        self.process.kill()
        self.process.wait()
        for stream in self.process.stdin, self.process.stdout, self.process.stderr:
            stream.close()

    def send(self, content):
        self.process.stdin.write(content)
        self.process.stdin.flush()

    def read(self):
        length = None
        while (line := self.process.stdout.readline()) != b"\r\n":
            name, value = line.split(b": ")
            assert name == b"Content-Length", line
            length = int(value)
        return json.loads(self.process.stdout.read(length))

    def tell(self, method, params):
        self.send(framed(json.dumps({"jsonrpc": "2.0", "method": method, "params": params})))

    def request(self, method, params):
        """The response; notifications before it are kept."""
        self.ids += 1
        self.send(framed(json.dumps({"jsonrpc": "2.0", "id": self.ids, "method": method, "params": params})))
        while "id" not in (message := self.read()):
            self.notices.append(message)
        assert message["id"] == self.ids, message
        return message

    def ask(self, method, params):
        answer = self.request(method, params)
        assert "error" not in answer, answer
        return answer["result"]

    def at(self, what, uri, position):
        return self.ask(f"textDocument/{what}", {"textDocument": {"uri": uri}, "position": position})

    def open(self, uri, text):
        item = {"uri": uri, "languageId": "tl", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})
        return self.diagnostics()

    def change(self, uri, version, *changes):
        document = {"uri": uri, "version": version}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)})
        return self.diagnostics()

    def diagnostics(self):
        message = self.read()
        assert message["method"] == "textDocument/publishDiagnostics", message
        return message["params"]

    def end(self):
        self.process.stdin.close()
        return self.process.wait(60)


def edit(start, end, text):
    return {"range": {"start": start, "end": end}, "text": text}


class Dialogue(CommandTest):
    URI = "file:///nowhere/family.tl"

    def test_capabilities_and_end(self):
        server = Server(self)
        can = server.capabilities
        self.assertEqual(can["positionEncoding"], "utf-16")
        self.assertEqual(can["textDocumentSync"], {"openClose": True, "change": 2})
        for what in "hover", "completion", "definition", "documentFormatting", "documentSymbol":
            self.assertIn(f"{what}Provider", can)
        self.assertIsNone(server.ask("shutdown", None))
        self.assertEqual(server.request("shutdown", None)["error"]["code"], INVALID_REQUEST)
        server.tell("exit", None)
        self.assertEqual(server.end(), 0)

    def test_an_end_without_shutdown_is_a_failure(self):
        for last in (lambda s: s.tell("exit", None)), (lambda s: None):
            server = Server(self)
            last(server)
            self.assertEqual(server.end(), 1)
        self.assertEqual(Server(self, initialize=False).end(), 1)

    def test_diagnostics_follow_the_edits(self):
        server = Server(self)
        found = server.open(self.URI, FAMILY)
        self.assertEqual((found["uri"], found["version"], found["diagnostics"]), (self.URI, 1, []))
        wrong = FAMILY + "A = )\nB[i] = Q[i] + W[i]\n"
        found = server.change(self.URI, 2, {"text": wrong})
        self.assertEqual(found["version"], 2)
        self.assertEqual([d["code"] for d in found["diagnostics"]], ["E0002", "E0101"])
        first = found["diagnostics"][0]
        self.assertEqual((first["severity"], first["source"]), (1, "gyre"))
        self.assertEqual(first["range"]["start"], place(wrong, ")\nB"))
        self.assertEqual(first["range"]["end"], place(wrong, "\nB["))
        # two edits, of which the second sees the text after the first
        begin = place(wrong, "A = )")
        found = server.change(self.URI, 3, edit(begin, {"line": begin["line"] + 2, "character": 0}, ""),
                              edit({"line": 99, "character": 0}, {"line": 99, "character": 0}, "Z = 1\n"))
        self.assertEqual(found["diagnostics"], [])
        self.assertIn("tensor Z", server.at("hover", self.URI, {"line": begin["line"], "character": 0})
                      ["contents"]["value"])
        found = server.change(self.URI, 4, {"text": "A = Bb\n"}, {"text": ""})
        self.assertEqual(found["diagnostics"], [])
        server.change(self.URI, 5, {"text": "A = )\n"})
        server.tell("textDocument/didClose", {"textDocument": {"uri": self.URI}})
        found = server.diagnostics()
        self.assertEqual((found["uri"], found["diagnostics"]), (self.URI, []))
        self.assertEqual(server.request("textDocument/hover", {
            "textDocument": {"uri": self.URI}, "position": {"line": 0, "character": 0}})["error"]["code"], INVALID_PARAMS)

    def test_a_warning_has_its_severity(self):
        server = Server(self)
        text = ("tensor w[i: 2] learnable = zeros\nL = step(w[i])\n"
                "learn { objective: L, optimizer: sgd(lr=0.1), epochs: 1 }\n")
        found = server.open(self.URI, text)["diagnostics"]
        self.assertEqual([(d["code"], d["severity"]) for d in found], [("W01", 2)])

    def test_columns_count_units_of_the_encoding(self):
        text = 'T("\U0001F600é", Größe); A = B\n'
        for units, offers in ("utf-16", {}), ("utf-8", {"general": {"positionEncodings": ["utf-32", "utf-8"]}}):
            server = Server(self, **offers)
            self.assertEqual(server.capabilities["positionEncoding"], units)
            found = server.open(self.URI, text)["diagnostics"]
            self.assertEqual(found[0]["range"]["start"], place(text, "B", units=units))
            where = place(text, "A =", units=units)
            self.assertEqual(server.at("hover", self.URI, where)["range"]["start"], where)
            after = server.change(self.URI, 2, edit(place(text, "\U0001F600", units=units),
                                                    place(text, "é", units=units), "ß"))
            text_after = text.replace("\U0001F600", "ß")
            self.assertEqual(after["diagnostics"][0]["range"]["start"], place(text_after, "B", units=units))

    def test_hover(self):
        server = Server(self)
        server.open(self.URI, FAMILY)
        for word, nth, *expected in (
                ("Ancestor", 1, "relation Ancestor({Alice, Bob, Charlie}, {Alice, Bob, Charlie})", "2 rules"),
                ("Parent", 0, "relation Parent(", "2 facts"),
                ("W[i, j]", 0, "tensor W[i: 3, City (2)]: f64"),
                ("Y[i]", 0, "tensor Y[3]: f64", "1 equation", "Y[i] = softmax("),
                ("N,", 0, "const N = 3"), ("City", 0, "domain City = {Oslo, Hamar}"),
                ("half(2)", 0, "fn half(a)", "fn half(a) = a / 2"),
                ("softmax", 0, "along the marked index"), ("const", 0, "const NAME = INTEGER")):
            text = server.at("hover", self.URI, place(FAMILY, word, nth))["contents"]["value"]
            for part in expected:
                self.assertIn(part, text)
        for word in "a family", "Alice", "= 3", "= [":
            self.assertIsNone(server.at("hover", self.URI, place(FAMILY, word)), word)
        server.open("untitled:1", "A = relu(1) + max(1, 2)\nB max= A\n")
        text = server.at("hover", "untitled:1", {"line": 0, "character": 4})["contents"]["value"]
        self.assertIn("relu(x)", text)
        text = server.at("hover", "untitled:1", {"line": 0, "character": 15})["contents"]["value"]
        self.assertIn("max[i](x)", text)

    def test_completion(self):
        server = Server(self)
        server.open(self.URI, FAMILY)
        items = server.at("completion", self.URI, {"line": 9, "character": 0})
        by_name = {item["label"]: item for item in items}
        self.assertEqual(len({(item["label"], item["kind"]) for item in items}), len(items))
        for name in "Ancestor", "W", "N", "City", "half", "learn", "softmax", "xavier", "relu", "max", "max=":
            self.assertIn(name, by_name)
        ops = json.loads(self.good("ops", "--json"))
        self.assertLessEqual({op["name"] for op in ops}, set(by_name))
        self.assertEqual(by_name["N"]["detail"], "const N = 3")
        self.assertEqual(server.at("completion", self.URI, {"line": 0, "character": 9}), [])

    def test_completion_knows_names_of_a_program_with_errors(self):
        server = Server(self)
        server.open(self.URI, FAMILY + "Z[i] = W[i, j] (\n")
        names = {item["label"] for item in server.at("completion", self.URI, {"line": 10, "character": 7})}
        self.assertLessEqual({"Ancestor", "W", "Y", "half"}, names)

    def test_definition(self):
        server = Server(self)
        server.open(self.URI, FAMILY)
        for word, nth, first in ("Ancestor", 3, 0), ("half", 1, 0), ("City", 1, 0), ("N,", 0, None):
            found = server.at("definition", self.URI, place(FAMILY, word, nth))
            name = word.rstrip(",")
            start_of = place(FAMILY, "N = 3") if first is None else place(FAMILY, name, first)
            self.assertEqual(found["uri"], self.URI)
            self.assertEqual(found["range"]["start"], start_of)
            self.assertEqual(found["range"]["end"]["character"], start_of["character"] + len(name))
        for word in "Alice", "softmax", "<-":
            self.assertIsNone(server.at("definition", self.URI, place(FAMILY, word)))

    def test_imported_files(self):
        folder = self.folder / "a föld%er"
        folder.mkdir()
        (folder / "base.tl").write_text("// base\ntensor Base[i: 2] = [1, 2]\n")
        (folder / "wrong.tl").write_text("\nWrong = )\n")
        text = 'import "base.tl"\nTwice[i] = 2 Base[i]\n'
        server = Server(self)
        uri = (folder / "main.tl").as_uri()
        self.assertEqual([d["message"] for d in server.open(uri, text)["diagnostics"]], [])
        found = server.at("definition", uri, place(text, "Base"))
        self.assertEqual(found["uri"], (folder / "base.tl").as_uri())
        self.assertEqual(found["range"]["start"], {"line": 1, "character": 7})
        symbols = server.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        self.assertEqual([s["name"] for s in symbols], ["Twice"])
        found = server.change(uri, 2, {"text": 'A = 1\nimport "wrong.tl"\n'})["diagnostics"]
        self.assertEqual(found[0]["range"]["start"], {"line": 0, "character": 0})
        self.assertIn("wrong.tl:2:9: error[E0002]", found[0]["message"])
        found = server.change(uri, 3, {"text": 'import "none.tl"\n'})["diagnostics"]
        self.assertEqual([d["code"] for d in found], ["E0402"])

    def test_outline(self):
        server = Server(self)
        server.open(self.URI, FAMILY)
        symbols = server.ask("textDocument/documentSymbol", {"textDocument": {"uri": self.URI}})
        kinds = {s["name"]: s["kind"] for s in symbols}
        self.assertEqual(kinds, {"N": 14, "City": 10, "half": 12, "W": 13, "Y": 13, "Parent": 5, "Ancestor": 5})
        y = next(s for s in symbols if s["name"] == "Y")
        self.assertEqual(y["selectionRange"]["start"], place(FAMILY, "Y[i]"))
        self.assertEqual(y["range"]["end"], place(FAMILY, "\nAncestor(Alice"))

    def test_formatting_gives_the_text_of_fmt(self):
        def edited(text, edits):
            lines = text.split("\n")
            for e in edits:
                begin, end = (sum(len(line) + 1 for line in lines[:p["line"]]) + p["character"]
                              for p in (e["range"]["start"], e["range"]["end"]))
                text = text[:begin] + e["newText"] + text[end:]
            return text

        server = Server(self)
        options = {"tabSize": 4, "insertSpaces": True}
        for i, text in enumerate((FAMILY.replace("const N = 3", "const   N=3"), "A=1", "A = 1\n\n\n\n\nB=2\n", "\n\nA = 1",
                                  "A=1\nB=1\n", "", "A = 1\n", "A = 1\r\nB = 2\r\n")):
            uri = f"untitled:{i}"
            server.open(uri, text)
            edits = server.ask("textDocument/formatting", {"textDocument": {"uri": uri}, "options": options})
            file = self.write("x.tl", text.encode())
            self.assertEqual(edited(text, edits).encode(), self.good("fmt", file).encode())
            if i == 0:
                self.assertEqual(edits[0]["newText"], "const N = 3\n")
        server.open("untitled:bad", "A = )\n")
        self.assertEqual(server.ask("textDocument/formatting", {"textDocument": {"uri": "untitled:bad"}}), [])


class BrokenMessages(CommandTest):
    def refused(self, server, content, code):
        server.send(content)
        answer = server.read()
        self.assertEqual(answer["error"]["code"], code, answer)
        return answer["id"]

    def lives(self, server):
        self.assertEqual(server.open("untitled:alive", "A = B\n")["diagnostics"][0]["code"], "E0101")

    def test_before_initialize(self):
        server = Server(self, initialize=False)
        server.tell("textDocument/didOpen", {"textDocument": {"uri": "a", "text": "A = )"}})  # ignored
        for method in "shutdown", "textDocument/hover", "unknown":
            self.assertEqual(server.request(method, {})["error"]["code"], NOT_INITIALIZED)
        self.assertEqual(server.request("initialize", 3)["error"]["code"], INVALID_PARAMS)
        self.assertEqual(server.request("initialize", {"capabilities": {"general": {"positionEncodings": [1]}}})
                         ["error"]["code"], INVALID_PARAMS)
        server.ask("initialize", {})
        self.assertEqual(server.request("initialize", {})["error"]["code"], INVALID_REQUEST)
        self.lives(server)

    def test_frames(self):
        server = Server(self)
        for content in b"\xff\xfe", b"{", b"", b'{"jsonrpc": "2.0"', b"[" * 1000:
            self.refused(server, framed(content), PARSE_ERROR)
        for header in ("X: 1\r\n\r\n", "Content-Type: text\r\n\r\n", "Content-Length: -5\r\n\r\n", "Content-Length:\r\n\r\n",
                       "Content-Length: 5x\r\n\r\n", "Content-Length: 99999999999999999999\r\n\r\n", "\0\1\2\r\n\r\n",
                       "x" * 100000 + "\r\n\r\n"):
            self.refused(server, header.encode(), PARSE_ERROR)
        self.lives(server)
        # a length that is too short leaves a rest, which is passed over
        message = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "unknown"})
        self.refused(server, framed(message, f"Content-Length: {len(message) - 4}\r\n\r\n"), PARSE_ERROR)
        self.refused(server, framed(message), PARSE_ERROR)
        self.assertEqual(server.read()["error"]["code"], METHOD_NOT_FOUND)
        self.lives(server)
        # other headers and cases are allowed
        self.refused(server, framed(message, f"content-length:{len(message)}\r\nContent-Type: x\r\n\r\n"), METHOD_NOT_FOUND)
        self.refused(server, framed(message, f"Content-Length: {len(message)}\n\n"), METHOD_NOT_FOUND)

    def test_a_message_above_the_limit_is_passed_over(self):
        server = Server(self)
        server.send(b"Content-Length: 67108865\r\n\r\n")
        self.assertEqual(server.read()["error"]["code"], INVALID_REQUEST)
        for _ in range(64):
            server.send(b" " * (1 << 20))
        server.send(b" ")
        self.lives(server)
        server.send(b"Content-Length: 9000000000000000000\r\n\r\nabc")
        self.assertEqual(server.read()["error"]["code"], INVALID_REQUEST)
        self.assertEqual(server.end(), 1)

    def test_messages(self):
        server = Server(self)
        for message in 5, [], "text", None, {}, {"jsonrpc": "1.0", "method": "x"}, {"jsonrpc": "2.0"}, \
                {"jsonrpc": "2.0", "method": 5}:
            self.assertIsNone(self.refused(server, framed(json.dumps(message)), INVALID_REQUEST))
        self.assertEqual(self.refused(server, framed('{"jsonrpc": "2.0", "id": "a"}'), INVALID_REQUEST), "a")
        for wrong_id in "{}", "1.5", "null":
            text = '{"jsonrpc": "2.0", "id": %s, "method": "shutdown"}' % wrong_id
            self.assertIsNone(self.refused(server, framed(text), INVALID_REQUEST))
        self.assertEqual(server.request("textDocument/unknown", {})["error"]["code"], METHOD_NOT_FOUND)
        for ignored in {"id": 1, "result": None}, {"id": 1, "error": {}}, {"method": "$/cancelRequest"}, {"method": "none"}:
            server.send(framed(json.dumps({"jsonrpc": "2.0", **ignored})))
        self.lives(server)

    def test_parameters(self):
        server = Server(self)
        server.open("untitled:a", "A = 1\n")
        here = {"textDocument": {"uri": "untitled:a"}}
        for params in None, 5, [], {}, {"textDocument": {}}, {"textDocument": {"uri": 5}}, {"textDocument": {"uri": "b"}}, \
                here, {**here, "position": {"line": "a", "character": 0}}, {**here, "position": {"line": 0}}:
            for what in "hover", "completion", "definition":
                answer = server.request(f"textDocument/{what}", params)
                self.assertEqual(answer["error"]["code"], INVALID_PARAMS)
        for line, character in (-1, 0), (0, -1), (2**62, 2**62), (0, 2**62):
            server.at("completion", "untitled:a", {"line": line, "character": character})
        reverse = edit({"line": 0, "character": 3}, {"line": 0, "character": 1}, "")
        for method, params in (
                ("didOpen", {"textDocument": {"uri": "b"}}), ("didOpen", 1), ("didClose", {"textDocument": {"uri": "b"}}),
                ("didChange", {**here, "contentChanges": 1}), ("didChange", {**here, "contentChanges": [{}]}),
                ("didChange", {**here, "contentChanges": [{"text": "A = )"}, reverse]}),
                ("didChange", {**here, "contentChanges": [{"text": "", "range": {}}]})):
            server.tell(f"textDocument/{method}", params)
            message = server.read()
            self.assertEqual((message["method"], message["params"]["type"]), ("window/logMessage", 1))
            self.assertIn(method, message["params"]["message"])
        # a document with a wrong change is as before
        self.assertIn("tensor A", server.at("hover", "untitled:a", {"line": 0, "character": 0})["contents"]["value"])

    def test_random_messages(self):
        random.seed(7)
        server = Server(self)
        server.open("untitled:a", FAMILY)
        pieces = [FAMILY[i:i + 9] for i in range(0, len(FAMILY), 7)] + ["\n", "{", "(", "\U0001F600", "A = ", "learn {"]

        def value(depth=0):
            kinds = (lambda: random.randint(-3, 99), lambda: None, lambda: random.choice(pieces),
                     lambda: {"uri": "untitled:a"}, lambda: {"line": random.randint(0, 12), "character": random.randint(0, 40)},
                     lambda: [value(depth + 1)], lambda: {"text": value(depth + 1)})
            return random.choice(kinds if depth < 3 else kinds[:5])()

        def spot():
            return {"line": random.randint(0, 12), "character": random.randint(0, 40)}

        for i in range(300):
            method = random.choice(("hover", "completion", "definition", "formatting", "documentSymbol"))
            params = {"textDocument": {"uri": "untitled:a"}, "position": spot()}
            if random.random() < 0.3:
                params[random.choice(("textDocument", "position"))] = value()
            answer = server.request(f"textDocument/{method}", params)
            if "error" in answer:
                self.assertEqual(answer["error"]["code"], INVALID_PARAMS)
            changes = [edit(spot(), spot(), random.choice(pieces)) if random.random() < 0.9 else value()
                       for _ in range(random.randint(1, 3))]
            server.tell("textDocument/didChange", {"textDocument": {"uri": "untitled:a", "version": i},
                                                   "contentChanges": changes})
            self.assertIn(server.read()["method"], ("textDocument/publishDiagnostics", "window/logMessage"))
        bits = bytes(random.randrange(256) for _ in range(20000))
        answer = subprocess.run([BINARY, "lsp"], input=bits, capture_output=True, timeout=60)
        self.assertEqual(answer.returncode, 1)


class Use(CommandTest):
    def test_no_operands(self):
        super().refused(2, "lsp", "file.tl")


if __name__ == "__main__":
    unittest.main()
