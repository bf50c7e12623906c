def load_attention(model_dir, text, text_pair=None):
    model = bert.load(model_dir)
    tokens = ["[CLS]"] + model.split(text) + ["[SEP]"]
    segments = [0] * len(tokens)
    if text_pair is not None:
        more = model.split(text_pair) + ["[SEP]"]
        segments += [1] * len(more)
        tokens += more
    n = len(tokens)
    mask = torch.triu(torch.ones(n, n, dtype=torch.bool), diagonal=1)
    x = model.embed(tokens, segments)
    maps = []
    for layer in model.layers:
        q, k, v = layer.project(x)
        scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(mask, float("-inf"))
        w = torch.softmax(scores, dim=-1)
        maps.append(w)
        x = layer.finish(x, w @ v)
    return tokens, torch.stack(maps)
