"""Hidden graders of 07-attention-vs-recurrence: train_recall and recall_by_length."""

import math
from typing import Any

import pytest

import graders.attention_vs_recurrence.runs.probe_recall_by_length
import graders.attention_vs_recurrence.runs.probe_train_recall  # noqa: F401 - registers the probes
from autograder.judging import Wrong, exercise
from autograder.judging.draw import Draw
from autograder.judging.registry import hand_over, keep_own
from graders.attention_vs_recurrence.lessons import (
    EXAM,
    assert_not_nothing,
    globally_drawn,
    logits_scaled,
    mean_loss,
    new_model,
    parameters_of,
    sequences,
    share_right,
    taught_twin,
    twin_of,
)
from graders.attention_vs_recurrence.runs.judged_runs import (
    as_many_pairs,
    averages,
    batches_again,
    gradients_kept,
    left_as_it_was,
    losses_of,
    shares_of,
    stepped,
    told_singly,
    too_few_asked,
    trained,
)

PAIRS = 3
GOOD, HOPELESS = 0.9, 0.6
FALLEN = 0.9  # of the first losses
STEPS, ROUNDS = 75, 5  # right answers reach 0.97 within two rounds

for name in ("train_recall", "recall_by_length"):
    hand_over(name, "AttentionRecall", "LSTMRecall", as_yardstick=True)
keep_own("recall_by_length", "train_recall", because="it takes a model, and is not needed")


@exercise("train_recall")
@pytest.mark.points(4, "values")
def test_the_model_recalls_afterwards(student: Any, draw: Draw) -> None:
    """After a few hundred steps, the model answers right on sequences that it has not seen."""
    model, seed = new_model(student, draw), draw.integer(1, 10**6)
    exam = sequences(draw, EXAM, PAIRS)
    for number in range(ROUNDS):
        student.train_recall(model, STEPS, PAIRS, seed + number)
        share = share_right(twin_of(model), exam)
        if share > GOOD:
            return
        if number and share < HOPELESS:
            break
    raise Wrong("After training, the model does not answer right on new sequences.")


@exercise("train_recall")
@pytest.mark.points(2, "form")
def test_every_steps_loss_comes_back(student: Any, draw: Draw) -> None:
    """The losses come back as a list of floats, one a step, and fall as the model learns."""
    model = new_model(student, draw)
    for steps in (7, 0, 1):
        losses = student.train_recall(model, steps, PAIRS, 5)
        if not isinstance(losses, list) or any(type(loss) is not float for loss in losses):
            raise Wrong("What you return is not a list of floats.")
        if len(losses) != steps:
            raise Wrong("You do not return one loss for each step.")
    losses = losses_of(student, model, 100, PAIRS, draw.integer(1, 10**6))
    if not _mean(losses[-10:]) < FALLEN * _mean(losses[:10]):
        raise Wrong("The losses that you return do not fall.")


@exercise("train_recall")
@pytest.mark.points(1, "values")
def test_the_losses_are_the_models_own(student: Any, draw: Draw) -> None:
    """What comes back is the mean cross-entropy, as the model has it at that step."""
    model, seed = new_model(student, draw), draw.integer(1, 10**6)
    exam = sequences(draw, EXAM, PAIRS)
    start = mean_loss(twin_of(model), exam)
    first = losses_of(student, model, 60, PAIRS, seed)
    # Later ones are asked for one by one: of batches that training has seen, they would be lower.
    model.load_state_dict(dict(taught_twin(draw, "AttentionRecall", PAIRS, 50).state_dict()))
    own, told = told_singly(student, model, exam, PAIRS, seed + 1)
    if abs(first[0] - start) > 0.35 or abs(told - own) > max(0.35, 0.3 * own):
        raise Wrong("The losses that you return are not the model's mean cross-entropy.")
    if averages(first):
        raise Wrong("The losses that you return are averages over the steps so far.")


@exercise("train_recall")
@pytest.mark.points(1, "values")
def test_training_goes_on_from_where_it_was(student: Any, draw: Draw) -> None:
    """Called again, training begins with what the model has learnt already."""
    model = new_model(student, draw)
    if not trained(student, model, PAIRS, draw.integer(1, 10**6)).goes_on:
        raise Wrong("Called again, training does not go on from what the model had learnt.")


@exercise("train_recall")
@pytest.mark.points(1, "gradient")
def test_gradients_are_those_of_the_step(student: Any, draw: Draw) -> None:
    """A step goes by the gradients of its own batch, and not by any that were there before."""
    if gradients_kept(student, draw):
        raise Wrong("Your steps go by gradients of earlier batches too.")


@exercise("train_recall")
@pytest.mark.points(1, "generality")
def test_a_seed_decides_the_training(student: Any, draw: Draw) -> None:
    """The same seed on the same model gives the same losses, another seed others."""
    model, seed = new_model(student, draw), draw.integer(1, 10**6)
    start = {name: value.clone() for name, value in parameters_of(model).items()}
    runs = []
    for number, own in ((seed, 1), (seed, 2), (seed + 1, 1)):
        model.load_state_dict(start, strict=False)
        student.seed(own)
        runs.append(losses_of(student, model, 12, PAIRS, number))
    once, again, other = runs
    if any(abs(a - b) > 1e-4 for a, b in zip(once, again, strict=True)):
        raise Wrong("The same seed on the same model gives other losses the second time.")
    if any(abs(a - b) < 1e-9 for a, b in zip(once, other, strict=True)):
        raise Wrong("Two seeds give the same loss at some step.")


@exercise("train_recall")
@pytest.mark.points(1, "values")
def test_every_step_draws_a_new_batch(student: Any, draw: Draw) -> None:
    """However many steps are taken, each one is taken on sequences that are new."""
    if batches_again(student, draw):
        text = "Training comes back to batches that it has used before."
        raise Wrong(text, "batches-come-again")


@exercise("train_recall")
@pytest.mark.points(1, "values")
def test_as_many_pairs_as_asked_for(student: Any, draw: Draw) -> None:
    """The sequences that the model is trained on hold as many pairs as was asked for."""
    for name in ("AttentionRecall", "LSTMRecall"):
        model = new_model(student, draw, name, 2, 3, 8)
        if not all(map(math.isfinite, losses_of(student, model, 3, 2, 9))):
            raise Wrong("With two keys and two pairs, the losses are no numbers.")
    if not as_many_pairs(student, draw):
        raise Wrong("The sequences that you train on do not hold as many pairs as was asked for.")


@exercise("train_recall")
@pytest.mark.points(0.5, "generality")
def test_training_leaves_the_random_state_alone(student: Any, draw: Draw) -> None:
    """No global random numbers, torch's, NumPy's or Python's, are changed by training."""
    model = new_model(student, draw)
    stepped(student, model, 3, PAIRS, 4)
    drawn = globally_drawn(student, lambda: student.train_recall(model, 3, PAIRS, 4))
    if drawn:
        raise Wrong(f"Training changes the global random numbers of {drawn[0]}.")


@exercise("recall_by_length")
@pytest.mark.points(4, "values")
def test_shares_are_those_of_the_models(student: Any, draw: Draw) -> None:
    """For each model and number of pairs, the share of right answers comes back."""
    counts = (4, 1, 12)
    models = {"new": new_model(student, draw), "taught": new_model(student, draw, "LSTMRecall")}
    taught = taught_twin(draw, "LSTMRecall", pairs=2, steps=50)  # knows less of longer ones
    models["taught"].load_state_dict(dict(taught.state_dict()))
    twins = {"new": twin_of(models["new"]), "taught": taught}
    shares = shares_of(student, models, counts, draw.integer(1, 10**6))
    for name, twin in twins.items():
        for count, found in zip(counts, shares[name], strict=True):
            if abs(found - share_right(twin, sequences(draw, EXAM, count))) > 0.08:
                raise Wrong("Some of the shares are not those of the model's right answers.")
    logits_scaled(models["taught"], 1 / 20)
    (found,) = shares_of(student, {"taught": models["taught"]}, [1], 17)["taught"]
    if abs(found - share_right(taught, sequences(draw, EXAM, 1))) > 0.08:
        raise Wrong("A model that is right, but not sure of it, gets another share.")


@exercise("recall_by_length")
@pytest.mark.points(1, "values")
def test_enough_sequences_are_asked(student: Any, draw: Draw) -> None:
    """The shares are those of 1,000 sequences or more."""
    if too_few_asked(student, new_model(student, draw), draw.integer(1, 10**6)):
        raise Wrong("Your shares come from fewer sequences than the text asks for.")


@exercise("recall_by_length")
@pytest.mark.points(0.5, "values")
def test_who_cannot_be_wrong_has_all_right(student: Any, draw: Draw) -> None:
    """With a single value to answer, every answer is right, and the share is exactly 1."""
    model = new_model(student, draw, "AttentionRecall", 9, 1, 8)
    shares = shares_of(student, {"sure": model}, (1, 3), 5)["sure"]
    if any(share != 1 for share in shares):
        raise Wrong("Where every answer is right, your share is not 1: what do you divide by?")


@exercise("recall_by_length")
@pytest.mark.points(1, "form")
def test_one_share_for_each_number_of_pairs(student: Any, draw: Draw) -> None:
    """A list of floats comes back for each name, one float a number of pairs."""
    models = {
        "b": new_model(student, draw),
        "a": new_model(student, draw, "LSTMRecall"),
    }
    for counts in ([1, 3, 2, 9], [5], []):
        found = student.recall_by_length(models, counts, 3)
        if not isinstance(found, dict) or set(found) != {"a", "b"}:
            raise Wrong("What you return is not a dictionary with the names of the models.")
        for shares in found.values():
            if not isinstance(shares, list | tuple) or any(type(s) is not float for s in shares):
                raise Wrong("Under each name, a list of floats was promised.")
            if len(shares) != len(counts):
                raise Wrong("There is not one share for each number of pairs.")
            if not all(0 <= share <= 1 for share in shares):
                raise Wrong("Some shares do not lie between none and all.")


@exercise("recall_by_length")
@pytest.mark.points(1, "generality")
def test_the_models_are_asked_and_not_changed(student: Any, draw: Draw) -> None:
    """Measuring a model changes none of its parameters, nor whether they can learn."""
    model = new_model(student, draw)
    if not left_as_it_was(student, model, lambda: shares_of(student, {"m": model}, (2, 4), 7)):
        raise Wrong("After being measured, the model has other parameters, or cannot learn.")


@exercise("recall_by_length")
@pytest.mark.points(1, "generality")
def test_a_seed_decides_the_questions(student: Any, draw: Draw) -> None:
    """The same seed gives the same shares, models get the same questions, other seeds others."""
    model, seed = new_model(student, draw), draw.integer(1, 10**6)
    counts = (1, 2, 3, 4, 5, 6)
    twins = shares_of(student, {"one": model, "other": model}, counts, seed)
    student.seed(draw.integer(1, 10**6))
    again = shares_of(student, {"one": model}, counts, seed)
    elsewhere = shares_of(student, {"one": model}, counts, seed + 1)
    if twins["one"] != again["one"]:
        raise Wrong("The same seed gives other shares the second time.")
    if twins["one"] != twins["other"]:
        raise Wrong("Two models that are the same get different shares: are they asked the same?")
    if twins["one"] == elsewhere["one"]:
        raise Wrong("Another seed gives the same shares: are the same sequences drawn?")


@exercise("recall_by_length")
@pytest.mark.points(0.5, "generality")
def test_measuring_leaves_the_random_state_alone(student: Any, draw: Draw) -> None:
    """No global random numbers, torch's, NumPy's or Python's, are changed by measuring."""
    model = new_model(student, draw)

    def measure() -> None:
        found = student.recall_by_length({"m": model}, (1, 3), 4)
        assert_not_nothing(found, "`recall_by_length`")

    drawn = globally_drawn(student, measure)
    if drawn:
        raise Wrong(f"Measuring changes the global random numbers of {drawn[0]}.")


def _mean(losses: list[float]) -> float:
    return sum(losses) / len(losses)
