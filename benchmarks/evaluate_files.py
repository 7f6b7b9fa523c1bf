"""A whole process that evaluates files and prints means: `python -m benchmarks.evaluate_files QRELS RUN MEASURE …`."""

import sys

import ireval_frames as ir

if __name__ == "__main__":
    summary = ir.evaluate(sys.argv[1], sys.argv[2], sys.argv[3:]).summary()
    for measure, value in zip(summary["measure"], summary["value"], strict=True):
        print(measure, value, sep="\t")
