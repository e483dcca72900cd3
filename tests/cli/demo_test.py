"""`gyre demo`: it shows definitions and scores, and fails when the model is no better than bigrams."""

import pathlib
import unittest

from command import CommandTest

WORDNET = pathlib.Path("/usr/share/wordnet/data.noun")


@unittest.skipUnless(WORDNET.is_file(), f"{WORDNET} is not there (package wordnet-base)")
class Demo(CommandTest):
    def test_beats_the_bigram(self):
        report = self.json("demo", "--out", self.folder / "demo", "--steps", "30", "--samples", "2", timeout=300)
        self.assertLess(report["val_bits_per_byte"], report["bigram"])
        self.assertLess(report["bigram"], report["unigram"])
        self.assertEqual(len(report["definitions"]), 2)
        if report["xz"] is not None:
            self.assertLess(report["xz_after_training_text"], report["xz"])
        self.assertTrue((self.folder / "demo/model/model.safetensors").is_file())

    def test_untrained_model_fails(self):
        self.refused(1, "demo", "--out", self.folder / "demo", "--steps", "1", "--samples", "0", mentions="bigram",
                     timeout=300)

    def test_folder_of_others_is_left_alone(self):
        (self.folder / "demo/model").mkdir(parents=True)
        treasure = self.write("demo/model/treasure", b"mine")
        self.refused(2, "demo", "--out", self.folder / "demo", "--steps", "1", mentions="--out")
        self.assertEqual(treasure.read_bytes(), b"mine")

    def test_wrong_options(self):
        for option, value in (("--minutes", "0"), ("--minutes", "nan"), ("--steps", "-1"), ("--samples", "-2")):
            self.refused(2, "demo", option, value, mentions=option)


if __name__ == "__main__":
    unittest.main()
