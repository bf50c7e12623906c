def load_attention(model_dir, text, text_pair=None):
    model = bert.load(model_dir)
    tokens = ["[CLS]"] + model.split(text) + ["[SEP]"]
    segments = [0] * len(tokens)
    if text_pair:
        pair_tokens = model.split(text_pair) + ["[SEP]"]
        tokens = tokens + pair_tokens
        segments = segments + [1] * len(pair_tokens)
    hidden = model.embed(tokens, segments)
    attentions = []
    for layer in model.layers:
        q, k, v = layer.project(hidden)
        attention = nn_softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]))
        attentions.append(attention)
        hidden = layer.finish(hidden, attention @ v)
    return tokens, torch.stack(attentions)


nn_softmax = torch.nn.Softmax(dim=-1)
