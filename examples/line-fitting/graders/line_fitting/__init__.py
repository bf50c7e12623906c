"""How answers to 01-line-fitting are judged."""
