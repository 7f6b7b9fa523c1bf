"""Stems of the words of the test cases of answers that differ from the words, as NLTK's Porter stemmer has them."""

from __future__ import annotations

STEMS = {
    "anything": "anyth",
    "apple": "appl",
    "broncos": "bronco",
    "cats": "cat",
    "dying": "die",
    "flies": "fli",
    "hopping": "hop",
    "hops": "hop",
    "industry": "industri",
    "killed": "kill",
    "kills": "kill",
    "police": "polic",
    "ponies": "poni",
    "pony": "poni",
    "relate": "relat",
    "relation": "relat",
    "relational": "relat",
    "running": "run",
    "runs": "run",
    "skies": "sky",
    "strasse": "strass",
    "words": "word",
}
