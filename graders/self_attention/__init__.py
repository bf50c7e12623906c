"""How answers to 02-self-attention are judged."""
