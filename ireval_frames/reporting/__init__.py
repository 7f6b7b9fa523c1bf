"""Results as one HTML page: `ir.report(evaluation, "report.html")`.

It needs the extra `report`, and for pictures the extra `plots`: `pip install "ireval-frames[report,plots]"`.
"""

from ireval_frames.reporting.report import report

__all__ = ["report"]
