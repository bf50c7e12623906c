def _run(layers, x):
    if not layers:
        return []
    layer, rest = layers[0], layers[1:]
    q, k, v = layer.project(x)
    tables, found = [], []
    for head in range(len(q)):
        s = torch.mm(q[head], k[head].t()) / math.sqrt(k[head].shape[1])
        e = torch.exp(s - s.max(dim=1, keepdim=True).values)
        w = e / e.sum(dim=1, keepdim=True)
        tables.append(w)
        found.append(w @ v[head])
    return [torch.stack(tables)] + _run(rest, layer.finish(x, torch.stack(found)))


def load_attention(model_dir, text, text_pair=None):
    model = bert.load(model_dir)
    first = ["[CLS]"] + model.split(text) + ["[SEP]"]
    second = [] if text_pair is None else model.split(text_pair) + ["[SEP]"]
    x = model.embed(first + second, [0 for _ in first] + [1 for _ in second])
    return first + second, torch.stack(_run(list(model.layers), x))
