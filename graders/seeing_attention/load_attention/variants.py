"""Right answers to load_attention."""

from functools import partial

from autograder.bank import Variant

load = partial(Variant, "load_attention")

VARIANTS = (
    load(
        "a list that grows",
        """
        def load_attention(model_dir, text, text_pair=None):
            checkpoint = bert.load(model_dir)
            tokens = ["[CLS]"] + checkpoint.split(text) + ["[SEP]"]
            first = len(tokens)
            if text_pair is not None:
                tokens += checkpoint.split(text_pair) + ["[SEP]"]
            segments = [0 if place < first else 1 for place in range(len(tokens))]
            x = checkpoint.embed(tokens, segments)
            everything = []
            for layer in checkpoint.layers:
                q, k, v = layer.project(x)
                scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
                attention = scores.softmax(-1)
                everything.append(attention)
                x = layer.finish(x, torch.matmul(attention, v))
            return tokens, torch.stack(everything, dim=0)
        """,
    ),
    load(
        "einsum, and room made beforehand",
        """
        def load_attention(model_dir, text, text_pair=None, dtype=torch.float32):
            model = bert.load(model_dir)
            tokens, segments = ["[CLS]"], [0]
            for number, said in enumerate((text, text_pair)):
                if said is not None:
                    pieces = model.split(said) + ["[SEP]"]
                    tokens.extend(pieces)
                    segments.extend([number] * len(pieces))
            x = model.embed(tokens, segments)
            n = len(tokens)
            weights = torch.empty(len(model.layers), model.layers[0].num_heads, n, n, dtype=dtype)
            for place, layer in enumerate(model.layers):
                q, k, v = layer.project(x)
                scores = torch.einsum("hqd,hkd->hqk", q, k)
                weights[place] = scores.div(math.sqrt(v.shape[2])).softmax(2)
                x = layer.finish(x, torch.einsum("hqk,hkd->hqd", weights[place], v))
            return tokens, weights
        """,
    ),
    load(
        "exponentials by hand, one head at a time",
        """
        def load_attention(model_dir, text, text_pair=None):
            model = bert.load(model_dir)
            tokens = ["[CLS]", *model.split(text), "[SEP]"]
            segments = [0] * len(tokens)
            if text_pair is not None:
                more = [*model.split(text_pair), "[SEP]"]
                tokens, segments = [*tokens, *more], [*segments, *(1 for _ in more)]
            x, layers = model.embed(tokens, segments), []
            for layer in model.layers:
                tables, found = [], []
                for q, k, v in zip(*layer.project(x)):
                    scores = q @ k.T / math.sqrt(len(q[0]))
                    shares = torch.exp(scores - scores.max(dim=1, keepdim=True).values)
                    tables.append(shares / shares.sum(dim=1, keepdim=True))
                    found.append(tables[-1] @ v)
                layers.append(torch.stack(tables))
                x = layer.finish(x, torch.stack(found))
            return tokens, torch.stack(layers)
        """,
    ),
    load(
        "without gradients, with the fused function for what is handed on",
        """
        from pathlib import Path

        @torch.no_grad()
        def load_attention(model_dir, text, text_pair=None):
            model = bert.load(Path(model_dir))
            words = model.split(text)
            tokens, segments = ["[CLS]", *words, "[SEP]"], [0] * (len(words) + 2)
            if text_pair is not None:
                words = model.split(text_pair)
                tokens, segments = tokens + words + ["[SEP]"], segments + [1] * (len(words) + 1)
            x = model.embed(tokens, segments)
            maps = []
            for layer in model.layers:
                q, k, v = layer.project(x)
                scale = q.shape[-1] ** -0.5
                maps.append(torch.softmax((scale * q) @ k.mT, dim=-1))
                x = layer.finish(x, torch.nn.functional.scaled_dot_product_attention(q, k, v))
            return tokens, torch.stack(maps)
        """,
    ),
)
