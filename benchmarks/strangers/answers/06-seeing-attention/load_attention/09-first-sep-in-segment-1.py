def load_attention(model_dir, text, text_pair=None):
    model = bert.load(model_dir)
    a = ["[CLS]"] + model.split(text)
    if text_pair:
        b = ["[SEP]"] + model.split(text_pair) + ["[SEP]"]
        segments = [0] * len(a) + [1] * len(b)
    else:
        b = ["[SEP]"]
        segments = [0] * (len(a) + 1)
    tokens = a + b
    x = model.embed(tokens, segments)
    out = []
    for layer in model.layers:
        q, k, v = layer.project(x)
        w = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)
        x = layer.finish(x, w @ v)
        out.append(w)
    return tokens, torch.stack(out)
