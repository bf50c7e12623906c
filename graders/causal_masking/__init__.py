"""How answers to 03-causal-masking are judged."""
