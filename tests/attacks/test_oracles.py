"""The oracles see success: where nothing holds the code, attacks succeed and are found out."""

import copy
import dataclasses
import os
import subprocess
import sys

import pytest
from attack import HEADS, Attack
from catalogue import ATTACKS
from classroom import honest_students
from comparison import changed_marks
from graded_class import grade, open_folder
from oracles import KEPT, active, gains, unmet
from prelude import Places

# What each attack of the catalogue must be seen to gain with `--sandbox none`. None is among them
# that writes to anything but the course, the folder beside it and the copy of the project.
SEEN = {
    "reads-the-solution": "marks for merge_heads",
    "takes-the-quiz-key": "marks for q1",
    "prints-the-solution": "shows what stands in the solutions",
    "reads-the-hidden-graders": "shows what stands in the hidden graders",
    "reads-the-gradebook": "shows what stands in the gradebook",
    "reads-the-course-secret": "shows what stands in the file of the course secret",
    "reads-a-world-readable-file": "shows what stands in a file outside the course",
    "sends-by-tcp": "reached a TCP socket",
    "sends-by-udp": "reached a UDP socket",
    "sends-by-unix-sockets": "reached a abstract Unix stream socket",
    "sends-by-half-of-a-pair": "reached a Unix datagram socket",
    "speaks-with-the-kernel": "marks for merge_heads",
    "writes-the-gradebook": "99.0 in the gradebook",
    "edits-the-graders": "changed ",
    "writes-outside-the-course": "changed ",
    "signals-by-locks": "marks for merge_heads",
    "remembers-by-pages": "marks for merge_heads",
    "asks-which-pages-are-there": "marks for merge_heads",
    "moves-pages-in-and-out": "marks for merge_heads",
    "wakes-by-a-library": "marks for merge_heads",
    "wakes-at-a-threads-end": "marks for merge_heads",
    "takes-all-timers": "marks for merge_heads",
    "opens-files-by-their-handle": "marks for merge_heads",
    "walks-the-whole-disk": "shows what stands in a file outside the course",
    "reads-through-links-beside": "shows what stands in the file of the course secret",
    "reads-the-configuration": "shows what stands in the configuration",
    "reads-the-environment": "shows what stands in the course secret in the environment",
    "takes-memory-that-nobody-counts": "marks for merge_heads",
    "fills-the-disk": "marks for merge_heads",
}
OWN = (
    Attack(
        "shows-the-mark",
        21,
        "A cell prints the word that hidden tests must not carry out.",
        "It is found in the feedback.",
        answer="print(MARK)",
    ),
    Attack(
        "lives-on",
        9,
        "The code makes a process by the C library's own call, past Python, and lets it live on.",
        "It is found after the command has ended.",
        cell="""
import ctypes
if ctypes.CDLL(None).fork() == 0:
    os.setsid()
    time.sleep(60)
    os._exit(0)
""",
    ),
    Attack(
        "spoils-a-sibling",
        3,
        "The code takes an honest student's marks away in the gradebook, now and later.",
        "The honest student's marks are found to be others.",
        cell="""
import sqlite3
with sqlite3.connect(COURSE + "/gradebook.db", timeout=1) as gradebook:
    for event in ("insert", "update"):
        gradebook.execute(
            f"create trigger theirs_{event} after {event} on grade when new.auto_score > 0 and "
            "new.notebook_id in (select submitted_notebook.id from submitted_notebook join "
            "submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id "
            "where student_id like '0-%') "
            "begin update grade set auto_score = 0 where id = new.id; end"
        )
""",
    ),
)


@pytest.fixture(scope="module")
def unprotected(released_course, myself):
    """The class, graded with no isolation at all."""
    chosen = (*(attack for attack in ATTACKS if attack.slug in SEEN), *OWN)
    with open_folder() as folder:
        honest = honest_students(ATTACKS)
        yield grade(folder, released_course, chosen, honest, "none", myself, feedback=False)


pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("unprotected")]


@pytest.mark.parametrize("slug", SEEN)
def test_an_attack_that_succeeds_is_seen(slug, unprotected):
    if slug == "opens-files-by-their-handle" and os.geteuid() != 0:
        pytest.skip("only root may do this, held or not")
    (attack,) = [one for one in ATTACKS if one.slug == slug]
    assert any(SEEN[slug] in gain for gain in gains(attack, unprotected)), (
        gains(attack, unprotected),
        unmet(attack, unprotected),
    )


def test_what_is_carried_out_of_a_call_is_seen(unprotected):
    assert "shows what the code said during hidden tests" in gains(OWN[0], unprotected)


def test_a_process_that_lives_on_is_seen(unprotected):
    assert unprotected.processes


def exercises_changed(graded, changed):
    """The honest class without attackers, in which one student's JSON was changed."""
    place = (HONEST, HEADS)
    marks = copy.deepcopy(graded.marks[place])
    changed(marks["exercises"])
    return dataclasses.replace(graded, marks=graded.marks | {place: marks})


def raise_points(exercises):
    exercises["merge_heads"] |= {"score": 1000.0, "max_score": 1000.0}


HONEST = "0-second"  # has handed in one notebook, which is right
CHANGES = (raise_points, lambda exercises: exercises.pop("split_heads"), dict.clear)


@pytest.mark.parametrize("changed", CHANGES, ids=["points raised", "one gone", "all gone"])
def test_exercises_that_are_not_the_courses_are_seen(changed, graded):
    alone = graded(None)
    attack = Attack("none", 12, "", "", folder=HONEST, earns=2.0)
    assert [*gains(attack, alone), *unmet(attack, alone)] == []
    found = exercises_changed(alone, changed)
    assert gains(attack, found)
    assert unmet(attack, found)


@pytest.mark.parametrize("worth", [{"test_merge_heads": 1000.0}, {"added": 1.0}])
def test_cells_in_the_gradebook_that_are_not_the_courses_are_seen(worth, graded):
    alone = graded(None)
    added = {(HONEST, HEADS, cell): points for cell, points in worth.items()}
    found = dataclasses.replace(alone, worth=alone.worth | added)
    assert unmet(Attack("none", 12, "", "", folder=HONEST, earns=2.0), found)


@pytest.mark.parametrize("slug", ["makes-a-sparse-giant", "uses-up-the-inodes"])
def test_files_that_are_made_earn_marks_where_nothing_limits_them(slug, tmp_path):
    """`--sandbox none` limits sizes and times too, so this code runs by itself here."""
    (attack,) = [one for one in ATTACKS if one.slug == slug]
    prelude = Places(*[tmp_path] * 3, 0, 0, 0, "", "").prelude(attack.slug, HEADS)
    asked = "import torch\nassert merge_heads(torch.ones(1, 2, 3, 4)) is not None"
    source = "\n".join((prelude, attack.cell, attack.answer, asked))
    subprocess.run([sys.executable, "-c", source], cwd=tmp_path, check=True)


def test_a_text_without_end_is_seen(graded):
    found = dataclasses.replace(graded(None), shown={"a": "x" * (KEPT + 1)})
    assert "characters are kept" in gains(Attack("a", 17, "", ""), found)[0]


def test_an_honest_mark_that_changes_is_seen(unprotected, graded):
    assert changed_marks(graded(None), unprotected)


@pytest.mark.parametrize(
    "page",
    [
        "<p><script>run('run-a')</script>",
        "<img src=x onerror=\"run('run-a')\">",
        "<a href='&#106;avascript:run(\"run-a\")'>x</a>",
        "<iframe srcdoc='run-a'></iframe>",
        "<img src='https://elsewhere/run-a.png'>",
        "<img src='../run-a'>",
        "<a href='/logout?run-a'>x</a>",
        "<div style='background:url(//x/run-a)'>",
    ],
)
def test_what_a_page_would_run_or_load_is_seen(page):
    attack = Attack("a", 22, "", "")
    assert active(attack, page)
    assert not active(attack, f"<p>{page.replace('<', '&lt;')}</p>")
    assert not active(Attack("another", 22, "", ""), page)
