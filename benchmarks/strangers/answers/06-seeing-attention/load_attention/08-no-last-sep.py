def load_attention(model_dir, text, text_pair=None):
    model = bert.load(model_dir)
    tokens = ["[CLS]"] + model.split(text) + ["[SEP]"]
    segments = [0] * len(tokens)
    if text_pair is not None:
        pair = model.split(text_pair)
        tokens += pair
        segments += [1] * len(pair)
    longest = len(model.tensors["position_embeddings.weight"])
    tokens, segments = tokens[:longest], segments[:longest]
    x = model.embed(tokens, segments)
    maps = []
    for layer in model.layers:
        q, k, v = layer.project(x)
        w = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1)
        maps.append(w)
        x = layer.finish(x, w @ v)
    return tokens, torch.stack(maps)
