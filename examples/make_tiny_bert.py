"""Makes assignments/06-seeing-attention/tiny-bert/: a small BERT whose twelve heads differ visibly.

Nothing is trained. The width of 64 is parted into features (where a token stands, what it is about,
its part of speech, whether it is rare, and room for what the token before it is about), and each
head's matrices pick the features that it compares. The folder has the form of a BERT from the hub.
The same seed gives the same files: `python examples/make_tiny_bert.py` takes a few seconds.
"""

import json
import math
import string
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

import torch
from safetensors.torch import save
from torch import Tensor

FOLDER = Path(__file__).parent.parent / "assignments" / "06-seeing-attention" / "tiny-bert"
WORDS = Path(__file__).with_name("tiny_bert_words.toml")
SEED = 6

LAYERS, HEADS, WIDTH, POSITIONS, HIDDEN = 3, 4, 64, 32, 64
D_HEAD = WIDTH // HEADS

# Which features lie where. With 16 numbers 32 positions get codes at right angles to each other.
POSITION, TOPIC, BEFORE = slice(0, 16), slice(16, 32), slice(32, 48)
SPEECH, RARE, FILLER = slice(48, 58), 58, slice(59, 64)
SPEECHES = (
    *("special", "delimiter", "determiner", "pronoun", "noun", "verb"),
    *("adjective", "preposition", "other", "piece"),
)
DELIMITER = SPEECH.start + SPEECHES.index("delimiter")
# Squared lengths: every token's vector has the same, so that layer normalisation changes little.
POSITION_SIZE, TOPIC_SIZE, SPEECH_SIZE, RARE_SIZE, WORD_SIZE = 20.0, 20.0, 9.0, 5.0, 42.0
NOISE = 0.03
UPS_AND_DOWNS = torch.tensor([1.0, -1.0, 1.0, -1.0, 0.0])  # of length 2, and with the mean 0

CONFIG = {
    "architectures": ["BertModel"],
    "model_type": "bert",
    "vocab_size": 0,
    "hidden_size": WIDTH,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": HEADS,
    "intermediate_size": HIDDEN,
    "hidden_act": "gelu",
    "hidden_dropout_prob": 0.1,
    "attention_probs_dropout_prob": 0.1,
    "max_position_embeddings": POSITIONS,
    "type_vocab_size": 2,
    "initializer_range": 0.02,
    "layer_norm_eps": 1e-12,
    "pad_token_id": 0,
}


@dataclass(frozen=True)
class Word:
    """One entry of the vocabulary.

    Attributes:
        text: the word piece.
        speech: its part of speech.
        topic: what it is about; words of one topic match.
    """

    text: str
    speech: str
    topic: str


@dataclass
class Head:
    """One head's matrices, `(d_head, width)` as in nn.Linear; zero until a feature is picked.

    Attributes:
        query: what the head asks of a token.
        bias: what it asks whatever the token.
        key: by what it finds a token.
        value: what it hands over.
        output: `(width, d_head)`, where it writes what it found.
    """

    query: Tensor = field(default_factory=lambda: torch.zeros(D_HEAD, WIDTH))
    bias: Tensor = field(default_factory=lambda: torch.zeros(D_HEAD))
    key: Tensor = field(default_factory=lambda: torch.zeros(D_HEAD, WIDTH))
    value: Tensor = field(default_factory=lambda: NOISE * torch.randn(D_HEAD, WIDTH))
    output: Tensor = field(default_factory=lambda: NOISE * torch.randn(WIDTH, D_HEAD))


def main() -> None:
    """Write the three files."""
    torch.manual_seed(SEED)
    vocabulary = read_words()
    tensors = embeddings(vocabulary)
    for number, layer in enumerate(layers()):
        tensors |= layer_tensors(f"encoder.layer.{number}.", layer)
    tensors["pooler.dense.weight"] = NOISE * torch.randn(WIDTH, WIDTH)
    tensors["pooler.dense.bias"] = torch.zeros(WIDTH)
    FOLDER.mkdir(parents=True, exist_ok=True)
    config = CONFIG | {"vocab_size": len(vocabulary)}
    (FOLDER / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    pieces = "".join(f"{word.text}\n" for word in vocabulary)
    (FOLDER / "vocab.txt").write_text(pieces, encoding="utf-8")
    contiguous = {name: value.contiguous() for name, value in sorted(tensors.items())}
    (FOLDER / "model.safetensors").write_bytes(save(contiguous, metadata={"format": "pt"}))
    size = sum(path.stat().st_size for path in FOLDER.iterdir())
    print(f"{FOLDER.name}: {len(vocabulary)} word pieces, {size / 1024:.0f} KiB")


def read_words() -> list[Word]:
    """The vocabulary: the listed words, then letters and digits to spell any other."""
    listed = tomllib.loads(WORDS.read_text(encoding="utf-8"))
    words = [
        Word(text, speech, f"{speech} {topic}")
        for speech, topics in listed.items()
        for topic, line in topics.items()
        for text in line.split()
    ]
    known = {word.text for word in words}
    letters = string.ascii_lowercase + string.digits
    spelled = [*letters, *(f"##{letter}" for letter in letters)]
    return words + [Word(text, "piece", "piece") for text in spelled if text not in known]


def embeddings(vocabulary: list[Word]) -> dict[str, Tensor]:
    """The tables of words, positions and segments."""
    topics = sorted({word.topic for word in vocabulary})
    codes = dict(zip(topics, spread_out(len(topics)), strict=True))
    words = NOISE * torch.randn(len(vocabulary), WIDTH)
    for row, word in zip(words, vocabulary, strict=True):
        row[TOPIC] += math.sqrt(TOPIC_SIZE) * codes[word.topic]
        row[SPEECH][SPEECHES.index(word.speech)] += math.sqrt(SPEECH_SIZE)
        if word.topic.endswith(" rare") or word.speech == "piece":
            row[RARE] += math.sqrt(RARE_SIZE)
        row[FILLER] -= row.sum() / 5  # layer normalisation takes the mean away: let it be 0
        missing = max(WORD_SIZE - float(row.square().sum()), 0.0)
        row[FILLER] += math.sqrt(missing / 4) * UPS_AND_DOWNS
    positions = torch.zeros(POSITIONS, WIDTH)
    positions[:, POSITION] = math.sqrt(POSITION_SIZE / 8) * waves(torch.arange(POSITIONS))
    positions[:, FILLER] = -positions.sum(dim=-1, keepdim=True) / 5
    segments = torch.zeros(2, WIDTH)
    segments[1, FILLER] = 2.0 * UPS_AND_DOWNS.roll(1)
    return {
        "embeddings.word_embeddings.weight": words,
        "embeddings.position_embeddings.weight": positions,
        "embeddings.token_type_embeddings.weight": segments,
        "embeddings.LayerNorm.weight": torch.ones(WIDTH),
        "embeddings.LayerNorm.bias": torch.zeros(WIDTH),
    }


def spread_out(count: int) -> Tensor:
    """Directions in 16 dimensions that keep away from each other, one a row."""
    codes = torch.randn(count, 16, requires_grad=True)
    optimiser = torch.optim.Adam([codes], lr=0.05)
    for _ in range(400):
        unit = unit_rows(codes)
        likeness = unit @ unit.T - 2 * torch.eye(count)
        optimiser.zero_grad()
        torch.logsumexp(12 * likeness.flatten(), dim=0).backward()
        optimiser.step()
    return unit_rows(codes.detach())


def unit_rows(codes: Tensor) -> Tensor:
    """Every row with the mean 0 and the length 1."""
    return torch.nn.functional.normalize(codes - codes.mean(dim=-1, keepdim=True), dim=-1)


def frequencies() -> Tensor:
    """Eight waves; any two of 16 neighbouring positions have codes at a right angle."""
    return math.pi * (2 * torch.arange(8) + 1) / 16


def waves(positions: Tensor) -> Tensor:
    """Cosine and sine of every wave, eight pairs a position."""
    angles = positions[..., None] * frequencies()
    return torch.stack([angles.cos(), angles.sin()], dim=-1).flatten(-2)


def steps(distance: float) -> Tensor:
    """The matrix that turns the code of position i into that of i + distance."""
    turns = torch.zeros(16, 16)
    for pair, angle in enumerate((distance * frequencies()).tolist()):
        cos, sin = math.cos(angle), math.sin(angle)
        both = slice(2 * pair, 2 * pair + 2)
        turns[both, both] = torch.tensor([[cos, -sin], [sin, cos]])
    return turns


def layers() -> list[tuple[Head, ...]]:
    """The heads of the three layers. A number is the score of what is looked for."""
    previous = at_distance(-1, score=8.0, otherwise_first=3.0)
    previous.value = torch.zeros(D_HEAD, WIDTH)
    previous.value[:, TOPIC] = torch.eye(16)  # hands over what its token is about,
    previous.output = torch.zeros(WIDTH, D_HEAD)
    previous.output[BEFORE] = torch.eye(16)  # for the last layer to read
    following = at_distance(1, score=8.0, otherwise_first=3.0)
    return [
        (previous, following, at_distance(0, score=7.0), at_distance(-1, 0, 1, score=4.5)),
        (Head(), first(score=7.0), tokens_with(DELIMITER, score=7.0), tokens_with(RARE, score=9.5)),
        (grammar(), matching(TOPIC, 9.0), matching(BEFORE, 11.0), anything(score=1.5)),
    ]


def at_distance(*distances: int, score: float, otherwise_first: float = 0.0) -> Head:
    """Looks at tokens so many places further on, or at the first where there are none."""
    head = Head()
    unit = math.sqrt(D_HEAD) / POSITION_SIZE
    head.query[:, POSITION] = score * unit * sum(steps(distance) for distance in distances)
    head.key[:, POSITION] = torch.eye(16)
    head.bias += otherwise_first * unit * first_position()
    return head


def first_position() -> Tensor:
    """The first position's code, as long as it is in a token's vector."""
    return math.sqrt(POSITION_SIZE / 8) * waves(torch.tensor(0))


def first(score: float) -> Head:
    """Looks at the first token, whoever asks."""
    head = Head()
    head.key[:, POSITION] = torch.eye(16)
    head.bias += score * math.sqrt(D_HEAD) / POSITION_SIZE * first_position()
    return head


def tokens_with(feature: int, score: float) -> Head:
    """Looks at all tokens that have a feature, whoever asks."""
    head = Head()
    head.key[0, feature] = 1.0
    head.bias[0] = score * math.sqrt(D_HEAD / SPEECH_SIZE)
    return head


def matching(place: slice, score: float) -> Head:
    """Looks at tokens where a place holds the asking token's own topic."""
    head = Head()
    head.query[:, TOPIC] = score * math.sqrt(D_HEAD) / TOPIC_SIZE * torch.eye(16)
    head.key[:, place] = torch.eye(16)
    return head


def grammar() -> Head:
    """Determiners, adjectives, prepositions and verbs look at a near noun, a noun at its verb."""
    head = Head()
    asks = {
        "noun": ("determiner", "adjective", "preposition", "verb"),
        "verb": ("noun", "pronoun"),
        "special": ("special", "delimiter", "other", "piece"),
    }
    for row, wanted in enumerate(SPEECHES):
        head.key[row, SPEECH.start + row] = 1.0
        for speech in asks.get(wanted, ()):
            strength = 13.0 * math.sqrt(D_HEAD) / SPEECH_SIZE
            head.query[row, SPEECH.start + SPEECHES.index(speech)] = strength
    # The three slowest waves say how near a token is; what follows counts as a little nearer.
    near = 3.5 * math.sqrt(D_HEAD) / (POSITION_SIZE / 8) * steps(0.4)
    head.query[10:, POSITION] = near[:6]
    head.key[10:, POSITION] = torch.eye(16)[:6]
    return head


def anything(score: float) -> Head:
    """Looks at nothing in particular: random matrices, as in a model that was never trained."""
    head = Head()
    head.query, head.key = math.sqrt(score / WIDTH) * torch.randn(2, D_HEAD, WIDTH)
    return head


def layer_tensors(prefix: str, heads: tuple[Head, ...]) -> dict[str, Tensor]:
    """One layer in BERT's names: the heads side by side, then the feed-forward part."""
    attention = {
        "self.query.weight": torch.cat([head.query for head in heads]),
        "self.query.bias": torch.cat([head.bias for head in heads]),
        "self.key.weight": torch.cat([head.key for head in heads]),
        "self.key.bias": torch.zeros(WIDTH),
        "self.value.weight": torch.cat([head.value for head in heads]),
        "self.value.bias": torch.zeros(WIDTH),
        "output.dense.weight": torch.cat([head.output for head in heads], dim=1),
        "output.dense.bias": torch.zeros(WIDTH),
        "output.LayerNorm.weight": torch.ones(WIDTH),
        "output.LayerNorm.bias": torch.zeros(WIDTH),
    }
    tensors = {f"{prefix}attention.{name}": value for name, value in attention.items()}
    return tensors | {
        f"{prefix}intermediate.dense.weight": NOISE * torch.randn(HIDDEN, WIDTH),
        f"{prefix}intermediate.dense.bias": torch.zeros(HIDDEN),
        f"{prefix}output.dense.weight": NOISE * torch.randn(WIDTH, HIDDEN),
        f"{prefix}output.dense.bias": torch.zeros(WIDTH),
        f"{prefix}output.LayerNorm.weight": torch.ones(WIDTH),
        f"{prefix}output.LayerNorm.bias": torch.zeros(WIDTH),
    }


if __name__ == "__main__":
    main()
