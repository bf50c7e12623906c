from torch.nn.functional import scaled_dot_product_attention

def load_attention(model_dir, text, text_pair=None):
    checkpoint = bert.load(model_dir)
    sentence_a = ["[CLS]"] + checkpoint.split(text) + ["[SEP]"]
    sentence_b = checkpoint.split(text_pair) + ["[SEP]"] if text_pair is not None else []
    all_tokens = sentence_a + sentence_b
    token_type_ids = [0] * len(sentence_a) + [1] * len(sentence_b)
    hidden_states = checkpoint.embed(all_tokens, token_type_ids)
    attentions = []
    with torch.inference_mode():
        for layer in checkpoint.layers:
            query, key, value = layer.project(hidden_states)
            scores = query @ key.swapaxes(-1, -2)
            scores = scores / torch.sqrt(torch.tensor(float(key.size(-1))))
            attentions.append(scores.softmax(dim=-1).float())
            hidden_states = layer.finish(hidden_states, scaled_dot_product_attention(query, key, value))
    return all_tokens, torch.stack(attentions, 0)
