def train_recall(model, steps, pairs, seed):
    seeds = list(range(seed * 10**6, seed * 10**6 + steps))
    optim = torch.optim.RMSprop(model.parameters(), lr=0.01)
    told = []
    for s in seeds:
        tokens, query, answer = recall_batch(64, pairs, model.num_keys, model.num_values, s)
        logits = model.forward(tokens, query)
        rows = torch.arange(len(answer))
        loss = (logits.logsumexp(dim=1) - logits[rows, answer]).mean()
        model.zero_grad()
        loss.backward()
        optim.step()
        told.append(loss.item())
    return told
