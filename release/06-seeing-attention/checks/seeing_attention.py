"""Visible checks of 06-seeing-attention: pictures and measures; the checkpoint's stand beside."""

import math
from typing import Any

import numpy as np
import torch
from torch import Tensor

from checks import checkpoint_maps
from checks.kit.describing import form_text
from checks.kit.drawn import DrawnAxes, DrawnFigure
from checks.kit.errors import StudentError
from checks.kit.examples import example
from checks.kit.expectation import (
    Mismatch,
    exercise,
    expect,
    expect_inputs_unchanged,
    expect_value_error,
    same,
)
from checks.kit.local_student import LocalStudent
from checks.kit.pictures import Bars, Heatmap
from checks.maps_seen import expect_names, expect_table, row_names, table_seen, told
from checks.pattern_maps import PATTERNS, UNLIKE_THE_OTHERS
from checks.weights import AttentionMap

_TOKENS = ["the", "cat", "saw", "the", "dog"]
_WEIGHTS = torch.tensor(  # rows: queries
    [
        [0.50, 0.30, 0.00, 0.10, 0.10],
        [0.05, 0.60, 0.25, 0.05, 0.05],
        [0.00, 0.45, 0.10, 0.00, 0.45],
        [0.20, 0.10, 0.20, 0.20, 0.30],
        [0.10, 0.10, 0.10, 0.10, 0.60],
    ]
)
_SCORES = torch.tensor([[2.0, 1.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
_WORDS = ("birds", "can", "sing")
_BOTH = np.array(
    [[0.66524, 0.24473, 0.09003], [0.66524, 0.24473, 0.09003], [0.21194, 0.21194, 0.57612]]
)
_PAST = np.array([[1.0, 0.0, 0.0], [0.73106, 0.26894, 0.0], [0.21194, 0.21194, 0.57612]])


@example(
    "plot_attention",
    picture=AttentionMap("what plot_attention draws", tuple(_TOKENS), tuple(_TOKENS)),
)
def numbers_in_the_heatmap(student: LocalStudent) -> Any:
    """The numbers behind the colours, for five tokens."""
    return getattr(student.plot_attention(_WEIGHTS, _TOKENS), "mesh", None)


@example(
    "compare_attention",
    picture=AttentionMap(
        "compare_attention: all keys, then the past alone", _WORDS, (*_WORDS, *_WORDS)
    ),
)
def numbers_of_both_heatmaps(student: LocalStudent) -> Any:
    """The numbers behind both heatmaps, side by side."""
    drawn = student.compare_attention(_SCORES, list(_WORDS))
    return np.hstack([axes.mesh for axes in drawn.axes])


@example(
    "strongest_links",
    picture=AttentionMap("strongest_links(weights, tokens, k=2)", _WORDS, _WORDS),
)
def links_as_a_table(student: LocalStudent) -> np.ndarray:
    """Which keys are listed for each query, with their weights; 0 elsewhere."""
    weights = torch.tensor([[0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0.1, 0.4, 0.5]])
    table = np.zeros((3, 3))
    for row, links in zip(table, student.strongest_links(weights, list(_WORDS), k=2), strict=True):
        for token, weight in links:
            row[_WORDS.index(token)] = weight
    return table


@example(
    "attention_entropy",
    picture=Bars(
        "attention_entropy(weights)", ("0.9 0.1 0 0", "½ ½ 0 0", "¼ ¼ ¼ ¼"), "weights", "nats"
    ),
)
def entropies_of_three_queries(student: LocalStudent) -> Tensor:
    """The entropy of three rows, from sharp to even."""
    rows = torch.tensor([[0.9, 0.1, 0, 0], [0.5, 0.5, 0, 0], [0.25, 0.25, 0.25, 0.25]])
    entropies: Tensor = student.attention_entropy(rows)
    return entropies


@example(
    "classify_pattern",
    picture=Heatmap(
        "what classify_pattern calls the examples (1: this name)",
        tuple(PATTERNS),
        tuple(PATTERNS),
        rows_are="example",
        columns_are="name given",
    ),
)
def names_of_the_examples(student: LocalStudent) -> np.ndarray:
    """Which name each example gets."""
    given = [student.classify_pattern(torch.tensor(rows)) for rows in PATTERNS.values()]
    return np.array([[float(name == one) for name in PATTERNS] for one in given])


@exercise("plot_attention")
def test_a_map_says_who_looks_at_whom(student: LocalStudent) -> None:
    """Queries run down from the top; rows, columns and axes are named."""
    drawn = _axes(student.plot_attention(_WEIGHTS, _TOKENS))
    expect_table(drawn, _WEIGHTS.numpy(), "")
    expect_names(drawn, _TOKENS)
    many = [f"w{place}" for place in range(18)]  # as many as the last section's maps have
    expect_names(_axes(student.plot_attention(torch.full((18, 18), 1 / 18), many)), many)
    for axis, label, word in (("x", drawn.xlabel, "key"), ("y", drawn.ylabel, "query")):
        if word.removesuffix("y") not in label.lower():  # "queries" will do, too
            says = (
                f"Which axis lists the keys, and which the queries? Say so: name the {axis} axis."
            )
            raise Mismatch(f"{axis} label {label!r}", f"a label with {word!r} in it", says)
    expect_inputs_unchanged(student)


@exercise("plot_attention")
def test_colours_mean_the_same_in_every_map(student: LocalStudent) -> None:
    """Colours run from 0 to 1, and a colour bar tells what they mean."""
    even = torch.full((2, 2), 0.5)
    drawn = _axes(student.plot_attention(even, ["yes", "no"]))
    if drawn.mesh_limits != (0.0, 1.0):
        says = "These colours change their meaning from map to map. Which two arguments fix them?"
        raise Mismatch(f"colours from {drawn.mesh_limits}", "colours from 0 to 1", says)
    if not drawn.colorbar:
        says = "Nobody can tell what a colour means. A figure makes a colour bar from an image."
        raise Mismatch("no colour bar", "a colour bar", says)


@exercise("plot_attention")
def test_a_model_s_weights_can_be_drawn(student: LocalStudent) -> None:
    """Weights in bfloat16 that carry a gradient are drawn too, in the Axes that are given."""
    weights = torch.tensor([[1.0, 0.0], [0.5, 0.5]], dtype=torch.bfloat16, requires_grad=True)
    axes = student.new_axes()
    drawn = _axes(student.plot_attention(weights, ["yes", "no"], axes))
    expect_table(drawn, np.array([[1.0, 0.0], [0.5, 0.5]]), "")
    if student.drawn_in(axes).mesh is None:
        says = "The caller gave Axes to draw in, and they are still empty. Where did you draw?"
        raise Mismatch("the given Axes empty", "the map in the given Axes", says)
    try:
        student.plot_attention(torch.ones(1, 1, device="meta"), ["yes"])  # as on a graphics card
    except StudentError as error:
        if "Use Tensor.cpu()" in error.message:
            says = "Matplotlib draws on the CPU alone. What copies a tensor there?"
            raise Mismatch("weights used where they are", "weights copied first", says) from None


@exercise("plot_attention")
def test_without_axes_there_is_a_new_figure(student: LocalStudent) -> None:
    """Where no Axes are given, the map stands in a figure that was not there before."""
    axes = student.new_axes()
    student.plot_attention(_WEIGHTS, _TOKENS)
    before = student.figure_of(axes)
    if any(one.mesh is not None for one in before.axes):
        says = "You drew in a figure that was there before. What makes a new one?"
        raise Mismatch("the map in another figure", "the map in a new figure", says)


@exercise("plot_attention")
def test_five_rows_and_four_tokens_are_refused(student: LocalStudent) -> None:
    """Five rows and 4 tokens raise ValueError, which names both numbers."""
    expect_value_error(lambda: student.plot_attention(_WEIGHTS, _TOKENS[:4]), numbers=(5, 4))


@exercise("compare_attention")
def test_both_maps_come_from_the_same_scores(student: LocalStudent) -> None:
    """Left all keys share out one, right the keys up to the query; also of scores 20 lower."""
    axes = _two_axes(student.compare_attention(_SCORES, list(_WORDS)))
    expect_table(axes[0], _BOTH, "left: ")
    seen = table_seen(axes[1])
    if seen is not None and same(seen, np.tril(_BOTH)):
        says = "The right rows do not sum to 1. Was the future taken away before softmax, or after?"
        raise Mismatch(told(seen), told(_PAST), says)
    expect_table(axes[1], _PAST, "right: ")
    expect_inputs_unchanged(student)
    axes = _two_axes(student.compare_attention(_SCORES - 20, list(_WORDS)))
    expect_table(axes[1], _PAST, "right, of scores 20 lower: ")


@exercise("compare_attention")
def test_titles_say_which_is_which(student: LocalStudent) -> None:
    """The left title says "bidirectional", the right one "causal", and tokens stand at both."""
    axes = _two_axes(student.compare_attention(_SCORES, list(_WORDS)))
    for place, one, word in (("left", axes[0], "bidirectional"), ("right", axes[1], "causal")):
        if word not in one.title.lower():
            says = f"Which map is this? The title of the {place} one should say it."
            raise Mismatch(f"{place} title {one.title!r}", f"a title with {word!r} in it", says)
        if one.mesh_limits != (0.0, 1.0) or not one.colorbar:
            says = (
                "Each map is drawn as plot_attention draws it. Who fixes colours, who adds a bar?"
            )
            bar = "a colour bar" if one.colorbar else "no colour bar"
            told_of = f"{place}: colours from {one.mesh_limits}, {bar}"
            raise Mismatch(told_of, "colours from 0 to 1, a colour bar", says)
    expect_names(axes[0], list(_WORDS))
    if any(row_names(axes[1])):  # with sharey=True, the left one's tokens stand for both
        expect_names(axes[1], list(_WORDS))


@exercise("strongest_links")
def test_two_queries_of_five_keys(student: LocalStudent) -> None:
    """Each query gets its k keys with their weights, the largest first, every *the* for itself."""
    found = student.strongest_links(_WEIGHTS[[1, 3]], _TOKENS, k=4)
    _expect_links(
        found,
        [
            [("cat", 0.6), ("saw", 0.25), ("the", 0.05), ("the", 0.05)],
            [("dog", 0.3), ("the", 0.2), ("saw", 0.2), ("the", 0.2)],
        ],
    )
    expect_inputs_unchanged(student)


@exercise("strongest_links")
def test_ties_go_by_position(student: LocalStudent) -> None:
    """Of equal weights, the earlier key comes first."""
    weights = torch.tensor([[0.1, 0.4, 0.4, 0.1], [0.25, 0.25, 0.25, 0.25]])
    found = student.strongest_links(weights, ["a", "b", "c", "d"], k=3)
    _expect_links(
        found,
        [[("b", 0.4), ("c", 0.4), ("a", 0.1)], [("a", 0.25), ("b", 0.25), ("c", 0.25)]],
    )


@exercise("strongest_links")
def test_ties_of_many_keys_go_by_position(student: LocalStudent) -> None:
    """Among 40 keys, too, the earlier of two equal ones comes first."""
    weights = torch.tensor([[(7 * place % 3 + 1) / 80 for place in range(40)]])
    tokens = [f"w{place}" for place in range(40)]
    largest = [(tokens[place], 0.0375) for place in range(2, 40, 3)]
    _expect_links(student.strongest_links(weights, tokens, k=len(largest)), [largest])


@exercise("strongest_links")
def test_k_may_be_left_out_or_exceed_the_keys(student: LocalStudent) -> None:
    """Three links are the default; where there are fewer keys, all of them are listed."""
    _expect_links(
        student.strongest_links(torch.tensor([[0.3125, 0.6875]]), ["no", "yes"]),
        [[("yes", 0.6875), ("no", 0.3125)]],
    )


@exercise("strongest_links")
def test_five_keys_and_four_tokens_are_refused(student: LocalStudent) -> None:
    """Five keys and 4 tokens raise ValueError, which names both numbers."""
    expect_value_error(lambda: student.strongest_links(_WEIGHTS, _TOKENS[:4]), numbers=(5, 4))


@exercise("attention_entropy")
def test_entropies_worked_by_hand(student: LocalStudent) -> None:
    """½ ½ has ln 2, four even weights ln 4, and 0.7, 0.1, 0.1, 0.1 has 0.9404; small ones count."""
    rows = [[0.5, 0.5, 0.0, 0.0], [0.25, 0.25, 0.25, 0.25], [0.7, 0.1, 0.1, 0.1]]
    wanted = torch.tensor([math.log(2), math.log(4), 0.940448])
    found = student.attention_entropy(torch.tensor(rows))
    expect(found, wanted, "(queries)", lambda array: _entropy_is_special(array, wanted.numpy()))
    expect_inputs_unchanged(student)
    found = student.attention_entropy(torch.tensor([[0.999, 0.0005, 0.0005, 0.0]]))
    says = "The weights of 0.0005 bring most of this entropy. Is any weight but 0 left out?"
    expect(found, torch.tensor([0.00860040]), "(queries)", lambda _: says)


@exercise("attention_entropy")
def test_heads_and_dtypes(student: LocalStudent) -> None:
    """Leading axes stay, the keys' axis goes, and float16 stays float16."""
    weights = torch.full((2, 3, 5, 4), 0.25, dtype=torch.float16)
    weights[..., 0, :] = torch.tensor([1.0, 0.0, 0.0, 0.0], dtype=torch.float16)
    wanted = torch.full((2, 3, 5), math.log(4), dtype=torch.float16)
    wanted[..., 0] = 0
    expect(student.attention_entropy(weights), wanted, "(batch, heads, queries)")


@exercise("attention_entropy")
def test_the_gradient_is_finite(student: LocalStudent) -> None:
    """A weight of 0 has a finite gradient."""
    weights = torch.tensor([[0.5, 0.5, 0.0]])
    found = student.grad("attention_entropy", weights, upstream=torch.ones(1)).inputs[0]
    if found is None:
        says = "No gradient comes through. What in your code cuts the result off from the weights?"
        raise Mismatch("no gradient", "a finite gradient", says)
    if not bool(found.isfinite().all()):
        says = "The gradient runs through every step. Which step meets the weight 0, and how?"
        raise Mismatch(f"gradient {found.tolist()}", "a finite gradient", says)


@exercise("classify_pattern")
def test_the_four_examples_and_one_of_none(student: LocalStudent) -> None:
    """The four examples of the text get their names, and one that fits no rule is mixed."""
    for name, rows in PATTERNS.items():
        _expect_name(student.classify_pattern(torch.tensor(rows)), name)


@exercise("classify_pattern")
def test_looking_one_token_back_is_focused(student: LocalStudent) -> None:
    """A head that looks one token back is focused, though it looks at neighbours."""
    before = torch.full((4, 4), 0.03)
    before[[0, 1, 2, 3], [0, 0, 1, 2]] = 0.91
    _expect_name(student.classify_pattern(before), "focused")


@exercise("classify_pattern")
def test_the_mean_over_the_rows_decides(student: LocalStudent) -> None:
    """A row that is unlike the others counts as one among them, and never alone."""
    for rows, name in UNLIKE_THE_OTHERS:
        _expect_name(student.classify_pattern(torch.tensor(rows)), name)


def _axes(found: Any) -> DrawnAxes:
    if isinstance(found, DrawnAxes):
        return found
    says = "Does your function return the Axes that it drew in?"
    raise Mismatch(form_text(found), "one Axes", says)


def _two_axes(found: Any) -> tuple[DrawnAxes, DrawnAxes]:
    if not isinstance(found, DrawnFigure):
        raise Mismatch(form_text(found), "one Figure", "Does your function return the figure?")
    if len(found.axes) != 2:
        says = "Two maps are wanted, one for each way to read."
        raise Mismatch(f"{len(found.axes)} Axes", "2 Axes, side by side", says)
    left, right = found.axes
    if left.place[2] > right.place[0] + 1e-6:
        says = (
            "The second map should stand to the right of the first. What counts rows, what columns?"
        )
        raise Mismatch("one below or over the other", "2 Axes, side by side", says)
    return left, right


def _expect_links(found: Any, wanted: list[list[tuple[str, float]]]) -> None:
    try:
        told = [[(str(token), round(float(weight), 4)) for token, weight in row] for row in found]
    except (TypeError, ValueError):
        says = "For each query a list is wanted, of pairs: a token and its weight."
        raise Mismatch(form_text(found), str(wanted), says) from None
    if told == wanted:
        return
    says = "Some links differ. Take one query's row by hand: which keys, in which order?"
    if [sorted(row) for row in told] == [sorted(row) for row in wanted]:
        says = "The right keys, in another order. Largest first; of equal ones, the earlier first."
    elif [row[::-1] for row in told] == wanted:
        says = "The smallest comes first."
    raise Mismatch(str(told), str(wanted), says)


def _expect_name(found: Any, wanted: str) -> None:
    if found != wanted:
        says = "Work out the measures by hand, in the order of the rules. Which one stops it first?"
        raise Mismatch(repr(found)[:60], repr(wanted), says)


def _entropy_is_special(found: np.ndarray, wanted: np.ndarray) -> str | None:
    if same(found, wanted / math.log(2)):
        return "This is in bits. Which logarithm gives nats?"
    if same(found, -wanted):
        return "Logarithms of shares are negative. What makes their sum an entropy above 0?"
    if np.isnan(found).any():
        return "0 · ln 0 became nan. What could the logarithm be given in place of 0?"
    return None
