# Two jobs: `make demo` shows the kit at work, `make test` proves it. Everything is installed in .venv.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
INSTALLED := .venv/.installed
SECOND := examples/line-fitting
# A smaller torch, installed first: the path of a wheel, or an index and a name, as pip takes them.
TORCH ?=

.PHONY: demo test test-all slow check mutants secrets calibration luck naming strangers attacks gradescope harness faults fuzz compare-security bench scaling reporting cold waiting watching test-cuda ablation install clean

demo: $(INSTALLED)
	$(BIN)/autograder demo

test: $(INSTALLED)
	$(BIN)/python -m pytest -n auto --dist loadgroup -m "not slow"

# The tests that take their time: attacks, faults, fuzzing, whole classes, every known answer. What
# `.ci/run` leaves out by LESS, it does not see: run all of them before an issue is closed.
slow: $(INSTALLED)
	$(BIN)/python -m pytest -n auto --dist loadgroup --no-loadscope-reorder -m slow $(LESS)

test-all: $(INSTALLED)
	$(BIN)/python -m pytest -n auto --dist loadgroup --no-loadscope-reorder

check: $(INSTALLED)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	cd $(SECOND) && MYPYPATH=.:../.. ../../$(BIN)/mypy --config-file ../../pyproject.toml -p solutions -p graders
	$(BIN)/lint-imports
	$(BIN)/autograder release --check
	$(BIN)/autograder validate --mutants some
	$(BIN)/autograder release --check --course $(SECOND)
	$(BIN)/autograder validate --course $(SECOND)

# Graders against every automatic mutant of the references (`make check` takes a twentieth), and
# against every known answer; ten minutes.
mutants: $(INSTALLED)
	$(BIN)/autograder validate --no-notebooks

# Every known answer under three other course secrets, tests in shuffled order, and once more in
# their own order; half an hour.
secrets: $(INSTALLED)
	EVERY_ANSWER=1 $(BIN)/python -m pytest -n auto --dist loadgroup graders/tests/test_other_secrets.py

# How far right answers stay below the bounds and wrong ones above them; half an hour.
calibration: $(INSTALLED)
	$(BIN)/python -m benchmarks.calibration

# Whether any mark depends on the course secret: right answers under 25, references under 400 more,
# known mistakes under a quarter of them; an hour.
luck: $(INSTALLED)
	$(BIN)/python -m benchmarks.luck

# How often wrong answers are called by a wrong name, over known mistakes, right answers with one made
# in them, two at once, and as strangers write them; an hour of two processes' work.
naming: $(INSTALLED)
	$(BIN)/python -m benchmarks.naming --write benchmarks/results/naming.md

# What answers get that were written, and judged by hand, by people who had the release alone; four
# minutes.
strangers: $(INSTALLED)
	$(BIN)/python -m benchmarks.strangers --write benchmarks/results/strangers.md

# Every attack in both native sandbox modes, by root and by an unprivileged user, and in Podman, where
# the demo's class is graded too.
attacks: $(INSTALLED)
	$(BIN)/python -m pytest -n auto --dist loadgroup tests/attacks tests/end_to_end/test_container_class.py --all-attacks --in-full

# Gradescope's zip, set up and run in a container of Ubuntu's; it fetches Ubuntu and wheels; five minutes.
gradescope: $(INSTALLED)
	$(BIN)/python -m pytest tests/harness/test_gradescope_in_podman.py --in-full

# Each harness run as its platform would, in containers of half a processor; half an hour.
harness: $(INSTALLED)
	$(BIN)/python -m benchmarks.harness --write benchmarks/results/harness.md

# kill -9, full disks, locks, two graders at once: more of it than `make test-all` does; twenty minutes.
faults: $(INSTALLED)
	$(BIN)/python -m pytest tests/faults --kills 50 --in-full

# The same attacks on stock nbgrader, on otter-grader and on this project; a few minutes.
compare-security: $(INSTALLED)
	$(BIN)/python -m benchmarks.compare_security

# What grading a submission costs with the three of them, and whether they agree; ten minutes.
bench: $(INSTALLED)
	$(BIN)/python -m benchmarks.compare_speed --submissions 500 --peers 8 --repeat 2 --write benchmarks/results/speed.md
	$(BIN)/python -m benchmarks.second_run --write benchmarks/results/second_run.md

# All that needs a GPU: every test of it with a closing table, and what the reference is worth there.
test-cuda: $(INSTALLED)
	$(BIN)/python -m benchmarks.gpu_suite --write benchmarks/results/gpu_suite.md
	$(BIN)/python -m benchmarks.on_cuda --write benchmarks/results/on_cuda.md

# Time and memory of grading 50, 500 and 5000 submissions.
scaling: $(INSTALLED)
	$(BIN)/python -m benchmarks.scaling --write benchmarks/results/scaling.md

# Time and memory of a report on 50, 500 and 5000 students, from nothing kept and from what is kept.
reporting: $(INSTALLED)
	$(BIN)/python -m benchmarks.report --write benchmarks/results/report.md

# One submission of each assignment, graded with nothing running beforehand; eight minutes.
cold: $(INSTALLED)
	$(BIN)/python -m benchmarks.one_submission --write benchmarks/results/one_submission.md

# How long a student waits for each visible check, once the notebook has run; three minutes.
waiting: $(INSTALLED)
	$(BIN)/python -m benchmarks.visible_checks --write benchmarks/results/visible_checks.md

# How long a student waits for `python -m checks`, and for watch mode after a save; and watch mode
# recorded, screen by screen. Needs tmux; ten minutes.
watching: $(INSTALLED)
	$(BIN)/python -m benchmarks.watch --write benchmarks/results/watch.md
	$(BIN)/python -m benchmarks.record_watch --write docs/watching.md

# What each layer of the sandbox stops alone, into docs/security.md; four minutes for each user.
ablation: $(INSTALLED)
	$(BIN)/python -m benchmarks.ablation --write docs/security.md

# 50 times as many fuzz cases as `make test-all` tries, from a seed that is printed; half an hour. Then
# what atheris finds in ten minutes, where it is installed (.venv/bin/pip install '.[fuzz]').
fuzz: $(INSTALLED)
	FUZZ=50 $(BIN)/python -m pytest -n auto --dist loadgroup tests/fuzz
	if $(BIN)/python -c 'import atheris' 2> /dev/null; then \
	  $(BIN)/python tests/fuzz/atheris_wire.py -max_total_time=300 -max_len=4096 && \
	  $(BIN)/python tests/fuzz/atheris_notebooks.py -max_total_time=300 -max_len=16384; \
	else echo "atheris is not installed, so nothing was fuzzed by coverage."; fi

install: $(INSTALLED)

$(INSTALLED): pyproject.toml constraints.txt
	@echo "Installing into .venv; it says what it does on the way."
ifndef TORCH
	@echo "On Linux, torch comes with CUDA's libraries: about 6 GB in all, and 15 minutes."
	@echo "For a CPU alone, 3 GB and 3 minutes, name a smaller torch: make TORCH=FILE_OR_INDEX, see README.md."
endif
	$(PYTHON) -m venv .venv
	$(if $(TORCH),$(BIN)/python -m pip install --constraint constraints.txt $(TORCH))
	$(BIN)/python -m pip install --constraint constraints.txt --editable '.[dev]'
	touch $@

clean:
	rm -rf .venv .peers demo
