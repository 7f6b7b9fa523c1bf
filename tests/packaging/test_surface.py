"""What is public is what was written down: names, signatures, measures, columns of results, options and exit codes."""

from __future__ import annotations

import difflib

import ireval_frames as ir
from tests.packaging import surface

# Of a family, its subject and its module.
MOST = 75


def test_the_surface_is_the_stored_one() -> None:
    stored = surface.STORED.read_text(encoding="utf-8").splitlines()
    changed = list(difflib.unified_diff(stored, surface.text().splitlines(), lineterm="", n=0))[2:]
    hint = "Meant so?  Write it anew: python -m tests.packaging.surface; and see docs/stability.md"
    assert not changed, "\n".join([hint, *(line for line in changed if not line.startswith("@@"))])


def test_the_top_is_small() -> None:
    assert len(ir.__all__) <= MOST, "Put it into its module, or into a module of its own"
    assert sorted(ir.__all__) == sorted(set(ir.__all__))
    assert set(ir.__all__) <= set(dir(ir))


def test_no_module_hides_a_function() -> None:
    """A module of a function's name would take its place once it is imported."""
    for name in ir.__all__:
        actual = getattr(ir, name)
        module = f"{ir.__name__}.{name}"
        assert (getattr(actual, "__name__", "") == module) == (surface.inspect.ismodule(actual)), name
