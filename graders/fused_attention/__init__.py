"""How answers to 05-fused-attention are judged."""
