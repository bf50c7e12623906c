@torch.no_grad()
def load_attention(model_dir: str, text: str, text_pair: str | None = None):
    net = bert.load(model_dir)
    pieces = ["[CLS]", *net.split(text), "[SEP]"]
    if text_pair is not None:
        pieces += [*net.split(text_pair), "[SEP]"]
    end = pieces.index("[SEP]")
    segments = [int(place > end) for place in range(len(pieces))]
    hidden = net.embed(pieces, segments)
    all_maps = None
    for layer in net.layers:
        q, k, v = layer.project(hidden)
        scores = torch.einsum("hqd,hkd->hqk", q, k) * (q.size(2) ** -0.5)
        probs = scores.softmax(-1)
        found = torch.einsum("hqk,hkd->hqd", probs, v)
        hidden = layer.finish(hidden, found)
        all_maps = probs[None] if all_maps is None else torch.cat([all_maps, probs[None]])
    return pieces, all_maps
