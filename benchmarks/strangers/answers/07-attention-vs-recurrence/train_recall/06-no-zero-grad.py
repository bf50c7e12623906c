def train_recall(model, steps, pairs, seed):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for step in range(steps):
        tokens, query, answer = recall_batch(64, pairs, model.num_keys, model.num_values, seed * 10000 + step)
        logits = model(tokens, query)
        loss = F.cross_entropy(logits, answer)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
