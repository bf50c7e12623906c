"""`make compare-security`: the same attacks on three graders, and a table of who gave marks.

Exits 1 where this project gave a mark or a secret, or an honest answer did not get what it should.
"""

import argparse
import datetime
import platform
import sys
import tempfile
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from rich.console import Console

from benchmarks.compare_security import report
from benchmarks.compare_security.catalogue import ATTACKS, HONEST, TOOLS
from benchmarks.compare_security.otter_grader import OtterGrader
from benchmarks.compare_security.outcome import Outcome
from benchmarks.compare_security.stock_nbgrader import StockNbgrader
from benchmarks.compare_security.this_project import ThisProject
from benchmarks.compare_security.workbench import Workbench, listening
from benchmarks.peers import NBGRADER, OTTER, install, version

OURS = Path(sys.executable).parent
SCRIPTS = {"nbgrader": NBGRADER.scripts, "otter": OTTER.scripts, "ours": OURS}
HOW = """\
stock nbgrader: generate_assignment and autograde with its own defaults, hidden tests between
  ### BEGIN HIDDEN TESTS and ### END HIDDEN TESTS, marks from gradebook.db.
otter-grader: otter assign and otter run (no container), hidden exception-based tests, marks from
  results.json.
this project: autograder grade, all submissions in one class, marks from gradebook.db; student
  code held by {isolation}.
Both others can run student code in containers, as their documentation advises. That would keep it
from the host; the tests would still run in the process of the answers that they test."""


def main() -> None:
    """Install what is missing, grade, print."""
    parser = argparse.ArgumentParser(prog="compare_security", description=__doc__)
    parser.add_argument("--markdown", metavar="FILE", type=Path, help="also write the table there")
    parser.add_argument("--keep", metavar="DIR", type=Path, help="a new folder for all that is run")
    options = parser.parse_args()
    for peer in (NBGRADER, OTTER):
        install(peer)
    if options.keep:
        options.keep.mkdir(parents=True)
        outcomes, isolation = compare(options.keep.resolve())
    else:
        with tempfile.TemporaryDirectory(prefix="compare-security-") as folder:
            outcomes, isolation = compare(Path(folder).resolve())
    titles = [
        f"stock nbgrader {version(NBGRADER.scripts, 'nbgrader')}",
        f"otter-grader {version(OTTER.scripts, 'otter-grader')}",
        "this project",
    ]
    console = Console()
    report.show(console, outcomes, titles)
    torch = ", ".join(f"{tool} {version(scripts, 'torch')}" for tool, scripts in SCRIPTS.items())
    said = [
        f"{datetime.date.today()}, Python {platform.python_version()}, torch: {torch}.",
        HOW.format(isolation=isolation),
        *(f"Not fair: {reason}." for reason in report.unfair(outcomes)),
        report.counts(outcomes, titles),
    ]
    console.print("\n".join(["", *said]), markup=False, highlight=False, soft_wrap=True)
    if options.markdown:
        options.markdown.write_text(report.markdown(outcomes, titles) + "\n", encoding="utf-8")
    if report.succeeded(outcomes, "ours") or report.unfair(outcomes):
        sys.exit(1)


def compare(folder: Path) -> tuple[dict[tuple[str, str], Outcome], str]:
    """Grade all submissions with all graders in a new folder, two at a time.

    Returns:
        the outcomes by grader and attack, and what held the code in this project.
    """
    folder.chmod(0o755)  # a sandbox should keep code out, not the mode of the folder above it
    everything = (*HONEST, *ATTACKS)
    with listening() as listener, ThreadPoolExecutor(2) as pool:
        benches = [Workbench(tool, folder / tool, SCRIPTS[tool], listener) for tool in TOOLS]
        peers = StockNbgrader(benches[0]), OtterGrader(benches[1])
        ours = ThisProject(benches[2])
        list(pool.map(lambda grader: grader.prepare(), (*peers, ours)))
        print(f"Grading {len(everything)} submissions three times ...", flush=True)
        graded: dict[tuple[str, str], Future[Outcome]] = {
            (tool, attack.name): pool.submit(peer.grade, attack)
            for attack in everything
            for tool, peer in zip(TOOLS, peers, strict=False)
        }
        by_us = pool.submit(ours.grade, everything)
        outcomes = {key: future.result() for key, future in graded.items()}
        outcomes |= {("ours", name): one for name, one in by_us.result().items()}
    return outcomes, ours.isolation


if __name__ == "__main__":
    main()
