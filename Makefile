# Every command makes .venv and installs what it needs, once; again when pyproject.toml or requirements/ change.
#
#   make demo      one example of every family, in Python and in SQL, a comparison, and a report
#   make test      the tests, docstring examples, README and notebooks; make test CHANGED=1: those that a change can break
#   make test-external  the tests that need another program (Java, a database server) or another tool's package
#   make test-all  both, and the browser's
#   make measure   one measure against its oracle and all properties, both engines: make measure NAME=nDCG
#   make index     write anew which module declares each measure (make measure does so, too)
#   make crashes   the store: a hundred kills, every step of its changes, eight processes at once
#   make fuzz      inputs made to break what reads them, ten minutes each: make fuzz NAME=grammar MINUTES=1
#   make soak      ten thousand small evaluations in one process: memory, threads and files stay level
#   make test-browser  reports, and the site where it has been built, in Chromium; says what is missing
#   make check     format, lint, types, then the tests
#   make fix       format, and repair what the linter can
#   make bench     compare speed with other tools
#   make lowest    the tests with the lowest versions that pyproject.toml allows
#   make docs      record what agrees with other tools, and write anew the pages that are made from the package
#   make page      the page that evaluates in a browser tab, into build/page (needs Node and npm); the site has it if built
#   make page-wheel  the page as the package ireval-frames-page, into dist
#   make site      the documentation as a site, into build/site
#   make release-check  build the wheel and the sdist, and try them in every Python that is here (DEBIAN: a folder with more)
#   make lock      write requirements/locked.txt anew (needs uv)
#   make clean     remove .venv and caches

VENV := .venv
BIN := $(VENV)/bin
LOCKED := requirements/locked.txt
UV := $(shell command -v uv 2>/dev/null)
TESTS ?=
WORKERS ?= 2
CHANGED ?=
PARALLEL = -n $(WORKERS) --no-loadscope-reorder
PYTEST = -m pytest $(PARALLEL)

ifeq ($(UV),)
PYTHON ?= python3
CREATE = $(PYTHON) -m venv $(1) && $(1)/bin/python -m pip install --quiet --disable-pip-version-check -c $(LOCKED) 'pip>=25.1'
INSTALL = $(1)/bin/python -m pip install --quiet --disable-pip-version-check
else
CREATE = $(UV) venv --quiet --clear $(if $(PYTHON),--python $(PYTHON)) $(1)
INSTALL = $(UV) pip install --quiet --python $(1)/bin/python
endif

# The tests start many processes, each of which would compile the package anew.
unexport PYTHONDONTWRITEBYTECODE

NEEDS := pyproject.toml $(LOCKED)

.PHONY: demo test test-external test-all test-browser measure index crashes fuzz soak check format lint types fix bench lowest docs page site release-check lock clean

demo: $(VENV)/.core
	$(BIN)/python data/demo.py

# A part that is named is run whatever it needs.
test: $(VENV)/$(if $(TESTS),.external,.test)
	$(BIN)/python $(if $(CHANGED),-m tests.changed -- $(PARALLEL),$(PYTEST) $(or $(TESTS),-m "not external"))

test-external: $(VENV)/.external
	$(BIN)/python -m tests.spark_archive
	$(BIN)/python $(PYTEST) -m external --ignore=tests/browser tests

test-all: $(VENV)/.external $(VENV)/.browser
	$(BIN)/python -m tests.spark_archive
	$(BIN)/python $(PYTEST)

test-browser: $(VENV)/.test $(VENV)/.browser
	$(BIN)/python -m tests.browser.finding
	$(BIN)/python -m pytest -q tests/browser

measure: $(VENV)/.measure
	$(BIN)/python -m tests.catalog.indexing
	$(BIN)/python -m pytest -q --tb=short --measure '$(or $(NAME),$(error write make measure NAME=nDCG))' \
		-m "not external" tests/contract tests/catalog/test_declarations.py

index: $(VENV)/.core
	$(BIN)/python -m tests.catalog.indexing

crashes: $(VENV)/.test
	IREVAL_CRASHES=100 $(BIN)/python -m pytest -q -o faulthandler_timeout=1800 tests/store/test_crashes.py tests/store/test_processes.py

fuzz: $(VENV)/.fuzz
	$(BIN)/python -m tests.fuzzing $(NAME) --minutes $(or $(MINUTES),10)

soak: $(VENV)/.test
	POLARS_MAX_THREADS=2 $(BIN)/python -m tests.soak

check: format lint types test

format: $(VENV)/.lint
	$(BIN)/ruff format --check .

lint: $(VENV)/.lint
	$(BIN)/ruff check .

types: $(VENV)/.lint $(VENV)/.external
	$(BIN)/mypy
	$(if $(shell command -v npm),$(MAKE) page/node_modules/.package-lock.json && cd page && npx tsc,@echo "Types of page/ are not checked: npm is missing (Debian: apt-get install nodejs npm).")

fix: $(VENV)/.lint
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks

lowest: $(VENV)-lowest/.test
	$(VENV)-lowest/bin/python $(PYTEST) $(TESTS)

docs: $(VENV)/.external
	$(BIN)/python -m pytest -q -n $(WORKERS) --record-agreement tests/reference tests/cli/test_trec_eval.py tests/dialects
	$(BIN)/python -m tests.docs.generated

page: $(VENV)/.core page/node_modules/.package-lock.json
	node page/build.mjs build/page
	$(BIN)/python page/data.py build/page/data

page-wheel: page
	$(if $(UV),$(UV) build --quiet --wheel -o dist page,$(BIN)/python -m pip wheel --quiet --no-deps -w dist ./page)

site: $(VENV)/.docs
	$(BIN)/python -m tests.docs.site

release-check: $(VENV)/.release
	$(BIN)/python -m tests.release $(if $(DEBIAN),--debian $(DEBIAN))

lock:
	uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --no-annotate --no-header --upgrade \
		--all-extras --group external --group fuzz --group lint --group bench --group docs --group browser --group release \
		--group install -o $(LOCKED)

clean:
	rm -rf build $(VENV) $(VENV)-lowest .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks

# ---- the environment: a stamp file for each set of packages that is installed

$(BIN)/python:
	$(call CREATE,$(VENV))

$(VENV)/.core: $(NEEDS) | $(BIN)/python
	$(call INSTALL,$(VENV)) -c $(LOCKED) -e '.[plots,report]'
	@touch $@

$(VENV)/.measure $(VENV)/.test $(VENV)/.external $(VENV)/.fuzz $(VENV)/.lint $(VENV)/.bench $(VENV)/.docs $(VENV)/.browser $(VENV)/.release: $(VENV)/.%: $(NEEDS) | $(BIN)/python
	$(call INSTALL,$(VENV)) -c $(LOCKED) -e . --group $*
	@touch $@

page/node_modules/.package-lock.json: page/package.json page/package-lock.json
	@command -v npm >/dev/null || { echo "make page needs Node 18 or newer and npm (Debian: apt-get install nodejs npm)."; exit 1; }
	cd page && npm ci --ignore-scripts --no-audit --no-fund

$(VENV)-lowest/.test: pyproject.toml requirements/lowest.txt
	$(call CREATE,$(VENV)-lowest)
	$(call INSTALL,$(VENV)-lowest) -c requirements/lowest.txt -e . --group test
	@touch $@
