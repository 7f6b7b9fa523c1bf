"""One measurement in a process of its own: `python -m benchmarks.child MODULE FUNCTION OPTIONS CALLS`.

The function loads what it needs and returns the work to be timed.  The best of the calls counts.  The result is a line
of JSON; the parent asks the system for the peak memory.
"""

import importlib
import json
import resource
import sys
import time


def main(module: str, function: str, options: str, calls: str) -> None:
    """Load, time, print."""
    work = getattr(importlib.import_module(f"benchmarks.work.{module}"), function)(**json.loads(options))
    loaded = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    seconds = []
    for _ in range(int(calls)):
        start = time.perf_counter()
        values = work()
        seconds.append(time.perf_counter() - start)
    print(json.dumps({"seconds": min(seconds), "values": values, "loaded": loaded}))


if __name__ == "__main__":
    main(*sys.argv[1:])
