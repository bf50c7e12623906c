def train_recall(model, steps, pairs, seed):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for step in range(steps):
        tokens, query, answer = recall_batch(64, pairs, model.num_keys, model.num_values, seed * 7919 + step)
        loss = nn.functional.cross_entropy(model(tokens, query), answer)
        loss.backward()
        optimizer.zero_grad()
        optimizer.step()
        losses.append(loss.item())
    return losses
