"""Comments and names that a writer chose."""

from autograder.notebooks.own_words import comments_in, names_in

CELL = '''
def predict(x, slope, intercept):
    """The height of  the
    line."""
    # we  MULTIPLY first, # of course
    grown = slope * x  # ok
    text = "# no comment at all"
    return [grown + intercept for value in x]
'''


def test_comments_are_read_in_one_line_and_small_ones_left() -> None:
    assert comments_in(CELL) == (
        "we multiply first, # of course",
        "the height of the line.",
    )


def test_names_are_those_that_the_cell_binds() -> None:
    assert set(names_in(CELL)) == {"predict", "slope", "intercept", "grown", "text", "value"}


def test_what_is_no_python_has_no_names_and_may_have_comments() -> None:
    text = "def f(:\n    # a comment of mine\n"
    assert names_in(text) == ()
    assert comments_in("x = 1 # a comment of mine\n") == ("a comment of mine",)
    assert comments_in("'''" + text) == ()
