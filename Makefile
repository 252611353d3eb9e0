# Every target works from a bare clone: Python 3.11 or later and make are all it takes.
#   make demo PYTHON=python3.12    chooses the interpreter that .venv is made with

PYTHON ?= python3
PYTEST_ARGS ?=
SHARED ?= ../shared

VENV := .venv
BIN := $(VENV)/bin
RUN := $(VENV)/.installed
DEV := $(VENV)/.installed-dev
PRIMER := papers/primer/primer.pdf

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test lint bench zoo accept docs papers clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 16

demo: $(RUN) ## map the paper and trace the model that ship, write study.md
	$(BIN)/fxanchor map $(PRIMER)
	$(BIN)/fxanchor trace papers/model.py --paper $(PRIMER)
	$(BIN)/fxanchor sheet $(PRIMER) papers/model.py -o study.md
	@echo "The study sheet is $(CURDIR)/study.md"

test: lint ## ruff, mypy and pytest
	$(BIN)/pytest $(PYTEST_ARGS)

lint: $(DEV) ## ruff and mypy alone
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(DEV) ## time every command beside the least work it could do
	$(BIN)/python tests/bench/bench.py --shared $(SHARED)

zoo: $(DEV) ## trace every model of torchvision, and of transformers where it is installed; writes docs/zoo.md
	$(BIN)/python tests/bench/zoo.py -o docs/zoo.md

accept: $(DEV) ## score against hand-labelled papers in SHARED (../shared), when it is there
	$(BIN)/python tests/bench/accept.py --shared $(SHARED)

docs: export PYTHONPATH := tests
docs: $(DEV) ## write docs/reference.md and every transcript from what the commands say
	$(BIN)/python -m helpers.reference docs/reference.md
	$(BIN)/python -m helpers.transcripts README.md docs/tutorial.md docs/how-to/*.md

# Three times, so that the references settle. The epoch and the settings at the top of the source keep the bytes the same.
papers: ## build the primer with pdflatex
	mkdir -p build/primer
	cd papers/primer && for pass in 1 2 3; do \
	  SOURCE_DATE_EPOCH=0 FORCE_SOURCE_DATE=1 pdflatex -interaction=nonstopmode -halt-on-error \
	    -output-directory=../../build/primer primer.tex > ../../build/primer/pdflatex.txt \
	    || { tail -n 20 ../../build/primer/pdflatex.txt; exit 1; }; done
	cp build/primer/primer.pdf $(PRIMER)

clean: ## remove .venv and everything that was made
	rm -rf $(VENV) build dist study.md .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find fxanchor tests -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp is written last, so an installation that broke off is taken up again. A .venv whose Python does not run is made
# anew: an interrupted `python -m venv` and a removed interpreter leave one behind.
define venv
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
  { echo "fxanchor needs Python 3.11 or later. Name one: make $(or $(MAKECMDGOALS),demo) PYTHON=python3.12" >&2; exit 2; }
@$(BIN)/python -c '' 2> /dev/null || { rm -rf $(VENV) && $(PYTHON) -m venv $(VENV); } || \
  { echo "$(PYTHON) cannot make a virtual environment. On Debian and Ubuntu: apt install python3-venv" >&2; exit 2; }
@$(BIN)/python -m pip --version > /dev/null 2>&1 || $(BIN)/python -m ensurepip > /dev/null
endef

# pip compiles what it copies into a virtual environment, but nothing of a directory that is installed as it lies.
define compile
@$(BIN)/python -m compileall -q fxanchor
endef

$(RUN): pyproject.toml
	$(venv)
	$(BIN)/python -m pip install -e .
	$(compile)
	@touch $@

$(DEV): pyproject.toml
	$(venv)
	$(BIN)/python -m pip install -e '.[dev]'
	$(compile)
	@touch $(RUN) $@
