"""One question of each kind, as an instructor writes them."""

CHOICE = """
[[question]]
name = "q1"
text = "Which?"
key = "A"
[question.options.A]
text = "this"
why = "It is this one."
[question.options.B]
text = "that"
why = "It is not that one."
misconception = "that-for-this"
"""

CHOICES = """
[[question]]
name = "q2"
kind = "choices"
text = "Which of them?"
key = ["C", "A"]
[question.options.A]
text = "this"
why = "This is one of them."
misconception = "this-left-out"
[question.options.B]
text = "that"
why = "That is none of them."
misconception = "that-taken"
[question.options.C]
text = "those"
why = "Those are some of them."
misconception = "those-left-out"
"""

NUMBER = """
[[question]]
name = "k1"
kind = "number"
text = "How large is the root?"
key = "sqrt(512)"
tolerance = 0.05
unit = "MB"
why = "Take the root of the width."
[[question.wrong]]
value = 512
why = "This is the width itself."
misconception = "root-left-out"
"""

SHAPE = """
[[question]]
name = "k2"
kind = "shape"
text = "With {heads} heads and {queries} queries, which shape?"
key = "(heads, queries, 4 * queries)"
why = "Heads come first."
[question.personal]
heads = {choices = [2, 3, 6]}
queries = {low = 7, high = 9}
[[question.wrong]]
value = "(queries, heads, 4 * queries)"
why = "Here the queries come first."
misconception = "heads-second"
"""

QUIZ = CHOICE + CHOICES + NUMBER + SHAPE
