"""Computations that several families share, over tables of a plan."""
