def load_attention(model_dir, text, text_pair=None):
    model = bert.load(model_dir)
    tokens = ["[CLS]"] + model.split(text) + ["[SEP]"]
    segments = [0] * len(tokens)
    if text_pair is not None:
        pieces = model.split(text_pair) + ["[SEP]"]
        tokens.extend(pieces)
        segments.extend([1] * len(pieces))
    x = model.embed(tokens, segments)
    d = x.shape[-1]
    attn = []
    for layer in model.layers:
        q, k, v = layer.project(x)
        a = torch.softmax(torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(d), -1)
        attn.append(a)
        x = layer.finish(x, torch.matmul(a, v))
    return tokens, torch.stack(attn, dim=0)
