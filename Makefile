# Two jobs: `make demo` shows the kit at work, `make test` proves it. Everything is installed in .venv.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
INSTALLED := .venv/.installed

.PHONY: demo test check install clean

demo: $(INSTALLED)
	$(BIN)/autograder demo

test: $(INSTALLED)
	$(BIN)/python -m pytest -n auto --dist loadgroup

check: $(INSTALLED)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/autograder release --check
	$(BIN)/autograder validate

install: $(INSTALLED)

$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@

clean:
	rm -rf .venv demo
