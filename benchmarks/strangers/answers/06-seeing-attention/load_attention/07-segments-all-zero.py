def load_attention(model_dir, text, text_pair=None):
    model = bert.load(model_dir)
    tokens = ["[CLS]"] + model.split(text) + ["[SEP]"]
    if text_pair is not None:
        tokens += model.split(text_pair) + ["[SEP]"]
    x = model.embed(tokens, [0] * len(tokens))
    layers = []
    for layer in model.layers:
        q, k, v = layer.project(x)
        attn = F_softmax(q @ k.transpose(1, 2) / math.sqrt(q.size(-1)))
        layers.append(attn)
        x = layer.finish(x, attn @ v)
    return tokens, torch.stack(layers)


def F_softmax(t):
    return torch.nn.functional.softmax(t, dim=-1)
