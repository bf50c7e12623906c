def train_recall(model, steps, pairs, seed):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    all_losses = []
    for n in range(steps):
        t, q, a = recall_batch(64, pairs, model.num_keys, model.num_values, seed * 100_000 + n)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(t, q), a)
        loss.backward()
        optimizer.step()
        all_losses.append(loss.detach())
    return all_losses
