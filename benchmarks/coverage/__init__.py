"""How often intervals hold the truth that they are of, in simulations: `python -m benchmarks coverage`."""
