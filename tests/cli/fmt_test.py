"""gyre fmt: programs in one style."""

import json
import os
import stat
import subprocess

from command import BINARY, CommandTest, run

UGLY = b"# sum\nA=1\nB[ i ]=W[ i ]X[i]\n"
TIDY = b"# sum\nA = 1\nB[i] = W[i] X[i]\n"
WRONG = b"A = 1\nB = )\nC[i = 2\n"


class Fmt(CommandTest):
    def test_prints_the_formatted_text(self):
        ugly = self.write("ugly.tl", UGLY)
        self.assertEqual(self.good("fmt", ugly).encode(), TIDY)
        self.assertEqual(self.good("fmt", ugly, self.write("tidy.tl", TIDY)).encode(), TIDY + TIDY)
        self.assertEqual(ugly.read_bytes(), UGLY)
        self.assertEqual(self.good("fmt", self.write("empty.tl", b"")), "")
        files = self.json("fmt", ugly)["files"]
        self.assertEqual(files, [{"file": str(ugly), "changed": True, "text": TIDY.decode()}])

    def test_standard_input(self):
        for words, expected in (("fmt", "-"), TIDY), (("fmt", "-", "--check"), b"<stdin>\n"):
            answer = subprocess.run([BINARY, *words], input=UGLY, capture_output=True)
            self.assertEqual(answer.stdout, expected)
            self.assertEqual(answer.returncode, 1 if "--check" in words else 0)
        answer = subprocess.run([BINARY, "fmt", "-"], input=WRONG, capture_output=True, text=False)
        self.assertIn(b"<stdin>:2:5: error[E0002]: ", answer.stderr)

    def test_write_changes_only_what_is_not_formatted(self):
        ugly, tidy = self.write("ugly.tl", UGLY), self.write("tidy.tl", TIDY)
        ugly.chmod(0o640)
        os.utime(tidy, (1, 1))
        link = self.folder / "link.tl"
        link.symlink_to(ugly)
        self.assertEqual(self.good("fmt", "--write", link, tidy), f"{link}\n")
        self.assertEqual(ugly.read_bytes(), TIDY)
        self.assertTrue(link.is_symlink())
        self.assertEqual(stat.S_IMODE(ugly.stat().st_mode), 0o640)
        self.assertEqual(tidy.stat().st_mtime, 1)
        self.assertEqual(self.good("fmt", "--write", ugly, tidy), "")
        self.assertEqual(self.json("fmt", "--write", tidy)["files"], [{"file": str(tidy), "changed": False}])

    def test_check_names_the_files(self):
        ugly, tidy = self.write("ugly.tl", UGLY), self.write("tidy.tl", TIDY)
        answer = run("fmt", "--check", tidy, ugly)
        self.assertEqual((answer.returncode, answer.stdout), (1, f"{ugly}\n"))
        self.assertEqual(answer.stderr, "gyre: 1 file is not formatted (run `gyre fmt --write`)\n")
        self.assertEqual(self.good("fmt", "--check", tidy), "")
        answer = run("fmt", "--check", "--json", tidy, ugly)
        self.assertEqual(answer.returncode, 1)
        self.assertEqual([f["changed"] for f in json.loads(answer.stdout)["files"]], [False, True])
        self.assertIn("1 file is not formatted", json.loads(answer.stderr)["error"]["message"])
        self.assertEqual(ugly.read_bytes(), UGLY)

    def test_all_errors_of_all_files(self):
        wrong, other = self.write("wrong.tl", WRONG), self.write("other.tl", b"domain P = {}\n")
        ugly = self.write("ugly.tl", UGLY)
        answer = run("fmt", "--write", ugly, wrong, other)
        self.assertEqual((answer.returncode, answer.stdout), (1, ""))
        self.assertEqual(answer.stderr, (
            f"{wrong}:2:5: error[E0002]: expected an expression, found ')'\nB = )\n    ^\n"
            f"{wrong}:3:5: error[E0002]: expected ']' after the indices, found '='\nC[i = 2\n    ^\n"
            f"{other}:1:13: error[E0002]: expected a name, a string or an integer, found '}}'\n"
            "domain P = {}\n            ^\n"
            "gyre: 3 errors\n"))
        self.assertEqual(ugly.read_bytes(), UGLY)
        self.refused(1, "fmt", wrong)

    def test_errors_as_json(self):
        wrong = self.write("wrong.tl", WRONG)
        answer = run("fmt", "--json", wrong)
        self.assertEqual((answer.returncode, answer.stdout), (1, ""))
        said = json.loads(answer.stderr)
        self.assertEqual(said["error"]["code"], "parse")
        self.assertEqual(said["error"]["message"],
                         f"{wrong}:2:5: error[E0002]: expected an expression, found ')'")
        self.assertEqual(said["diagnostics"][0], {
            "file": str(wrong), "line": 2, "column": 5, "severity": "error", "code": "E0002",
            "message": "expected an expression, found ')'", "note": "", "help": ""})
        self.assertEqual([d["line"] for d in said["diagnostics"]], [2, 3])

    def test_wrong_use(self):
        ugly = self.write("ugly.tl", UGLY)
        self.refused(2, "fmt", mentions="FILE")
        self.refused(2, "fmt", ugly, "--write", "--check", mentions=("--write", "--check"))
        self.refused(2, "fmt", "-", "--write", mentions="standard input")
        self.refused(1, "fmt", self.folder / "none.tl", mentions="none.tl")
        self.refused(1, "fmt", self.folder, mentions="directory")

    def test_what_is_no_program(self):
        self.refused(1, "fmt", self.write("binary.tl", bytes(range(256)) * 100))
        self.refused(1, "fmt", self.write("latin.tl", "größe = 1".encode("latin-1")))
        self.refused(1, "fmt", self.write("deep.tl", b"A = " + b"(" * 100000))
        page = self.good("fmt", self.write("crlf.tl", b"\xef\xbb\xbfA = 1\r\n"))
        self.assertEqual(page, "A = 1\n")
