"""How Sphinx makes the site: `make site`.  Warnings are errors, and references that lead nowhere are warnings."""

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
pygments_dark_style = "github-dark"
# Dashes alone: quotes stay as they are written.
smartquotes_action = "D"
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False

# Notebooks show their stored outputs, which the tests hold to what they give.
nb_execution_mode = "off"
# Nothing is fetched from elsewhere: what widgets and formulas are drawn with would be.
nb_ipywidgets_js: dict[str, Any] = {}
myst_update_mathjax = False
myst_heading_anchors = 4

autodoc_member_order = "bysource"
# Methods of a class with those that it has from our bases; of a family's result those that it adds.
autodoc_default_options = {"members": True, "inherited-members": "ABC,Generic,object,Exception,Evaluation"}
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
napoleon_custom_sections = [("Fields", "params_style")]

nitpicky = True
# Types in signatures may have no page: those of other packages, whose inventories would have to be fetched, and ours
# that are inside.  Links of pages are held: a page or a heading that is not there ends the build.
nitpick_ignore_regex = [("py:(class|obj|exc|data)", ".*")]


def setup(app: Any) -> None:
    """Docstrings as this project writes them."""
    docstrings.setup(app)
