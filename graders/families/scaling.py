"""Families of mistakes over what scores are divided by."""

from autograder.bank import Family

FIXED_NUMBER = "You divide by a fixed number, which fits one width only."
TERMS_OF_A_PRODUCT = "How many products does one dot product of a query and a key add up?"
WHEN_WIDER = "How does the spread of a dot product change when the vectors get wider?"

no_scale = Family(
    "no-scale", "Your scores are plain dot products: the division is missing.", WHEN_WIDER
)

scale_without_root = Family(
    "scale-without-root",
    "You divide by {width} itself, not by its square root.",
    "A sum of {width} random terms: is it its variance or its spread that grows like {width}?",
    usual={"width": "d_k"},
)

scale_without_root_of_a_head = Family(
    "scale-without-root",
    "You divide by the width of a head, or twice by its root; once by its root is right.",
    "A sum of d_head random terms: is it its variance or its spread that grows like d_head?",
)

constant_scale_of_heads = Family(
    "constant-scale",
    FIXED_NUMBER,
    "The books divide by 8 because their heads are 64 wide. How wide are yours?",
)

constant_scale = Family(
    "constant-scale", FIXED_NUMBER, "The books divide by 8 because their d_k is 64. What is yours?"
)

multiplied_by_root = Family(
    "multiplied-by-root",
    "You multiply by the square root of {width}, where the scores should be divided by it.",
    "Should wide vectors end up with larger scores or with the same spread as narrow ones?",
    usual={"width": "d_k"},
)

root_cut_to_a_whole_number = Family(
    "root-cut-to-a-whole-number",
    "You cut the square root off to a whole number, so that the scores are divided by too little.",
    "What is the square root of 6? What is left of it in your code?",
    made="int({})",
)

scale_made_on_the_cpu = Family(
    "scale-made-on-the-cpu",
    "Your scale is a tensor made on the CPU, so that your code fails on other devices.",
    "Does the scale have to be a tensor? Where does torch make one when nobody says?",
    made="torch.sqrt(torch.Tensor([{}]))",
)

scale_by_second_axis = Family(
    "scale-by-second-axis",
    "Your scale is taken from the second axis, which holds d_k only when there is no batch.",
    "Print k.shape for a batch. Which place does d_k have, counted from the end?",
)

scale_by_d_model = Family(
    "scale-by-d-model",
    "You divide by the square root of d_model, which is the width of all heads together.",
    "How wide are the two vectors whose dot product is one score?",
)

scale_by_length = Family(
    "scale-by-length",
    "You divide by the root of the number of tokens; it should be of {width}.",
    TERMS_OF_A_PRODUCT,
    usual={"width": "the keys' width"},
)

scale_by_width_of_values = Family(
    "scale-by-width-of-values",
    "You divide by the root of the values' width; scores are made of queries and keys.",
    TERMS_OF_A_PRODUCT,
)

scale_by_number_of_keys = Family(
    "scale-by-number-of-keys",
    "Your scale depends on how many keys there are; it should depend on how wide they are.",
    "Which axis of k counts the keys, and which one holds one key's features?",
)

scale_by_number_of_queries = Family(
    "scale-by-number-of-queries",
    "Your scale depends on how many queries there are; it should depend on how wide they are.",
    "Which axis of q counts the queries, and which one holds one query's features?",
)

scale_by_number_of_heads = Family(
    "scale-by-number-of-heads",
    "You divide by the square root of the number of heads; it should be of their width.",
    TERMS_OF_A_PRODUCT,
)
