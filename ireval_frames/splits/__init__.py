"""Cross-validation folds and holdouts as a column of the frame, from a portable hash of ids or in time."""

from ireval_frames.splits.checks import check_split
from ireval_frames.splits.folds import by_query, kfold, leave_one_group_out, leave_one_out
from ireval_frames.splits.holdout import holdout, leave_p_out
from ireval_frames.splits.last_rows import leave_last_out
from ireval_frames.splits.moments import global_time, sliding_windows
from ireval_frames.splits.ordered import by_time, rows_to_test, rows_to_train
from ireval_frames.splits.scores import scores

__all__ = [
    "by_query",
    "by_time",
    "check_split",
    "global_time",
    "holdout",
    "kfold",
    "leave_last_out",
    "leave_one_group_out",
    "leave_one_out",
    "leave_p_out",
    "rows_to_test",
    "rows_to_train",
    "scores",
    "sliding_windows",
]
