"""Known mistakes in recall_by_length."""

from functools import partial

from autograder.bank import Mistake
from graders.families import recall

EXERCISE = "recall_by_length"
mistake = partial(Mistake, EXERCISE)

KNOWS_ALL = "What should come back for a model that knows everything?"

RIGHT = "right = model(tokens, query).argmax(dim=-1) == answer"
APPEND = "accuracies[name].append(right.float().mean().item())"
SEED = "model.num_values, seed"
RETURN = "return accuracies"

MISTAKES = (
    mistake(
        "wrong-answers-counted",
        "You measure the share of wrong answers.",
        KNOWS_ALL,
        change=((RIGHT, RIGHT.replace("==", "!=")),),
    ),
    mistake(
        "mean-belief",
        "You average how strongly the model believes in the answer; count who is right.",
        "A model gives the right value 0.4 and all others less. Is its answer right?",
        change=(
            (RIGHT, "logits = model(tokens, query)"),
            (
                APPEND,
                "accuracies[name].append("
                "logits.softmax(-1).gather(1, answer[:, None]).mean().item())",
            ),
        ),
    ),
    mistake(
        "divisor-hard-coded",
        "You divide by another number than that of the sequences.",
        "Which share do you tell of a model that answers all of its sequences rightly?",
        change=((APPEND, "accuracies[name].append(right.float().sum().item() / 1024)"),),
    ),
    mistake(
        "number-of-right-answers",
        "You count right answers; their share was promised.",
        KNOWS_ALL,
        change=((APPEND, "accuracies[name].append(right.float().sum().item())"),),
    ),
    mistake(
        "per-cent",
        "You give per cent; shares from 0 to 1 were promised.",
        KNOWS_ALL,
        change=((APPEND, "accuracies[name].append(100 * right.float().mean().item())"),),
    ),
    mistake(
        "compared-with-the-query",
        "You compare the model's answers with the query; the answer is something else.",
        "Which three things does recall_batch return, and in which order?",
        change=((RIGHT, RIGHT.replace("== answer", "== query")),),
    ),
    mistake(
        "smallest-logit",
        "You take the value with the smallest logit for the model's answer.",
        "Which logit belongs to what the model believes in most?",
        change=((RIGHT, RIGHT.replace("argmax", "argmin")),),
    ),
    mistake(
        "argmax-over-the-batch",
        "You look for the largest logit over the batch; it should be over the values.",
        "How many answers does a batch of 1,000 have? Which axis lists the values?",
        change=((RIGHT, RIGHT.replace("dim=-1", "dim=0")),),
    ),
    mistake(
        "pairs-fixed",
        "You ask with the same number of pairs every time.",
        "Where does the number of pairs stand in your code?",
        change=(("1000, pairs, model", "1000, pair_counts[0], model"),),
    ),
    recall.sizes_hard_coded(EXERCISE, change=(("model.num_keys, model.num_values", "16, 4"),)),
    mistake(
        "too-few-sequences",
        "Your shares come from fewer than 1,000 sequences, and owe much to luck.",
        "By how much does the share change from seed to seed? By how much with more sequences?",
        change=(("1000, pairs, model", "200, pairs, model"),),
    ),
    mistake(
        "last-length-only",
        "You return one share for each model: that of the last number of pairs.",
        "Does your list grow, or is it made anew?",
        change=((APPEND, "accuracies[name] = [right.float().mean().item()]"),),
    ),
    mistake(
        "one-mean-for-all-lengths",
        "You return one share over all numbers of pairs.",
        "What would a picture show of it, with the number of pairs along its axis?",
        change=((RETURN, "return {n: sum(a) / max(len(a), 1) for n, a in accuracies.items()}"),),
    ),
    mistake(
        "by-length-first",
        "You return a dictionary by number of pairs; the names of the models were promised.",
        "What stands before the colon in what you return?",
        change=(
            (
                RETURN,
                "return {count: {name: accuracies[name][i] for name in models} "
                "for i, count in enumerate(pair_counts)}",
            ),
        ),
    ),
    mistake(
        "dictionary-for-a-list",
        "Under each name you return a dictionary; a list was promised.",
        "In which order do the shares of a list stand?",
        change=(
            (
                RETURN,
                "return {n: dict(zip(pair_counts, a)) for n, a in accuracies.items()}",
            ),
        ),
    ),
    mistake(
        "tensors-for-shares",
        "Your shares are tensors; floats were promised.",
        recall.NUMBER_IN_A_TENSOR,
        change=((APPEND, "accuracies[name].append(right.float().mean())"),),
    ),
    mistake(
        "one-model-for-all",
        "You measure the same model under every name.",
        "Which model does the inner loop ask?",
        change=((RIGHT, RIGHT.replace("model(tokens", "next(iter(models.values()))(tokens")),),
    ),
    mistake(
        "trained-while-measured",
        "You train the models while you measure them.",
        "What should a model that is measured twice get the second time?",
        change=(
            (
                "for pairs in pair_counts:",
                "with torch.enable_grad():\n                train_recall(model, 1, 1, seed)\n"
                "            for pairs in pair_counts:",
            ),
        ),
    ),
    mistake(
        "frozen-while-measured",
        "After being measured, your models cannot learn any more.",
        "Where do gradients have to be off: in the model for ever, or while you ask?",
        change=(
            (
                "with torch.no_grad():",
                "for model in models.values():\n        model.requires_grad_(False)\n"
                "    with torch.no_grad():",
            ),
        ),
    ),
    recall.seed_ignored(EXERCISE, what="questions", change=((SEED, "model.num_values, 0"),)),
    mistake(
        "questions-of-their-own",
        "Every model gets other questions, so that luck is compared as well.",
        "What has to be the same for two models, so that only the models differ?",
        change=((SEED, "model.num_values, seed + sum(map(ord, name))"),),
    ),
    mistake(
        "questions-by-chance",
        "The same seed gives other questions each time.",
        recall.SEED_HANDED_ON,
        change=((SEED, "model.num_values, int(torch.randint(10**6, ()))"),),
    ),
    recall.global_seed(EXERCISE, what="measuring", around="with torch.no_grad():"),
)
