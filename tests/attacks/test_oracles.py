"""The oracles see success: where nothing holds the code, attacks succeed and are found out."""

import pytest
from attack import Attack
from catalogue import ATTACKS
from classroom import honest_students
from comparison import changed_marks
from graded_class import grade, open_folder
from oracles import active, gains

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
    gradebook.execute(
        "create trigger theirs after update on grade when new.auto_score > 0 "
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


pytestmark = pytest.mark.xdist_group("unprotected")


@pytest.mark.parametrize("slug", SEEN)
def test_an_attack_that_succeeds_is_seen(slug, unprotected):
    (attack,) = [one for one in ATTACKS if one.slug == slug]
    assert any(SEEN[slug] in gain for gain in gains(attack, unprotected)), gains(
        attack, unprotected
    )


def test_what_is_carried_out_of_a_call_is_seen(unprotected):
    assert "shows what the code said during hidden tests" in gains(OWN[0], unprotected)


def test_a_process_that_lives_on_is_seen(unprotected):
    assert unprotected.processes


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
        "<div style='background:url(//x/run-a)'>",
    ],
)
def test_what_a_page_would_run_or_load_is_seen(page):
    attack = Attack("a", 22, "", "")
    assert active(attack, page)
    assert not active(attack, f"<p>{page.replace('<', '&lt;')}</p>")
    assert not active(Attack("another", 22, "", ""), page)
