"""How answers to 04-multi-head-attention are judged."""
