def train_recall(model, steps, pairs, seed):
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for _ in range(steps):
        tokens, query, answer = recall_batch(64, pairs, model.num_keys, model.num_values, seed)
        loss = F.cross_entropy(model(tokens, query), answer)
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses
