"""Vectors of texts."""

import inspect
import os

from gyre._gyre import _models
from gyre._options import Options, documented, given_options

_encode = Options("encode", _models.encode_options)


class SentenceEncoder(_models.SentenceEncoder):
    """A text encoder of a folder of Hugging Face or sentence-transformers, with its tokenizer.

        encoder = gyre.SentenceEncoder("all-MiniLM-L6-v2")
        vectors = encoder.encode(["a cat", "a dog"], normalize=True)
        print(vectors @ vectors.T)
    """

    def __init__(self, folder):
        super().__init__(os.fspath(folder))
        self._folder = os.fspath(folder)

    def __repr__(self):
        return f"SentenceEncoder({self._folder!r}, width={self.width}, context={self.context})"

    @documented(_encode, inspect.Parameter.KEYWORD_ONLY)
    def encode(self, texts, **options):
        """Vectors [texts, width] f32, as `gyre encode` computes them: of a list of texts, each a str or a list of token
        ids with special tokens; of one str a vector [width]. With pooling="none" hidden states [texts, most tokens,
        width], 0 after the end of a text."""
        given = given_options(_encode, options)
        if isinstance(texts, str):
            return self.encode([texts], **options)[0]
        ids = [self._ids([text], given.get("max_tokens", 0))[0] if isinstance(text, str) else [int(i) for i in text]
               for text in texts]
        return self._vectors(ids, given)
