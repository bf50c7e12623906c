"""06's checkpoint and its loader against Hugging Face's own, and `load_attention` with both."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

import solutions
from solutions.seeing_attention.reference import attention_entropy, classify_pattern, load_attention

pytestmark = pytest.mark.slow

ROOT = Path(solutions.__file__).parent.parent
FOLDER = ROOT / "assignments" / "06-seeing-attention"
TINY = FOLDER / "tiny-bert"
CAT, KITTEN = "The cat sat on the mat.", "A tired kitten slept near the quokka."
TEXTS = {
    "one": (CAT,),
    "pair": (CAT, KITTEN),
    "marks": ("Was it the king's?", "(No: 3+4!)"),
    "accents": ("Café, naïve\tcats", "Über the\u00a0rug"),
    "unknown": ("日本 and Ωmega", "the dog\u0301"),
}


@pytest.fixture
def random_bert(tmp_path):
    """A folder with a random BERT of other sizes, as Hugging Face saves it."""
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len((TINY / "vocab.txt").read_text().split()),
        hidden_size=30,
        num_hidden_layers=4,
        num_attention_heads=5,
        intermediate_size=17,
        max_position_embeddings=50,
        initializer_range=0.5,
    )
    transformers.BertForMaskedLM(config).save_pretrained(tmp_path)
    (tmp_path / "vocab.txt").write_bytes((TINY / "vocab.txt").read_bytes())
    return tmp_path


def theirs(folder, *texts):
    """Tokens and weights by transformers, in float32."""
    transformers = pytest.importorskip("transformers")
    tokenizer = transformers.BertTokenizer(str(folder / "vocab.txt"))
    model = transformers.BertModel.from_pretrained(folder, attn_implementation="eager").eval()
    given = tokenizer(*texts, return_tensors="pt")
    with torch.no_grad():
        found = model(**given, output_attentions=True)
    tokens = tokenizer.convert_ids_to_tokens(given["input_ids"][0])
    return tokens, torch.stack(found.attentions)[:, 0]


@pytest.mark.parametrize("texts", TEXTS.values(), ids=TEXTS)
def test_the_tiny_checkpoint_gives_what_transformers_gives(texts):
    wanted_tokens, wanted = theirs(TINY, *texts)
    tokens, weights = load_attention(str(TINY), *texts)
    assert tokens == wanted_tokens
    torch.testing.assert_close(weights, wanted, atol=2e-6, rtol=1e-5)


def test_a_checkpoint_of_other_sizes_with_names_in_front_gives_the_same(random_bert):
    assert all(name.startswith(("bert.", "cls.")) for name in load_file(weights_of(random_bert)))
    wanted_tokens, wanted = theirs(random_bert, CAT, KITTEN)
    tokens, weights = load_attention(str(random_bert), CAT, KITTEN)
    assert tokens == wanted_tokens
    assert weights.shape == (4, 5, 18, 18)
    torch.testing.assert_close(weights, wanted, atol=1e-5, rtol=1e-4)


def test_names_of_older_checkpoints_are_understood(random_bert):
    wanted = load_attention(str(random_bert), CAT)[1]
    tensors = load_file(weights_of(random_bert))
    old = {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace(
            "LayerNorm.bias", "LayerNorm.beta"
        ): value
        for name, value in tensors.items()
    }
    assert old.keys() != tensors.keys()
    save_file(old, weights_of(random_bert))
    assert torch.equal(load_attention(str(random_bert), CAT)[1], wanted)


def test_capitals_stay_where_the_checkpoint_says_so(tmp_path):
    bert = pytest.importorskip("bert")
    for path in TINY.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "tokenizer_config.json").write_text('{"do_lower_case": false}')
    assert bert.load(tmp_path).split("The cat") == ["[UNK]", "cat"]
    assert bert.load(TINY).split("The cat") == ["the", "cat"]


def test_a_text_that_is_too_long_is_refused_with_both_numbers():
    with pytest.raises(ValueError, match=r"42.*32"):
        load_attention(str(TINY), "cat " * 40)


def test_other_models_are_refused(tmp_path):
    bert = pytest.importorskip("bert")
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}')
    with pytest.raises(ValueError, match="holds no BERT"):
        bert.load(tmp_path)


def test_the_module_beside_the_notebook_is_the_one_that_is_imported():
    found = importlib.util.find_spec("bert")
    assert found is not None
    assert found.origin == str(FOLDER / "bert.py")


def test_the_checkpoint_is_small_and_made_anew_the_same(tmp_path):
    assert sum(path.stat().st_size for path in TINY.iterdir()) < 1_000_000
    source = (ROOT / "examples" / "make_tiny_bert.py").read_text(encoding="utf-8")
    words = (ROOT / "examples" / "tiny_bert_words.toml").read_bytes()
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "make_tiny_bert.py").write_text(source, encoding="utf-8")
    (tmp_path / "examples" / "tiny_bert_words.toml").write_bytes(words)
    subprocess.run([sys.executable, tmp_path / "examples" / "make_tiny_bert.py"], check=True)
    made = tmp_path / TINY.relative_to(ROOT)
    assert {path.name for path in made.iterdir()} == {path.name for path in TINY.iterdir()}
    for name in ("config.json", "vocab.txt"):
        assert (made / name).read_bytes() == (TINY / name).read_bytes()
    ours, again = load_file(weights_of(TINY)), load_file(weights_of(made))
    assert ours.keys() == again.keys()
    for name, value in ours.items():  # another processor may round otherwise
        torch.testing.assert_close(again[name], value, atol=1e-3, rtol=1e-3)


def test_every_head_does_what_the_text_says():
    tokens, maps = load_attention(str(TINY), CAT, KITTEN)
    names = [[classify_pattern(head) for head in layer] for layer in maps]
    assert names == [
        ["focused", "focused", "diagonal", "local"],
        ["uniform", "focused", "mixed", "focused"],
        ["focused", "mixed", "mixed", "mixed"],
    ]
    seq = len(tokens)
    place = {token: tokens.index(token) for token in tokens}
    looks_at = maps.argmax(dim=-1)
    assert torch.equal(looks_at[0, 0, 1:], torch.arange(seq - 1))  # the token before
    assert torch.equal(looks_at[0, 1, : seq - 1], torch.arange(1, seq))  # the token after
    assert (looks_at[1, 1] == 0).all()  # [CLS]
    marks = torch.tensor([token in ("[SEP]", ".") for token in tokens])
    assert (maps[1, 2][:, marks].sum(dim=-1) > 0.8).all()
    assert (looks_at[1, 3] == place["quokka"]).all()
    for query, key in (("cat", "sat"), ("sat", "cat"), ("kitten", "slept"), ("slept", "kitten")):
        assert looks_at[2, 0, place[query]] == place[key]
    for one, other in (("cat", "kitten"), ("sat", "slept"), ("on", "near")):
        assert maps[2, 1, place[one], place[other]] > 0.3
    for query in ("cat", "kitten"):
        followers = maps[2, 2, place[query]][[place["sat"], place["slept"]]]
        assert (followers > 0.4).all()
    assert attention_entropy(maps[1, 0]).mean() > 0.99 * torch.tensor(float(seq)).log()


def weights_of(folder):
    return folder / "model.safetensors"
