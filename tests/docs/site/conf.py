"""Sphinx's configuration for `make site`.  Warnings are errors, and broken references are warnings."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[3]))

from ireval_frames.version import __version__
from tests.docs.site import docstrings

project = "ireval-frames"
copyright = "the authors of ireval-frames"  # noqa: A001 - Sphinx's word
release = version = __version__
html_title = f"ireval-frames {release}"

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "index"
html_theme = "furo"
html_static_path, html_css_files = ["static"], ["site.css"]
pygments_dark_style = "github-dark"
# Dashes only, not quotes.
smartquotes_action = "D"
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False

# Notebooks show their stored outputs, which the tests keep up to date.
nb_execution_mode = "off"
# Scripts for widgets and formulas would be loaded from other servers.
nb_ipywidgets_js: dict[str, Any] = {}
myst_update_mathjax = False
myst_heading_anchors = 4

autodoc_member_order = "bysource"
# With methods of our base classes, but for those of Evaluation.
autodoc_default_options = {"members": True, "inherited-members": "ABC,Generic,object,Exception,Evaluation"}
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
napoleon_custom_sections = [("Fields", "params_style")]

nitpicky = True
# Types in signatures may have no page: internal ones, and those of other packages, whose inventories would have to be
# downloaded.  Broken links of pages end the build.
nitpick_ignore_regex = [("py:(class|obj|exc|data)", ".*")]


def setup(app: Any) -> None:
    """Register the hooks for docstrings."""
    docstrings.setup(app)
