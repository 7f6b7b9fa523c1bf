"""Ranking measures written a second time, as plain loops over lists and dicts.

The package is compared with these functions. They share no code with it and
use the standard library alone, so that a fault has to be made twice to stay
unseen. They are slow and say each definition as directly as they can.
"""
