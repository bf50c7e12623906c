def load_attention(model_dir, text, text_pair=None):
    model = bert.load(model_dir)
    tokens = ["[CLS]", *model.split(text), "[SEP]"]
    n_first = len(tokens)
    if text_pair is not None:
        tokens.extend([*model.split(text_pair), "[SEP]"])
    segments = [0] * n_first + [1] * (len(tokens) - n_first)
    x = model.embed(tokens, segments)
    weights = []
    for layer in model.layers:
        q, k, v = layer.project(x)
        w = (q @ k.mT).softmax(dim=-1)
        weights.append(w)
        x = layer.finish(x, w @ v)
    return tokens, torch.stack(weights)
