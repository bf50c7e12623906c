"""How answers are judged: hidden tests, probes, known mistakes, right answers.

None of it ever leaves this repository.
"""
