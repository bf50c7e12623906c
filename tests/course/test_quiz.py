"""Questions of every kind, as their file declares them, and what is said of a wrong one."""

from pathlib import Path

import pytest
from quiz_sources import CHOICE, CHOICES, NUMBER, QUIZ, SHAPE

from autograder.course import CourseError
from autograder.course.expressions import Expression, WrongExpression
from autograder.course.questions import Question
from autograder.course.quiz import read_quiz


def read(folder: Path, text: str) -> dict[str, Question]:
    path = folder / "quiz.toml"
    path.write_text(text, encoding="utf-8")
    return read_quiz(path)


def test_every_kind_reads_back(tmp_path: Path) -> None:
    questions = read(tmp_path, QUIZ)
    assert {name: one.answer.kind for name, one in questions.items()} == {
        "q1": "choice",
        "q2": "choices",
        "k1": "number",
        "k2": "shape",
    }
    assert questions["q1"].answer.key == "A"
    assert questions["q1"].answer.options["B"].misconception == "that-for-this"
    assert questions["q2"].answer.key == ("A", "C")
    assert questions["k1"].answer.key.number({}) == pytest.approx(22.627, abs=0.001)
    assert questions["k1"].answer.wrong[0].value.number({}) == 512
    assert [one.name for one in questions.values() if one.is_personal] == ["k2"]
    assert questions["k2"].sizes == {"heads": (2, 3, 6), "queries": (7, 8, 9)}
    assert questions["k2"].answer.key.shape({"heads": 3, "queries": 8}) == (3, 8, 32)
    assert len(list(questions["k2"].all_sizes())) == 9


@pytest.mark.parametrize(
    ("question", "old", "new", "told"),
    [
        (CHOICE, 'key = "A"', 'key = "C"', "'C', is not an option"),
        (CHOICE, 'misconception = "that-for-this"', "", "look at option B"),
        (CHOICE, 'one."\n[', 'one."\nmisconception = "x"\n[', "look at option A"),
        (CHOICE, 'text = "this"', "", "option A lacks 'text'"),
        (CHOICE, 'text = "Which?"', "text = 3", "text is a text, not 3"),
        (CHOICE, "[[question]]", "[[question", "line"),
        (CHOICE, "[[question]]", "[[questions]]", "nothing reads. Did you mean 'question'"),
        (CHOICE, '"q1"', '"first"', "q or k and a number"),
        (CHOICE, 'key = "A"', 'key = "A"\nkind = "chioce"', "kind 'chioce' is none of choice"),
        (CHOICE, 'key = "A"', 'key = "A"\ntolerance = 1', "'tolerance', which nothing reads"),
        (CHOICE, "options.B", "options.C", "the options are A, B and so on"),
        (CHOICE, '"that-for-this"', '"That for this"', "is a slug"),
        (CHOICE, 'key = "A"', "key = 3", "q1.*the key is a letter in quotation marks.*not 3"),
        (CHOICE, 'key = "A"', 'key = {A = 1}', "q1.*the key is a letter in quotation marks"),
        (CHOICE, 'key = "A"', 'key = ["A", "B"]', "students tick all of it.*accept = "),
        (CHOICE, 'key = "A"', 'kind = "choice"\nkey = ["A"]', "name one letter.*accept = "),
        (CHOICE, 'key = "A"', 'kind = ["choice"]\nkey = "A"', "is none of choice"),
        (CHOICE, 'key = "A"', 'key = "A"\naccept = "B"', r'accept is a list.*\["B"\]'),
        (CHOICE, 'key = "A"', 'key = "A"\naccept = ["C"]', "accepted answer.*'C', is not an opt"),
        (CHOICE, 'key = "A"', 'key = "A"\naccept = [["B"]]', "is not an option"),
        (CHOICE, 'key = "A"', 'key = "A"\nvoid = "true"', "void is true or false"),
        (CHOICES, '["C", "A"]', '["C", "A"]\naccept = ["A"]', "list of letters of its own"),
        (CHOICES, '["C", "A"]', '["C", ["A"]]', r"\['A'\], is not an option"),
        (CHOICES, '["C", "A"]', '"A"', "the key is a list of letters"),
        (NUMBER, '"sqrt(512)"', "[22.6, 23]", "the key is one number.*accept = "),
        (NUMBER, '"sqrt(512)"', '"sqrt(512)"\naccept = ["a"]', "name 'a' is not defined"),
        (NUMBER, '"sqrt(512)"', '"sqrt(512)"\naccept = [true]', "accept is a number"),
        (SHAPE, 'why = "Heads', 'accept = [3]\nwhy = "Heads', "not a tuple of whole numbers"),
        (CHOICES, '["C", "A"]', '["A", "D"]', "'D', is not an option"),
        (CHOICES, '["C", "A"]', '["A", "A"]', "none twice"),
        (CHOICES, '["C", "A"]', "[]", "at least one letter"),
        (CHOICES, 'misconception = "that-taken"', "", "every option needs a misconception"),
        (NUMBER, "sqrt(512)", "root(512)", "name 'root' is not defined"),
        (NUMBER, "sqrt(512)", "sqrt(512", "cannot be computed"),
        (NUMBER, "sqrt(512)", "sqrt(-1)", "cannot be computed"),
        (NUMBER, "sqrt(512)", "inf", "not a finite number"),
        (NUMBER, "sqrt(512)", "(2, 3)", "not a finite number"),
        (NUMBER, "sqrt(512)", "512", "the wrong value 512 is taken for the key"),
        (NUMBER, "sqrt(512)", "__import__('os')", "cannot be computed"),
        (NUMBER, "tolerance = 0.05", "", "no whole number, so it needs a tolerance"),
        (NUMBER, "tolerance = 0.05", "tolerance = 1\nrelative = 1", "not both"),
        (NUMBER, "tolerance = 0.05", "tolerance = -1", "0 or more"),
        (NUMBER, "tolerance = 0.05", "tolerance = true", "0 or more"),
        (NUMBER, "tolerance = 0.05", "relative = nan", "0 or more"),
        (NUMBER, 'why = "Take', 'hint = "Take', "'hint', which nothing reads"),
        (NUMBER, "value = 512", "values = 512", "wrong value 1 has 'values'"),
        (SHAPE, "[question.personal]", "[question.personel]", "Did you mean 'personal'"),
        (SHAPE, "{heads} heads", "some heads", "its text does not say {heads}"),
        (SHAPE, "{heads} heads", "{heads} of {head} heads", "{head}, which is no size.*'heads'"),
        (SHAPE, "{choices = [2, 3, 6]}", "{choices = [2, 2]}", "the size heads is"),
        (SHAPE, "{choices = [2, 3, 6]}", "{choices = [0, 2]}", "the size heads is"),
        (SHAPE, "{choices = [2, 3, 6]}", "[2, 3]", "the size heads is"),
        (SHAPE, "{low = 7, high = 9}", "{low = 9, high = 7}", "the size queries is"),
        (SHAPE, "{low = 7, high = 9}", "{low = 7}", "the size queries is"),
        (SHAPE, "{low = 7, high = 9}", "{low = 7, high = 9999}", "29979 combinations"),
        (SHAPE, "4 * queries)\"\nwhy", "queries / 4)\"\nwhy", "not a tuple of whole numbers"),
        (SHAPE, "4 * queries)\"\nwhy", "keys)\"\nwhy", "name 'keys' is not defined"),
        (SHAPE, "{choices = [2, 3, 6]}", "{choices = [2, 8]}", "for heads 8, queries 8"),
    ],
)  # fmt: skip
def test_a_wrong_question_is_told_with_its_place(
    tmp_path: Path, question: str, old: str, new: str, told: str
) -> None:
    assert old in question
    with pytest.raises(CourseError, match=told) as error:
        read(tmp_path, question.replace(old, new, 1))
    assert str(tmp_path / "quiz.toml") in str(error.value)


def test_two_questions_of_one_name_are_told(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match="'q1' is there twice"):
        read(tmp_path, CHOICE + CHOICE)


def test_braces_in_a_text_that_is_not_personal_are_only_braces(tmp_path: Path) -> None:
    text = NUMBER.replace("the root", "$\\\\sqrt{d}$")
    assert read(tmp_path, text)["k1"].text == "How large is $\\sqrt{d}$?"


def test_two_wrong_values_that_cannot_be_told_apart_are_told(tmp_path: Path) -> None:
    other = NUMBER[NUMBER.index("[[question.wrong]]") :].replace("512", "511.96")
    with pytest.raises(CourseError, match=r"511.96 is taken for the wrong value 512"):
        read(tmp_path, NUMBER + other)


def test_a_tolerance_reaches_to_its_very_edge(tmp_path: Path) -> None:
    number = read(tmp_path, NUMBER.replace("sqrt(512)", "0.3"))["k1"].answer
    assert number.accepts(0.35, 0.3)
    assert number.accepts(0.25, 0.3)
    assert not number.accepts(0.3501, 0.3)
    relative = read(tmp_path, NUMBER.replace("tolerance = 0.05", "relative = 0.1"))["k1"].answer
    assert relative.accepts(110, 100)
    assert relative.accepts(-90, -100)
    assert not relative.accepts(111, 100)


def test_an_expression_knows_math_and_sizes_and_nothing_else() -> None:
    assert Expression("comb(n, 2) + floor(pi)").number({"n": 4}) == 9
    assert Expression("e * n").number({"e": 2, "n": 3}) == 6  # a size comes before math's e
    for source in ("open('x')", "print(1)", "n", "__builtins__", "exec('x')"):
        with pytest.raises(WrongExpression):
            Expression(source).number({})


def test_a_list_as_the_key_says_that_all_of_it_is_ticked(tmp_path: Path) -> None:
    question = read(tmp_path, CHOICES.replace('kind = "choices"\n', ""))["q2"]
    assert (question.answer.kind, question.answer.key) == ("choices", ("A", "C"))


@pytest.mark.parametrize(
    ("question", "old", "new", "accepted"),
    [
        (CHOICE, 'key = "A"', 'key = "A"\naccept = ["A", "B"]', ("A", "B")),
        (CHOICES, '["C", "A"]', '["C", "A"]\naccept = [["C"], ["B", "A"]]', (("C",), ("A", "B"))),
        (NUMBER, "tolerance", "accept = [23, 512]\ntolerance", ("23", "512")),
        (SHAPE, 'why = "Heads', 'accept = ["(queries, heads, 4 * queries)"]\nwhy = "Heads', None),
    ],
)
def test_every_kind_accepts_more_answers_than_its_key(
    tmp_path: Path, question: str, old: str, new: str, accepted: tuple | None
) -> None:
    (read_back,) = read(tmp_path, question.replace(old, new, 1)).values()
    found = read_back.answer.accept
    assert len(found) == 1 if accepted is None else True
    if accepted is not None:
        assert tuple(getattr(one, "source", one) for one in found) == accepted


def test_a_question_is_void_where_it_says_so(tmp_path: Path) -> None:
    void = read(tmp_path, QUIZ.replace('name = "q1"', 'name = "q1"\nvoid = true'))
    assert [name for name, question in void.items() if question.void] == ["q1"]
