"""Writes `sample_eval.json`: what copies of sample_eval.pl and statAP_MQ_eval_v4.pl print for random judgments.

The scripts are not distributed here.  sample_eval.pl with the change of 10 October 2011 is at trec.nist.gov, in
data/clinical, the copy with that of 5 September 2012 in TRECVID's tools, statAP_MQ_eval_v4.pl in the tools of the
Million Query track.  Run by hand, with Perl:
`python -m tests.reference.making_sample_eval COPY_OF_2011 COPY_OF_2012 STATAP`.
Their formats are changed to print all digits, and the largest size of a result to a small one for half of the cases.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "sample_eval.json"
SIZES = (1000, 7)
RATES = {"1": 1.0, "2": 0.5, "10": 0.2}
ROW = re.compile(r"^(infAP|infNDCG|iP5|iP10|inum_rel_ret|inum_rel)\s+(\d+)\s+(\S+)$", re.MULTILINE)
TOPIC = re.compile(r"topic=(\d+).*?Relevant=(\S+).*?AP=(\S+)\s+R-prec=(\S+).*?varAP=(\S+)", re.DOTALL)


def cases(draw: random.Random) -> tuple[list[Any], list[Any]]:
    """Judgments of 20 topics with a stratum and an inclusion probability, and a run; scores have ties in some."""
    qrels, run = [], []
    for topic in map(str, range(1, 21)):
        pool = [f"d{i}" for i in draw.sample(range(100), draw.choice((5, 20, 40)))]
        for doc in pool:
            stratum = draw.choice(list(RATES))
            grade = draw.choice((0, 0, 1, 1, 2, 3)) if draw.random() < RATES[stratum] else -1
            qrels.append((topic, doc, stratum, grade, RATES[stratum]))
        listed = draw.sample([*pool, *(f"x{i}" for i in range(10))], draw.randint(1, len(pool)))
        tied = draw.random() < 0.3
        run += [(topic, doc, float(draw.randint(0, 4)) if tied else 1000.0 - i) for i, doc in enumerate(listed)]
    return qrels, run


def printed(script: str, judgments: list[str], run: list[Any]) -> str:
    """What a script prints about each topic."""
    with tempfile.TemporaryDirectory() as folder:
        files = {"script.pl": script, "qrels": "\n".join(judgments) + "\n"}
        files["run"] = "".join(f"{topic} Q0 {doc} 1 {score:.12g} r\n" for topic, doc, score in run)
        for name, text in files.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        command = ["perl", "script.pl", "-q", "qrels", "run"]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


def main(copies: dict[str, str], statap: str) -> None:
    """Write the file, from the texts of the scripts."""
    qrels, run = cases(random.Random(8))
    out: dict[str, Any] = {"qrels": qrels, "run": run, "sample_eval": {}}
    judgments = [f"{topic} 0 {doc} {stratum} {grade}" for topic, doc, stratum, grade, _ in qrels]
    for copy, text in copies.items():
        for size in SIZES:
            script = re.sub(r"%(6|14)\.4f", "%.15g", text)
            script = re.sub(r"^\$maxResultSize = \d+", f"$maxResultSize = {size}", script, flags=re.MULTILINE)
            rows = ROW.findall(printed(script, judgments, run))
            out["sample_eval"][f"{copy} {size}"] = [(name, topic, float(value)) for name, topic, value in rows]
    # It breaks ties by chance, and divides by the number of judged documents less 1.
    judged = Counter(topic for topic, _, _, grade, _ in qrels if grade >= 0)
    prels = [f"{t} {doc} {grade} 1 {rate}" for t, doc, _, grade, rate in qrels if grade >= 0 and judged[t] > 1]
    script = statap.replace("use LWP::Simple;", "").replace("%.3f", "%.15g")
    distinct = [(topic, doc, 1000.0 - i) for i, (topic, doc, _) in enumerate(run)]
    rows = TOPIC.findall(printed(script, prels, distinct))
    out["statap"] = [(topic, *map(float, values)) for topic, *values in rows if "NA" not in values[1]]
    FILE.write_text(json.dumps(out, separators=(",", ":")).replace("],[", "],\n[") + "\n", encoding="utf-8")


if __name__ == "__main__":
    of_2011, of_2012, of_statap = (Path(path).read_text(encoding="utf-8") for path in sys.argv[1:])
    main({"2011": of_2011, "2012-trecvid": of_2012}, of_statap)
