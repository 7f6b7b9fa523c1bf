"""Ranking on Polars, in one of four ways; figures are of evaluations of five measures, 7 M rows of 7,000 queries.

- Few rows: expressions of the plan (`small_inputs`), 1.7 times as fast for a tiny table as a pass over the rows.
- Rows best first: ranks are read from where the rows stand (`batches_in_order`), and only what is out of order is
  looked at (`order`).
- Lists in random order: the rows before each judged one are counted (`rank_by_counting`), 2.7 times as fast as sorting.
- Rows in random order: they are counted by bisection (`bisection`), 4.4 times as fast for text and 3.1 times for
  integers as bringing each query's rows together (`scattered_rows`), which measures that need all ranks still do.
"""
