"""Right answers in 07-attention-vs-recurrence."""

from autograder.variants.attention_vs_recurrence import batches, costs, models, runs

VARIANTS = (*costs.VARIANTS, *batches.VARIANTS, *models.VARIANTS, *runs.VARIANTS)
