def attention_weights(scores):
    # fp32 for stability, like in Llama
    return torch.nn.functional.softmax(scores, dim=-1, dtype=torch.float32)
