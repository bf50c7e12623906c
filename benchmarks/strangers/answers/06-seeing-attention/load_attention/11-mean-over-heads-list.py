def load_attention(model_dir, text, text_pair=None):
    model = bert.load(model_dir)
    tokens = ["[CLS]"] + model.split(text) + ["[SEP]"]
    segments = [0] * len(tokens)
    if text_pair is not None:
        t2 = model.split(text_pair) + ["[SEP]"]
        tokens, segments = tokens + t2, segments + [1] * len(t2)
    x = model.embed(tokens, segments)
    maps = []
    for layer in model.layers:
        q, k, v = layer.project(x)
        w = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1)
        maps.append(w.mean(dim=0))
        x = layer.finish(x, w @ v)
    return tokens, maps
