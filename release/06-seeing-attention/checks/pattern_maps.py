"""Maps for classify_pattern: the examples of the text, and maps with a row unlike the others."""

PATTERNS = {
    "uniform": [[0.33, 0.33, 0.33]] * 3,
    "diagonal": [[0.9, 0.05, 0.05], [0.05, 0.9, 0.05], [0.05, 0.05, 0.9]],
    "focused": [[0.05, 0.90, 0.05], [0.10, 0.10, 0.80], [0.85, 0.10, 0.05]],
    "local": [[0.7, 0.2, 0.1, 0], [0.2, 0.5, 0.2, 0.1], [0.1, 0.2, 0.5, 0.2], [0, 0.1, 0.2, 0.7]],
    "mixed": [
        [0.5, 0.1, 0.1, 0.3],
        [0.1, 0.4, 0.1, 0.4],
        [0.5, 0.1, 0.3, 0.1],
        [0.1, 0.4, 0.1, 0.4],
    ],
}

# Maps in which one row is unlike the others, and what their means make of them.
_OTHER_ROW = [0.1, 0.3, 0.3, 0.3]
_SHARP = [[0.94, 0.02, 0.02, 0.02], [0.02, 0.94, 0.02, 0.02], [0.02, 0.02, 0.94, 0.02]]
ONE_LOW_ROW = [*_SHARP, _OTHER_ROW[::-1]], "focused"
ONE_LOWER_ROW = [*_SHARP, [0.05, 0.05, 0.4, 0.5]], "diagonal"
ONE_SHARP_ROW = [[0.25] * 4, [0.25] * 4, [0.25] * 4, [0.0, 0.0, 0.0, 1.0]], "mixed"
ONE_EVEN_ROW = (
    [[0.1, 0.05, 0.8, 0.05], [0.1, 0.05, 0.05, 0.8], [0.8, 0.1, 0.05, 0.05], [0.25] * 4],
    "mixed",
)
ONE_FAR_ROW = (
    [[0.5, 0.5, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0], [0.0, 0.5, 0.5, 0.0], [0.5, 0.5, 0.0, 0.0]],
    "mixed",
)

UNLIKE_THE_OTHERS = (ONE_LOW_ROW, ONE_LOWER_ROW, ONE_SHARP_ROW, ONE_EVEN_ROW, ONE_FAR_ROW)
