"""Known mistakes in the exercises of `runs`."""

from graders.attention_vs_recurrence.runs import mistakes_recall_by_length, mistakes_train_recall

MISTAKES = (
    *mistakes_recall_by_length.MISTAKES,
    *mistakes_train_recall.MISTAKES,
)
