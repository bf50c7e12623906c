"""Known mistakes in MultiHeadAttention that ordinary inputs do not show."""

from graders.families import corners, masks
from graders.multi_head_attention.multi_head_module.reference_parts import (
    FILL,
    IF_MASK,
    OUTPUT,
    RETURN,
)

EXERCISE = "MultiHeadAttention"

MISTAKES = (
    *(
        masks.fill_too_soft(
            EXERCISE,
            what="forbidden positions",
            change=((FILL, f"scores = scores + {number} * (~mask).to(scores)"),),
        )
        for number in ("-200.0", "-2e4")
    ),
    *(
        corners.axes_of_one_lost(
            EXERCISE,
            single=single,
            change=((RETURN, f"return {OUTPUT}, weights.squeeze({axis})"),),
        )
        for axis, single in ((1, "one head"), (0, "a batch of one text"))
    ),
    corners.last_mask_kept(
        EXERCISE,
        change=(
            (
                IF_MASK,
                'self.kept = mask = getattr(self, "kept", None) if mask is None else mask\n'
                f"        {IF_MASK}",
            ),
        ),
    ),
)
