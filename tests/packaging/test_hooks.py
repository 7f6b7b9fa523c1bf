"""What the package registers as hooks is there."""

from __future__ import annotations

import pytest

from ireval_frames import lazy


@pytest.mark.parametrize("name", lazy._HOOKS)
def test_hooks_are_functions(name: str) -> None:
    assert callable(lazy.hook(name))
