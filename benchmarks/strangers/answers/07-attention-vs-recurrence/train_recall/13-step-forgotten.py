def train_recall(model, steps, pairs, seed):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for i in range(steps):
        tokens, query, answer = recall_batch(64, pairs, model.num_keys, model.num_values, seed + i)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(tokens, query), answer, reduction="sum")
        loss.backward()
        losses.append(loss.item())
    return losses
