"""How Sphinx makes the site: `make site`.  Warnings are errors, and references that lead nowhere are warnings."""

from __future__ import annotations

from ireval_frames.version import __version__

project = "ireval-frames"
copyright = "the authors of ireval-frames"  # noqa: A001 - Sphinx's word
release = version = __version__
html_title = f"ireval-frames {release}"

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "index"
html_theme = "furo"
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False

# Notebooks show their stored outputs, which the tests hold to what they give.
nb_execution_mode = "off"
# Nothing is fetched from elsewhere: widgets and formulas would be.
nb_ipywidgets_js: dict[str, object] = {}
myst_update_mathjax = False
myst_heading_anchors = 4

nitpicky = True
