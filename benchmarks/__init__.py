"""Speed and memory beside other tools, side by side in one run: `python -m benchmarks [groups] [--quick]`.

The parent (`__main__`, `groups`, `jobs`, `rows`) starts a process per measurement and prints ratios; it
imports no table library itself.  The processes are `child` with a function of `work`, whole commands, and
`tables`, which makes the data.
"""
