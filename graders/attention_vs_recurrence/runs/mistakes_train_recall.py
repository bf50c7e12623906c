"""Known mistakes in train_recall."""

from functools import partial

from autograder.bank import Mistake
from graders.families import recall

EXERCISE = "train_recall"
mistake = partial(Mistake, EXERCISE)

OPTIMIZER = "optimizer = torch.optim.Adam(model.parameters(), lr=0.01)"
LOSS = "loss = F.cross_entropy(model(tokens, query), answer)"
SEED = "seed * steps + step"
APPEND = "losses.append(loss.item())"
RETURN = "return losses"

MISTAKES = (
    mistake(
        "one-batch-for-all-steps",
        "Every step uses the same batch, which is learnt by heart.",
        "Which number decides the batch, and does it change from step to step?",
        change=((SEED, "seed"),),
    ),
    *(
        mistake(
            "batches-come-again",
            "Training comes back to a few batches again and again; each step should draw its own.",
            "How many different seeds does recall_batch get from you in 400 steps?",
            change=((SEED, f"seed * steps + step % {count}"),),
        )
        for count in (8, 2, 4, 50)
    ),
    recall.seed_ignored(EXERCISE, what="batches", change=((SEED, "step"),)),
    mistake(
        "no-step",
        "Training leaves the model's parameters as they are.",
        "Three calls make a step: one clears gradients, one computes them, one uses them. In which "
        "order do they stand in your code?",
        change=(("optimizer.step()", "pass"),),
    ),
    *(
        mistake(
            "gradients-not-cleared",
            "You do not clear the gradients from step to step: each goes by the sum of all so far.",
            "What does backward() do with gradients that are there already?",
            change=(("optimizer.zero_grad()", "pass"), *more),
        )
        for more in ((), ((OPTIMIZER, f"{OPTIMIZER}\n    optimizer.zero_grad()"),))
    ),
    mistake(
        "batches-by-chance",
        "The same seed gives other batches each time.",
        recall.SEED_HANDED_ON,
        change=((SEED, "int(torch.randint(10**6, ()))"),),
    ),
    recall.sizes_hard_coded(EXERCISE, change=(("model.num_keys, model.num_values", "16, 4"),)),
    mistake(
        "uphill",
        "You make the loss larger with every step.",
        "In which direction does an optimiser go by itself?",
        change=(("loss.backward()", "(-loss).backward()"),),
    ),
    mistake(
        "a-copy-is-trained",
        "You train a copy; the model that was handed to you stays as it is.",
        "Which object does the caller still hold when your function has returned?",
        change=((OPTIMIZER, f"import copy\n\n    model = copy.deepcopy(model)\n    {OPTIMIZER}"),),
    ),
    mistake(
        "begins-anew",
        "You reset the model before training, so that training never goes on.",
        "What should a second call find in the model?",
        change=(
            (
                OPTIMIZER,
                "for part in model.modules():\n"
                "        if hasattr(part, 'reset_parameters'):\n"
                f"            part.reset_parameters()\n    {OPTIMIZER}",
            ),
        ),
    ),
    mistake(
        "steps-too-small",
        "Your steps are so small that a few hundred of them change next to nothing.",
        "Which learning rate does the text give? Which optimiser?",
        change=((OPTIMIZER, "optimizer = torch.optim.SGD(model.parameters(), lr=0.001)"),),
    ),
    mistake(
        "steps-too-large",
        "Your steps are so large that the model jumps about and learns nothing.",
        "Which learning rate does the text give?",
        change=((OPTIMIZER, OPTIMIZER.replace("0.01", "3.0")),),
    ),
    mistake(
        "only-the-last-layer",
        "You train the last projection only.",
        "Which parameters do you hand to the optimiser?",
        change=((OPTIMIZER, OPTIMIZER.replace("model.parameters()", "model.w_o.parameters()")),),
    ),
    mistake(
        "pairs-fixed",
        "You train on a fixed number of pairs, whatever was asked for.",
        "Where does `pairs` stand in your code?",
        change=(("64, pairs, model", "64, 4, model"),),
    ),
    mistake(
        "queries-for-answers",
        "You train the model to give back the query's key; its value was wanted.",
        "What should the largest logit be: that of the key, or that of the value?",
        change=((LOSS, LOSS.replace("answer)", "query % model.num_values)")),),
    ),
    mistake(
        "softmax-before-the-loss",
        "Your logits go through softmax before cross-entropy, which takes softmax itself.",
        "What does F.cross_entropy want: logits, or what they become?",
        change=((LOSS, LOSS.replace("query), answer", "query).softmax(dim=-1), answer")),),
    ),
    mistake(
        "summed-loss",
        "You add the losses of a batch up; their mean was asked for.",
        "By which factor does your loss grow when the batch is twice as large?",
        change=((LOSS, LOSS.replace("answer)", 'answer, reduction="sum")')),),
    ),
    mistake(
        "running-mean",
        "You return averages over all steps so far; the loss of each step was promised.",
        "What does your last number still know of the first step?",
        change=((RETURN, "return [sum(losses[: n + 1]) / (n + 1) for n in range(len(losses))]"),),
    ),
    mistake(
        "tensors-for-losses",
        "Your losses are tensors, each of which still holds on to its whole computation.",
        recall.NUMBER_IN_A_TENSOR,
        change=((APPEND, "losses.append(loss)"),),
    ),
    mistake(
        "last-loss-only",
        "You return one number; the loss of every step was promised.",
        "How many numbers should come back after 200 steps?",
        change=((RETURN, "return losses[-1]"),),
    ),
    mistake(
        "nothing-returned",
        "You return nothing; the losses were promised.",
        "What stands behind the loop?",
        change=((RETURN, "return None"),),
    ),
    mistake(
        "a-step-too-many",
        "You take one step more than was asked for.",
        "How many numbers does range(steps + 1) have?",
        change=(("range(steps)", "range(steps + 1)"),),
    ),
    mistake(
        "model-returned-as-well",
        "You return the model as well; the losses alone were promised.",
        "The caller has the model already. What is missing there?",
        change=((RETURN, "return model, losses"),),
    ),
    recall.global_seed(EXERCISE, what="training", around=OPTIMIZER),
)
