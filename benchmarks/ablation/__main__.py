"""What each layer of the sandbox stops alone: every attack, for real, under every set of layers.

python -m benchmarks.ablation [--attacks WORD ...] [--columns NAME ...] [--json] [--write FILE]

The unprotected columns do what they say: run this on a machine of your own. Nothing is destroyed
there: signals are SIGURG, which every program ignores, and what is overwritten are canaries.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

from autograder.sandbox import Sandbox, SandboxUnavailable
from benchmarks.ablation.attacks import CATALOGUE, Attack
from benchmarks.ablation.columns import COLUMNS
from benchmarks.ablation.outcome import Outcome
from benchmarks.ablation.stage import LIMITS, Act, Stage
from benchmarks.ablation.table import as_markdown, replace_section

PACKAGES = ("torch", "numpy", "matplotlib", "ipython")  # what attacks import


def run_column(
    layers: frozenset[str], attacks: list[Attack], stage: Stage
) -> dict[str, Outcome] | str:
    """Every attack under these layers; or why no sandbox of these layers starts here."""
    found: dict[str, Outcome] = {}
    sandbox = Sandbox(limits=LIMITS, packages=PACKAGES, connections=2, layers=layers)
    try:
        sandbox.start()
        for attack in attacks:
            act = Act(sandbox, stage)
            try:
                found[attack.name] = attack.perform(act)
            finally:
                act.end()
                stage.restore()
            if act.lost:
                sandbox.close()
                sandbox.start()
    except SandboxUnavailable as error:
        return str(error)
    finally:
        sandbox.close()
    return found


def main() -> None:
    """Run what is asked for; print the table, or put it into a page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--attacks", nargs="+", metavar="WORD", help="those whose name has a WORD")
    parser.add_argument("--columns", nargs="+", choices=COLUMNS, default=list(COLUMNS))
    parser.add_argument("--json", action="store_true", help="outcomes by column and attack")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table into this page")
    options = parser.parse_args()
    words = options.attacks or [""]
    attacks = [one for one in CATALOGUE if any(word in one.name for word in words)]
    results: dict[str, dict[str, Outcome] | str] = {}
    started = time.monotonic()
    with Stage() as stage:
        for name in options.columns:
            print(f"{name} ...", file=sys.stderr, flush=True)
            results[name] = run_column(COLUMNS[name], attacks, stage)
    seconds = time.monotonic() - started
    print(f"{len(attacks) * len(results)} trials in {seconds:.0f} s", file=sys.stderr)
    if options.json:
        print(json.dumps(results))
        return
    text = as_markdown(results, attacks)
    if options.write:
        replace_section(options.write, "root" if os.geteuid() == 0 else "an ordinary user", text)
    else:
        print(text)


if __name__ == "__main__":
    main()
