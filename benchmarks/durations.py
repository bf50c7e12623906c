"""How long tests take: a listing from what pytest wrote with `--junitxml`.

`python -m benchmarks.durations FILE ... [--write benchmarks/results/durations.md]`: a file for
`make test`, and one for `make slow`.
"""

import argparse
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

from benchmarks import machine

LONG = 5.0  # seconds: what takes longer stands alone in the listing


def listing(path: Path) -> str:
    """One run as Markdown: its sum, its folders, and each test that takes long."""
    suite = ElementTree.parse(path).getroot().find("testsuite")
    assert suite is not None
    seconds: Counter[str] = Counter()
    count: Counter[str] = Counter()
    long = []
    for case in suite.iter("testcase"):
        taken, place = float(case.get("time", 0)), case.get("classname", "")
        folder = place.rpartition(".")[0]
        seconds[folder] += taken
        count[folder] += 1
        if taken > LONG:
            long.append((taken, f"{place}::{case.get('name')}".replace("|", "\\|")))
    skipped = int(suite.get("skipped", 0))
    lines = [
        f"## {path.stem}",
        "",
        f"{int(suite.get('tests', 0)) - skipped} tests, {skipped} skipped, in "
        f"{float(suite.get('time', 0)):.0f} s; their times add up to {seconds.total():.0f} s.",
        "",
        "| folder | tests | seconds |",
        "|---|---|---|",
        *(f"| {name} | {count[name]} | {taken:.0f} |" for name, taken in seconds.most_common()),
        "",
        f"| above {LONG:.0f} s, what a file's tests share included | seconds |",
        "|---|---|",
        *(f"| {name} | {taken:.0f} |" for taken, name in sorted(long, reverse=True)),
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Print the listing, or write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--write", type=Path)
    wanted = parser.parse_args()
    text = f"# How long tests take\n\n{machine.described()}\n\n"
    text += "\n".join(map(listing, wanted.files))
    if wanted.write is None:
        print(text)
    else:
        wanted.write.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
