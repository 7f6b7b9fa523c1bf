"""Tests, corrections, intervals and effect sizes over arrays of values per unit.

Nothing here knows a table, a measure or an engine: NumPy resamples, SciPy gives distributions.  `ir.compare` brings
tables here, and what is found back into tables.
"""
