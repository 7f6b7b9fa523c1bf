"""Where measures of spans, relations, links, coreference, segmentations and answers differ from tools."""

from __future__ import annotations

from tests.reference.difference import Difference

MARKED = ("side", "doc_id", "start", "end")
TAGGED = ("doc_id", "position", "gold", "predicted")
MENTIONED = ("side", "doc_id", "mention_id", "cluster_id")
LINKED = ("side", "doc_id", "start", "end", "kb_id")
ANSWERED = ("side", "query_id", "answer")
SEGMENTED = ("doc_id", "position", "gold_segment", "segment")

DIFFERENCES = (
    Difference(
        "Pk", "segeval",
        "Of positions it compares the names of segments, so a segment whose name comes again is the first one.",
        SEGMENTED, (("d", 0, "a", "x"), ("d", 1, "b", "x"), ("d", 2, "a", "x")),
        'ir.Segmentation(frame).evaluate("Pk@2")', 1.0,
        "segeval.pk(segment, gold_segment, boundary_format='position', window_size=2)", 0.0, family="segmentation",
    ),
    Difference(
        "WindowDiff", "segeval",
        "Padded windows are divided by their number and 1; `policy='segeval'` does so, too.",
        SEGMENTED, (("d", 0, 1, 1), ("d", 1, 1, 2), ("d", 2, 2, 2)),
        'ir.Segmentation(frame).evaluate("WindowDiff(padded=True)@1")', 0.5,
        "segeval.window_diff(tuple(segment), tuple(gold_segment), boundary_format='position', window_size=1, "
        "lamprier_et_al_2007_fix=True)", 0.4, family="segmentation",
    ),
    Difference(
        "BoundarySimilarity", "segeval", "It has no value for a document without a boundary on either side.",
        SEGMENTED, (("d", 0, 1, 1), ("d", 1, 1, 1)),
        'ir.Segmentation(frame).evaluate("BoundarySimilarity")', 1.0,
        "segeval.boundary_similarity(segment, gold_segment, boundary_format='position')", "ValueError",
        family="segmentation",
    ),
    Difference(
        "Pk", "nltk",
        "Its default k is half the number of gaps per boundary, ours half the mean length of segments, at least 2; "
        "`policy='nltk'` has its k.",
        SEGMENTED, (("d", 0, 1, 1), ("d", 1, 1, 2), ("d", 2, 2, 2)),
        'ir.Segmentation(frame).evaluate("Pk")', 0.0,
        "nltk_segmentation.pk('01', '10')", 1.0, family="segmentation",
    ),
    Difference(
        "ROUGE1", "rouge-score",
        "An empty answer to a query that has none is right here; `policy='rouge-score'` has its 0.",
        ANSWERED, (("gold", "q", ""), ("predicted", "q", "")),
        'ir.Answers(gold, predicted).evaluate("ROUGE1")', 1.0,
        "rouge_scorer.RougeScorer(['rouge1']).score('', '')['rouge1'].fmeasure", 0.0, family="answers",
    ),
    Difference(
        "BLEU", "sacrebleu",
        "A query is a corpus of one; `sentence_bleu` leaves out n-grams that are longer than the text, as "
        "`effective_order=True` does.",
        ANSWERED, (("gold", "q", "the cat"), ("predicted", "q", "the cat")),
        'ir.Answers(gold, predicted).evaluate("BLEU")', 0.0,
        "sacrebleu.sentence_bleu('the cat', ['the cat']).score", 100.0, family="answers",
    ),
    Difference(
        "BLANCF", "scorch",
        "One mention has no link: that is 0, or undefined by `policy='undefined=null'`; scorch takes it for right.",
        MENTIONED, (("gold", "d", "a", 1), ("predicted", "d", "a", 1)),
        'ir.Coreference(gold, predicted).evaluate("BLANCF")', 0.0,
        "scorch.blanc([{'a'}], [{'a'}])[2]", 1.0, family="coreference",
    ),
    Difference(
        "CEAFeR", "neleval",
        "For recall it leaves out all predicted mentions that the gold lacks; Cai and Strube do so for B³ alone.",
        MENTIONED, (("gold", "d", "a", 1), ("predicted", "d", "a", 1), ("predicted", "d", "b", 1)),
        "ir.Coreference(gold, predicted, policy='twinless=sys').evaluate('CEAFeR')", 1 / 3,
        "coref_metrics.entity_cs_ceaf, recall", 1.0, family="coreference", stored=True,
    ),
    Difference(
        "F1", "neleval",
        "Its overlaps of filtered mentions are divided by the number of all mentions, also of those left out.",
        LINKED, (("gold", "d", 0, 1, "Q1"), ("predicted", "d", 0, 1, "Q1"), ("predicted", "d", 4, 5, "NIL1")),
        "ir.Links(gold, predicted).evaluate(\"F1(on='strong_link_match', match='max')\")", 1.0,
        "neleval evaluate -m overlap-maxmax:is_linked:span+kbid", 2 / 3, family="links", stored=True,
    ),
    Difference(
        "Precision", "nervaluate",
        "Its first predicted span takes the gold span that it overlaps, though the second one equals it.",
        MARKED, (("gold", "d", 3, 5), ("predicted", "d", 0, 7), ("predicted", "d", 3, 5)),
        "ir.Spans(frame.filter(side='gold'), frame.filter(side='predicted')).evaluate('Precision')", 0.5,
        "Evaluator([frame.filter(side='gold').select('start', 'end', label='doc_id').to_dicts()], "
        "[frame.filter(side='predicted').select('start', 'end', label='doc_id').to_dicts()], tags=['d'], "
        "loader='dict').evaluate()['overall']['strict'].precision", 0.0, family="spans",
    ),
    Difference(
        "Recall", "seqeval",
        "Its default mode takes U of BILOU for a tag inside a span; with `scheme='BILOU'` U is a span.",
        TAGGED, (("d", 0, "B-P", "B-P"), ("d", 1, "L-P", "L-P"), ("d", 2, "U-P", "O")),
        "ir.Spans.from_tags(frame, scheme='BILOU').evaluate(\"Recall\")", 0.5,
        "seqeval.recall_score([gold], [predicted])", 0.0, family="spans",
    ),
    Difference(
        "Precision", "seqeval",
        "Without `scheme` its strict mode is the default one; `convention='seqeval-strict'` is strict by IOB2.",
        TAGGED, (("d", 0, "B-P", "B-P"), ("d", 1, "O", "O"), ("d", 2, "O", "I-P")),
        "ir.Spans.from_tags(frame, convention='seqeval-strict').evaluate(\"Precision\")", 1.0,
        "seqeval.precision_score([gold], [predicted], mode='strict')", 0.5, family="spans",
    ),
    Difference(
        "Recall", "seqeval",
        "Of IOB1 its strict mode drops the B that follows no span of its type, and takes the rest for a span.",
        TAGGED, (("d", 0, "O", "B-P"), ("d", 1, "I-P", "I-P")),
        "ir.Spans.from_tags(frame, scheme='IOB1', convention='seqeval-strict').evaluate(\"Recall\")", 0.0,
        "seqeval.recall_score([gold], [predicted], mode='strict', scheme=seqeval_scheme.IOB1)", 1.0, family="spans",
    ),
    Difference(
        "Precision", "seqeval",
        "Of IOE1 its strict mode drops spans of one token before another of the type.",
        TAGGED, (("d", 0, "E-P", "E-P"), ("d", 1, "I-P", "I-P"), ("d", 2, "O", "I-P")),
        "ir.Spans.from_tags(frame, scheme='IOE1', convention='seqeval-strict').evaluate(\"Precision\")", 0.5,
        "seqeval.precision_score([gold], [predicted], mode='strict', scheme=seqeval_scheme.IOE1)", 0.0, family="spans",
    ),
)  # fmt: skip
