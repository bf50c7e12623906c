"""How answers to 06-seeing-attention are judged."""
