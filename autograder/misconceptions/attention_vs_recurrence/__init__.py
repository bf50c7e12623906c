"""Known mistakes in 07-attention-vs-recurrence."""

from autograder.misconceptions.attention_vs_recurrence import (
    attention_model,
    batches,
    costs,
    lstm_model,
    measuring,
    training,
)

MISTAKES = (
    *costs.MISTAKES,
    *batches.MISTAKES,
    *attention_model.MISTAKES,
    *lstm_model.MISTAKES,
    *training.MISTAKES,
    *measuring.MISTAKES,
)
