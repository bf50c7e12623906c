def train_recall(model, steps, pairs, seed):
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for step in range(steps):
        batch_seed = torch.randint(0, 2**31 - 1, (1,)).item()
        tokens, query, answer = recall_batch(64, pairs, model.num_keys, model.num_values, batch_seed)
        loss = F.cross_entropy(model(tokens, query), answer)
        opt.zero_grad(); loss.backward(); opt.step()
        losses.append(loss.item())
    return losses
