"""Open a BERT checkpoint: its settings, its words, its tensors, and the sums around attention.

A checkpoint is a folder with `config.json`, `vocab.txt` and `model.safetensors`, as Hugging Face
publishes them. This reads the small one beside the notebook and a BERT from the hub alike:

    tiny = bert.load("tiny-bert")
    tiny.split("The cat sat.")      # ["the", "cat", "sat", "."]
    tiny.embed(tokens, segments)    # x, the first layer's input: (seq, d_model)
    tiny.layers[0].project(x)       # q, k and v: (heads, seq, d_head) each
    tiny.layers[0].finish(x, found) # the next layer's x, from what the heads found: weights @ v

What stands between `project` and `finish` is attention, and is left to you.
Source: Devlin et al. 2019, "BERT: Pre-training of Deep Bidirectional Transformers".
"""

import json
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from jaxtyping import Float
from safetensors.torch import load_file
from torch import Tensor, tensor
from torch.nn import functional as F

LONGEST_WORD = 100  # characters; a longer one becomes [UNK]
ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {"gelu": F.gelu, "relu": F.relu}


@dataclass(frozen=True)
class Layer:
    """One layer of the encoder.

    Attributes:
        tensors: the layer's weights and biases by name, such as "attention.self.query.weight".
        num_heads: how many heads share the width.
        activation: "gelu" or "relu", between the two halves of the feed-forward part.
        epsilon: what layer normalisation adds to a variance.
    """

    tensors: Mapping[str, Tensor]
    num_heads: int
    activation: str
    epsilon: float

    def project(
        self, x: Float[Tensor, "seq d_model"]
    ) -> tuple[
        Float[Tensor, "heads seq d_head"],
        Float[Tensor, "heads seq d_head"],
        Float[Tensor, "heads seq d_head"],
    ]:
        """The queries, keys and values of every head."""
        q, k, v = (self._linear(f"attention.self.{role}", x) for role in ("query", "key", "value"))
        return self._split(q), self._split(k), self._split(v)

    def finish(
        self, x: Float[Tensor, "seq d_model"], found: Float[Tensor, "heads seq d_head"]
    ) -> Float[Tensor, "seq d_model"]:
        """Merge what the heads found, add the layer's input, and go through the feed-forward part.

        Args:
            x: the layer's input.
            found: for every head, its weights times its values.
        Returns:
            the layer's output, which is the next layer's input.
        """
        merged = found.transpose(0, 1).flatten(1)  # (seq, heads, d_head), then (seq, d_model)
        mixed = self._linear("attention.output.dense", merged)
        x = self._normalise("attention.output.LayerNorm", x + mixed)
        wide = ACTIVATIONS[self.activation](self._linear("intermediate.dense", x))
        return self._normalise("output.LayerNorm", x + self._linear("output.dense", wide))

    def _split(self, x: Float[Tensor, "seq d_model"]) -> Float[Tensor, "heads seq d_head"]:
        return x.unflatten(-1, (self.num_heads, -1)).transpose(0, 1)

    def _linear(self, name: str, x: Tensor) -> Tensor:
        return F.linear(x, self.tensors[f"{name}.weight"], self.tensors[f"{name}.bias"])

    def _normalise(self, name: str, x: Tensor) -> Tensor:
        weight, bias = self.tensors[f"{name}.weight"], self.tensors[f"{name}.bias"]
        return F.layer_norm(x, x.shape[-1:], weight, bias, self.epsilon)


@dataclass(frozen=True)
class Bert:
    """A checkpoint, opened.

    Attributes:
        layers: in the order in which they run.
        vocabulary: every word piece and its number.
        lower_case: whether capitals and accents are dropped before words are looked up.
        tensors: the embeddings' tables by name, such as "word_embeddings.weight".
        epsilon: what layer normalisation adds to a variance.
    """

    layers: tuple[Layer, ...]
    vocabulary: Mapping[str, int]
    lower_case: bool
    tensors: Mapping[str, Tensor]
    epsilon: float

    def split(self, text: str) -> list[str]:
        """Cut a text into word pieces; [CLS] and [SEP] are left to the caller.

        A piece that goes on with a word begins with ##; a word that cannot be put together from
        the vocabulary's pieces becomes [UNK].
        """
        words = words_of(text, self.lower_case)
        return [piece for word in words for piece in pieces_of(word, self.vocabulary)]

    def embed(self, tokens: list[str], segments: list[int]) -> Float[Tensor, "seq d_model"]:
        """The first layer's input: word, position and segment added up, then normalised.

        Args:
            tokens: word pieces, with [CLS] and [SEP].
            segments: for every token, 0 if it belongs to the first text and 1 if to the second.
        Raises:
            ValueError: as many segments as tokens are needed, and a position for every token.
        """
        seq, positions = len(tokens), self.tensors["position_embeddings.weight"]
        if len(segments) != seq:
            raise ValueError(f"{seq} tokens need as many segments, not {len(segments)}")
        if seq > len(positions):
            raise ValueError(f"{seq} tokens, but this model has positions for {len(positions)}")
        numbers = tensor([self.vocabulary[token] for token in tokens])
        words = self.tensors["word_embeddings.weight"][numbers]
        kinds = self.tensors["token_type_embeddings.weight"][tensor(segments)]
        weight, bias = self.tensors["LayerNorm.weight"], self.tensors["LayerNorm.bias"]
        x = words + positions[:seq] + kinds
        return F.layer_norm(x, x.shape[-1:], weight, bias, self.epsilon)


def load(model_dir: str | Path) -> Bert:
    """Open a checkpoint.

    Args:
        model_dir: the folder that holds `config.json`, `vocab.txt` and `model.safetensors`.
    Raises:
        FileNotFoundError: one of the three is not there.
        ValueError: the checkpoint is of another kind than this module can run.
    """
    folder = Path(model_dir)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    activation = config.get("hidden_act", "gelu")
    if config.get("model_type", "bert") != "bert" or activation not in ACTIVATIONS:
        raise ValueError(f"{folder} holds no BERT with one of {', '.join(ACTIVATIONS)}")
    lines = (folder / "vocab.txt").read_text(encoding="utf-8").rstrip("\n").split("\n")
    stored = load_file(folder / "model.safetensors")
    tensors = {_name(name): value.float() for name, value in stored.items()}
    epsilon = config.get("layer_norm_eps", 1e-12)
    layers = tuple(
        Layer(
            _below(f"encoder.layer.{number}.", tensors),
            config["num_attention_heads"],
            activation,
            epsilon,
        )
        for number in range(config["num_hidden_layers"])
    )
    vocabulary = {piece: number for number, piece in enumerate(lines)}
    return Bert(layers, vocabulary, _lower_case(folder), _below("embeddings.", tensors), epsilon)


def in_cache(name: str) -> Path | None:
    """The folder of a model that huggingface_hub has brought here; None if there is none.

    Args:
        name: the model's name on the hub, such as "google-bert/bert-base-uncased".
    """
    try:
        from huggingface_hub import try_to_load_from_cache
    except ImportError:
        return None
    files = ("config.json", "vocab.txt", "model.safetensors")
    found = [try_to_load_from_cache(name, file) for file in files]
    folders = [Path(path).parent for path in found if isinstance(path, str)]
    return folders[0] if len(folders) == len(files) else None


def words_of(text: str, lower_case: bool) -> list[str]:
    """Words and punctuation marks: spaces part words, and every mark stands by itself."""
    spaced = ""
    for character in text:
        kind = unicodedata.category(character)
        if character in "\t\n\r" or kind == "Zs":
            spaced += " "
        elif character == "\ufffd" or kind.startswith("C"):
            continue  # control characters are no text
        elif _is_mark(character, kind) or _is_ideograph(character):
            spaced += f" {character} "
        else:
            spaced += character
    if lower_case:
        apart = unicodedata.normalize("NFD", spaced.lower())  # é becomes e and an accent
        spaced = "".join(one for one in apart if unicodedata.category(one) != "Mn")
    return spaced.split()


def pieces_of(word: str, vocabulary: Mapping[str, int]) -> list[str]:
    """Cut a word into the vocabulary's pieces, always the longest that fits (WordPiece)."""
    if len(word) > LONGEST_WORD:
        return ["[UNK]"]
    pieces: list[str] = []
    start = 0
    while start < len(word):
        prefix = "##" if start else ""
        ends = range(len(word), start, -1)
        end = next((end for end in ends if prefix + word[start:end] in vocabulary), None)
        if end is None:
            return ["[UNK]"]
        pieces.append(prefix + word[start:end])
        start = end
    return pieces


def _is_mark(character: str, kind: str) -> bool:
    """Whether BERT sets a character apart: punctuation, and every sign of ASCII such as $ or +."""
    return kind.startswith("P") or (character.isascii() and not character.isalnum())


def _is_ideograph(character: str) -> bool:
    return unicodedata.name(character, "").startswith("CJK ")


def _name(stored: str) -> str:
    """A tensor's name in today's spelling: without `bert.`, and weight and bias for gamma, beta."""
    name = stored.removeprefix("bert.")
    return name.replace("LayerNorm.gamma", "LayerNorm.weight").replace(
        "LayerNorm.beta", "LayerNorm.bias"
    )


def _below(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {name[len(prefix) :]: t for name, t in tensors.items() if name.startswith(prefix)}


def _lower_case(folder: Path) -> bool:
    """Whether the checkpoint's words are in small letters, as they are unless it says otherwise."""
    settings = folder / "tokenizer_config.json"
    if not settings.is_file():
        return True
    said = json.loads(settings.read_text(encoding="utf-8"))
    return bool(said.get("do_lower_case", True))
