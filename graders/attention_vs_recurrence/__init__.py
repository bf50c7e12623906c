"""How answers to 07-attention-vs-recurrence are judged."""
