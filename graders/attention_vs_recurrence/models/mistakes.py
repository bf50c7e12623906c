"""Known mistakes in the exercises of `models`."""

from graders.attention_vs_recurrence.models import mistakes_attention_recall, mistakes_lstm_recall

MISTAKES = (
    *mistakes_attention_recall.MISTAKES,
    *mistakes_lstm_recall.MISTAKES,
)
