"""Families of mistakes over dtypes, and over numbers too large for them."""

from autograder.bank import Family

LOWEST_FLOAT16 = "What is the lowest number of torch.finfo(torch.float16)?"

float32_always = Family(
    "float32-always",
    "You return float32 whatever goes in.",
    "Compare {given}.dtype with the dtype of your {name}. Where does it change?",
    made="{}.float()",
    usual={"given": "x", "name": "output"},
)

double_precision_lost = Family(
    "double-precision-lost",
    "In float64, you return float32.",
    "Compare {given}.dtype with the dtype of your {name}, for float64 too. Where does it change?",
    usual={"given": "q", "name": "output"},
)

made_for_float32 = Family(
    "made-for-float32",
    "You turn the input into float32 first, which a module in half precision cannot take.",
    "Who chooses the dtype of a module, and who the dtype of its input?",
)

mask_in_single_precision = Family(
    "mask-in-single-precision",
    "You turn the mask into float32 numbers, which turn scores in half precision into float32.",
    "Which dtype has {maker} when nobody says which? And which one have your scores?",
    usual={"maker": "torch.zeros"},
)

tensor_in_single_precision = Family(
    "mask-in-single-precision",
    "Given a mask, you make a tensor in float32, which turns scores in half precision into it.",
    "Which dtype has torch.zeros when nobody says which? And which one have your scores?",
)

fill_too_large_for_float16 = Family(
    "fill-too-large-for-float16",
    "You fill forbidden scores with a number that float16 cannot hold.",
    LOWEST_FLOAT16,
)

fill_too_large_for_half_precision = Family(
    "fill-too-large-for-half-precision",
    "You fill in a number that float16 does not have.",
    "What is the largest number in float16? Is there a fill that every dtype has?",
)

minus_1e9_added = Family(
    "minus-1e9-added",
    "You add -1e9 to forbidden scores, and a score that is large enough climbs out again.",
    "What is 1e30 - 1e9 in float32? Which operation does not care what the score was?",
)

output_cut_off = Family(
    "output-cut-off",
    "You cut off what is large: your output does not grow with its values.",
    "How large may an output be whose values are large? What does `clamp` do to one?",
    made="{}.clamp(-30, 30)",
)
