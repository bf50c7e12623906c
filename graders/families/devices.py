"""Families of mistakes over devices, and over ways that leave PyTorch."""

from autograder.bank import Family

NOBODY_SAYS_SO = "Where does torch.zeros put its tensor, and with which dtype, when nobody says so?"
WHERE_THE_MASK_IS = "On which device is x, and on which one does the mask have to be?"
MASK_MOVED = "You move the mask to the CPU, so that your module fails on other devices."
NOBODY_SAYS_WHERE = "Where does torch.zeros make a tensor when nobody says where?"
MADE = "You make {what} on the CPU, wherever `{given}` is."
WHERE_MADE = "On which device is `{given}`, and on which one is the tensor that you make?"
LEAVES_PYTORCH = "Everything you need is a tensor operation. Which step leaves PyTorch?"

through_the_cpu = Family(
    "through-the-cpu",
    "You take {result} through the CPU, or through a tensor that was made there.",
    NOBODY_SAYS_WHERE,
    usual={"result": "your numbers"},
)

made_on_the_cpu = Family("made-on-the-cpu", MADE, WHERE_MADE)

tensor_made_on_the_cpu = Family("through-the-cpu", MADE, WHERE_MADE)

mask_made_on_the_cpu = Family(
    "mask-made-on-the-cpu", MADE, WHERE_MADE, usual={"what": "a tensor, such as your mask,"}
)

filled_on_the_cpu = Family(
    "made-on-the-cpu",
    "You make {what} on the CPU in float32, whatever `{given}` is.",
    NOBODY_SAYS_SO,
)

through_numpy = Family(
    "through-numpy",
    "You take {result} through NumPy, which knows no gradients, no bfloat16 and no GPU.",
    LEAVES_PYTORCH,
    usual={"result": "your numbers"},
)

through_lists = Family(
    "through-lists",
    "You take {result} through lists or arrays of numbers, which know no gradient and no device.",
    LEAVES_PYTORCH,
)

mask_through_numpy = Family(
    "through-numpy",
    "You take your {result} through NumPy, which knows no GPU.",
    LEAVES_PYTORCH,
    usual={"result": "mask"},
)

default_device_ignored = Family(
    "default-device-ignored",
    "You make your mask on the CPU, whatever torch's default device is.",
    "Where does torch make a tensor when nobody says where? Which word of yours says more?",
)

made_for_one_device = Family(
    "made-for-one-device",
    "You send tensors to the GPU by name, so that your module fails without one.",
    "The input is on some device already. Why move it?",
)
