"""Texts in which engines might differ, for tests of normalised text."""

from __future__ import annotations

TEXTS = (
    "The Cat sat on a mat.", "a an the A", "the-end", "“the cat”", "the\u2013cat the\u2014an", "A", "", "  ", "an\u00a0apple",
    "U.S.A. (the)", "na\u00efve caf\u00e9 \u00e9a b", "a\u0301 b the\u0301", "\u0130stanbul \u0130", "\u039f\u0394\u039f\u03a3 \u03a3 \u03a3\u03a3 \u0391\u03a3\u2019\u0391",
    "\u0391\u03a3. \u03a3\u0391", "stra\u00dfe STRASSE \u1e9e", "a_b the_cat _a_", "it\u2019s the \u2018an\u2019 \u00b4a\u00b4 `the`", "\u65e5\u672c\u8a9e\u3067\u3059\u3002 x\u65e5", "\u4e2d\u56fd 1945\u5e74",
    "\u00bfQu\u00e9? \u00abel\u00bb", "x\u2028y\x1cz\x85w", "a\nb\tthe\r\nc", "1,000.5 $5 5% \u20ac5", "\u212aelvin \u00b5 \u03bc", "\u01c5 \u01c4", "\ufb01n",
    "\u24b6\u24d0 \u2160\u2170", "the the a a an the end", "\u0644\u0627 \u0627\u0644\u0628\u064a\u062a\u061f", "\u0915\u094d\u0937 \u0939\u093f\u0928\u094d\u0926\u0940\u0964", "a\u200bb the\u200bthe", "I'm $1 \\1 ${1}", "'' \"\"", "\U0001d400\U00010400 a",
)  # fmt: skip
