"""What of a nameless submission is covered in formgrader, and what is left to read."""

import pytest

from autograder.gradebook.hidden_owner import COVER, covering

CODE = 'import numpy as np\nstudent_id = "max"\nmask = np.max([1, 2])  # by ada\n'


@pytest.mark.parametrize(
    ("words", "text", "covered"),
    [
        (["ada"], 'student_id = "ada"', f'student_id = "{COVER}"'),
        (["ada"], "I am Ada, and not Adam.", f"I am {COVER}, and not Adam."),
        (["zoé"], "zoé's notebook", f"{COVER}'s notebook"),
        (["a.b@x.edu"], "write to a.b@x.edu.", f"write to {COVER}."),
        (["r&d"], "<p>r&amp;d</p>", f"<p>{COVER}</p>"),
        (["Ada King", "ada"], "Ada King (ada)", f"{COVER} ({COVER})"),
        (["1234567"], "1234567 and 12345678", f"{COVER} and 12345678"),
        (["max"], 'np.max(x)  # student_id is "max"', f'np.max(x)  # student_id is "{COVER}"'),
        (["mask"], "mask = 3", "mask = 3"),
        (["np"], 'np = "np"', f'np = "{COVER}"'),
        (["7"], "7 rows of '7'", f"7 rows of '{COVER}'"),
        (["(x"], "f(x) of '(x'", f"f(x) of '{COVER}'"),
        ([], "anything", "anything"),
        (["", " "], "any thing", "any thing"),
    ],
)
def test_words_are_covered_whole_and_code_stays_readable(
    words: list[str], text: str, covered: str
) -> None:
    assert covering(words, CODE).sub(COVER, text) == covered
