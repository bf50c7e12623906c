def load_attention(model_dir, text, text_pair=None):
    model = bert.load(model_dir)
    tokens = ["[CLS]"] + model.split(text) + ["[SEP]"]
    segments = [0] * len(tokens)
    if text_pair is not None:
        second = model.split(text_pair) + ["[SEP]"]
        tokens = tokens + second
        segments = segments + [1] * len(second)
    x = model.embed(tokens, segments)
    maps = []
    for layer in model.layers:
        q, k, v = layer.project(x)
        weights = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1)
        maps.append(weights)
        x = layer.finish(x, weights @ v)
    return tokens, torch.stack(maps)
