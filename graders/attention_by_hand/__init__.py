"""How answers to 01-attention-by-hand are judged."""
