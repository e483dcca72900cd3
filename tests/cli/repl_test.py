"""gyre repl: statements and queries by a pipe, and by a terminal."""

import json
import os
import pty
import re
import select
import signal
import time
import unittest

from command import BINARY, CommandTest, run, start

FAMILY = """Parent(Alice, Bob); Parent(Bob, Charlie)
Ancestor(x, y) <- Parent(x, y)
Ancestor(x, z) <- Ancestor(x, y),
  Parent(y, z)
"""


class Pipe(CommandTest):
    def say(self, text, *words, code=0):
        """Standard output and error of a session with these lines."""
        self.write("lines", text.encode())
        with open(self.folder / "lines", "rb") as lines:
            answer = run("repl", *words, stdin=lines, cwd=self.folder)
        self.assertEqual(answer.returncode, code, answer.stdout + answer.stderr)
        return answer.stdout, answer.stderr

    def test_statements_continue_what_is_there(self):
        out, err = self.say(FAMILY + "Ancestor(Alice, x)?\nParent(Charlie, Dee)\nAncestor(Alice, x)?\n")
        self.assertEqual(out, "Ancestor(Alice, x)?\n  Bob\n  Charlie\n  2 answers\n"
                              "Ancestor(Alice, x)?\n  Bob\n  Charlie\n  Dee\n  3 answers\n")
        self.assertEqual(err, "")

    def test_the_last_line_needs_no_newline(self):
        self.assertIn("true", self.say(FAMILY + "Ancestor(Alice, Charlie)?")[0])
        self.assertIn("is not closed", self.say("A = (1 +", code=1)[1])
        self.assertEqual(self.say(""), ("", ""))

    def test_tables(self):
        out, _ = self.say("domain P = {Ann, Größe}\ntensor W[row: P, k: 3] = [[1, 2, -1e9],\n  [3, 4.5, 0]]\n"
                          "W\nV[row] = W[row, k]\nV\n1 + 2\nW[i, j] V[i]\ntensor C[a: 2, b: 2, c: 2] = ones\nC\n")
        self.assertEqual(out, "W?\n  row \\ k  0    1       2\n  Ann      1    2  -1e+09\n  Größe    3  4.5       0\n"
                              "V?\n  Ann    -1e+09\n  Größe     7.5\n"
                              "(1 + 2)?\n  3\n"
                              "(W[i, j] V[i])?\n  i \\ j" + out.split("i \\ j")[1])
        self.assertIn("C?\n  [[[1", out)
        long = self.say("tensor L[n: 100] = ones\nL\n")[0]
        self.assertIn("[1", long)

    def test_errors_leave_the_program_as_it_was(self):
        out, err = self.say("A = 1\nA = )\nB = Q\nA = 2; assert(1 == 2)\nA\n:list\n", code=1)
        self.assertEqual(out, "A?\n  1\nA = 1\n")
        self.assertEqual(re.findall(r"<input>:\d+:\d+: error\[(\w+)\]", err), ["E0002", "E0101", "R05"])
        self.assertIn("B = Q\n    ^", err)

    def test_warnings(self):
        learn = "learn { objective: L, optimizer: sgd(lr=1), epochs: 2 }\n"
        out, err = self.say("tensor w[i: 2] learnable = zeros\nL = step(w[i]) + w[i]\n" + learn + "w\nA = 1\nw\n")
        self.assertEqual(err.count("W01"), 1)
        self.assertEqual(out.count("  0  -2\n  1  -2\n"), 2)  # what was learned stays

    def test_scripts(self):
        out, _ = self.say("let n = 2\nfor i in 0..3 {\n  n := n + i\n\n  print(n)\n}\nmain { print(n + 0.5) }\ntest t { print(9) }\n")
        self.assertEqual(out, "2\n3\n5\n5.5\n")

    def test_type(self):
        out, err = self.say(FAMILY + "const N = 2\ntensor W: f32[k: N, j: 2] = ones\n:type Parent\n:type W\n:type N\n"
                            ":type Wn\n:type\n", code=1)
        self.assertEqual(out, "relation Parent({Alice, Bob, Charlie}, {Alice, Bob, Charlie})  // 2 facts\n" +
                         out.split("2 facts\n")[1])
        self.assertRegex(out, r"tensor W\[k: 2, j: 2\]: f32\nconst N = 2\n$")
        self.assertIn("'Wn' is not defined", err)
        self.assertIn("expected :type NAME", err)

    def test_plan(self):
        out, err = self.say(FAMILY + "X = [1, 2]\nY[i] = 2 X[i]\n:plan Y\n:plan Ancestor\n:plan X[i] X[i]\n:plan X\n"
                            ":plan Z[i] = X[i] Y[i]\nZ\n:plan let a = 1\n", code=1)
        self.assertIn("<input>:1  Y[i] = 2 X[i]\n", out)
        self.assertEqual(out.count("  Ancestor(x, "), 2)
        self.assertIn("it has no equations and rules", out)
        self.assertIn("Z[i] = X[i] Y[i]\n", out)
        self.assertIn("result: ", out)
        self.assertIn("'Z' is not defined", err)  # a plan adds nothing
        self.assertIn("expected the name of a tensor or relation", err)

    def test_load_and_list(self):
        folder = self.folder / "sub"
        folder.mkdir()
        (folder / "family.tl").write_text('Parent(x, y) = "parents.csv"\nKids[x] = Parent(x, y)\nKids?\n')
        (folder / "parents.csv").write_text("Ann,Bob\nAnn,Cid\n")
        table = "Kids?\n  Ann  2\n"
        for words, text in ((["sub/family.tl"], ""), ([], ":load sub/family.tl\n")):
            out, _ = self.say(text + "Parent(Ann, Dee)\nKids[Ann]?\n:list\n", *words)
            self.assertTrue(out.startswith(table), out)
            self.assertIn("Kids[Ann]?\n  3\n", out)
            self.assertIn("Kids?\nParent(Ann, Dee)\n", out)
        (folder / "wrong.tl").write_text("A = )\n")
        out, err = self.say("A = 1\n:load sub/wrong.tl\n:load none.tl\nA\n", code=1)
        self.assertIn("sub/wrong.tl:1:5: error[E0002]", err)
        self.assertIn("none.tl", err)
        self.assertEqual(out, "A?\n  1\n")
        self.assertIn("wrong.tl", self.say("", "sub/wrong.tl", code=1)[1])

    def test_commands(self):
        out, err = self.say(":help\n:lst\n  :quit  \nA = )\n", code=1)
        for name in ":type NAME", ":plan NAME", ":load FILE", ":list", ":help", ":quit":
            self.assertIn(name, out)
        self.assertIn("unknown command ':lst'", err)
        self.assertIn(":list", err)
        self.assertEqual(err.count("\n"), 1)  # nothing after :quit
        self.assertIn("expected :list", self.say(":list all\n", code=1)[1])

    def test_json(self):
        out, err = self.say(FAMILY + "Ancestor(Alice, x)?\nX = [1, 2]\nX\nprint(1)\n:type X\n:plan X[i] + 1\nA = )\n:load none.tl\n",
                            "--json", code=1)
        lines = [json.loads(line) for line in out.splitlines()]
        self.assertEqual(lines[0], {"q": "Ancestor(Alice, x)?", "kind": "tuples", "value": [["Bob"], ["Charlie"]]})
        self.assertEqual(lines[1]["value"], [1, 2])
        self.assertEqual(lines[2:4], [{"text": "1"}, {"text": "tensor X[2]: f64"}])
        self.assertEqual(lines[4]["text"], "(X[i] + 1)?")
        errors = [json.loads(line) for line in err.splitlines()]
        self.assertEqual(errors[0]["diagnostics"][0]["code"], "E0002")
        self.assertEqual(errors[1]["error"]["code"], "io")

    def test_control_characters_do_not_reach_the_terminal(self):
        out, _ = self.say('R("a\x1b[31m")\nR\n:list\n')
        self.assertNotIn("\x1b", out)

    def test_an_interrupt_ends_the_statement_alone(self):
        process = start("repl", stdin=-1)
        process.stdin.write(b"A = 1\nloop { }\n")
        process.stdin.flush()
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)
        process.stdin.write(b"A\n:plan A\n")
        out, err = process.communicate(timeout=60)
        self.assertIn(b"interrupted", err)
        self.assertIn(b"A?\n  1\n", out)
        self.assertEqual(process.returncode, 1)


class Terminal(CommandTest):
    """A session at a pseudo-terminal."""

    def setUp(self):
        super().setUp()
        self.process_id, self.terminal = pty.fork()
        if self.process_id == 0:
            os.environ.update(HOME=str(self.folder), TERM="dumb", LC_ALL="C.UTF-8")
            os.execv(BINARY, [str(BINARY), "repl"])
        self.addCleanup(os.close, self.terminal)
        self.addCleanup(self.end)
        self.seen = b""
        self.wait_for(b":help lists commands.\r\n> ")

    def end(self):
        if self.process_id:
            os.kill(self.process_id, signal.SIGKILL)
            os.waitpid(self.process_id, 0)

    def wait_for(self, text, seconds=30):
        """Reads up to a text, and leaves what comes after it."""
        end = time.monotonic() + seconds
        while text not in self.seen:
            if select.select([self.terminal], [], [], max(0, end - time.monotonic()))[0]:
                try:
                    self.seen += os.read(self.terminal, 4096)
                except OSError:
                    break
            elif time.monotonic() >= end:
                break
        self.assertIn(text, self.seen)
        self.seen = self.seen[self.seen.index(text) + len(text):]

    def type(self, text):
        time.sleep(0.2)  # a prompt is there a moment before the terminal's mode is that of editing
        os.write(self.terminal, text)

    def interrupt(self, wanted):
        """Types Ctrl-C until a text is there: one that comes while the mode of the terminal changes is lost."""
        for attempt in range(10):
            self.type(b"\x03")
            try:
                return self.wait_for(wanted, 30 if attempt == 9 else 3)
            except AssertionError:
                if attempt == 9:
                    raise

    def ends_by(self, keys):
        """Types keys until the session ends: a terminal may drop what is typed while its mode changes."""
        for _ in range(20):
            try:
                self.type(keys)
            except OSError:  # it has ended
                pass
            end = time.monotonic() + 1
            while time.monotonic() < end:
                ended, status = os.waitpid(self.process_id, os.WNOHANG)
                if ended:
                    self.process_id = 0
                    self.assertEqual(os.waitstatus_to_exitcode(status), 0)
                    return
                time.sleep(0.01)
        self.fail("the session did not end")

    def test_prompts_interrupts_and_the_end(self):
        self.type(b"A = [1,\r")
        self.wait_for(b"\n. ")
        self.interrupt(b"\n> ")
        self.type(b"B = 2\r")
        self.wait_for(b"\n> ")
        self.type(b"garbage")
        self.interrupt(b"\n> ")
        self.type(b"B\r")
        self.wait_for(b"B?")
        self.wait_for(b"\n> ")
        self.type(b"loop { }\r")
        time.sleep(0.5)
        self.interrupt(b"interrupted\r\n> ")
        self.type(b"A = )\r")
        self.wait_for(b"E0002")
        self.wait_for(b"\n> ")
        self.ends_by(b"\x15\x04")  # Ctrl-U: an empty line

    def has_editing(self):
        features = self.json("devices")["features"]
        return next(f["present"] for f in features if f["name"] == "EDIT")

    def test_completion_and_history(self):
        if not self.has_editing():
            self.skipTest("built without libedit")
        self.type(b"Grandparent(Ann, Bob)\r")
        self.wait_for(b"\n> ")
        self.type(b"Gran\t\r")
        self.wait_for(b"1 answer")
        self.wait_for(b"\n> ")
        self.type(b"\x10\r")  # the line before
        self.wait_for(b"1 answer")
        self.wait_for(b"\n> ")
        self.ends_by(b":qui\t\r")
        self.assertIn("Grandparent", (self.folder / ".gyre_history").read_text())


if __name__ == "__main__":
    unittest.main()
