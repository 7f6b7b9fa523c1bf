"""`ireval measures` and the frame it is made from."""

import io
import json
import os
import re
import struct
import subprocess
import sys

import polars as pl
import pytest

from ireval_frames import catalog
from ireval_frames.catalog.listing import measures
from ireval_frames.errors import UnknownName, nearest
from tests.cli.commands import invoke, lines


def test_every_measure_has_a_row_and_a_page() -> None:
    table = [line.split() for line in lines(invoke("measures"))]
    for definition in catalog.definitions():
        assert [definition.family, definition.name] in (row[:2] for row in table)
        page = "\n".join(lines(invoke("measures", definition.name, "--family", definition.family)))
        assert definition.page in page
        width = max(map(len, definition.parameters), default=0)
        for name, parameter in definition.parameters.items():
            assert f"  {name:<{width}}  {parameter.what.split(';')[0].split()[0]}" in page


def test_other_names_lead_to_the_page() -> None:
    assert lines(invoke("measures", "map")) == lines(invoke("measures", "MAP")) == lines(invoke("measures", "AP"))
    assert lines(invoke("measures", "ndcg_cut_10"))[0].startswith("nDCG@")
    unknown = invoke("measures", "nDGC")
    assert unknown.exit_code == 2
    assert "Did you mean" in unknown.stderr


def names(*words: str) -> list[str]:
    """The second column of what is listed, or the first where one family is."""
    header, *rows = lines(invoke("measures", *words))
    return [row.split()[1 if header.startswith("family") else 0] for row in rows if row]


def test_search_by_words() -> None:
    actual = names("gain", "discount")
    assert {"DCG", "nDCG", "alpha_nDCG"} <= set(actual)
    assert "AP" not in actual
    assert names("DISCOUNT", "gain") == actual
    assert names("standard", "error", "silhouette", "--family", "points") == ["SilhouetteError"]
    # A word that no headline has is looked for on the pages.
    assert "subtopic_weight" not in "".join(measures()["sentence"])
    assert "alpha_nDCG" in names("subtopic_weight")


@pytest.mark.parametrize("typo, meant", [
    ("nDGC", "nDCG"), ("spearmen", "Spearman"), ("kapa", "Kappa"), ("AcuracY", "Accuracy"), ("Silhouete", "Silhouette"),
])  # fmt: skip
def test_guesses(typo: str, meant: str) -> None:
    failed = invoke("measures", typo)
    assert failed.exit_code == 2
    assert f"no measure '{typo}'" in failed.stderr
    assert meant in failed.stderr.splitlines()[-1]


@pytest.mark.parametrize("far", ["zzz", "nothingness", "qqqqqqqq"])
def test_no_guess_where_nothing_is_near(far: str) -> None:
    failed = invoke("measures", far)
    assert failed.exit_code == 2
    assert "List them: ireval measures" in failed.stderr
    assert "Hinge" not in nearest("nothing", [d.name for d in catalog.definitions()])


def test_names_of_several_families_and_families() -> None:
    failed = invoke("measures", "Jaccard")
    assert failed.exit_code == 2
    assert "ireval measures Jaccard --family clusters" in failed.stderr
    assert lines(invoke("measures", "Jaccard", "--family", "clusters"))[0].startswith("Jaccard  (clusters)")
    assert lines(invoke("measures", "clusters")) == lines(invoke("measures", "--family", "clusters"))
    assert "mean over units" in "\n".join(lines(invoke("measures", "AMI")))
    assert "mean over queries" in "\n".join(lines(invoke("measures", "AP")))


def test_formats_for_programs() -> None:
    frame = measures()
    rows = json.loads(invoke("measures", "--format", "json").stdout)
    assert [r["name"] for r in rows] == frame["name"].to_list()
    read = pl.read_csv(io.StringIO(invoke("measures", "--format", "csv").stdout))
    assert read["name"].to_list() == frame["name"].to_list()


def test_families() -> None:
    assert measures("ranking")["family"].unique().to_list() == ["ranking"]
    with pytest.raises(UnknownName, match="rankings"):
        measures("rankings")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudoterminals")
@pytest.mark.parametrize("width", [60, 100])
def test_the_table_is_as_wide_as_the_terminal(width: int) -> None:
    """Every name and range is readable in full; only sentences go over several lines."""
    import fcntl
    import pty
    import termios

    main, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    command = [sys.executable, "-m", "ireval_frames", "measures", "clusters"]
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"} | {"TERM": "xterm"}
    shown = b""
    with subprocess.Popen(command, stdout=other, stdin=other, env=environment) as running:
        os.close(other)
        while part := read(main):
            shown += part
    os.close(main)
    assert running.returncode == 0
    text = re.sub(r"\x1b\[[0-9;]*m", "", shown.decode()).replace("\r", "").splitlines()
    assert max(map(len, text)) <= width
    assert {d.name for d in catalog.definitions("clusters")} <= {word for line in text for word in line.split()[:1]}


def read(terminal: int) -> bytes:
    """What was written to a terminal; nothing at its end, which Linux tells as an error."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""
