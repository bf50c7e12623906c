def load_attention(model_dir, text, text_pair=None):
    model = bert.load(model_dir)
    tokens = ["[CLS]"] + model.split(text) + ["[SEP]"]
    segments = [0] * len(tokens)
    if text_pair is not None:
        pair = model.split(text_pair) + ["[SEP]"]
        tokens += pair
        segments += [1] * len(pair)
    x = model.embed(tokens, segments)
    maps = []
    for layer in model.layers:
        q, k, v = layer.project(x)
        maps.append(torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1))
    return tokens, torch.stack(maps)
