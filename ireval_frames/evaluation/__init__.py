"""The result of an evaluation: its plan with what was asked of it, its values, and the frames users see."""
