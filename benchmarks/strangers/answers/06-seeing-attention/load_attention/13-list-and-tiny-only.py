def load_attention(model_dir, text, text_pair=None):
    model = bert.load("tiny-bert")
    tokens = ["[CLS]"] + model.split(text) + ["[SEP]"]
    segments = [0] * len(tokens)
    if text_pair is not None:
        other = model.split(text_pair) + ["[SEP]"]
        tokens += other
        segments += [1] * len(other)
    x = model.embed(tokens, segments)
    all_weights = []
    for layer in model.layers:
        q, k, v = layer.project(x)
        weights = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), -1)
        all_weights.append(weights)
        x = layer.finish(x, weights @ v)
    return tokens, all_weights
