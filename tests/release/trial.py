"""What must hold where nothing but the wheel is installed; a script of its own, run in another Python.

    python -I trial.py VERSION

It prints a line for each thing that holds, and ends with an error at the first that does not.
"""

import importlib.util
import json
import math
import subprocess
import sys
import sysconfig
import tempfile
import warnings
from pathlib import Path

STARTS = 7
SECONDS = 0.25
EXAMPLES = {
    "answers": ("Answers", "ExactMatch TokenF1"),
    "citations": ("Citations", "CitationRecall"),
    "clusters": ("Clusters", "AdjustedRand BCubedF"),
    "coreference": ("Coreference", "MUCF CoNLL"),
    "labels": ("Labels", "Accuracy F1(average='macro') MCC"),
    "links": ("Links", "Precision Recall"),
    "nuggets": ("Nuggets", "A NuggetF"),
    "ranking": ("Rankings", "nDCG@10 AP RR"),
    "ratings": ("Ratings", "KrippendorffAlpha FleissKappa"),
    "relations": ("Relations", "F1"),
    "segments": ("Segmentation", "Pk WindowDiff"),
    "spans": ("Spans", "Precision Recall F1"),
}


def comes_from_the_wheel(version: str) -> str:
    import ireval_frames as ir

    place = Path(ir.__file__).parent
    assert place.parent == Path(sysconfig.get_path("purelib")), place
    assert ir.__version__ == version, ir.__version__
    missing = [name for name in ir.__all__ if not hasattr(ir, name)]
    assert not missing, missing
    return f"{len(ir.__all__)} names of version {ir.__version__}"


def starts_quickly() -> str:
    def seconds(statement: str) -> float:
        code = f"import time; t = time.perf_counter(); {statement}; print(time.perf_counter() - t)"
        runs = [
            subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, check=True) for _ in range(STARTS)
        ]
        return min(float(done.stdout) for done in runs)

    took = seconds("import ireval_frames")
    assert took < SECONDS, f"{took:.3f} s, {SECONDS} s are allowed"
    return f"the import takes {1000 * took:.0f} ms"


def engines_agree() -> str:
    import duckdb

    import ireval_frames as ir

    compared = 0
    for example, (subject, measures) in EXAMPLES.items():
        frames = getattr(ir.examples, example)()
        frames = frames if isinstance(frames, tuple) else (frames,)
        with duckdb.connect() as con:
            relations = [con.from_arrow(frame.to_arrow()) for frame in frames]
            values = [
                getattr(ir, subject)(*tables).evaluate(measures).summary().sort("measure").to_dicts()
                for tables in (frames, relations)
            ]
        for one, other in zip(*values, strict=True):
            assert one["measure"] == other["measure"]
            assert math.isclose(one["value"], other["value"], rel_tol=1e-12, abs_tol=1e-12), (example, one, other)
            compared += 1
    return f"{compared} measures of {len(EXAMPLES)} families are equal on Polars and DuckDB"


def command_runs() -> str:
    command = Path(sysconfig.get_path("scripts")) / "ireval"

    def ireval(*words: str, code: int = 0) -> str:
        done = subprocess.run([command, *words], capture_output=True, text=True, encoding="utf-8", check=False)
        assert done.returncode == code, done
        return done.stdout + done.stderr

    with tempfile.TemporaryDirectory() as folder:
        qrels, run = Path(folder, "qrels.txt"), Path(folder, "run.txt")
        qrels.write_text("1 0 a 1\n1 0 b 0\n2 0 c 2\n", encoding="utf-8")
        run.write_text("1 Q0 b 1 2.0 bm25\n1 Q0 a 2 1.0 bm25\n2 Q0 c 1 3.0 bm25\n", encoding="utf-8")
        rows = json.loads(ireval("evaluate", str(qrels), str(run), "-m", "AP", "--format", "json"))
        assert "0.75" in json.dumps(rows), rows
        assert "num_q" in ireval("trec-eval", str(qrels), str(run))
        assert "nDGC" in ireval("evaluate", str(qrels), str(run), "-m", "nDGC@10", code=2)
    assert "store" in ireval("--help")
    return "ireval evaluates, refuses and helps"


def extras_are_named() -> str:
    """Without its packages, a picture or a report says what to install; with them it is drawn and written."""
    import ireval_frames as ir

    qrels, run = ir.examples.ranking()
    evaluation = ir.evaluate(qrels, run, "nDCG@10 AP")
    done = []
    with tempfile.TemporaryDirectory() as folder:
        tries = {
            "plots": (("altair", "vl_convert"), lambda: ir.plots.save(evaluation.plot(), f"{folder}/picture.svg")),
            "report": (("jinja2", "altair", "vl_convert"), lambda: ir.report(evaluation, f"{folder}/report.html")),
        }
        for extra, (packages, run_it) in tries.items():
            if all(importlib.util.find_spec(package) for package in packages):
                run_it()
                done.append(f"{extra} works")
                continue
            try:
                run_it()
                message = "it ran"
            except ir.errors.EngineError as error:
                message = str(error)
            assert f'pip install "ireval-frames[{extra}' in message, message
            done.append(f"{extra} says what to install")
    return ", ".join(done)


def main(version: str) -> None:
    warnings.simplefilter("error")
    for check in (comes_from_the_wheel, starts_quickly, engines_agree, command_runs, extras_are_named):
        print(check(version) if check is comes_from_the_wheel else check())


if __name__ == "__main__":
    main(sys.argv[1])
