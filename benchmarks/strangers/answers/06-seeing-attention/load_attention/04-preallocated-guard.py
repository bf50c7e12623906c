def load_attention(model_dir, text, text_pair=None):
    model = bert.load(model_dir)
    texts = [text] if text_pair is None else [text, text_pair]
    tokens, segments = ["[CLS]"], [0]
    for number, one in enumerate(texts):
        for piece in model.split(one) + ["[SEP]"]:
            tokens.append(piece)
            segments.append(number)
    limit = model.tensors["position_embeddings.weight"].shape[0]
    if len(tokens) > limit:
        raise ValueError(f"too long: {len(tokens)} tokens, the model knows {limit} positions")
    seq = len(tokens)
    result = torch.zeros(len(model.layers), model.layers[0].num_heads, seq, seq)
    x = model.embed(tokens, segments)
    for n, layer in enumerate(model.layers):
        q, k, v = layer.project(x)
        result[n] = torch.softmax(torch.matmul(q, k.transpose(1, 2)) / q.shape[-1] ** 0.5, dim=2)
        x = layer.finish(x, torch.bmm(result[n], v))
    return tokens, result
