"""Which measures satisfy, tie on and violate the formal constraints."""

from __future__ import annotations

import functools

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.constraints import values
from ireval_frames.constraints.kinds import CONSTRAINTS
from ireval_frames.errors import InvalidParameter, MissingColumn, NotDefined, UnknownName
from tests.constraints.verdicts import TABLES


@functools.cache
def results(kind: str) -> pl.DataFrame:
    return ir.constraints.check_constraints(list(TABLES[kind]), kind)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind, name", [(k, n) for k, table in TABLES.items() for n in table])
def test_verdicts(kind: str, name: str) -> None:
    rows = results(kind).filter(measure=name)
    assert "".join(v[0] for v in rows["verdict"]) == TABLES[kind][name].replace(" ", "")


def test_shares_of_violations() -> None:
    """Rare violations are counted."""
    frame = results("retrieval").filter(constraint="deepness").with_columns(share=pl.col("violated") / pl.col("n"))
    share = dict(frame.select("measure", "share").iter_rows())
    assert 0 < share["AP"] < 0.1
    assert 0 < share["QMeasure"] < 0.25
    ties = dict(
        results("clustering").filter(constraint="homogeneity", setting="closed").select("measure", "ties").iter_rows()
    )
    assert ties["EditDistance"] > 40
    assert 0 < ties["Jaccard"] == ties["FowlkesMallows"] == ties["PairF"] < 20
    assert 0 < ties["BCubedF(self_pairs=False)"] < 20


def test_product_weights_violate_priority() -> None:
    """Relations weighted by the product of their documents reward wrong swaps; flat weights do not."""
    frame = ir.constraints.check_constraints(
        "RS(pair_weight='product') RS(n=100, pair_weight='product') RS(weights='hyperbolic')", "retrieval"
    )
    violated = {(m, c): v for m, c, v in frame.select("measure", "constraint", "violated").iter_rows()}
    assert violated["RS(pair_weight='product')", "priority"] > 20
    assert violated["RS(n=100, pair_weight='product')", "priority"] == 0
    assert violated["RS(weights='hyperbolic')", "priority"] == 0
    verdicts = {(m, c): v for m, c, v in frame.select("measure", "constraint", "verdict").iter_rows()}
    # A hyperbolic tail is never small enough for documents to be ignored.
    assert verdicts["RS(weights='hyperbolic')", "deepness threshold"] == "VIOLATED"


@pytest.mark.parametrize("name", ["ERR", "ERR(max_rel=1)", "nDCG", "AP", "RBP(p=0.5)"])
def test_values_equal_those_of_an_evaluation(name: str) -> None:
    """`evaluate` gives the values of a counterexample without further options, such as the scale of grades."""
    rows = [
        r
        for r in ir.constraints.check_constraints(name, "retrieval", instances=20).iter_rows(named=True)
        if r["better"]
    ]
    assert rows
    for row in rows:
        relevant, num_documents = row["gold"].split(" of ")[0].split(), int(row["gold"].split()[-2])
        documents = [*relevant, *(f"n{i + 1}" for i in range(num_documents - len(relevant)))]
        qrels = pl.DataFrame(
            {"query_id": "q", "doc_id": documents, "relevance": [int(d in relevant) for d in documents]}
        )
        for side in ("better", "worse"):
            documents_listed = row[side].split()
            run = pl.DataFrame(
                {
                    "query_id": "q",
                    "doc_id": documents_listed,
                    "score": [-float(i) for i in range(len(documents_listed))],
                }
            )
            value = ir.evaluate(qrels, run, name).summary()["value"].item()
            assert row[f"{side}_value"] == pytest.approx(value, abs=1e-12)


def test_few_cases_miss_rare_violations() -> None:
    in_50_cases, in_200_cases = (
        ir.constraints.check_constraints("AP", constraints="deepness", instances=n)["violated"].item()
        for n in (50, 200)
    )
    assert (in_50_cases, in_200_cases > 0) == (0, True)


@pytest.mark.parametrize("name", ["Jaccard", "FowlkesMallows"])
def test_homogeneity_of_pairs_ties_where_no_pair_agrees(name: str) -> None:
    cases = CONSTRAINTS["clustering"].groups(["homogeneity"], 200, 0)["homogeneity", "closed"]
    measures = [catalog.parse(m, "clusters") for m in (name, "PairTP")]
    rows = values.frame(cases, "clustering")
    outcomes, agreeing = (values.compare_outputs(m, cases, rows, "clustering", None, higher=True) for m in measures)
    ties = [(a.better, a.worse) for o, a in zip(outcomes, agreeing, strict=True) if o.outcome(1e-10) == "ties"]
    assert ties == [(0.0, 0.0)] * 3
    assert sum((a.better, a.worse) == (0.0, 0.0) for a in agreeing) == 3


def half_credited(frame: pl.DataFrame) -> pl.DataFrame:
    """The area under the ROC curve of whole collections, with documents that are not retrieved tied at the end."""
    position = (-pl.col("rank").fill_null(10**6)).rank("average").over("instance")
    positives, n = pl.col("relevance").sum().cast(pl.Float64), pl.len().cast(pl.Float64)
    area = ((position * pl.col("relevance")).sum() - positives * (positives + 1) / 2) / (positives * (n - positives))
    return frame.with_columns(place=position).group_by("instance").agg(value=area)


def test_functions() -> None:
    """As published: priority is satisfied, deepness and its threshold are not."""
    frame = ir.constraints.check_constraints(half_credited, "retrieval")
    assert frame["measure"].unique().item() == "half_credited"
    verdicts = dict(frame.select("constraint", "verdict").iter_rows())
    assert [verdicts[c] for c in ("priority", "deepness", "closeness threshold")] == ["OK", "TIES", "OK"]
    assert verdicts["deepness threshold"] != "OK"

    def inverse(frame: pl.DataFrame) -> pl.LazyFrame:
        return half_credited(frame).lazy().with_columns(value=1 - pl.col("value"))

    inverted = ir.constraints.check_constraints(inverse, "retrieval", higher_is_better=False)
    columns = ["constraint", "n", "satisfied", "ties", "violated", "verdict"]
    assert inverted.select(columns).equals(frame.select(columns))


def test_functions_of_clusters_and_filters() -> None:
    def singletons(frame: pl.DataFrame) -> pl.DataFrame:
        return frame.group_by("instance").agg(value=pl.col("cluster_id").n_unique())

    verdicts = ir.constraints.check_constraints(singletons, "clustering", constraints=["homogeneity", "completeness"])[
        "verdict"
    ].to_list()
    assert verdicts == ["OK", "OK", "VIOLATED", "VIOLATED"]

    def returned(frame: pl.DataFrame) -> pl.DataFrame:
        return frame.group_by("instance").agg(value=pl.col("prediction").sum())

    assert ir.constraints.check_constraints(returned, "filtering", constraints="class-oriented")[
        "verdict"
    ].to_list() == ["OK"]


def test_functions_of_classes_and_aspects() -> None:
    """The columns that they get; of lists nothing but what their documents are relevant to is compared."""

    def right(frame: pl.DataFrame) -> pl.DataFrame:
        assert frame.columns == ["instance", "item_id", "label", "prediction"]
        return frame.group_by("instance").agg(value=(pl.col("label") == pl.col("prediction")).mean())

    theirs, ours = (ir.constraints.check_constraints(m, "ordinal", instances=40) for m in (right, "Accuracy"))
    assert theirs.drop("measure").equals(ours.drop("measure"))

    def covered(frame: pl.DataFrame) -> pl.DataFrame:
        assert frame.filter(pl.col("subtopic_id").is_null())["relevance"].unique().to_list() == [0]
        retrieved = frame.filter(pl.col("rank").is_not_null() & pl.col("subtopic_id").is_not_null())
        weight = retrieved.unique(["instance", "subtopic_id"]).group_by("instance").agg(value=pl.sum("subtopic_weight"))
        return frame.select("instance").unique().join(weight, on="instance", how="left").fill_null(0.0)

    theirs, ours = (ir.constraints.check_constraints(m, "diversity", instances=40) for m in (covered, "StRecall"))
    columns = ["constraint", "n", "satisfied", "ties", "violated", "verdict"]
    assert theirs.select(columns).equals(ours.select(columns))


def test_kinds_of_measures() -> None:
    """Measures of subtopics are checked on lists of documents with aspects, others by their family."""
    check = functools.partial(ir.constraints.check_constraints, instances=5)
    for name, kind in {
        "RBU": "retrieval",
        "RBU(subtopics='mean')": "diversity",
        "NRBP": "diversity",
        "MAE": "filtering",
    }.items():
        assert check(name)["kind"].unique().to_list() == [kind]
    assert check("AP", "diversity")["constraint"].to_list()[0] == "aspect diversity"
    with pytest.raises(NotDefined, match="RS is not for ordinal"):
        check("RS", "ordinal")
    row = check("MAE", "ordinal", constraints="ordinal invariance").row(0, named=True)
    assert row["gold"].startswith("1: a1")
    assert " and " in row["gold"]


def test_counterexamples() -> None:
    row = ir.constraints.check_constraints("SetF", "retrieval", constraints="priority").row(0, named=True)
    assert row["better_value"] == row["worse_value"]
    assert row["gold"].endswith("documents")
    better, worse = row["better"].split(), row["worse"].split()
    (i,) = [i for i in range(len(better) - 1) if better[i] != worse[i]][:1]
    assert better[i] == worse[i + 1]
    assert better[i][0] == "r"
    assert worse[i][0] == "n"
    row = ir.constraints.check_constraints("Purity", "clustering", constraints="completeness").row(0, named=True)
    assert row["better"].count("{") == row["worse"].count("{") - 1
    assert row["gold"].count("{") >= 1


def test_engines_and_seeds_agree() -> None:
    """Except for rounding errors of the values."""
    columns = [
        "measure",
        "constraint",
        "setting",
        "n",
        "satisfied",
        "ties",
        "violated",
        "verdict",
        "gold",
        "better",
        "worse",
    ]
    for kind, names in (
        ("retrieval", "RS nDCG"),
        ("clustering", "RS BCubedF"),
        ("filtering", "RS F1 ICMSoft"),
        ("ordinal", "CEM_ORD MAE"),
        ("diversity", "NRBP AP_IA"),
    ):
        frames = [
            ir.constraints.check_constraints(names, kind, instances=30, engine=e).select(columns)
            for e in ("polars", "duckdb")
        ]  # type: ignore[arg-type]
        assert frames[0].equals(frames[1])
    rows = [
        ir.constraints.check_constraints("AP", constraints="deepness", seed=s).select(columns).row(0) for s in (1, 1, 2)
    ]
    assert rows[0] == rows[1] != rows[2]


def test_arguments() -> None:
    assert ir.constraints.check_constraints("RS", instances=5)["kind"].unique(maintain_order=True).to_list() == [
        "retrieval",
        "clustering",
        "filtering",
    ]
    assert ir.constraints.check_constraints(ir.nDCG @ 10, instances=5, constraints="priority")["measure"].to_list() == [
        "nDCG@10"
    ]
    with pytest.raises(UnknownName, match="There is no kind"):
        ir.constraints.check_constraints("AP", "ranking")  # type: ignore[arg-type]
    with pytest.raises(UnknownName, match="priority"):
        ir.constraints.check_constraints("AP", constraints="priorities")
    with pytest.raises(NotDefined, match="Accuracy is a measure of labels"):
        ir.constraints.check_constraints(ir.labels.Accuracy, "clustering")
    with pytest.raises(InvalidParameter, match="whether higher is better"):
        ir.constraints.check_constraints("NumRet")
    with pytest.raises(InvalidParameter, match="needs a kind"):
        ir.constraints.check_constraints(half_credited)
    with pytest.raises(InvalidParameter, match="instances"):
        ir.constraints.check_constraints("AP", instances=0)
    with pytest.raises(InvalidParameter, match="must return a frame"):
        ir.constraints.check_constraints(lambda frame: frame.height, "retrieval")
    with pytest.raises(MissingColumn, match="value"):
        ir.constraints.check_constraints(lambda frame: frame, "retrieval")


def test_measures_of_other_kinds() -> None:
    with pytest.raises(NotDefined, match=r'AMI is not for retrieval(.|\n)*kind="clustering"'):
        ir.constraints.check_constraints("AMI", "retrieval")
    with pytest.raises(NotDefined, match="is a measure of clusters, which is not for retrieval"):
        ir.constraints.check_constraints(ir.clusters.AMI, "retrieval")
    with pytest.raises(NotDefined, match="is a measure of ratings, which is not for formal constraints"):
        ir.constraints.check_constraints(ir.ratings.FleissKappa)
    with pytest.raises(UnknownName, match="no measure 'APP'"):
        ir.constraints.check_constraints("APP", "retrieval")
    assert ir.constraints.check_constraints("RS map", "retrieval", instances=3)[
        "measure"
    ].unique().sort().to_list() == ["AP", "RS"]
