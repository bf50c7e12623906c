"""A class that works apart, but for a few pairs."""

import random
from pathlib import Path

from line_fitting import all_right, cell_of, hand_in

from autograder.course import load_course
from autograder.marks.known_answers import known_texts

APART = [f"s{number:02}" for number in range(16)]
TURNED = "\x1b[2J\u202e"  # clears a terminal's screen, and turns round what follows
GIVER, TAKER = "ünal 7", "zoë, b"  # a space, a comma, and letters that few have
GIVEN = {
    "predict": """
def predict(x, slope, intercept):
    heights = np.full_like(x, intercept)  # begin with the zeppelin at the mast
    zeppelin = slope * x
    return heights + zeppelin - 0 * heights
""",
    "gradient": """
def gradient(x, y, slope, intercept):
    zeppelin = slope * x + intercept - y
    for_slope = (zeppelin * x).sum() / len(x)
    for_intercept = zeppelin.sum() / len(x) * 3
    return for_slope * 3, for_intercept
""",
}
TAKEN = {
    "predict": """
def predict(xs, m, b):
    climb = xs * m
    base = np.full_like(xs, b)
    return (base + climb) - base * 0
""",
    "gradient": """
def gradient(a, b, c, d):
    zeppelin = (c * a  # TURNED
                + d - b)
    second = zeppelin.sum() / len(a) * 3  # begin with  the zeppelin at the mast
    first = (a * zeppelin).sum() / len(a)
    return 3 * first, second
""",
}

OF_TEAM = {name: text.replace("3", "4").replace("zeppelin", "ours") for name, text in GIVEN.items()}
TEAM, MEMBER = "team-1", "mia"
PERSONAL = ("k1", "k2", "k3")
ROSTER = f"""id,name,section,group
{GIVER},Ünal O'Brien,A,
"{TAKER}",Zoë{TURNED} Brontë,B,
{MEMBER},Mia Ek,A,{TEAM}
noor,Noor Day,A,{TEAM}
"""


def make_class(course: Path) -> None:
    """Hand in: most draw known answers, and one takes two answers and all numbers of another.

    A member of a group hands in what the group does.
    """
    (course / "roster.csv").write_text(ROSTER, encoding="utf-8-sig")
    known = known_texts(load_course(course))
    names = list(dict.fromkeys(one.exercise for one in known))
    dice = random.Random(3)
    for student in (*APART, GIVER, TAKER, TEAM):
        notebook = all_right(course, student)
        for name in names:
            kind = "right" if dice.random() < 0.6 else "mistake"
            texts = [one for one in known if (one.exercise, one.kind) == (name, kind)]
            cell_of(notebook, name).source = dice.choice(texts).source
        written = {GIVER: GIVEN, TAKER: TAKEN, TEAM: OF_TEAM}.get(student, {})
        for name, source in written.items():
            cell_of(notebook, name).source = source.replace("TURNED", TURNED)
        if student == TAKER:
            givers = all_right(course, GIVER)
            for name in PERSONAL:
                cell_of(notebook, name).source = cell_of(givers, name).source
        hand_in(course, student, notebook)
        if student == TEAM:
            hand_in(course, MEMBER, notebook)
