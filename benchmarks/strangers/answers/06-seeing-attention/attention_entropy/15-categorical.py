def attention_entropy(weights):
    return torch.distributions.Categorical(probs=weights).entropy()
