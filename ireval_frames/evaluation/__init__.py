"""The result of an evaluation: its plan and request, its values, and the frames that users see."""
