"""`make bench`: what grading a submission costs with three graders, and whether they agree.

Exits 1 where a right answer lost marks, this project gave a wrong one full marks, or two graders
say different things by the same asserts.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks import machine
from benchmarks.compare_speed import agreement, report
from benchmarks.compare_speed.floor import Floor
from benchmarks.compare_speed.handed_in import Submission, make_class
from benchmarks.compare_speed.measured import Measured, Programs
from benchmarks.compare_speed.otter_grader import OtterGrader
from benchmarks.compare_speed.stock_nbgrader import StockNbgrader
from benchmarks.compare_speed.this_project import ThisProject
from benchmarks.peers import NBGRADER, OTTER, ROOT, install, version

OURS = Path(sys.executable).parent


def main() -> None:
    """Install what is missing, grade, print."""
    parser = argparse.ArgumentParser(prog="compare_speed", description=__doc__)
    parser.add_argument("--submissions", type=int, default=200, help="how many students hand in")
    parser.add_argument(
        "--peers", type=int, default=20, help="how many of them the other graders grade; 0: none"
    )
    parser.add_argument("--repeat", type=int, default=3, help="rounds of all graders")
    parser.add_argument("--write", metavar="FILE", type=Path, help="also write the page there")
    options = parser.parse_args()
    if options.peers:
        for peer in (NBGRADER, OTTER):
            install(peer)
    handed_in = make_class(options.submissions)
    with tempfile.TemporaryDirectory(prefix="compare-speed-") as folder:
        place = Path(folder).resolve()
        place.chmod(0o755)  # a sandbox should keep code out, not the mode of the folder above it
        measured, isolation = compare(place, handed_in, options.peers, options.repeat)
    faults = agreement.faults(handed_in, measured)
    page = "\n\n".join(
        (
            "# What grading a submission costs",
            report.table(handed_in, measured),
            report.how(handed_in, options.repeat, isolation),
            f"{machine.described()}.{versions() if options.peers else ''}",
            "Marks agree." if not faults else "\n".join(f"- {fault}" for fault in faults),
        )
    )
    print(f"\n{page}")
    if options.write:
        options.write.parent.mkdir(parents=True, exist_ok=True)
        options.write.write_text(page + "\n", encoding="utf-8")
    sys.exit(bool(faults))


def compare(
    folder: Path, handed_in: Sequence[Submission], peers: int, repeat: int
) -> tuple[list[Measured], str]:
    """Grade the class with all graders, round after round.

    Args:
        folder: a new folder for all that is run.
        handed_in: the class.
        peers: how many of it the other graders grade.
        repeat: how many rounds.
    Returns:
        what was measured, and what held the code in this project.
    """
    ours = ThisProject(Programs(OURS, folder / "homes" / "ours", ROOT), folder / "ours")
    few, graders = handed_in[:peers], []
    if few:
        programs = {
            peer.name: Programs(peer.scripts, folder / "homes" / peer.name)
            for peer in (NBGRADER, OTTER)
        }
        graders += [
            (StockNbgrader(programs["nbgrader"], folder / "nbgrader"), few),
            (OtterGrader(programs["otter"], folder / "otter"), few),
        ]
    graders += [(ours, handed_in), (Floor(), handed_in)]
    for grader, submissions in graders:
        grader.prepare(submissions)
    measured = []
    for number in range(1, repeat + 1):
        for grader, _ in graders:
            for one in grader.measure():
                said = f"round {number}: {one.row}, {one.submissions}: {one.seconds:.1f} s"
                print(said, flush=True)
                measured.append(one)
    return measured, ours.isolation


def versions() -> str:
    """The other graders' versions."""
    said = [
        f"{package} {version(peer.scripts, package)} (torch {version(peer.scripts, 'torch')})"
        for peer, package in ((NBGRADER, "nbgrader"), (OTTER, "otter-grader"))
    ]
    return f" Compared with {' and '.join(said)}."


if __name__ == "__main__":
    main()
