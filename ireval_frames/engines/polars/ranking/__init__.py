"""Ranking on Polars, in one of four ways.

The figures are times of an evaluation of five measures on a run of 7 million rows of 7,000 queries.

- Few rows (`small_inputs`): expressions of the plan rank them, 1.7 times as fast for a tiny table as a pass.
- Rows sorted by query and best first (`batches_in_order`): the rank is the distance from the start of the list; only
  what is out of order is sorted (`order`).
- Rows grouped by query, lists in random order (`rank_by_counting`): the rows better than each judged one are counted,
  2.7 times as fast as sorting the lists.
- Rows in random order (`bisection`): better rows are counted by bisection, 4.4 times as fast for text ids and 3.1 times
  for integers as grouping the rows by query first (`scattered_rows`), which measures that need all ranks still do.
"""
